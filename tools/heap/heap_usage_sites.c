/* heap_usage_sites.c: `dg heap --sites` and `--untouched`: blocks by who
   allocated them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_usage.h"

#include <stdlib.h>
#include <string.h>

struct site {
  const char *name;
  uint64_t blocks, bytes, peak_bytes, end_bytes, end_blocks, temporary;
  uint64_t reads, writes, read_bytes, written_bytes;
  uint64_t unread, unwritten, untouched;
  heap_usage_sum life;  /* instructions, of all blocks */
  heap_usage_sum waste; /* byte-instructions */
  uint64_t all_blocks;  /* --untouched: also those that were touched */
};

struct sites {
  struct heap_usage *use;
  GArray *all;         /* struct site */
  GHashTable *by_name; /* name -> index + 1 */
  struct site total;
};

static struct site *
site_of (struct sites *sites, const char *name)
{
  gpointer index = g_hash_table_lookup (sites->by_name, name);

  if (index == NULL) {
    const struct site site = {.name = name};

    g_array_append_val (sites->all, site);
    index = GUINT_TO_POINTER (sites->all->len);
    g_hash_table_insert (sites->by_name, (gpointer) name, index);
  }
  return &g_array_index (sites->all, struct site,
                         GPOINTER_TO_UINT (index) - 1);
}

static void *
sites_make (struct heap_usage *use)
{
  struct sites *sites = g_new0 (struct sites, 1);

  sites->use = use;
  sites->all = g_array_new (FALSE, TRUE, sizeof (struct site));
  sites->by_name = g_hash_table_new (NULL, NULL);
  sites->total.name = "all";
  return sites;
}

static void
sites_free (void *table)
{
  struct sites *sites = table;

  g_array_unref (sites->all);
  g_hash_table_unref (sites->by_name);
  g_free (sites);
}

static void
add_block (const struct heap_usage *use, struct site *site,
           const struct heap_usage_block *block)
{
  const struct dg_usage_block *u = block->use;

  site->blocks++;
  site->bytes += block->block.size;
  site->temporary += use->are_temporary[block->index];
  if (block->block.free_icount == DG_NEVER) {
    site->end_bytes += block->block.size;
    site->end_blocks++;
  }
  site->reads += u->reads;
  site->writes += u->writes;
  site->read_bytes += u->read_bytes;
  site->written_bytes += u->written_bytes;
  site->unread += u->unread;
  site->unwritten += u->unwritten;
  site->untouched += u->untouched;
  site->life += block->life;
  site->waste += (heap_usage_sum) u->untouched * block->life;
}

static void
sites_add (void *table, struct heap_usage_block *block)
{
  struct sites *sites = table;

  add_block (sites->use,
             site_of (sites, heap_usage_site (sites->use, block)), block);
  add_block (sites->use, &sites->total, block);
}

/* The greatest waste first.  */
static int
compare_sites (const void *a, const void *b)
{
  const struct site *x = a, *y = b;

  if (x->waste != y->waste)
    return x->waste > y->waste ? -1 : 1;
  if (x->untouched != y->untouched)
    return x->untouched > y->untouched ? -1 : 1;
  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return strcmp (x->name, y->name);
}

static struct dg_cell
share (uint64_t part, uint64_t whole)
{
  return whole > 0 ? DG_CELL_REAL ((double) part / (double) whole)
                   : DG_CELL_EMPTY;
}

static struct dg_cell
mean (heap_usage_sum sum, uint64_t n)
{
  return DG_CELL_NUMBER (n > 0 ? (uint64_t) ((double) sum / (double) n + 0.5)
                               : 0);
}

static struct dg_cell
bytes (const struct heap_usage *use, heap_usage_sum byte_instructions)
{
  double average = heap_usage_average (use, (double) byte_instructions);

  return DG_CELL_NUMBER ((uint64_t) (average + 0.5));
}

/* ---- At the peak ------------------------------------------------------ */

static bool
is_holder (const struct heap_usage *use, size_t i)
{
  return g_hash_table_contains (use->holders, GSIZE_TO_POINTER (i));
}

/* What was allocated when the most bytes were alive: up to order *peak.  */
static int
find_peak (struct heap_usage *use, uint32_t *peak, struct dg_error *err)
{
  struct dg_replay_step *steps;
  uint64_t bytes = 0, most = 0;
  size_t n, at = SIZE_MAX;
  int code = dg_log_replay (
    use->log, 1u << DG_REPLAY_ALLOC | 1u << DG_REPLAY_FREE, &steps, &n, err);

  *peak = 0;
  if (code < 0)
    return code;
  for (size_t i = 0; i < n; i++) {
    uint64_t size = dg_log_block_extent (use->log, steps[i].index).size;

    if (is_holder (use, steps[i].index))
      continue;
    if (steps[i].kind == DG_REPLAY_FREE) {
      bytes -= size;
      continue;
    }
    bytes += size;
    if (bytes > most) {
      most = bytes;
      at = i;
    }
  }
  if (at != SIZE_MAX)
    *peak = dg_log_block (use->log, steps[at].index).alloc_order;
  free (steps);
  return 0;
}

