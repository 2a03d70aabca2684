/* breakdown.c: sums of counters by thread, function, line, variable and so on.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "breakdown.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/code_name.h"
#include "base/error.h"
#include "base/compare.h"
#include "base/table.h"
#include "base/hash.h"
#include "base/progress.h"
#include "symbols/sites.h"
#include "base/path.h"

enum dg_by
dg_by_parse (const char *text)
{
  static const struct {
    const char *name;
    enum dg_by by;
  } names[] = {
    {"thread", DG_BY_THREAD},
    {"function", DG_BY_FUNCTION},
    {"line", DG_BY_LINE},
    {"module", DG_BY_MODULE},
    {"instruction", DG_BY_INSTRUCTION},
    {"variable", DG_BY_VARIABLE},
    {"site", DG_BY_SITE},
  };

  for (size_t i = 0; text != NULL && i < G_N_ELEMENTS (names); i++)
    if (strcmp (text, names[i].name) == 0)
      return names[i].by;
  return DG_BY_NOTHING;
}

/* ---- Adding up ---- */

struct dg_breakdown {
  const struct dg_log *log;
  struct dg_symbols *symbols;
  struct dg_variables *variables;
  enum dg_by by;
  unsigned n;
  struct dg_units *units; /* of code that is to be mine; else NULL */
  struct dg_breakdown_sums *all;    /* of the workers that were taken */
  dg_breakdown_read_fn read;        /* or NULL: from there instead */
  void *read_user;
  struct dg_breakdown_direct *direct;  /* or NULL: rows are made at once */
  GHashTable *found; /* set of struct row, by what it is about: direct, or of
                        the last dg_breakdown_rows */
  /* Of the last dg_breakdown_rows: */
  struct dg_breakdown_group *rows;
  GStringChunk *names;
};

struct dg_breakdown *
dg_breakdown_new (const struct dg_log *log, struct dg_symbols *symbols,
                  struct dg_variables *variables, enum dg_by by, unsigned n,
                  struct dg_error *err)
{
  struct dg_breakdown *breakdown = g_try_new0 (struct dg_breakdown, 1);

  g_assert (n > 0);
  g_assert (symbols != NULL || !dg_by_is_code (by));
  g_assert (variables != NULL || !dg_by_is_data (by));
  if (breakdown != NULL) {
    breakdown->log = log;
    breakdown->symbols = symbols;
    breakdown->variables = variables;
    breakdown->by = by;
    breakdown->n = n;
    breakdown->all = dg_breakdown_sums_make (log, by, n);
  }
  if (breakdown == NULL || breakdown->all == NULL) {
    dg_error_nomem (err);
    dg_breakdown_free (breakdown);
    return NULL;
  }
  return breakdown;
}

static void
drop_rows (struct dg_breakdown *breakdown)
{
  if (breakdown->found != NULL && breakdown->direct == NULL) {
    g_hash_table_unref (breakdown->found);
    breakdown->found = NULL;
  }
  if (breakdown->names != NULL)
    g_string_chunk_free (breakdown->names);
  g_free (breakdown->rows);
  breakdown->names = NULL;
  breakdown->rows = NULL;
}

static void
free_direct (struct dg_breakdown *breakdown)
{
  struct dg_breakdown_direct *direct = breakdown->direct;

  if (direct == NULL)
    return;
  for (uint32_t i = 0; i < direct->n_blocks; i++)
    g_free (direct->blocks[i]);
  g_free (direct->blocks);
  g_free (direct);
  breakdown->direct = NULL;
}

void
dg_breakdown_free (struct dg_breakdown *breakdown)
{
  if (breakdown == NULL)
    return;
  free_direct (breakdown);
  drop_rows (breakdown);
  dg_breakdown_sums_free (breakdown->all);
  dg_units_free (breakdown->units);
  g_free (breakdown);
}

int
dg_breakdown_set_mine (struct dg_breakdown *breakdown,
                       const struct dg_mine *mine, struct dg_error *err)
{
  if (!dg_by_is_code (breakdown->by))
    return 0;
  breakdown->units =
    dg_units_new (breakdown->log, breakdown->symbols, mine, err);
  breakdown->all->units = breakdown->units;
  return breakdown->units != NULL ? 0 : DG_ERR_NOMEM;
}

