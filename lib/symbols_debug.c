/* symbols_debug.c: functions, inlined calls and lines from DWARF.

   A unit's functions are indexed when one of its addresses is first asked;
   the inlined calls within a function are searched at each question, whose
   answers are cached in symbols.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_dies.h"

#include <string.h>

/* Deeper nesting is damaged or of no use.  */
#define MAX_DEPTH 200
#define MAX_INLINED 60

struct function {
  Dwarf_Addr low, high;
  Dwarf_Die die;
};

struct unit {
  Dwarf_Die lines;   /* has the line table */
  Dwarf_Die tree;    /* has the functions: another with split DWARF */
  const char *dir;   /* of the compilation, or NULL */
  GArray *functions; /* struct function, ascending */
  const char *last;  /* the furthest DIE that was looked at for them */
};

struct unit_range {
  Dwarf_Addr low, high;
  Dwarf_Die die;
};

static void
free_unit (gpointer data)
{
  struct unit *unit = data;

  g_array_unref (unit->functions);
  g_free (unit);
}

void
dg_debug_free (struct dg_object *object)
{
  if (object->units != NULL)
    g_hash_table_unref (object->units);
  if (object->unit_ranges != NULL)
    g_array_unref (object->unit_ranges);
  if (object->functions != NULL)
    g_hash_table_unref (object->functions);
}

static gint
compare_functions (gconstpointer a, gconstpointer b)
{
  const struct function *x = a, *y = b;

  return x->low < y->low ? -1 : x->low > y->low;
}

static gint
compare_ranges (gconstpointer a, gconstpointer b)
{
  const struct unit_range *x = a, *y = b;

  return x->low < y->low ? -1 : x->low > y->low;
}

static void
add_function (struct unit *unit, Dwarf_Die *die)
{
  struct function function = {.die = *die};
  Dwarf_Addr base;
  ptrdiff_t at = 0;

  while ((at = dwarf_ranges (die, at, &base, &function.low, &function.high))
         > 0)
    if (function.high > function.low)
      g_array_append_val (unit->functions, function);
}

/* Functions stand within namespaces and classes, and in some languages
   within each other.  */
static void
add_functions_below (struct unit *unit, Dwarf_Die *parent, int depth)
{
  Dwarf_Die die;

  if (depth > MAX_DEPTH || !dg_die_child (parent, &die))
    return;
  do {
    /* Only forward, or it is damaged.  */
    if ((const char *) die.addr <= unit->last)
      return;
    unit->last = die.addr;
    switch (dwarf_tag (&die)) {
    case DW_TAG_subprogram:
      add_function (unit, &die);
      add_functions_below (unit, &die, depth + 1);
      break;
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_interface_type:
    case DW_TAG_enumeration_type:
    case DW_TAG_lexical_block:
      add_functions_below (unit, &die, depth + 1);
      break;
    default:
      break;
    }
  } while (dg_die_next (&die));
}

static struct unit *
make_unit (Dwarf_Die *die)
{
  struct unit *unit = g_new0 (struct unit, 1);
  Dwarf_Attribute attribute;
  uint8_t unit_type = 0;
  Dwarf_Die split;

  unit->lines = *die;
  unit->tree = *die;
  memset (&split, 0, sizeof split);
  if (dwarf_cu_info (die->cu, NULL, &unit_type, NULL, &split, NULL, NULL, NULL)
        == 0
      && unit_type == DW_UT_skeleton && dwarf_tag (&split) > 0)
    unit->tree = split;
  unit->dir = dwarf_formstring (dwarf_attr (die, DW_AT_comp_dir, &attribute));
  unit->functions = g_array_new (FALSE, FALSE, sizeof (struct function));
  add_functions_below (unit, &unit->tree, 0);
  g_array_sort (unit->functions, compare_functions);
  return unit;
}

static void
index_units (struct dg_object *object)
{
  Dwarf_Die *die = NULL;
  Dwarf_Addr bias;

  object->unit_ranges = g_array_new (FALSE, FALSE, sizeof (struct unit_range));
  while ((die = dwfl_module_nextcu (object->module, die, &bias)) != NULL) {
    struct unit_range range = {.die = *die};
    Dwarf_Addr base;
    ptrdiff_t at = 0;

    while ((at = dwarf_ranges (die, at, &base, &range.low, &range.high)) > 0)
      if (range.high > range.low)
        g_array_append_val (object->unit_ranges, range);
  }
  g_array_sort (object->unit_ranges, compare_ranges);
}

static bool
has_code (Dwarf_Die *die)
{
  return dwarf_hasattr (die, DW_AT_low_pc)
         || dwarf_hasattr (die, DW_AT_ranges);
}

/* The unit over an address, by the units' own ranges.  libdwfl's search goes
   by .debug_aranges, which not all compilers write, and takes a gap between
   two units for a part of the first; it is asked only for units that have no
   ranges.  */
