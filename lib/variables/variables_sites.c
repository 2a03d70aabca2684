/* variables_sites.c: allocating call stacks and the names of their sites.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "variables.h"

#include "base/error.h"
#include "dg_record.h"
#include "symbols/sites.h"
#include "symbols/symbols_heap.h"
#include "symbols/symbols_layout.h"
#include "base/hash.h"
#include "base/table.h"
#include "variables_assigned.h"
#include "base/path.h"

#include <string.h>

/* The most frames that one code address has.  */
#define MOST_FRAMES 16

/* The cookie of new[], by the C++ ABI for all processors but a few: a word, or
   as many bytes as the elements are aligned to.  */
static uint64_t
cookie_bytes (const struct dg_variables *variables,
              const struct dg_log_birth *birth)
{
  uint64_t word = dg_log_header (variables->log)->word_size;

  return birth->allocator == DG_ALLOC_NEW_ARRAY_ALIGNED
           ? MAX (word, birth->alignment) : word;
}

static void
add_birth (struct dg_site *site, const struct dg_log_birth *birth,
           uint64_t cookie)
{
  site->cookie = MAX (site->cookie, cookie);
  dg_birth_sizes_add (&site->sizes, &birth->sizes);
  site->is_array = site->is_array
                   && (birth->allocator == DG_ALLOC_NEW_ARRAY
                       || birth->allocator == DG_ALLOC_NEW_ARRAY_ALIGNED);
}

static guint
hash_stack (gconstpointer data)
{
  const struct dg_stack *stack = data;

  return dg_hash_of_words (stack->sites, stack->n * sizeof *stack->sites);
}

static gboolean
equal_stacks (gconstpointer a, gconstpointer b)
{
  const struct dg_stack *x = a, *y = b;

  return x->n == y->n
         && (x->sites == y->sites
             || memcmp (x->sites, y->sites, x->n * sizeof *x->sites) == 0);
}

/* Numbers are in the order of the first blocks.  */
int
dg_variables_list_sites (struct dg_variables *variables, struct dg_error *err)
{
  struct dg_table table = {NULL, 0, 0};
  struct dg_site *site = dg_table_add (&table, sizeof *site);
  struct dg_log_birth birth;
  bool failed = site == NULL;

  variables->by_stack =
    g_hash_table_new_full (hash_stack, equal_stacks, g_free, NULL);
  for (size_t i = 0;
       !failed && dg_log_first_birth (variables->log, i, &birth); i++) {
    gpointer known = g_hash_table_lookup (variables->by_stack, &birth.stack);
    uint32_t number = GPOINTER_TO_UINT (known);

    if (number == 0) {
      site = dg_table_add (&table, sizeof *site);
      failed = site == NULL;
      if (failed)
        break;
      site->stack = birth.stack;
      site->icount = birth.icount;
      site->is_array = true;
      site->allocator = birth.allocator;
      number = (uint32_t) table.n - 1;
      g_hash_table_insert (variables->by_stack,
                           g_memdup2 (&birth.stack, sizeof birth.stack),
                           GUINT_TO_POINTER (number));
    }
    add_birth ((struct dg_site *) table.items + number, &birth,
               cookie_bytes (variables, &birth));
  }
  if (failed) {
    dg_table_fini (&table);
    return dg_error_nomem (err);
  }
  variables->sites = table.items;
  variables->n_sites = (uint32_t) table.n;
  return 0;
}

uint32_t
dg_variables_stack_site (const struct dg_variables *variables,
                         const struct dg_stack *stack)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (variables->by_stack, stack));
}

int
dg_variables_find_sites (struct dg_variables *variables)
{
  size_t n = dg_log_n_births (variables->log);
  uint32_t *sites = g_try_new (uint32_t, n + 1);

  if (sites == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++) {
    const struct dg_stack stack =
      dg_log_birth_stack (variables->log, (uint32_t) i);

    sites[i] = dg_variables_stack_site (variables, &stack);
  }
  g_free (variables->birth_sites);
  variables->birth_sites = sites;
  return 0;
}

uint32_t
dg_variables_block_site (const struct dg_variables *variables, uint32_t block)
{
  return variables->birth_sites[dg_log_block_birth (variables->log, block)];
}

/* ---- Types ------------------------------------------------------------ */

/* So many functions that give memory to their callers.  */
#define MOST_OUTWARD 8

