/* pages_report.c: what `dg pages` shows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pages.h"

#include <math.h>
#include <string.h>

#include "base/compare.h"
#include "base/error.h"

static struct dg_cell
share (uint64_t part, uint64_t whole)
{
  return whole > 0 ? DG_CELL_REAL ((double) part / (double) whole)
                   : DG_CELL_EMPTY;
}

/* ---- Over time ---- */

static const struct dg_column interval_columns[] = {
  { "interval", "Interval", DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY },
  { "end_icount", "Up to instruction", DG_UNIT_COUNT, 0 },
  { "end_ns", "Time", DG_UNIT_NS, 0 },
  { "accesses", "Accesses", DG_UNIT_COUNT, 0 },
  { "pages", "Pages", DG_UNIT_COUNT, 0 },
  { "page_bytes", "In pages", DG_UNIT_BYTES, 0 },
  { "lines", "Lines", DG_UNIT_COUNT, 0 },
  { "line_bytes", "In lines", DG_UNIT_BYTES, 0 },
  { "new_pages", "New pages", DG_UNIT_COUNT, 0 },
  { "new_lines", "New lines", DG_UNIT_COUNT, 0 },
  { "bar", "Lines", DG_UNIT_TEXT,
    DG_COLUMN_TEXT_ONLY | DG_COLUMN_LAST | DG_COLUMN_BAR },
};
enum { INTERVAL_COLUMNS = G_N_ELEMENTS (interval_columns) };

static void
add_interval (const struct pages *self, struct dg_rows *rows,
              const struct pages_interval *sums, uint64_t end_icount,
              uint64_t end_ns, uint64_t most)
{
  char bar[16] = "";
  const size_t n = most > 0 ? (size_t) lround (12 * (double) sums->lines
                                               / (double) most)
                            : 0;
  struct dg_cell cells[INTERVAL_COLUMNS] = {
    DG_CELL_NUMBER (sums->interval), DG_CELL_NUMBER (end_icount),
    DG_CELL_NUMBER (end_ns), DG_CELL_NUMBER (sums->accesses),
    DG_CELL_NUMBER (sums->pages),
    DG_CELL_NUMBER (sums->pages << self->page_shift),
    DG_CELL_NUMBER (sums->lines),
    DG_CELL_NUMBER (sums->lines << self->line_shift),
    DG_CELL_NUMBER (sums->new_pages), DG_CELL_NUMBER (sums->new_lines)
  };

  memset (bar, '#', n);
  cells[2].is_empty = end_ns == 0;
  cells[10] = n > 0 ? DG_CELL_TEXT (bar) : DG_CELL_EMPTY;
  dg_rows_add (rows, cells);
}

int
pages_print (void *data, struct dg_snapshot *const *snapshots, size_t n,
             struct dg_report *report, struct dg_error *err)
{
  struct dg_rows *rows
    = dg_report_table (report, "intervals", "Working set over time",
                       interval_columns, INTERVAL_COLUMNS);
  uint64_t most = 0;

  dg_rows_show_all (rows);
  for (size_t i = 0; i < n; i++)
    most = MAX (most, ((const struct pages_snapshot *) (const void *)
                         snapshots[i])->sums.lines);
  for (size_t i = 0; i < n; i++) {
    const struct pages_snapshot *snapshot
      = (const struct pages_snapshot *) (const void *) snapshots[i];
    struct pages_interval sums = snapshot->sums;

    sums.interval = snapshot->base.interval;
    add_interval (data, rows, &sums, snapshot->base.end_icount,
                  snapshot->base.end_ns, most);
  }
  return 0;
}

static int
compare_intervals (const void *a, const void *b)
{
  const struct pages_interval *x = *(struct pages_interval *const *) a;
  const struct pages_interval *y = *(struct pages_interval *const *) b;

  return DG_COMPARE (x->interval, y->interval);
}