struct dg_units *
dg_breakdown_units (const struct dg_breakdown *breakdown)
{
  return breakdown->units;
}

void
dg_breakdown_set_source (struct dg_breakdown *breakdown,
                         dg_breakdown_read_fn read, void *user)
{
  g_assert (dg_by_is_code (breakdown->by));
  breakdown->read = read;
  breakdown->read_user = user;
}

enum dg_by
dg_breakdown_by (const struct dg_breakdown *breakdown)
{
  return breakdown->by;
}

void
dg_breakdown_regroup (struct dg_breakdown *breakdown, enum dg_by by)
{
  g_assert (dg_by_is_code (breakdown->by) && dg_by_is_code (by));
  g_assert (breakdown->direct == NULL);
  breakdown->by = by;
}

struct dg_breakdown_sums *
dg_breakdown_sums_new (const struct dg_breakdown *breakdown,
                       struct dg_error *err)
{
  struct dg_breakdown_sums *sums =
    dg_breakdown_sums_make (breakdown->log, breakdown->by, breakdown->n);

  if (sums == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  sums->units = breakdown->units;
  if (sums->units != NULL)
    sums->found = dg_units_found (sums->units);
  if (dg_by_is_data (breakdown->by)) {
    sums->finder = dg_finder_new (breakdown->variables, err);
    if (sums->finder == NULL) {
      dg_breakdown_sums_free (sums);
      sums = NULL;
    }
  }
  return sums;
}

static void
add (uint64_t *to, const uint64_t *from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[i] += from[i];
}

/* The code of a number.  */
static const struct dg_bbdef *
block_of (const struct dg_breakdown_sums *sums, uint32_t number)
{
  return dg_log_bbdef (sums->log, sums->units != NULL
                                    ? dg_units_at (sums->units, number).block
                                    : number);
}

static void
take_blocks (struct dg_breakdown_sums *to, struct dg_breakdown_sums *from)
{
  if (from->n_blocks > 0
      && !DG_ARRAY_ROOM_ZERO (to->blocks, to->n_blocks, from->n_blocks - 1)) {
    to->has_failed = true;
    return;
  }
  for (uint32_t i = 0; i < from->n_blocks; i++) {
    struct dg_breakdown_block *block = from->blocks[i];
    if (block == NULL)
      continue;
    from->blocks[i] = NULL;
    if (to->blocks[i] == NULL) {
      to->blocks[i] = block;
      continue;
    }
    add (to->blocks[i]->sums, block->sums,
         (size_t) block_of (from, i)->n_instrs * from->n);
    to->blocks[i]->icount = MIN (to->blocks[i]->icount, block->icount);
    g_free (block);
  }
}

static void
take_numbers (struct dg_breakdown_sums *to, struct dg_breakdown_sums *from)
{
  for (uint32_t i = 0; i < DG_SUMS_ROOT; i++) {
    for (uint32_t k = 0; from->numbers[i] != NULL && k < DG_SUMS_MIDDLE; k++) {
      uint64_t *leaf = from->numbers[i][k];
      if (leaf == NULL)
        continue;
      uint64_t *there = dg_breakdown_sums_make_row (
        to, i << DG_SUMS_ROOT_SHIFT | k << DG_SUMS_LEAF_BITS);
      if (there != to->spare)
        add (there, leaf, (size_t) DG_SUMS_LEAF * from->n);
      g_free (leaf);
      from->numbers[i][k] = NULL;
    }
  }
}

int
dg_breakdown_take (struct dg_breakdown *breakdown,
                   struct dg_breakdown_sums *sums, struct dg_error *err)
{
  if (sums->blocks != NULL)
    take_blocks (breakdown->all, sums);
  else
    take_numbers (breakdown->all, sums);
  return sums->has_failed || breakdown->all->has_failed ? dg_error_nomem (err)
                                                        : 0;
}

/* ---- Names ---- */

/* What a row is about, and its counters.  Names are interned, so their
   pointers are compared; those of variables are not.  */
struct row {
  struct dg_breakdown_group group;
  uint64_t weight;
  uint64_t sums[];
};

static guint
hash_row (gconstpointer item)
{
  const struct dg_breakdown_group *group = &((const struct row *) item)->group;
  guint hash = group->line * 2654435761u ^ group->thread;

  hash = dg_hash_pointer (hash, (const void *) (uintptr_t) group->address);
  if (group->named != NULL)
    return hash ^ dg_hash_text (group->name);
  hash = dg_hash_pointer (hash, group->function);
  hash = dg_hash_pointer (hash, group->file);
  return dg_hash_pointer (hash, group->module);
}

static gboolean
rows_equal (gconstpointer a, gconstpointer b)
{
  const struct dg_breakdown_group *x = &((const struct row *) a)->group;
  const struct dg_breakdown_group *y = &((const struct row *) b)->group;

  if (x->line != y->line || x->address != y->address || x->thread != y->thread)
    return FALSE;
  if (x->named != NULL)
    return x->named->kind == y->named->kind
           && g_strcmp0 (x->name, y->name) == 0
           && g_strcmp0 (x->named->type, y->named->type) == 0
           && g_strcmp0 (x->file, y->file) == 0;
  return x->function == y->function && x->file == y->file
         && x->module == y->module;
}

/* The row of this, which is made if there is none.  NULL: no memory.  */
static struct row *
row_of (struct dg_breakdown *breakdown, const struct dg_breakdown_group *group)
{
  struct row probe = {.group = *group};
  struct row *row = g_hash_table_lookup (breakdown->found, &probe);

  if (row != NULL)
    return row;
  row = g_try_malloc0 (sizeof *row + breakdown->n * sizeof (uint64_t));
  if (row == NULL)
    return NULL;
  row->group = *group;
  row->group.sums = row->sums;
  g_hash_table_add (breakdown->found, row);
  return row;
}

static int
add_row (struct dg_breakdown *breakdown,
         const struct dg_breakdown_group *group, const uint64_t *sums)
{
  struct row *row = row_of (breakdown, group);

  if (row == NULL)
    return DG_ERR_NOMEM;
  add (row->sums, sums, breakdown->n);
  return 0;
}

static bool
is_nothing (const uint64_t *sums, size_t n)
{
  while (n > 0)
    if (sums[--n] != 0)
      return false;
  return true;
}

/* Of what is by module, only the module stays, and so on.  */
static struct dg_breakdown_group
group_of_code (const struct dg_breakdown *breakdown, uint32_t number,
               uint64_t address, uint64_t icount)
{
  struct dg_frame frame;
  struct dg_breakdown_group group = {0};

  if (breakdown->units != NULL
      && (breakdown->by == DG_BY_FUNCTION || breakdown->by == DG_BY_LINE))
    dg_units_frame (breakdown->units, address,
                    dg_units_at (breakdown->units, number).caller, icount,
                    &frame);
  else
    dg_symbols_frames (breakdown->symbols, address, icount, &frame, 1);
  group.module = frame.module;
  if (breakdown->by == DG_BY_MODULE && frame.module != NULL)
    return group;
  group.function = frame.function;
  if (breakdown->by == DG_BY_FUNCTION || breakdown->by == DG_BY_MODULE)
    return group;
  group.file = frame.file;
  group.line = frame.line;
  if (breakdown->by == DG_BY_INSTRUCTION)
    group.address = address;
  return group;
}

/* The counters of a block or unit; NULL: it did not run.  */
static const uint64_t *
sums_of_code (const struct dg_breakdown *breakdown, uint32_t number,
              unsigned n_instrs, uint64_t *icount)
{
  const struct dg_breakdown_sums *all = breakdown->all;

  if (breakdown->read == NULL) {
    if (all->blocks[number] == NULL)
      return NULL;
    *icount = all->blocks[number]->icount;
    return all->blocks[number]->sums;
  }
  memset (all->spare, 0, sizeof *all->spare * breakdown->n * n_instrs);
  return breakdown->read (breakdown->read_user, number, icount, all->spare)
           ? all->spare
           : NULL;
}

static int
find_code (struct dg_breakdown *breakdown, const struct dg_progress *progress,
           struct dg_error *err)
{
  const struct dg_breakdown_sums *all = breakdown->all;
  uint32_t n = breakdown->read != NULL && breakdown->units != NULL
                 ? dg_units_count (breakdown->units)
                 : all->n_blocks;
  uint64_t icount;

