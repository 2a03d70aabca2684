/* variables.c: whose memory an access touches, by a name that a programmer
   knows.

   Here: numbers and names.  Where accesses are looked up fast is finder.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "variables.h"

#include "error.h"

#include <glib.h>
#include <string.h>

/* The most frames that one code address has.  */
#define MOST_FRAMES 16

/* A call stack that allocates.  */
struct site {
  struct dg_named named;
  struct dg_stack stack;
  uint64_t icount;         /* of its first block */
  bool is_named;
};

struct dg_variables {
  const struct dg_log *log;
  struct dg_symbols *symbols;
  const struct dg_space *space;
  GMutex lock;             /* guards all below */
  GStringChunk *strings;
  GHashTable *by_name;     /* struct dg_named -> its number + 1 */
  GPtrArray *named;        /* struct dg_named by number */
  GHashTable *by_stack;    /* the sites of a stack, which are kept once, to
                              its number */
  GPtrArray *sites;        /* struct site by number - 1 */
};

static guint
hash_named (gconstpointer data)
{
  const struct dg_named *named = data;

  return g_str_hash (named->name) * 31 + named->kind + named->line * 131;
}

static gboolean
equal_named (gconstpointer a, gconstpointer b)
{
  const struct dg_named *x = a, *y = b;

  return x->kind == y->kind && x->line == y->line
         && strcmp (x->name, y->name) == 0
         && g_strcmp0 (x->file, y->file) == 0;
}

static const char *
keep (struct dg_variables *variables, const char *text)
{
  return text != NULL ? g_string_chunk_insert_const (variables->strings, text)
                      : NULL;
}

/* Under the lock.  */
static uint32_t
number_of (struct dg_variables *variables, const struct dg_named *named)
{
  gpointer known = g_hash_table_lookup (variables->by_name, named);
  struct dg_named *copy;

  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  copy = g_new (struct dg_named, 1);
  *copy = *named;
  copy->name = keep (variables, named->name);
  copy->whole = keep (variables, named->whole);
  copy->type = keep (variables, named->type);
  copy->file = keep (variables, named->file);
  g_ptr_array_add (variables->named, copy);
  g_hash_table_insert (variables->by_name, copy,
                       GUINT_TO_POINTER (variables->named->len));
  return variables->named->len - 1;
}

struct dg_variables *
dg_variables_new (const struct dg_log *log, struct dg_symbols *symbols,
                  const struct dg_space *space, const char *allocators,
                  unsigned workers, struct dg_error *err)
{
  struct dg_variables *variables = g_try_new0 (struct dg_variables, 1);
  struct dg_named unknown = {.kind = DG_VARIABLE_NONE, .name = "<NA>",
                             .whole = "<NA>"};

  (void) allocators;
  (void) workers;
  if (variables == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  variables->log = log;
  variables->symbols = symbols;
  variables->space = space;
  g_mutex_init (&variables->lock);
  variables->strings = g_string_chunk_new (4096);
  variables->by_name = g_hash_table_new (hash_named, equal_named);
  variables->named = g_ptr_array_new_with_free_func (g_free);
  variables->by_stack = g_hash_table_new (NULL, NULL);
  variables->sites = g_ptr_array_new_with_free_func (g_free);
  number_of (variables, &unknown);
  unknown.kind = DG_VARIABLE_LOCAL;
  number_of (variables, &unknown);
  return variables;
}

void
dg_variables_free (struct dg_variables *variables)
{
  if (variables == NULL)
    return;
  g_hash_table_unref (variables->by_name);
  g_hash_table_unref (variables->by_stack);
  g_ptr_array_unref (variables->named);
  g_ptr_array_unref (variables->sites);
  g_string_chunk_free (variables->strings);
  g_mutex_clear (&variables->lock);
  g_free (variables);
}

const struct dg_log *
dg_variables_log (const struct dg_variables *variables)
{
  return variables->log;
}

const struct dg_space *
dg_variables_space (const struct dg_variables *variables)
{
  return variables->space;
}

/* ---- Places of allocation --------------------------------------------- */

static struct site *
site_of (struct dg_variables *variables, uint32_t number)
{
  return g_ptr_array_index (variables->sites, number - 1);
}

uint32_t
dg_variables_block_site (struct dg_variables *variables, uint32_t block)
{
  size_t n;
  const struct dg_block *b = &dg_log_blocks (variables->log, &n)[block];
  gpointer key = (gpointer) b->alloc_stack.sites;
  uint32_t number;

  g_mutex_lock (&variables->lock);
  number =
    GPOINTER_TO_UINT (g_hash_table_lookup (variables->by_stack, key));
  if (number == 0) {
    struct site *site = g_new0 (struct site, 1);

    site->stack = b->alloc_stack;
    site->icount = b->alloc_icount;
    g_ptr_array_add (variables->sites, site);
    number = variables->sites->len;
    g_hash_table_insert (variables->by_stack, key, GUINT_TO_POINTER (number));
  }
  g_mutex_unlock (&variables->lock);
  return number;
}

static const char *
base_of (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash != NULL ? slash + 1 : path;
}

/* Functions whose callers are the ones that want the memory.  */
static bool
is_allocator (const struct dg_frame *frame)
{
  static const char *const names[] = {
    "malloc", "calloc", "realloc", "reallocarray", "memalign",
    "aligned_alloc", "posix_memalign", "valloc", "pvalloc",
  };

  if (frame->module != NULL
      && g_str_has_prefix (base_of (frame->module), "vgpreload_"))
    return true;
  if (frame->function == NULL)
    return false;
  if (g_str_has_prefix (frame->function, "operator new"))
    return true;
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (frame->function, names[i]) == 0)
      return true;
  return false;
}

