/* symbols_dies_index.c: the types and variables of a file by name and address.

   Made by one walk over its debug information when the first of them is asked
   for.  A type is known by its canonical name; if several are defined under
   one, by the first; those within functions come last.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_dies.h"
#include "symbols_dies_placeless.h"
#include "symbols_place.h"
#include "base/bisect.h"
#include "base/compare.h"

#include <string.h>

struct entry {
  Dwarf_Die die;
  struct entry *next;     /* of the same name */
  enum dg_type_word word; /* DG_TYPE_ANY: a typedef or base type */
  bool is_local;          /* within a function */
};

struct datum {
  uint64_t low, size;     /* in the object's addresses */
  uint64_t skip;          /* bytes of the variable that are elsewhere */
  uint64_t piece;         /* bytes of it that are here; 0: all others */
  Dwarf_Die die;
};

struct dg_object_index {
  GStringChunk *names;
  GHashTable *types;      /* name -> struct entry */
  GHashTable *tails;      /* name without scopes -> the same */
  GPtrArray *sorted;      /* keys of `types`, once it was needed */
  GHashTable *declared;   /* name -> Dwarf_Die of a variable */
  GPtrArray *memory;
  GArray *data;           /* struct datum, ascending */
};

static void
free_entry (gpointer data)
{
  g_free (data);
}

static void
free_index (gpointer data)
{
  struct dg_object_index *index = data;

  g_hash_table_unref (index->types);
  g_hash_table_unref (index->tails);
  g_hash_table_unref (index->declared);
  g_ptr_array_unref (index->memory);
  if (index->sorted != NULL)
    g_ptr_array_unref (index->sorted);
  g_array_unref (index->data);
  g_string_chunk_free (index->names);
  g_free (index);
}

/* ---- The walk --------------------------------------------------------- */

struct walk {
  struct dg_object *object;
  struct dg_object_index *index;
  GString *scope;         /* "ns::Class::" */
  const char *last;       /* the furthest DIE of this unit so far */
  Dwarf_Addr bias;
  struct dg_die_placeless *placeless;  /* or NULL */
};

static void
add_entry (struct walk *walk, GHashTable *table, const char *name,
           Dwarf_Die *die, enum dg_type_word word, bool is_local)
{
  struct entry *first = g_hash_table_lookup (table, name), *entry;

  for (entry = first; entry != NULL; entry = entry->next)
    if (entry->word == word && entry->is_local <= is_local)
      return;
  entry = g_new (struct entry, 1);
  entry->die = *die;
  entry->word = word;
  entry->is_local = is_local;
  g_ptr_array_add (walk->index->memory, entry);
  if (first == NULL) {
    entry->next = NULL;
    g_hash_table_insert (
      table, g_string_chunk_insert (walk->index->names, name), entry);
  } else {
    entry->next = first->next;
    first->next = entry;
  }
}

static bool
has_flag (Dwarf_Die *die, unsigned attribute)
{
  Dwarf_Attribute found;
  bool flag = false;

  return dwarf_formflag (dwarf_attr (die, attribute, &found), &flag) == 0
         && flag;
}

static void
add_type (struct walk *walk, Dwarf_Die *die, enum dg_type_word word,
          bool is_local)
{
  const char *name = dwarf_diename (die);
  char *tail, *whole;
  gsize length = walk->scope->len;

  if (name == NULL || has_flag (die, DW_AT_declaration))
    return;
  tail = dg_type_name_canonical (name);
  g_string_append (walk->scope, tail);
  whole = walk->scope->str;
  /* Within functions people name them as they do there.  */
  if (!is_local)
    add_entry (walk, walk->index->types, whole, die, word, false);
  if (is_local || length > 0)
    add_entry (walk, walk->index->tails, tail, die, word, is_local);
  g_string_truncate (walk->scope, length);
  g_free (tail);
}