  for (uint32_t i = 0; i < n; i++) {
    if ((i & 63) == 0 && dg_progress_tell (progress, i, n, err) < 0)
      return DG_ERR_CANCELLED;
    if (breakdown->read == NULL && all->blocks[i] == NULL)
      continue;
    const struct dg_bbdef *block = block_of (all, i);
    const uint64_t *row =
      sums_of_code (breakdown, i, block->n_instrs, &icount);
    for (unsigned k = 0; row != NULL && k < block->n_instrs;
         k++, row += breakdown->n) {
      if (is_nothing (row, breakdown->n))
        continue;
      struct dg_breakdown_group group =
        group_of_code (breakdown, i, block->instrs[k].address, icount);
      if (add_row (breakdown, &group, row) < 0)
        return dg_error_nomem (err);
    }
  }
  return 0;
}

static GHashTable *
make_found (void)
{
  return g_hash_table_new_full (hash_row, rows_equal, g_free, NULL);
}

struct dg_breakdown_direct *
dg_breakdown_direct (struct dg_breakdown *breakdown, struct dg_error *err)
{
  struct dg_breakdown_direct *direct =
    g_try_new0 (struct dg_breakdown_direct, 1);

  g_assert (dg_by_is_code (breakdown->by) && breakdown->direct == NULL);
  if (direct == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  direct->units = breakdown->units;
  if (direct->units != NULL)
    direct->found = dg_units_found (direct->units);
  breakdown->direct = direct;
  breakdown->found = make_found ();
  return direct;
}

uint64_t *const *
dg_breakdown_direct_meet (struct dg_breakdown *breakdown, uint32_t bbdef,
                          uint32_t context, uint64_t icount)
{
  struct dg_breakdown_direct *direct = breakdown->direct;
  const struct dg_bbdef *block = dg_log_bbdef (breakdown->log, bbdef);
  uint32_t number = direct->units != NULL
                      ? dg_units_find (direct->units, context, icount)
                      : bbdef;
  uint64_t **sums;

  if (number == DG_NONE
      || !DG_ARRAY_ROOM_ZERO (direct->blocks, direct->n_blocks, number))
    return NULL;
  if (direct->blocks[number] != NULL)
    return direct->blocks[number];
  sums = g_try_new (uint64_t *, block->n_instrs);
  for (unsigned i = 0; sums != NULL && i < block->n_instrs; i++) {
    const struct dg_breakdown_group group =
      group_of_code (breakdown, number, block->instrs[i].address, icount);
    struct row *row = row_of (breakdown, &group);

    if (row == NULL)
      g_clear_pointer (&sums, g_free);
    else
      sums[i] = row->sums;
  }
  return direct->blocks[number] = sums;
}

static struct dg_breakdown_group
group_of_number (struct dg_breakdown *breakdown, uint32_t number)
{
  struct dg_breakdown_group group = {0};
  struct dg_stack stack;

  if (breakdown->by == DG_BY_THREAD)
    group.thread = number;
  else if (breakdown->by == DG_BY_VARIABLE)
    group.named = dg_variables_named (breakdown->variables, number);
  else if (breakdown->by == DG_BY_SITE)
    group.named = dg_variables_site (breakdown->variables, number, &stack);
  if (group.named != NULL) {
    group.name = group.named->name;
    group.file = group.named->file;
    group.line = group.named->line;
  }
  return group;
}

static int
find_numbers (struct dg_breakdown *breakdown,
              const struct dg_progress *progress, struct dg_error *err)
{
  for (uint32_t i = 0; i < DG_SUMS_ROOT; i++) {
    uint64_t **middle = breakdown->all->numbers[i];
    for (uint32_t k = 0; middle != NULL && k < DG_SUMS_MIDDLE; k++) {
      if (middle[k] == NULL)
        continue;
      for (uint32_t j = 0; j < DG_SUMS_LEAF; j++) {
        const uint64_t *sums = middle[k] + (size_t) j * breakdown->n;
        if (is_nothing (sums, breakdown->n))
          continue;
        struct dg_breakdown_group group = group_of_number (
          breakdown, i << DG_SUMS_ROOT_SHIFT | k << DG_SUMS_LEAF_BITS | j);
        if (add_row (breakdown, &group, sums) < 0)
          return dg_error_nomem (err);
      }
      if (dg_progress_tell (progress, (uint64_t) i * DG_SUMS_MIDDLE + k,
                            (uint64_t) DG_SUMS_ROOT * DG_SUMS_MIDDLE, err)
          < 0)
        return DG_ERR_CANCELLED;
    }
  }
  return 0;
}

/* ---- Rows ---- */

static void
name_code (const struct dg_breakdown_group *group, GString *name)
{
  size_t start;

  if (group->address != 0)
    g_string_append_printf (name, "0x%" G_GINT64_MODIFIER "x ",
                            group->address);
  if (group->file != NULL)
    g_string_append_printf (name, "%s:%u (", dg_path_base (group->file),
                            group->line);
  start = name->len;
  if (group->function == NULL && group->module == NULL)
    g_string_append (name,
                     group->file != NULL ? "no module" : "??? (no module)");
  else if (group->function == NULL && group->file != NULL)
    g_string_append (name, dg_path_base (group->module));
  else
    dg_code_name_append (name, group->function, group->module);
  /* Where there is no line, the module tells more than nothing.  */
  if (group->file == NULL && group->address != 0 && group->module != NULL
      && !g_str_has_suffix (name->str + start, ")"))
    g_string_append_printf (name, " (%s)", dg_path_base (group->module));
  if (group->file != NULL)
    g_string_append_c (name, ')');
}

static void
name_thread (const struct dg_breakdown *breakdown, uint32_t number,
             GString *name)
{
  const struct dg_thread *thread = dg_log_thread (breakdown->log, number);

  g_string_append_printf (name, "thread %u", number);
  if (thread != NULL && thread->name[0] != '\0')
    g_string_append_printf (name, " (%s)", thread->name);
}

static void
name_row (struct dg_breakdown *breakdown, struct dg_breakdown_group *group,
          GString *name)
{
  g_string_truncate (name, 0);
  switch (breakdown->by) {
  case DG_BY_NOTHING:
    g_string_append (name, "all");
    break;
  case DG_BY_THREAD:
    name_thread (breakdown, group->thread, name);
    break;
  case DG_BY_VARIABLE:
  case DG_BY_SITE:
    return;
  case DG_BY_MODULE:
    g_string_append (name, group->module != NULL
                             ? dg_path_base (group->module)
                           : group->function != NULL ? group->function
                                                     : "no module");
    break;
  default:
    name_code (group, name);
  }
  group->name = g_string_chunk_insert (breakdown->names, name->str);
}

/* In what rows of one name are not the same.  */
enum { DIFFERS = 1, DIFFERS_BY_MODULE = 2, DIFFERS_BY_FILE = 4 };

/* What tells a row from others of its name: variables are declared somewhere,
   places allocate something, lines are of a file and functions of a module.
   NULL: there is nothing.  */
static char *
name_further (const struct dg_breakdown *breakdown,
              const struct dg_breakdown_group *group, unsigned differs)
{
  const char *type = group->named != NULL ? group->named->type : NULL;

  if (breakdown->by == DG_BY_VARIABLE)
    return group->file == NULL || group->line == 0
             ? NULL
             : g_strdup_printf ("%s (%s:%u)", group->name,
                                dg_path_base (group->file), group->line);
  if (type != NULL)
    return g_strdup_printf ("%s: %s", group->name, type);
  if ((differs & DIFFERS_BY_FILE) == 0 || group->file == NULL)
    return group->module == NULL
             ? NULL
             : g_strdup_printf ("%s (%s)", group->name,
                                dg_path_base (group->module));
  if ((differs & DIFFERS_BY_MODULE) == 0 || group->module == NULL)
    return g_strdup_printf ("%s in %s", group->name, group->file);
  return g_strdup_printf ("%s in %s (%s)", group->name, group->file,
                          dg_path_base (group->module));
}

/* Rows of one name are distinguished.  */
static void
name_apart (struct dg_breakdown *breakdown, struct row **rows, size_t n)
{
  GHashTable *first = g_hash_table_new (dg_hash_text, g_str_equal);
  GHashTable *several = g_hash_table_new (dg_hash_text, g_str_equal);

  for (size_t i = 0; i < n; i++) {
    struct dg_breakdown_group *group = &rows[i]->group;
    const struct dg_breakdown_group *other =
      g_hash_table_lookup (first, group->name);
    unsigned differs;

    if (other == NULL) {
      g_hash_table_insert (first, (gpointer) group->name, group);
      continue;
    }
    differs = GPOINTER_TO_UINT (g_hash_table_lookup (several, group->name));
    differs |= DIFFERS;
    if (g_strcmp0 (group->module, other->module) != 0)
      differs |= DIFFERS_BY_MODULE;
    if (breakdown->by == DG_BY_LINE
        && g_strcmp0 (group->file, other->file) != 0)
      differs |= DIFFERS_BY_FILE;
    g_hash_table_insert (several, (gpointer) group->name,
                         GUINT_TO_POINTER (differs));
  }
  for (size_t i = 0; i < n; i++) {
    struct dg_breakdown_group *group = &rows[i]->group;
    unsigned differs =
      GPOINTER_TO_UINT (g_hash_table_lookup (several, group->name));
    char *text =
      differs != 0 ? name_further (breakdown, group, differs) : NULL;

    if (text == NULL)
      continue;
    group->name = g_string_chunk_insert (breakdown->names, text);
    g_free (text);
  }
  g_hash_table_unref (several);
  g_hash_table_unref (first);
}

/* Rows that differ in nothing are one row, so this is a total order.  */
static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const struct row *x = *(struct row *const *) a,
                   *y = *(struct row *const *) b;
  const struct dg_breakdown_group *p = &x->group, *q = &y->group;
  int order = DG_COMPARE (y->weight, x->weight)
                ?: DG_COMPARE (p->thread, q->thread)
                ?: g_strcmp0 (p->name, q->name)
                ?: g_strcmp0 (p->function, q->function)
                ?: g_strcmp0 (p->module, q->module)
                ?: g_strcmp0 (p->file, q->file)
                ?: DG_COMPARE (p->line, q->line)
                ?: DG_COMPARE (p->address, q->address);

  if (order != 0 || p->named == NULL)
    return order;
  return DG_COMPARE (p->named->kind, q->named->kind)
           ?: g_strcmp0 (p->named->type, q->named->type);
}

/* Sets *n to how many have something.  */
static int
sort_rows (struct dg_breakdown *breakdown, dg_weigh_fn weigh, const void *user,
           size_t *n_rows)
{
  size_t n = g_hash_table_size (breakdown->found), i = 0;
  struct row **rows = g_try_new (struct row *, n + 1);
  GString *name = g_string_new (NULL);
  GHashTableIter iter;
  gpointer item;

  breakdown->rows = g_try_new (struct dg_breakdown_group, n + 1);
  if (rows != NULL && breakdown->rows != NULL) {
    g_hash_table_iter_init (&iter, breakdown->found);
    while (g_hash_table_iter_next (&iter, &item, NULL)) {
      rows[i] = item;
      if (is_nothing (rows[i]->sums, breakdown->n))
        continue;
      name_row (breakdown, &rows[i]->group, name);
      rows[i]->weight =
        weigh != NULL ? weigh (rows[i]->sums, user) : rows[i]->sums[0];
      i++;
    }
    *n_rows = n = i;
    if (breakdown->by == DG_BY_FUNCTION || breakdown->by == DG_BY_LINE
        || breakdown->by == DG_BY_SITE || breakdown->by == DG_BY_VARIABLE)
      name_apart (breakdown, rows, n);
    qsort (rows, n, sizeof *rows, compare_rows);
    for (i = 0; i < n; i++)
      breakdown->rows[i] = rows[i]->group;
  }
  g_string_free (name, TRUE);
  g_free (rows);
  return rows != NULL && breakdown->rows != NULL ? 0 : DG_ERR_NOMEM;
}

const struct dg_breakdown_group *
dg_breakdown_rows (struct dg_breakdown *breakdown, dg_weigh_fn weigh,
                   const void *user, dg_progress_fn progress,
                   void *progress_user, size_t *n, struct dg_error *err)
{
  const struct dg_progress telling = {progress, progress_user, 0};
  int code = 0;

  drop_rows (breakdown);
  breakdown->names = g_string_chunk_new (4096);
  if (breakdown->direct == NULL) {
    breakdown->found = make_found ();
    code = dg_by_is_code (breakdown->by)
             ? find_code (breakdown, &telling, err)
             : find_numbers (breakdown, &telling, err);
  }
  if (code == 0 && sort_rows (breakdown, weigh, user, n) < 0)
    code = dg_error_nomem (err);
  if (code < 0) {
    drop_rows (breakdown);
    return NULL;
  }
  return breakdown->rows;
}