/* Those of C++ know what they allocate.  */
static bool
is_allocator_site (struct dg_variables *variables, uint64_t address,
                   uint64_t icount)
{
  struct dg_frame frames[MOST_FRAMES];
  size_t n = dg_symbols_frames (variables->symbols, address, icount, frames,
                                MOST_FRAMES);

  for (size_t i = 0; i < n; i++)
    if (!dg_frame_is_allocator (variables->allocators, &frames[i])
        || (frames[i].function != NULL
            && strstr (frames[i].function, "::allocate") != NULL))
      return false;
  return true;
}

static struct dg_assigned *
assigned_of (struct dg_variables *variables)
{
  struct dg_assigned *assigned;

  g_mutex_lock (&variables->frames_lock);
  if (variables->assigned == NULL)
    variables->assigned =
      dg_assigned_new (variables->log, variables->symbols);
  assigned = variables->assigned;
  g_mutex_unlock (&variables->frames_lock);
  return assigned;
}

/* Whether blocks of the site can be one, or several, of a type.  */
static bool
holds (const struct dg_site *site, const struct dg_type *type)
{
  uint64_t element = dg_type_element (type);

  return element > 0
         && (dg_birth_sizes_unit (&site->sizes, 0) % element == 0
             || (dg_type_is_open (type) && dg_site_size (site) >= element));
}

/* Of anything else, as of numbers, the place of allocation tells more.  */
static bool
has_fields (struct dg_variables *variables, const struct dg_type *type)
{
  struct dg_field field;

  return dg_symbols_field (variables->symbols, type, 0, 0, 0, &field)
         && field.member != NULL;
}

/* Whether blocks of malloc may as well be a header and what comes behind it:
   of structs with one member no larger than a word nearly any size is a
   multiple.  Who uses calloc or new means elements.  */
static bool
may_be_header (struct dg_variables *variables, const struct dg_site *site,
               const struct dg_type *type)
{
  uint64_t element = dg_type_element (type);
  struct dg_field field;

  return dg_site_size (site) != element
         && (site->allocator == DG_ALLOC_MALLOC
             || site->allocator == DG_ALLOC_REALLOC
             || site->allocator == DG_ALLOC_MEMALIGN)
         && !dg_type_is_open (type)
         && element <= dg_log_header (variables->log)->word_size
         && dg_type_size (type) == element
         && dg_symbols_field (variables->symbols, type, 0, 0, 0, &field)
         && field.member != NULL && field.size == element;
}

/* Rust's library has bytes before it has what they are for.  */
static bool
is_of_rusts_alloc (struct dg_variables *variables, uint64_t address,
                   uint64_t icount)
{
  static const char *const starts[] = {"alloc::alloc::", "<alloc::alloc::",
                                       "std::alloc::", "<std::alloc::",
                                       "std::sys::"};
  struct dg_frame frame;

  if (dg_symbols_frames (variables->symbols, address, icount, &frame, 1) == 0
      || frame.function == NULL)
    return false;
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (strncmp (frame.function, starts[i], strlen (starts[i])) == 0)
      return true;
  return false;
}

/* The type that the pointer says which the result of an allocation is
   assigned to.  */
static const struct dg_type *
find_assigned (struct dg_variables *variables, const struct dg_site *site)
{
  unsigned outward = 0;

  for (uint32_t i = 0; i < site->stack.n && outward < MOST_OUTWARD; i++) {
    uint64_t address = site->stack.sites[i];
    const struct dg_type *type;

    if (is_allocator_site (variables, address, site->icount))
      continue;
    if (is_of_rusts_alloc (variables, address, site->icount))
      return NULL;
    type =
      dg_assigned_type (assigned_of (variables), address, site->icount);
    if (type != NULL)
      return holds (site, type) && !may_be_header (variables, site, type)
               ? type : NULL;
    if (!dg_symbols_gives_memory (variables->symbols, address, site->icount))
      return NULL;
    outward++;
  }
  return NULL;
}

/* The type of blocks of a size, or of one that a unit divides, by the
   innermost function that knows it.  */
