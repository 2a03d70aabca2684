/* heap_usage_blocks.c: `dg heap --blocks`: how each block was used.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_usage.h"

static const struct dg_column columns[] = {
  {"waste", "Wasted", DG_UNIT_BYTES, 0},
  {"address", "Address", DG_UNIT_ADDRESS, 0},
  {"size", "Bytes", DG_UNIT_COUNT, 0},
  {"untouched_bytes", "Idle", DG_UNIT_COUNT, 0},
  {"unread_bytes", "Unread", DG_UNIT_COUNT, 0},
  {"unwritten_bytes", "Unwritten", DG_UNIT_COUNT, 0},
  {"reads", "Reads", DG_UNIT_COUNT, 0},
  {"writes", "Writes", DG_UNIT_COUNT, 0},
  {"read_bytes", "Read bytes", DG_UNIT_BYTES, DG_COLUMN_JSON_ONLY},
  {"write_bytes", "Written bytes", DG_UNIT_BYTES, DG_COLUMN_JSON_ONLY},
  {"alloc_icount", "Allocated at", DG_UNIT_COUNT, DG_COLUMN_JSON_ONLY},
  {"lifetime", "Lifetime", DG_UNIT_COUNT, 0},
  {"first_icount", "First use at", DG_UNIT_COUNT, DG_COLUMN_JSON_ONLY},
  {"last_icount", "Last use at", DG_UNIT_COUNT, DG_COLUMN_JSON_ONLY},
  {"free_icount", "Freed at", DG_UNIT_COUNT, DG_COLUMN_JSON_ONLY},
  {"last_thread", "Last thread", DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY},
  {"site", "Allocated in", DG_UNIT_TEXT, DG_COLUMN_LAST}};

/* A row, or one that may become one.  */
struct row {
  uint64_t life; /* instructions */
  uint32_t index;
  struct dg_usage_block use;
};

struct blocks {
  struct heap_usage *use;
  guint top;    /* rows; 0: all of them */
  uint64_t n;   /* blocks */
  GArray *rows; /* struct row: with `top`, a heap, with the last of
                   them first */
};

/* In byte-instructions.  */
static double
waste_of (const struct row *row)
{
  return (double) row->use.untouched * (double) row->life;
}

/* The greatest waste first, then in their order.  */
static gint
compare (gconstpointer a, gconstpointer b)
{
  const struct row *x = a, *y = b;
  double first = waste_of (x), second = waste_of (y);

  if (first != second)
    return first > second ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* ---- The first rows --------------------------------------------------- */

static struct row *
row_at (const struct blocks *blocks, guint i)
{
  return &g_array_index (blocks->rows, struct row, i);
}

static void
move_up (struct blocks *blocks, guint i)
{
  const struct row row = *row_at (blocks, i);

  for (; i > 0 && compare (&row, row_at (blocks, (i - 1) / 2)) > 0;
       i = (i - 1) / 2)
    *row_at (blocks, i) = *row_at (blocks, (i - 1) / 2);
  *row_at (blocks, i) = row;
}

static void
move_down (struct blocks *blocks, const struct row *row)
{
  guint i = 0, n = blocks->rows->len, next;

  for (; (next = 2 * i + 1) < n; i = next) {
    if (next + 1 < n
        && compare (row_at (blocks, next + 1), row_at (blocks, next)) > 0)
      next++;
    if (compare (row, row_at (blocks, next)) >= 0)
      break;
    *row_at (blocks, i) = *row_at (blocks, next);
  }
  *row_at (blocks, i) = *row;
}

/* ---- The table -------------------------------------------------------- */

static void *
make (struct heap_usage *use)
{
  struct blocks *blocks = g_new0 (struct blocks, 1);

  blocks->use = use;
  /* In another order, others may be the first ones.  */
  if (use->input->options->sort == NULL)
    blocks->top = (guint) use->input->options->top;
  blocks->rows = g_array_new (FALSE, FALSE, sizeof (struct row));
  return blocks;
}

static void
add (void *table, struct heap_usage_block *block)
{
  struct blocks *blocks = table;
  const struct row row = {block->life, block->index, *block->use};

  blocks->n++;
  if (blocks->top > 0 && blocks->rows->len == blocks->top) {
    if (compare (&row, row_at (blocks, 0)) < 0)
      move_down (blocks, &row);
    return;
  }
  g_array_append_val (blocks->rows, row);
  if (blocks->top > 0)
    move_up (blocks, blocks->rows->len - 1);
}

static struct dg_cell
moment (uint64_t icount)
{
  return icount != DG_NEVER ? DG_CELL_NUMBER (icount) : DG_CELL_EMPTY;
}

static void
add_row (struct heap_usage *use, struct dg_rows *rows, const struct row *row)
{
  const struct dg_block block = dg_log_block (use->log, row->index);
  const struct dg_usage_block *u = &row->use;
  double waste = heap_usage_average (use, waste_of (row));
  const struct dg_cell cells[] = {
    DG_CELL_NUMBER ((uint64_t) (waste + 0.5)),
    DG_CELL_NUMBER (block.address),
    DG_CELL_NUMBER (block.size),
    DG_CELL_NUMBER (u->untouched),
    DG_CELL_NUMBER (u->unread),
    DG_CELL_NUMBER (u->unwritten),
    DG_CELL_NUMBER (u->reads),
    DG_CELL_NUMBER (u->writes),
    DG_CELL_NUMBER (u->read_bytes),
    DG_CELL_NUMBER (u->written_bytes),
    DG_CELL_NUMBER (block.alloc_icount),
    DG_CELL_NUMBER (row->life),
    moment (u->first_icount),
    moment (u->last_icount),
    moment (block.free_icount),
    u->last_icount != DG_NEVER ? DG_CELL_NUMBER (u->last_thread)
                               : DG_CELL_EMPTY,
    DG_CELL_TEXT (heap_usage_site_of (use, &block))};

  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (columns));
  dg_rows_add (rows, cells);
}

static int
report (void *table, struct dg_error *err)
{
  struct blocks *blocks = table;
  struct heap_usage *use = blocks->use;
  struct dg_rows *rows;

  (void) err;
  g_array_sort (blocks->rows, compare);
  rows = dg_report_table (use->report, "block_list", "Blocks", columns,
                          G_N_ELEMENTS (columns));
  for (guint i = 0; i < blocks->rows->len; i++)
    add_row (use, rows, row_at (blocks, i));
  if (blocks->rows->len < blocks->n)
    dg_report_note (use->report,
                    "%u blocks of %" G_GUINT64_FORMAT
                    ": --top=0 for all of them.",
                    blocks->rows->len, blocks->n);
  dg_report_note (use->report, "Wasted: bytes that were never accessed (Idle) "
                               "while the block was live, averaged over the "
                               "run. Lifetime: in instructions.");
  dg_report_note (use->report, "Next: --sites sums up by allocation site; dg "
                               "dump --accesses --ranges=malloc shows "
                               "accesses.");
  return 0;
}

static void
free_blocks (void *table)
{
  struct blocks *blocks = table;

  g_array_unref (blocks->rows);
  g_free (blocks);
}

const struct heap_usage_table heap_usage_blocks = {make, add, report,
                                                   free_blocks};