static Dwarf_Die *
find_unit_die (struct dg_object *object, uint64_t address, Dwarf_Addr *bias)
{
  guint low = 0, high;
  Dwarf_Die *die;

  if (dwfl_module_getdwarf (object->module, bias) == NULL)
    return NULL;
  if (object->unit_ranges == NULL)
    index_units (object);
  high = object->unit_ranges->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (object->unit_ranges, struct unit_range, middle).low
        <= address - *bias)
      low = middle + 1;
    else
      high = middle;
  }
  if (low > 0) {
    struct unit_range *range =
      &g_array_index (object->unit_ranges, struct unit_range, low - 1);
    if (address - *bias < range->high)
      return &range->die;
  }
  die = dwfl_module_addrdie (object->module, address, bias);
  return die != NULL && !has_code (die) ? die : NULL;
}

static struct unit *
find_unit (struct dg_object *object, uint64_t address, Dwarf_Addr *bias)
{
  Dwarf_Die *die = find_unit_die (object, address, bias);
  struct unit *unit;

  if (die == NULL)
    return NULL;
  if (object->units == NULL)
    object->units = g_hash_table_new_full (NULL, NULL, NULL, free_unit);
  unit = g_hash_table_lookup (object->units, die->cu);
  if (unit == NULL) {
    unit = make_unit (die);
    g_hash_table_insert (object->units, die->cu, unit);
  }
  return unit;
}

/* The innermost of the functions over pc.  One that begins later is within
   those that began before, or they have ended.  */
static Dwarf_Die *
find_function (const struct unit *unit, Dwarf_Addr pc)
{
  guint low = 0, high = unit->functions->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (unit->functions, struct function, middle).low <= pc)
      low = middle + 1;
    else
      high = middle;
  }
  /* A few steps back reach a function around a nested one.  */
  for (guint tries = 0; low > 0 && tries < 16; low--, tries++) {
    struct function *function =
      &g_array_index (unit->functions, struct function, low - 1);
    if (pc < function->high)
      return &function->die;
  }
  return NULL;
}

/* The inlined calls around pc, outermost first.  */
struct chain {
  Dwarf_Die dies[MAX_INLINED];
  size_t n;
  const char *last; /* the furthest DIE that was looked at */
};

static bool
descend (struct chain *chain, Dwarf_Die *parent, Dwarf_Addr pc, int depth)
{
  Dwarf_Die die;

  if (depth > MAX_DEPTH || chain->n == MAX_INLINED
      || !dg_die_child (parent, &die))
    return false;
  do {
    int tag = dwarf_tag (&die);

    if ((const char *) die.addr <= chain->last)
      return false;
    chain->last = die.addr;
    if (tag == DW_TAG_inlined_subroutine) {
      if (dwarf_haspc (&die, pc) > 0) {
        chain->dies[chain->n++] = die;
        descend (chain, &die, pc, depth + 1);
        return true;
      }
    } else if (tag == DW_TAG_lexical_block || tag == DW_TAG_try_block
               || tag == DW_TAG_catch_block) {
      /* A block without addresses of its own may still hold calls.  */
      if ((dwarf_haspc (&die, pc) > 0 || !has_code (&die))
          && descend (chain, &die, pc, depth + 1))
        return true;
    }
  } while (dg_die_next (&die));
  return false;
}

/* The declaration that an instance of a function goes back to: that one
   stands within its namespaces and classes.  */
static Dwarf_Die
declaration_of (const Dwarf_Die *instance)
{
  static const unsigned links[] = {DW_AT_abstract_origin, DW_AT_specification};
  Dwarf_Die die = *instance;
  bool followed = true;

  for (int steps = 0; followed && steps < 8; steps++) {
    followed = false;
    for (size_t i = 0; i < G_N_ELEMENTS (links) && !followed; i++) {
      Dwarf_Attribute attribute;
      Dwarf_Die next;

      if (dwarf_formref_die (dwarf_attr (&die, links[i], &attribute), &next)
          != NULL) {
        die = next;
        followed = true;
      }
    }
  }
  return die;
}

/* For functions without a mangled name, which are those that no other file
   can call: the name with its scopes, as far as the language has any.  */
static const char *
qualified_name (struct dg_names *names, Dwarf_Die *instance)
{
  const char *plain = dwarf_diename (instance), *result;
  Dwarf_Die die = declaration_of (instance);
  GString *text;

  if (plain == NULL || dg_die_is_c (&die))
    return dg_names_symbol (names, plain);
  text = g_string_new (NULL);
  dg_die_append_scopes (text, &die);
  g_string_append (text, plain);
  result = dg_names_intern (names, text->str);
  g_string_free (text, TRUE);
  return result;
}

static const char *
linkage_name (Dwarf_Die *die)
{
  static const unsigned linkage[] = {DW_AT_linkage_name,
                                     DW_AT_MIPS_linkage_name};

  for (size_t i = 0; i < G_N_ELEMENTS (linkage); i++) {
    Dwarf_Attribute attribute;
    const char *name =
      dwarf_formstring (dwarf_attr_integrate (die, linkage[i], &attribute));

    /* Others are the linker's name of a C function, not the source's.  */
    if (name != NULL && name[0] == '_' && name[1] != '\0'
        && strchr ("ZRD", name[1]) != NULL)
      return name;
  }
  return NULL;
}

