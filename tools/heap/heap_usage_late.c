/* heap_usage_late.c: `dg heap --late`: blocks that lived on long after their
   last use.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_usage.h"

#include <string.h>

#include "base/printable.h"
#include "base/report_cells.h"

/* Blocks with the same sites of allocation, last use and free.  */
struct group {
  const char *site, *last, *freed;
  uint64_t blocks, bytes;
  heap_usage_sum idle, life; /* instructions, of all blocks */
  heap_usage_sum drag;       /* byte-instructions */
};

struct late {
  struct heap_usage *use;
  GHashTable *groups; /* struct group */
};

static guint
hash_group (gconstpointer data)
{
  const struct group *group = data;

  return g_direct_hash (group->site) * 31 * 31
         + g_direct_hash (group->last) * 31 + g_direct_hash (group->freed);
}

static gboolean
equal_groups (gconstpointer a, gconstpointer b)
{
  const struct group *x = a, *y = b;

  return x->site == y->site && x->last == y->last && x->freed == y->freed;
}

static gint
compare_groups (gconstpointer a, gconstpointer b)
{
  const struct group *x = *(struct group *const *) a;
  const struct group *y = *(struct group *const *) b;
  int code;

  if (x->drag != y->drag)
    return x->drag > y->drag ? -1 : 1;
  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  code = strcmp (x->site, y->site);
  if (code == 0)
    code = strcmp (x->last, y->last);
  return code != 0 ? code : strcmp (x->freed, y->freed);
}

static void *
make (struct heap_usage *use)
{
  struct late *late = g_new (struct late, 1);

  late->use = use;
  late->groups =
    g_hash_table_new_full (hash_group, equal_groups, g_free, NULL);
  return late;
}

static void
add (void *table, struct heap_usage_block *block)
{
  struct late *late = table;
  uint64_t last = block->use->last_icount, idle;
  struct group key = {.blocks = 0}, *group;

  if (last == DG_NEVER)
    return;
  key.site = heap_usage_site (late->use, block);
  key.last = heap_usage_last (late->use, block);
  key.freed = heap_usage_freed (late->use, block);
  group = g_hash_table_lookup (late->groups, &key);
  if (group == NULL) {
    group = g_memdup2 (&key, sizeof key);
    g_hash_table_add (late->groups, group);
  }
  idle = block->end - MIN (block->end, last);
  group->blocks++;
  group->bytes += block->block.size;
  group->idle += idle;
  group->life += block->life;
  group->drag += (heap_usage_sum) idle * block->block.size;
}

/* ---- For programs ----------------------------------------------------- */

static const struct dg_column columns[] = {
  {"drag", "Dragged", DG_UNIT_BYTES, 0},
  {"bytes", "Bytes", DG_UNIT_BYTES, 0},
  {"blocks", "Blocks", DG_UNIT_COUNT, 0},
  {"mean_idle", "Idle for", DG_UNIT_COUNT, 0},
  {"idle_share", "Of life", DG_UNIT_PERCENT, 0},
  {"site", "Allocated in", DG_UNIT_TEXT, 0},
  {"last_site", "Last used in", DG_UNIT_TEXT, 0},
  {"free_site", "Freed in", DG_UNIT_TEXT, 0}};

static void
fill_cells (const struct heap_usage *use, const struct group *group,
            struct dg_cell *cells)
{
  double drag = heap_usage_average (use, (double) group->drag);

  cells[0] = DG_CELL_NUMBER ((uint64_t) (drag + 0.5));
  cells[1] = DG_CELL_NUMBER (group->bytes);
  cells[2] = DG_CELL_NUMBER (group->blocks);
  cells[3] = DG_CELL_NUMBER (
    (uint64_t) ((double) group->idle / (double) group->blocks + 0.5));
  cells[4] = group->life > 0
               ? DG_CELL_REAL ((double) group->idle / (double) group->life)
               : DG_CELL_EMPTY;
  cells[5] = DG_CELL_TEXT (group->site);
  cells[6] = DG_CELL_TEXT (group->last);
  cells[7] = DG_CELL_TEXT (group->freed);
}