/* Known under its name, until its definition is found.  */
static void
add_declared (struct walk *walk, Dwarf_Die *die, const char *name)
{
  Dwarf_Die *copy;

  if (g_hash_table_contains (walk->index->declared, name))
    return;
  copy = g_new (Dwarf_Die, 1);
  *copy = *die;
  g_hash_table_insert (walk->index->declared, (gpointer) name, copy);
}

/* Of split units GCC 12 writes where the file has the variable, and not where
   it is among those of a thread.  */
static Dwarf_Addr
of_thread (const struct walk *walk, Dwarf_Addr address)
{
  const struct dg_segment *locals = &walk->object->locals;

  return address >= locals->low && address < locals->high
             && address >= locals->high - locals->low
           ? address - locals->low
           : address;
}

/* Sizes need types, so only of those whose name is known.  */
static void
add_wanted (struct walk *walk, Dwarf_Die *die, bool in_function)
{
  struct dg_die_wanted *wanted =
    dg_die_placeless_wanted (walk->placeless, die, in_function);
  Dwarf_Die type;
  uint64_t size;

  if (wanted != NULL && dg_die_follow (die, DW_AT_type, &type)
      && dg_die_size (walk->object, &type, &size))
    dg_die_wanted_add (wanted, die, size);
}

static void
add_variable (struct walk *walk, Dwarf_Die *die, bool in_function)
{
  const char *name = dwarf_diename (die);
  struct dg_place places[DG_PLACE_MOST];
  Dwarf_Die type;
  size_t n;

  if (name == NULL)
    return;
  n = dg_place_find (die, places);
  if (n == 0 && has_flag (die, DW_AT_declaration))
    add_declared (walk, die, name);
  if (n == 0)
    add_wanted (walk, die, in_function);
  if (n == 0 || !dg_die_follow (die, DW_AT_type, &type)
      || dwarf_tag (&type) <= 0)
    return;
  for (size_t i = 0; i < n; i++) {
    struct datum datum = {.die = *die, .skip = places[i].skip,
                          .piece = places[i].size};

    /* What the linker has thrown away was at 0.  */
    if (places[i].address == 0 && !places[i].is_of_thread)
      continue;
    datum.low = places[i].is_of_thread
                  ? DG_LOCALS_BASE + of_thread (walk, places[i].address)
                  : walk->bias + places[i].address;
    g_array_append_val (walk->index->data, datum);
  }
}

static void walk_children (struct walk *walk, Dwarf_Die *parent, int depth,
                           bool in_function);

/* The children of a namespace or class have it before their names.  */
static void
walk_scope (struct walk *walk, Dwarf_Die *die, int depth, bool in_function)
{
  const char *name = dwarf_diename (die);
  gsize length = walk->scope->len;
  bool is_seen_through = dwarf_tag (die) == DW_TAG_namespace
                         && has_flag (die, DW_AT_export_symbols);

  if (!is_seen_through) {
    char *canonical =
      dg_type_name_canonical (name != NULL ? name : "(anonymous namespace)");

    if (name != NULL || dwarf_tag (die) == DW_TAG_namespace)
      g_string_append_printf (walk->scope, "%s::", canonical);
    g_free (canonical);
  }
  walk_children (walk, die, depth, in_function);
  g_string_truncate (walk->scope, length);
}

/* A type of a unit of its own stands outside of the scope that declares it.
   Returns the scope that is to be set again; NULL: it stays.  */
static GString *
enter_declared_scope (struct walk *walk, Dwarf_Die *die)
{
  GString *before = walk->scope, *scopes;
  char *canonical;

  if (!dwarf_hasattr (die, DW_AT_specification))
    return NULL;
  scopes = g_string_new (NULL);
  dg_die_append_scopes (walk->object, scopes, die);
  canonical = dg_type_name_canonical (scopes->str);
  g_string_assign (scopes, canonical);
  g_free (canonical);
  walk->scope = scopes;
  return before;
}