/* All that have accesses, in order.  */
static GPtrArray *
sorted_intervals (const struct pages *self)
{
  GPtrArray *all = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer interval;

  g_hash_table_iter_init (&iter, self->intervals);
  while (g_hash_table_iter_next (&iter, NULL, &interval))
    g_ptr_array_add (all, interval);
  g_ptr_array_sort (all, compare_intervals);
  return all;
}

static void
tell_intervals (const struct pages *self, const GPtrArray *all, uint64_t most,
                struct dg_report *report)
{
  struct dg_column columns[INTERVAL_COLUMNS];
  struct dg_rows *rows;

  memcpy (columns, interval_columns, sizeof columns);
  columns[2].flags = DG_COLUMN_JSON_ONLY;
  rows = dg_report_table (report, "intervals", "Working set over time",
                          columns, INTERVAL_COLUMNS);
  dg_rows_show_all (rows);
  for (guint i = 0; i < all->len; i++) {
    const struct pages_interval *interval = g_ptr_array_index (all, i);

    add_interval (self, rows, interval, interval->interval * self->span, 0,
                  most);
  }
}

/* ---- The whole ---- */

static uint64_t
used_bytes (const struct pages *self)
{
  uint64_t n = 0;

  for (uint32_t k = 0; k < self->leaves.pages.n; k++) {
    const struct pages_sums *leaf = dg_shadow_at (&self->leaves, k);

    for (size_t i = 0; i < PAGES_LEAF; i++)
      n += (uint64_t) __builtin_popcountll (leaf->used[i] | leaf->now[i]);
  }
  return n;
}

static void
tell_totals (const struct pages *self, struct dg_report *report)
{
  GPtrArray *intervals = sorted_intervals (self);
  const uint64_t line_bytes = self->lines << self->line_shift;
  const uint64_t used = used_bytes (self);
  uint64_t pages = 0, lines = 0;

  for (guint i = 0; i < intervals->len; i++) {
    const struct pages_interval *interval = g_ptr_array_index (intervals, i);

    pages = MAX (pages, interval->pages);
    lines = MAX (lines, interval->lines);
  }
  dg_report_total (report, "accesses", "Accesses", DG_UNIT_COUNT,
                   self->accesses);
  dg_report_value (report, "page_size", NULL, DG_UNIT_NUMBER,
                   DG_CELL_NUMBER (UINT64_C (1) << self->page_shift));
  dg_report_value (report, "line_size", NULL, DG_UNIT_NUMBER,
                   DG_CELL_NUMBER (UINT64_C (1) << self->line_shift));
  dg_report_count (report, "pages", "Pages touched", self->pages.pages.n);
  dg_report_count (report, "lines", "Lines touched", self->lines);
  dg_report_value (report, "page_bytes", "Memory in these pages",
                   DG_UNIT_BYTES,
                   DG_CELL_NUMBER ((uint64_t) self->pages.pages.n
                                   << self->page_shift));
  dg_report_value (report, "line_bytes", "Memory in these lines",
                   DG_UNIT_BYTES, DG_CELL_NUMBER (line_bytes));
  dg_report_value (report, "used_bytes", "Bytes of these lines used",
                   DG_UNIT_BYTES, DG_CELL_NUMBER (used));
  dg_report_value (report, "used_share", "Share used", DG_UNIT_PERCENT,
                   share (used, line_bytes));
  dg_report_count (report, "peak_pages", "Most pages in an interval", pages);
  dg_report_count (report, "peak_lines", "Most lines in an interval", lines);
  if (dg_setup_is_sampled (self->setup))
    dg_report_note (report, "Pages, lines and bytes are those in the windows, "
                            "and not scaled: the whole run touches as many or "
                            "more.  \"Never\" means in no window.");
  if (!self->has_intervals)
    tell_intervals (self, intervals, lines, report);
  g_ptr_array_unref (intervals);
}

/* ---- First touches ---- */

static uint64_t
weigh_first (const uint64_t *sums, const void *user)
{
  return sums[FIRST_LINES];
}