static const struct dg_type *
find_type_of (struct dg_variables *variables, const struct dg_site *site,
              uint64_t size, uint64_t unit)
{
  unsigned outward = 0;

  for (uint32_t i = 0; i < site->stack.n && outward < MOST_OUTWARD; i++) {
    const struct dg_type *type;

    if (is_allocator_site (variables, site->stack.sites[i], site->icount))
      continue;
    switch (dg_symbols_heap_type (variables->symbols, site->stack.sites[i],
                                  site->icount, size, unit, &type)) {
    case DG_HEAP_TYPE:
      return may_be_header (variables, site, type) ? NULL : type;
    case DG_HEAP_NOTHING:
      return NULL;
    case DG_HEAP_OUTWARD:
      outward++;
      break;
    }
  }
  return NULL;
}

/* The type of the blocks.  In front of an array whose elements have
   destructors is their number.  */
static const struct dg_type *
find_type (struct dg_variables *variables, const struct dg_site *site,
           bool *has_cookie)
{
  uint64_t cookie = site->cookie, size = dg_site_size (site);
  uint64_t unit_behind = dg_birth_sizes_unit (&site->sizes, cookie);
  const struct dg_type *type =
    find_type_of (variables, site, size,
                  dg_birth_sizes_unit (&site->sizes, 0));

  *has_cookie = false;
  if (type != NULL || !site->is_array || unit_behind == 0)
    return type;
  type = find_type_of (variables, site, size > cookie ? size - cookie : 0,
                       unit_behind);
  *has_cookie = type != NULL;
  return type;
}

/* ---- All of it -------------------------------------------------------- */

/* "function (file:line)" and "function at file:line", or as much of it as is
   known.  */
static void
name_site (struct dg_variables *variables, struct dg_site *site)
{
  const struct dg_site_options how = {.size = sizeof how,
                                      .allocators = variables->allocators,
                                      .symbols = variables->symbols,
                                      .mine = variables->mine,
                                      .lines = variables->lines};
  struct dg_site_frame found;
  const struct dg_frame *frame = &found.frame;
  GString *name = g_string_new (NULL), *place = g_string_new (NULL);
  bool has_cookie = false;
  const struct dg_type *told = find_assigned (variables, site);
  const struct dg_type *type =
    told != NULL ? told : find_type (variables, site, &has_cookie);

  dg_sites_find (&how, &site->stack, site->icount,
                 dg_site_is_call (site->allocator), &found);
  dg_sites_name (name, &found, "heap block");
  dg_sites_function (place, frame, found.address, "heap block");
  if (frame->file != NULL) {
    g_string_append (place, " at ");
    dg_sites_where (place, &found);
  } else if (frame->module != NULL) {
    g_string_append_printf (place, " in %s", dg_path_base (frame->module));
  }
  g_mutex_lock (&variables->lock);
  if (!g_atomic_int_get (&site->is_named)) {
    site->named.kind = DG_VARIABLE_HEAP;
    site->named.is_runtime =
      frame->module != NULL && dg_module_is_runtime (frame->module);
    site->named.name = dg_variables_keep (variables, name->str);
    site->named.whole = site->named.name;
    site->named.file = frame->file;
    site->named.line = frame->line;
    site->named.column = frame->column;
    site->place = dg_variables_keep (variables, place->str);
    site->type =
      told == NULL || has_fields (variables, type) ? type : NULL;
    site->has_cookie = has_cookie;
    if (type != NULL) {
      g_string_printf (place, "%s (by %s)", dg_type_name (type),
                       told != NULL ? "pointer" : "size");
      site->type_text = dg_variables_keep (variables, place->str);
      site->named.type = site->type_text;
    }
    g_atomic_int_set (&site->is_named, 1);
  }
  g_mutex_unlock (&variables->lock);
  g_string_free (name, TRUE);
  g_string_free (place, TRUE);
}

const struct dg_site *
dg_variables_named_site (struct dg_variables *variables, uint32_t number)
{
  struct dg_site *site = &variables->sites[number];

  g_assert (number > 0 && number < variables->n_sites);
  if (!g_atomic_int_get (&site->is_named))
    name_site (variables, site);
  return site;
}

const struct dg_named *
dg_variables_site (struct dg_variables *variables, uint32_t number,
                   struct dg_stack *stack)
{
  const struct dg_site *site;

  if (number == 0) {
    *stack = (struct dg_stack){0, NULL};
    return dg_variables_named (variables, DG_VARIABLE_UNKNOWN);
  }
  site = dg_variables_named_site (variables, number);
  *stack = site->stack;
  return &site->named;
}