static void
visit_aggregate (struct walk *walk, Dwarf_Die *die, enum dg_type_word word,
                 int depth, bool in_function)
{
  GString *before = enter_declared_scope (walk, die);

  add_type (walk, die, word, in_function);
  if (word != DG_TYPE_ENUM)
    walk_scope (walk, die, depth, in_function);
  if (before != NULL) {
    g_string_free (walk->scope, TRUE);
    walk->scope = before;
  }
}

static void
visit (struct walk *walk, Dwarf_Die *die, int depth, bool in_function)
{
  switch (dwarf_tag (die)) {
  case DW_TAG_base_type:
  case DW_TAG_typedef:
  case DW_TAG_unspecified_type:
  case DW_TAG_template_alias:
    add_type (walk, die, DG_TYPE_ANY, in_function);
    break;
  case DW_TAG_enumeration_type:
    visit_aggregate (walk, die, DG_TYPE_ENUM, depth, in_function);
    break;
  case DW_TAG_union_type:
    visit_aggregate (walk, die, DG_TYPE_UNION, depth, in_function);
    break;
  case DW_TAG_structure_type:
  case DW_TAG_class_type:
  case DW_TAG_interface_type:
    visit_aggregate (walk, die, DG_TYPE_STRUCT, depth, in_function);
    break;
  case DW_TAG_namespace:
  case DW_TAG_module:
    walk_scope (walk, die, depth, in_function);
    break;
  case DW_TAG_variable:
    add_variable (walk, die, in_function);
    break;
  case DW_TAG_common_block:
    walk_children (walk, die, depth, in_function);
    break;
  case DW_TAG_subprogram:
    walk_children (walk, die, depth, true);
    break;
  case DW_TAG_lexical_block:
  case DW_TAG_try_block:
  case DW_TAG_catch_block:
    walk_children (walk, die, depth, in_function);
    break;
  default:
    break;
  }
}

/* Every DIE stands behind the last one that was visited, or the unit is
   damaged: so none is visited twice.  */
static void
walk_children (struct walk *walk, Dwarf_Die *parent, int depth,
               bool in_function)
{
  Dwarf_Die die;

  if (depth > DG_DIE_DEPTH || !dg_die_child (parent, &die))
    return;
  do {
    if ((const char *) die.addr <= walk->last)
      return;
    walk->last = die.addr;
    visit (walk, &die, depth + 1, in_function);
  } while (dg_die_next (&die));
}

static void
walk_units (struct walk *walk, Dwarf *dwarf)
{
  Dwarf_CU *unit = NULL;
  Dwarf_Die die, split;
  uint8_t unit_type;

  while (dwarf_get_units (dwarf, unit, &unit, NULL, &unit_type, &die, &split)
         == 0) {
    /* With -gsplit-dwarf the rest is in a file of its own.  */
    if (unit_type == DW_UT_skeleton && dwarf_tag (&split) > 0)
      die = split;
    walk->last = die.addr;
    walk_children (walk, &die, 0, false);
  }
}

static void
add_placeless (void *user, Dwarf_Die *die, uint64_t address)
{
  struct walk *walk = user;
  struct datum datum = {.low = address, .die = *die};

  g_array_append_val (walk->index->data, datum);
}

DG_COMPARE_BY (compare_data, struct datum, low)

/* Sizes need the types, which may be in other units; the first of several
   at one address that has one is kept.  */
static void
finish_data (struct walk *walk)
{
  GArray *data = walk->index->data;
  guint kept = 0;

  g_array_sort (data, compare_data);
  for (guint i = 0; i < data->len; i++) {
    struct datum *datum = &g_array_index (data, struct datum, i);
    struct datum *last =
      kept > 0 ? &g_array_index (data, struct datum, kept - 1) : NULL;
    Dwarf_Die type;

    if (last != NULL && last->low == datum->low && last->size > 0)
      continue;
    datum->size = 0;
    if (datum->piece > 0)
      datum->size = datum->piece;
    else if (dg_die_follow (&datum->die, DW_AT_type, &type))
      dg_die_size (walk->object, &type, &datum->size);
    if (last != NULL && last->low == datum->low)
      *last = *datum;
    else
      g_array_index (data, struct datum, kept++) = *datum;
  }
  g_array_set_size (data, kept);
}