/* The innermost frame that is no allocator; else the first.  False: there is
   none that has a name.  */
static bool
find_frame (struct dg_variables *variables, const struct site *site,
            struct dg_frame *out)
{
  bool found = false;

  for (uint32_t i = 0; i < site->stack.n; i++) {
    struct dg_frame frames[MOST_FRAMES];
    size_t n = dg_symbols_frames (variables->symbols, site->stack.sites[i],
                                  site->icount, frames, MOST_FRAMES);

    for (size_t k = 0; k < n; k++) {
      if (!found)
        *out = frames[k];
      found = true;
      if (!is_allocator (&frames[k])) {
        *out = frames[k];
        return out->function != NULL;
      }
    }
  }
  return found && out->function != NULL;
}

/* "function (file:line)", or as much of it as is known.  */
static void
name_site (struct dg_variables *variables, struct site *site)
{
  struct dg_frame frame = {NULL, NULL, NULL, 0, 0, false};
  GString *text = g_string_new (NULL);
  bool found = find_frame (variables, site, &frame);

  if (found)
    g_string_append (text, frame.function);
  else if (site->stack.n > 0)
    g_string_append_printf (text, "0x%" G_GINT64_MODIFIER "x",
                            site->stack.sites[0]);
  else
    g_string_append (text, "<NA>");
  if (frame.file != NULL)
    g_string_append_printf (text, " (%s:%u)", base_of (frame.file),
                            frame.line);
  else if (frame.module != NULL)
    g_string_append_printf (text, " (%s)", base_of (frame.module));
  g_mutex_lock (&variables->lock);
  if (!site->is_named) {
    site->named.kind = DG_VARIABLE_HEAP;
    site->named.name = keep (variables, text->str);
    site->named.file = keep (variables, frame.file);
    site->named.line = frame.line;
    g_string_truncate (text, 0);
    g_string_append (text, found ? frame.function : site->named.name);
    if (frame.file != NULL)
      g_string_append_printf (text, " at %s:%u", base_of (frame.file),
                              frame.line);
    site->named.whole = keep (variables, text->str);
    site->is_named = true;
  }
  g_mutex_unlock (&variables->lock);
  g_string_free (text, TRUE);
}

const struct dg_named *
dg_variables_site (struct dg_variables *variables, uint32_t number,
                   struct dg_stack *stack)
{
  struct site *site;
  bool is_named;

  if (number == 0) {
    *stack = (struct dg_stack){0, NULL};
    return dg_variables_named (variables, 0);
  }
  g_mutex_lock (&variables->lock);
  site = site_of (variables, number);
  is_named = site->is_named;
  g_mutex_unlock (&variables->lock);
  if (!is_named)
    name_site (variables, site);
  *stack = site->stack;
  return &site->named;
}