static void
fill_first (const uint64_t *sums, struct dg_cell *cells, const void *user)
{
  const struct pages *self = user;

  cells[0] = share (sums[FIRST_LINES], self->lines);
  cells[1] = DG_CELL_NUMBER (sums[FIRST_LINES]);
  cells[2] = DG_CELL_NUMBER (sums[FIRST_LINES] << self->line_shift);
  cells[3] = DG_CELL_NUMBER (sums[FIRST_PAGES]);
}

static int
tell_first (struct pages *self, struct dg_report *report,
            struct dg_error *err)
{
  static const struct dg_column columns[] = {
    { "share", "Share", DG_UNIT_PERCENT, DG_COLUMN_TEXT_ONLY },
    { "lines", "Lines", DG_UNIT_COUNT, 0 },
    { "line_bytes", "Memory", DG_UNIT_BYTES, 0 },
    { "pages", "Pages", DG_UNIT_COUNT, 0 },
  };
  const struct dg_breakdown_table table = {
    .key = "first",
    .title = "First touches of lines and pages",
    .columns = columns,
    .n_columns = G_N_ELEMENTS (columns),
    .fill = fill_first,
    .weigh = weigh_first,
    .user = self};

  if (dg_breakdown_take (self->code, self->code_sums, err) < 0)
    return DG_ERR_NOMEM;
  return dg_breakdown_report (self->code, &table, report, err);
}

/* ---- Heap blocks ---- */

static uint64_t
weigh_site (const uint64_t *sums, const void *user)
{
  return sums[SITE_UNUSED];
}

static void
fill_site (const uint64_t *sums, struct dg_cell *cells, const void *user)
{
  cells[0] = DG_CELL_NUMBER (sums[SITE_UNUSED]);
  cells[1] = share (sums[SITE_UNUSED], sums[SITE_BYTES]);
  cells[2] = DG_CELL_NUMBER (sums[SITE_BYTES]);
  cells[3] = DG_CELL_NUMBER (sums[SITE_BLOCKS]);
  cells[4] = DG_CELL_NUMBER (sums[SITE_UNTOUCHED]);
  cells[5] = DG_CELL_NUMBER (sums[SITE_FETCHED]);
  cells[6] = share (sums[SITE_USED], sums[SITE_FETCHED]);
}

static int
tell_sites (struct pages *self, struct dg_report *report,
            struct dg_error *err)
{
  static const struct dg_column columns[] = {
    { "unused_bytes", "Never touched", DG_UNIT_BYTES, 0 },
    { "unused_share", "Share", DG_UNIT_PERCENT, 0 },
    { "bytes", "Allocated", DG_UNIT_BYTES, 0 },
    { "blocks", "Blocks", DG_UNIT_COUNT, 0 },
    { "untouched_blocks", "Untouched blocks", DG_UNIT_COUNT, 0 },
    { "fetched_bytes", "Lines fetched", DG_UNIT_BYTES, 0 },
    { "used_share", "Lines used", DG_UNIT_PERCENT, 0 },
  };
  const struct dg_breakdown_table table = {
    .key = "sites",
    .title = "Heap blocks, by bytes never touched",
    .columns = columns,
    .n_columns = G_N_ELEMENTS (columns),
    .fill = fill_site,
    .weigh = weigh_site,
    .user = self};
  int code = pages_merge_last (self, err);

  if (code < 0)
    return code;
  if (dg_breakdown_take (self->sites, self->site_sums, err) < 0)
    return DG_ERR_NOMEM;
  return dg_breakdown_report (self->sites, &table, report, err);
}

int
pages_report (void *data, struct dg_report *report, struct dg_error *err)
{
  struct pages *self = data;
  int code;

  tell_totals (self, report);
  code = tell_first (self, report, err);
  if (code == 0)
    code = tell_sites (self, report, err);
  if (code == 0)
    code = pages_report_lines (self, report, err);
  if (code == 0 && self->accesses > 0)
    dg_report_note (report,
                    "Which fields are never touched, and which are used "
                    "together: dg patterns.  How soon lines are used again: "
                    "dg reuse --by=variable.  Shorter intervals: "
                    "--interval=1Mi.");
  return code;
}