/* It is known only when all blocks are.  */
static int
add_peak (struct sites *sites, struct dg_error *err)
{
  struct heap_usage *use = sites->use;
  size_t n = dg_log_n_blocks (use->log);
  uint32_t peak;
  int code = find_peak (use, &peak, err);

  for (size_t i = 0; i < n && code >= 0; i++) {
    const struct dg_block block = dg_log_block (use->log, i);

    if (block.alloc_order > peak || block.free_order <= peak
        || is_holder (use, i))
      continue;
    site_of (sites, heap_usage_site_of (use, &block))->peak_bytes +=
      block.size;
    sites->total.peak_bytes += block.size;
  }
  return code;
}

/* ---- --sites ---------------------------------------------------------- */

static const struct dg_column site_columns[] = {
  {"waste", "Wasted", DG_UNIT_BYTES, 0},
  {"bytes", "Bytes", DG_UNIT_BYTES, 0},
  {"peak_bytes", "At peak", DG_UNIT_BYTES, 0},
  {"end_bytes", "At end", DG_UNIT_BYTES, DG_COLUMN_JSON_ONLY},
  {"end_blocks", "Blocks at end", DG_UNIT_COUNT, DG_COLUMN_JSON_ONLY},
  {"blocks", "Blocks", DG_UNIT_COUNT, 0},
  {"temporary", "Temp.", DG_UNIT_COUNT, 0},
  {"temporary_share", "Temp. share", DG_UNIT_PERCENT, DG_COLUMN_JSON_ONLY},
  {"untouched_share", "Idle", DG_UNIT_PERCENT, 0},
  {"unread_share", "Unread", DG_UNIT_PERCENT, DG_COLUMN_TEXT_ONLY},
  {"unwritten_share", "Unwrit.", DG_UNIT_PERCENT, DG_COLUMN_TEXT_ONLY},
  {"reads_per_byte", "R/byte", DG_UNIT_REAL, 0},
  {"writes_per_byte", "W/byte", DG_UNIT_REAL, 0},
  {"mean_lifetime", "Lifetime", DG_UNIT_COUNT, 0},
  {"untouched_bytes", "Idle bytes", DG_UNIT_BYTES, DG_COLUMN_JSON_ONLY},
  {"unread_bytes", "Unread bytes", DG_UNIT_BYTES, DG_COLUMN_JSON_ONLY},
  {"unwritten_bytes", "Unwritten bytes", DG_UNIT_BYTES, DG_COLUMN_JSON_ONLY},
  {"reads", "Reads", DG_UNIT_COUNT, DG_COLUMN_JSON_ONLY},
  {"writes", "Writes", DG_UNIT_COUNT, DG_COLUMN_JSON_ONLY},
  {"read_bytes", "Read bytes", DG_UNIT_BYTES, DG_COLUMN_JSON_ONLY},
  {"write_bytes", "Written bytes", DG_UNIT_BYTES, DG_COLUMN_JSON_ONLY},
  {"site", "Allocated in", DG_UNIT_TEXT, DG_COLUMN_LAST}};

static void
add_site_row (struct heap_usage *use, struct dg_rows *rows,
              const struct site *site)
{
  const struct dg_cell cells[] = {bytes (use, site->waste),
                                  DG_CELL_NUMBER (site->bytes),
                                  DG_CELL_NUMBER (site->peak_bytes),
                                  DG_CELL_NUMBER (site->end_bytes),
                                  DG_CELL_NUMBER (site->end_blocks),
                                  DG_CELL_NUMBER (site->blocks),
                                  DG_CELL_NUMBER (site->temporary),
                                  share (site->temporary, site->blocks),
                                  share (site->untouched, site->bytes),
                                  share (site->unread, site->bytes),
                                  share (site->unwritten, site->bytes),
                                  share (site->read_bytes, site->bytes),
                                  share (site->written_bytes, site->bytes),
                                  mean (site->life, site->blocks),
                                  DG_CELL_NUMBER (site->untouched),
                                  DG_CELL_NUMBER (site->unread),
                                  DG_CELL_NUMBER (site->unwritten),
                                  DG_CELL_NUMBER (site->reads),
                                  DG_CELL_NUMBER (site->writes),
                                  DG_CELL_NUMBER (site->read_bytes),
                                  DG_CELL_NUMBER (site->written_bytes),
                                  DG_CELL_TEXT (site->name)};

  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (site_columns));
  dg_rows_add (rows, cells);
}