const struct dg_named *
dg_variables_named (struct dg_variables *variables, uint32_t variable)
{
  const struct dg_named *named;

  g_mutex_lock (&variables->lock);
  g_assert (variable < variables->named->len);
  named = g_ptr_array_index (variables->named, variable);
  g_mutex_unlock (&variables->lock);
  return named;
}

/* ---- Variables -------------------------------------------------------- */

/* Appends the way to a field, without indices: elements of an array are one
   variable.  */
static void
append_field (GString *text, const struct dg_field *field)
{
  int depth = 0;

  for (const char *c = field->path; *c != '\0'; c++) {
    depth += *c == '[';
    if (depth == 0)
      g_string_append_c (text, *c);
    depth -= *c == ']';
  }
  if (field->is_padding)
    g_string_append (text, ".<NA>");
}

/* "struct node" is called node.  */
static const char *
bare_type (const char *type)
{
  static const char *const words[] = {"struct ", "union ", "class ", "enum "};

  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_has_prefix (type, words[i]))
      return type + strlen (words[i]);
  return type;
}

static uint32_t
enter (struct dg_variables *variables, struct dg_named *named,
       const char *whole, const struct dg_field *field)
{
  GString *text = g_string_new (whole);
  uint32_t number;

  if (field != NULL)
    append_field (text, field);
  named->name = text->str;
  named->whole = whole;
  g_mutex_lock (&variables->lock);
  number = number_of (variables, named);
  g_mutex_unlock (&variables->lock);
  g_string_free (text, TRUE);
  return number;
}

static uint32_t
ask_range (struct dg_variables *variables, const struct dg_access *access,
           const struct dg_range *range)
{
  struct dg_named named = {.kind = DG_VARIABLE_RANGE};
  const struct dg_type *type;
  struct dg_field field;

  if (*range->type == '\0')
    return enter (variables, &named, range->label, NULL);
  named.type = range->type;
  type = dg_symbols_type (variables->symbols, range->type);
  if (type == NULL
      || !dg_symbols_field (variables->symbols, type, range->size,
                            access->address - range->address, access->size,
                            &field))
    return enter (variables, &named, bare_type (range->type), NULL);
  return enter (variables, &named, bare_type (range->type), &field);
}

static uint32_t
ask_block (struct dg_variables *variables, uint32_t block)
{
  struct dg_named named = {.kind = DG_VARIABLE_HEAP};
  struct dg_stack stack;
  uint32_t site = dg_variables_block_site (variables, block);
  const struct dg_named *place = dg_variables_site (variables, site, &stack);

  named.file = place->file;
  named.line = place->line;
  return enter (variables, &named, place->whole, NULL);
}

static uint32_t
ask_global (struct dg_variables *variables, const struct dg_access *access)
{
  struct dg_named named = {.kind = DG_VARIABLE_GLOBAL};
  struct dg_variable v;
  char *whole;
  uint32_t number;

  if (!dg_symbols_data (variables->symbols, access->address, access->icount,
                        access->size, &v))
    return DG_VARIABLE_UNKNOWN;
  named.type = v.type;
  named.file = v.file;
  named.line = v.line;
  whole = g_strconcat ("<global>.", v.name, NULL);
  number = enter (variables, &named, whole, v.has_field ? &v.field : NULL);
  g_free (whole);
  return number;
}

uint32_t
dg_variables_ask (struct dg_variables *variables,
                  const struct dg_access *access,
                  const struct dg_owner *owner)
{
  size_t n;

  if (owner->range != DG_NONE) {
    const struct dg_range *range =
      &dg_log_ranges (variables->log, &n)[owner->range];

    if (*range->type != '\0' || *range->label != '\0')
      return ask_range (variables, access, range);
  }
  switch (owner->kind) {
  case DG_OWNER_BLOCK:
    return ask_block (variables, owner->index);
  case DG_OWNER_STACK:
    return DG_VARIABLE_STACK;
  case DG_OWNER_MODULE:
  case DG_OWNER_NONE:
    /* Logs without mappings do not tell whose the data are; the files do.  */
    return ask_global (variables, access);
  case DG_OWNER_MAPPING:
    break;
  }
  return DG_VARIABLE_UNKNOWN;
}
