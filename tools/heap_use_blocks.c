/* heap_use_blocks.c: `dg heap --blocks`: how each block was used.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_use.h"

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

static double
waste_of (const struct heap_use *use, size_t i)
{
  return (double) use->use[i].untouched * (double) heap_use_life (use, i);
}

/* The greatest waste first, then in their order.  */
static gint
compare (gconstpointer a, gconstpointer b, gpointer user)
{
  const struct heap_use *use = user;
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  double first = waste_of (use, x), second = waste_of (use, y);

  if (first != second)
    return first > second ? -1 : 1;
  return x < y ? -1 : x > y;
}

static struct dg_cell
moment (uint64_t icount)
{
  return icount != DG_NEVER ? DG_CELL_NUMBER (icount) : DG_CELL_EMPTY;
}

static void
add_row (struct heap_use *use, struct dg_rows *rows, uint32_t i)
{
  const struct dg_block_extent block = dg_log_block_extent (use->log, i);
  const struct dg_use_block *u = &use->use[i];
  double waste = heap_use_average (use, waste_of (use, i));
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
    DG_CELL_NUMBER (heap_use_life (use, i)),
    moment (u->first_icount),
    moment (u->last_icount),
    moment (block.free_icount),
    u->last_icount != DG_NEVER ? DG_CELL_NUMBER (u->last_thread)
                               : DG_CELL_EMPTY,
    DG_CELL_TEXT (heap_use_site (use, i))};

  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (columns));
  dg_rows_add (rows, cells);
}

void
heap_use_blocks (struct heap_use *use)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  struct dg_rows *rows;
  guint top = (guint) use->input->options->top;

  for (size_t i = 0; i < use->n; i++) {
    uint32_t index = (uint32_t) i;

    if (heap_use_counts (use, i))
      g_array_append_val (order, index);
  }
  g_array_sort_with_data (order, compare, use);
  rows = dg_report_table (use->report, "block_list", "Blocks", columns,
                          G_N_ELEMENTS (columns));
  if (top == 0 || top > order->len)
    top = order->len;
  for (guint i = 0; i < top; i++)
    add_row (use, rows, g_array_index (order, uint32_t, i));
  if (top < order->len)
    dg_report_note (use->report, "%u blocks of %u: --top=0 for all of them.",
                    top, order->len);
  dg_report_note (use->report, "Wasted: bytes that were never touched (Idle)"
                               " while the block was alive, on average over"
                               " the run. Lifetime: in instructions.");
  dg_report_note (use->report, "Next: --sites sums up by who allocated; dg"
                               " accesses --ranges=malloc shows accesses.");
  g_array_unref (order);
}