static int
sites_report (void *table, struct dg_error *err)
{
  struct sites *sites = table;
  struct heap_usage *use = sites->use;
  const struct site *total = &sites->total;
  struct dg_rows *rows;
  int code = add_peak (sites, err);

  if (code < 0)
    return code;
  g_array_sort (sites->all, compare_sites);
  dg_report_count (use->report, "blocks", "Blocks allocated", total->blocks);
  dg_report_count (use->report, "temporary", "Temporary blocks",
                   total->temporary);
  dg_report_value (use->report, "bytes", "Bytes allocated", DG_UNIT_BYTES,
                   DG_CELL_NUMBER (total->bytes));
  dg_report_value (use->report, "peak_bytes", "At the peak", DG_UNIT_BYTES,
                   DG_CELL_NUMBER (total->peak_bytes));
  dg_report_value (use->report, "end_bytes", "At the end", DG_UNIT_BYTES,
                   DG_CELL_NUMBER (total->end_bytes));
  dg_report_count (use->report, "end_blocks", "Blocks at the end",
                   total->end_blocks);
  dg_report_value (use->report, "untouched_bytes", "Never touched",
                   DG_UNIT_BYTES, DG_CELL_NUMBER (total->untouched));
  dg_report_value (use->report, "waste", "Wasted, on average", DG_UNIT_BYTES,
                   bytes (use, total->waste));
  rows = dg_report_table (use->report, "sites", "Allocation sites",
                          site_columns, G_N_ELEMENTS (site_columns));
  for (guint i = 0; i < sites->all->len; i++)
    add_site_row (use, rows, &g_array_index (sites->all, struct site, i));
  dg_report_note (use->report, "Wasted: bytes that were never accessed while "
                               "their block was live, averaged over the run. "
                               "Temp.: blocks that the next call of an "
                               "allocator freed. "
                               "Idle, Unread, Unwrit.: shares of the bytes "
                               "that were never accessed, read, written. "
                               "Lifetime: mean, in instructions.");
  dg_report_note (use->report, "Next: --blocks for single blocks, --untouched "
                               "for unused ones, --late for those freed long "
                               "after their last use; --by=stack for the "
                               "callers.");
  return 0;
}

const struct heap_usage_table heap_usage_sites = {sites_make, sites_add,
                                                  sites_report, sites_free};

/* ---- --untouched ------------------------------------------------------ */

static const struct dg_column untouched_columns[] = {
  {"waste", "Wasted", DG_UNIT_BYTES, 0},
  {"bytes", "Bytes", DG_UNIT_BYTES, 0},
  {"blocks", "Blocks", DG_UNIT_COUNT, 0},
  {"all_blocks", "Of", DG_UNIT_COUNT, 0},
  {"mean_lifetime", "Lifetime", DG_UNIT_COUNT, 0},
  {"site", "Allocated in", DG_UNIT_TEXT, DG_COLUMN_LAST}};

/* Nobody used it, and what it took over by a realloc was not used before.  */
static bool
is_untouched (const struct heap_usage_block *block)
{
  uint64_t size = block->block.size;

  return block->use->last_icount == DG_NEVER && size > 0
         && block->use->untouched == size;
}

static void
untouched_add (void *table, struct heap_usage_block *block)
{
  struct sites *sites = table;
  struct site *site = site_of (sites, heap_usage_site (sites->use, block));

  site->all_blocks++;
  if (is_untouched (block)) {
    add_block (sites->use, site, block);
    add_block (sites->use, &sites->total, block);
  }
}

static int
untouched_report (void *table, struct dg_error *err)
{
  struct sites *sites = table;
  struct heap_usage *use = sites->use;
  const struct site *total = &sites->total;
  struct dg_rows *rows;

  (void) err;
  g_array_sort (sites->all, compare_sites);
  dg_report_begin (use->report, "untouched", "Blocks that were never "
                                             "accessed");
  dg_report_count (use->report, "blocks", "Blocks", total->blocks);
  dg_report_value (use->report, "bytes", "Bytes", DG_UNIT_BYTES,
                   DG_CELL_NUMBER (total->bytes));
  rows = dg_report_table (use->report, "sites", "Allocation sites",
                          untouched_columns, G_N_ELEMENTS (untouched_columns));
  for (guint i = 0; i < sites->all->len; i++) {
    const struct site *site = &g_array_index (sites->all, struct site, i);
    const struct dg_cell cells[] = {
      bytes (use, site->waste),        DG_CELL_NUMBER (site->bytes),
      DG_CELL_NUMBER (site->blocks),   DG_CELL_NUMBER (site->all_blocks),
      mean (site->life, site->blocks), DG_CELL_TEXT (site->name)};

    G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (untouched_columns));
    if (site->blocks > 0)
      dg_rows_add (rows, cells);
  }
  dg_report_note (use->report, "Wasted: their bytes, averaged over the run. "
                               "Of: all blocks of the site.");
  dg_report_note (use->report, total->blocks > 0
                                 ? "Next: --by=stack for the callers; dg "
                                   "allocs history shows each of them."
                                 : "Next: --sites for blocks that were used "
                                   "only in part.");
  dg_report_end (use->report);
  return 0;
}

const struct heap_usage_table heap_usage_untouched = {
  sites_make, untouched_add, untouched_report, sites_free};