static struct dg_object_index *
index_of (struct dg_object *object)
{
  struct walk walk = {.object = object};
  struct dg_object_index *index = object->index;
  Dwarf *dwarf;

  if (index != NULL)
    return index;
  index = g_new0 (struct dg_object_index, 1);
  index->names = g_string_chunk_new (16384);
  index->types = g_hash_table_new (dg_hash_text, g_str_equal);
  index->tails = g_hash_table_new (dg_hash_text, g_str_equal);
  index->declared =
    g_hash_table_new_full (dg_hash_text, g_str_equal, NULL, g_free);
  index->memory = g_ptr_array_new_with_free_func (free_entry);
  index->data = g_array_new (FALSE, FALSE, sizeof (struct datum));
  /* From here on it is there for dg_die_define, too.  */
  object->index = index;
  dg_object_keep (object, index, free_index);
  walk.index = index;
  if (!dg_object_whole (object))
    return index;
  dwarf = dwfl_module_getdwarf (object->module, &walk.bias);
  if (dwarf == NULL)
    return index;
  g_atomic_int_set (&object->is_opening, 1);
  walk.scope = g_string_new (NULL);
  walk.placeless = dg_die_placeless_new (object);
  walk_units (&walk, dwarf);
  /* Of what dwz has put together for several files: types.  */
  dwarf = dwarf_getalt (dwarf);
  if (dwarf != NULL)
    walk_units (&walk, dwarf);
  g_string_free (walk.scope, TRUE);
  dg_die_placeless_find (walk.placeless, add_placeless, &walk);
  dg_die_placeless_free (walk.placeless);
  finish_data (&walk);
  g_atomic_int_set (&object->is_opening, 0);
  return index;
}

/* ---- Types by name ---------------------------------------------------- */

/* Without a keyword, what a name alone means in C++ and in C: a typedef or
   base type before the others.  */