/* Cached by the DIE: one function is inlined in many places.  */
static const char *
function_name (struct dg_object *object, struct dg_names *names,
               Dwarf_Die *die)
{
  const char *name = linkage_name (die);
  Dwarf_Die declaration;

  if (name != NULL)
    return dg_names_symbol (names, name);
  declaration = declaration_of (die);
  if (object->functions == NULL)
    object->functions = g_hash_table_new (NULL, NULL);
  name = g_hash_table_lookup (object->functions, declaration.addr);
  if (name == NULL) {
    name = qualified_name (names, die);
    g_hash_table_insert (object->functions, declaration.addr, (gpointer) name);
  }
  return name;
}

/* The name of a function that stands for itself: its symbol may be better
   known than its name in the source, such as malloc for __libc_malloc.  */
static const char *
whole_function_name (struct dg_object *object, struct dg_names *names,
                     Dwarf_Die *die, Dwarf_Addr bias)
{
  const char *name = function_name (object, names, die), *better;
  Dwarf_Addr entry;

  if (dwarf_entrypc (die, &entry) != 0)
    return name;
  better = dg_symtab_public (object, entry + bias, name);
  return better != NULL ? dg_names_symbol (names, better) : name;
}

static void
set_line (struct unit *unit, struct dg_names *names, Dwarf_Addr pc,
          struct dg_frame *frame)
{
  Dwarf_Line *line = dwarf_getsrc_die (&unit->lines, pc);
  bool is_end;
  int number;

  /* In the gap behind a piece of code, what is found is the piece's end.  */
  if (line == NULL || dwarf_lineendsequence (line, &is_end) != 0 || is_end)
    return;
  frame->file =
    dg_names_source (names, unit->dir, dwarf_linesrc (line, NULL, NULL));
  if (dwarf_lineno (line, &number) == 0 && number > 0)
    frame->line = (uint32_t) number;
}

/* Where `die`, an inlined call, was called from.  */
static void
set_call (struct unit *unit, struct dg_names *names, Dwarf_Die *die,
          struct dg_frame *frame)
{
  Dwarf_Attribute attribute;
  Dwarf_Word number;
  Dwarf_Files *files;
  size_t n_files;

  if (dwarf_formudata (dwarf_attr (die, DW_AT_call_line, &attribute), &number)
        == 0
      && number <= UINT32_MAX)
    frame->line = (uint32_t) number;
  if (dwarf_formudata (dwarf_attr (die, DW_AT_call_file, &attribute), &number)
        == 0
      && dwarf_getsrcfiles (&unit->tree, &files, &n_files) == 0
      && number < n_files)
    frame->file = dg_names_source (names, unit->dir,
                                   dwarf_filesrc (files, number, NULL, NULL));
}

size_t
dg_debug_frames (struct dg_object *object, struct dg_names *names,
                 uint64_t address, struct dg_frame *out, size_t max)
{
  struct chain chain;
  struct unit *unit;
  Dwarf_Addr bias = 0;
  Dwarf_Die *function;
  size_t n = 0;

  if (dg_object_module (object) == NULL)
    return 0;
  unit = find_unit (object, address, &bias);
  if (unit == NULL)
    return 0;
  chain.n = 0;
  chain.last = NULL;
  function = find_function (unit, address - bias);
  if (function != NULL)
    descend (&chain, function, address - bias, 0);
  memset (out, 0, max * sizeof *out);
  set_line (unit, names, address - bias, &out[0]);
  for (size_t i = chain.n; i > 0 && n < max; i--, n++) {
    out[n].function = function_name (object, names, &chain.dies[i - 1]);
    out[n].inlined = true;
    if (n + 1 < max)
      set_call (unit, names, &chain.dies[i - 1], &out[n + 1]);
  }
  if (n < max) {
    if (function != NULL)
      out[n].function = whole_function_name (object, names, function, bias);
    n++;
  }
  return n;
}

size_t
dg_debug_scopes (struct dg_object *object, uint64_t address, Dwarf_Die *out,
                 size_t max, uint64_t *pc)
{
  struct chain chain = {.n = 0};
  struct unit *unit;
  Dwarf_Addr bias = 0;
  Dwarf_Die *function;
  size_t n = 0;

  if (max == 0 || dg_object_module (object) == NULL)
    return 0;
  unit = find_unit (object, address, &bias);
  if (unit == NULL)
    return 0;
  *pc = address - bias;
  function = find_function (unit, *pc);
  if (function == NULL)
    return 0;
  descend (&chain, function, *pc, 0);
  out[n++] = *function;
  for (size_t i = 0; i < chain.n && n < max; i++)
    out[n++] = chain.dies[i];
  return n;
}