static void
add_table (struct heap_usage *use, const GPtrArray *order)
{
  struct dg_rows *rows = dg_report_table (use->report, "groups", NULL, columns,
                                          G_N_ELEMENTS (columns));
  struct dg_cell cells[G_N_ELEMENTS (columns)];

  for (guint i = 0; i < order->len; i++) {
    fill_cells (use, g_ptr_array_index (order, i), cells);
    cells[7].is_empty = strcmp (cells[7].text, HEAP_USAGE_NEVER) == 0;
    dg_rows_add (rows, cells);
  }
}

/* ---- For people ------------------------------------------------------- */

/* Its name can end no line.  */
static void
append_place (GString *text, const char *what, const char *place)
{
  char *safe = printable_text (place);

  g_string_append_printf (text, "%12s%-14s%s\n", "", what, safe);
  g_free (safe);
}

/* Three sites are too long for a row: each has a line.  */
static void
add_text (struct heap_usage *use, const GPtrArray *order)
{
  struct dg_cell cells[G_N_ELEMENTS (columns)];
  GString *text = g_string_new (NULL);
  guint n = order->len, top = (guint) use->input->options->top;

  if (top > 0 && top < n)
    n = top;
  for (guint i = 0; i < n; i++) {
    char *figures[5];

    fill_cells (use, g_ptr_array_index (order, i), cells);
    for (unsigned k = 0; k < 5; k++)
      figures[k] = report_cell_text (columns[k].unit, &cells[k]);
    g_string_append_printf (text,
                            "%10s: %s in %s block%s, idle for %s"
                            " instructions, %s of their lives\n",
                            figures[0], figures[1], figures[2],
                            cells[2].number == 1 ? "" : "s", figures[3],
                            figures[4]);
    append_place (text, "allocated in", cells[5].text);
    append_place (text, "last used in", cells[6].text);
    append_place (text, "freed in", cells[7].text);
    for (unsigned k = 0; k < 5; k++)
      g_free (figures[k]);
  }
  if (n < order->len)
    g_string_append_printf (text, "... %u more (--top=0 shows all)\n",
                            order->len - n);
  dg_report_text (use->report, NULL, "Most bytes dragged", text->str);
  g_string_free (text, TRUE);
}

static int
report (void *table, struct dg_error *err)
{
  struct late *late = table;
  struct heap_usage *use = late->use;
  GPtrArray *order = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;
  heap_usage_sum drag = 0;

  (void) err;
  g_hash_table_iter_init (&iter, late->groups);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (order, key);
  g_ptr_array_sort (order, compare_groups);
  for (guint i = 0; i < order->len; i++)
    drag += ((const struct group *) g_ptr_array_index (order, i))->drag;
  dg_report_begin (use->report, "late", "Blocks freed after their last use");
  dg_report_value (
    use->report, "drag", "Dragged", DG_UNIT_BYTES,
    DG_CELL_NUMBER (
      (uint64_t) (heap_usage_average (use, (double) drag) + 0.5)));
  if (use->input->options->json)
    add_table (use, order);
  else
    add_text (use, order);
  dg_report_note (use->report, "Dragged: bytes of blocks after their last "
                               "use, until they were freed or the program "
                               "ended, averaged over the run. Idle: mean time "
                               "since the last use.");
  dg_report_note (use->report, "Next: free them after their last use; "
                               "--untouched for blocks that were never used "
                               "at all.");
  dg_report_end (use->report);
  g_ptr_array_unref (order);
  return 0;
}

static void
free_late (void *table)
{
  struct late *late = table;

  g_hash_table_unref (late->groups);
  g_free (late);
}

const struct heap_usage_table heap_usage_late = {make, add, report, free_late};