static bool
choose (const struct entry *entry, enum dg_type_word word, Dwarf_Die *out)
{
  const struct entry *best = NULL;

  for (; entry != NULL; entry = entry->next) {
    if (word != DG_TYPE_ANY && entry->word != word)
      continue;
    if (best == NULL || entry->is_local < best->is_local
        || (entry->is_local == best->is_local && entry->word < best->word))
      best = entry;
  }
  if (best != NULL)
    *out = best->die;
  return best != NULL;
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* "std::vector<int>" also means the one with the default arguments, and the
   name without scopes.  */
static bool
find_with_more_arguments (struct dg_object_index *index, const char *name,
                          enum dg_type_word word, Dwarf_Die *out)
{
  size_t n = strlen (name);
  guint low;

  if (n < 3 || name[n - 1] != '>')
    return false;
  if (index->sorted == NULL) {
    GHashTableIter iter;
    gpointer key;

    index->sorted = g_ptr_array_new ();
    g_hash_table_iter_init (&iter, index->types);
    while (g_hash_table_iter_next (&iter, &key, NULL))
      if (strchr (key, '<') != NULL)
        g_ptr_array_add (index->sorted, key);
    g_ptr_array_sort (index->sorted, compare_names);
  }
  low = DG_BISECT (0, index->sorted->len, i,
                   strncmp (g_ptr_array_index (index->sorted, i), name, n - 1)
                     < 0);
  for (; low < index->sorted->len; low++) {
    const char *key = g_ptr_array_index (index->sorted, low);
    size_t length = strlen (key);

    if (strncmp (key, name, n - 1) != 0)
      return false;
    if (key[n - 1] == ',' && key[length - 1] == '>'
        && choose (g_hash_table_lookup (index->types, key), word, out))
      return true;
  }
  return false;
}

/* Where the last name of "a::b<c::d>::e" begins.  */
static const char *
tail_of (const char *name)
{
  const char *tail = name;
  int depth = 0;

  for (const char *c = name; *c != '\0'; c++) {
    if (*c == '<' || *c == '(')
      depth++;
    else if (*c == '>' || *c == ')')
      depth--;
    else if (depth == 0 && c[0] == ':' && c[1] == ':')
      tail = c + 2;
  }
  return tail;
}

/* Whether the scopes "a::b::" are among "x::a::y::b::", in that order.  */
static bool
has_scopes (const char *all, const char *wanted)
{
  while (*wanted != '\0') {
    const char *end = strstr (wanted, "::");
    size_t n = end != NULL ? (size_t) (end + 2 - wanted) : strlen (wanted);

    while (*all != '\0' && strncmp (all, wanted, n) != 0) {
      const char *next = strstr (all, "::");

      all = next != NULL ? next + 2 : all + strlen (all);
    }
    if (*all == '\0')
      return false;
    all += n;
    wanted += n;
  }
  return true;
}

/* People leave out namespaces in the middle: inline ones, of which DWARF 4
   does not say that they are.  */
static bool
find_with_more_scopes (struct dg_object *object, const char *name,
                       enum dg_type_word word, Dwarf_Die *out)
{
  struct dg_object_index *index = object->index;
  const char *tail = tail_of (name);
  char *wanted, *all;
  GString *scopes;
  bool found;

  if (tail == name
      || !choose (g_hash_table_lookup (index->tails, tail), word, out))
    return false;
  wanted = g_strndup (name, (gsize) (tail - name));
  scopes = g_string_new (NULL);
  dg_die_append_scopes (object, scopes, out);
  all = dg_type_name_canonical (scopes->str);
  found = has_scopes (all, wanted);
  g_string_free (scopes, TRUE);
  g_free (all);
  g_free (wanted);
  return found;
}

bool
dg_die_index_type (struct dg_object *object, const char *name,
                   enum dg_type_word word, Dwarf_Die *out)
{
  struct dg_object_index *index = index_of (object);

  return choose (g_hash_table_lookup (index->types, name), word, out)
         || choose (g_hash_table_lookup (index->tails, name), word, out)
         || find_with_more_arguments (index, name, word, out)
         || find_with_more_scopes (object, name, word, out);
}

/* ---- Variables -------------------------------------------------------- */

bool
dg_die_index_data (struct dg_object *object, uint64_t address, Dwarf_Die *out,
                   uint64_t *low, uint64_t *size, uint64_t *skip)
{
  const GArray *data = index_of (object)->data;
  guint first = DG_BISECT (
    0, data->len, i, g_array_index (data, struct datum, i).low <= address);

  if (first == 0)
    return false;
  *out = g_array_index (data, struct datum, first - 1).die;
  *low = g_array_index (data, struct datum, first - 1).low;
  *size = g_array_index (data, struct datum, first - 1).size;
  *skip = g_array_index (data, struct datum, first - 1).skip;
  return true;
}

uint64_t
dg_die_index_next_data (struct dg_object *object, uint64_t address)
{
  const GArray *data = index_of (object)->data;
  guint first = DG_BISECT (
    0, data->len, i, g_array_index (data, struct datum, i).low <= address);

  return first < data->len ? g_array_index (data, struct datum, first).low
                           : UINT64_MAX;
}

bool
dg_die_index_declared (struct dg_object *object, const char *name,
                       Dwarf_Die *out)
{
  const Dwarf_Die *die =
    g_hash_table_lookup (index_of (object)->declared, name);

  if (die != NULL)
    *out = *die;
  return die != NULL;
}
