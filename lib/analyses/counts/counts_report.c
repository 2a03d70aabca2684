/* counts_report.c: what "dg counts" shows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "counts.h"

#include <string.h>

static struct dg_cell
ratio (uint64_t part, uint64_t whole)
{
  if (whole == 0)
    return DG_CELL_EMPTY;
  return DG_CELL_REAL ((double) part / (double) whole);
}

static uint64_t
accesses (const uint64_t *sums, const void *user)
{
  return sums[COUNTS_READS] + sums[COUNTS_WRITES];
}

static uint64_t
bytes (const uint64_t *sums)
{
  return sums[COUNTS_READ_BYTES] + sums[COUNTS_WRITE_BYTES];
}

/* ---- Rows ---- */

static const struct dg_column columns[] = {
  { "share", "Share", DG_UNIT_PERCENT, DG_COLUMN_TEXT_ONLY },
  { "instructions", "Instructions", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "reads", "Reads", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "writes", "Writes", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "read_bytes", "Read", DG_UNIT_BYTES, DG_COLUMN_TOTAL },
  { "write_bytes", "Written", DG_UNIT_BYTES, DG_COLUMN_TOTAL },
  { "accesses_per_instruction", "Per instr", DG_UNIT_REAL,
    DG_COLUMN_TEXT_ONLY },
};

static void
fill (const uint64_t *sums, struct dg_cell *cells, const void *user)
{
  const struct counts *counts = user;
  uint64_t all = accesses (counts->totals, NULL);

  cells[0] = all > 0 ? ratio (accesses (sums, NULL), all)
                     : ratio (sums[COUNTS_INSTRUCTIONS],
                              counts->totals[COUNTS_INSTRUCTIONS]);
  for (unsigned i = 0; i < COUNTS_N; i++)
    cells[1 + i] = DG_CELL_NUMBER (sums[i]);
  cells[1 + COUNTS_N] = ratio (accesses (sums, NULL),
                               sums[COUNTS_INSTRUCTIONS]);
}

static int
report_rows (struct counts *counts, struct dg_report *report,
             struct dg_error *err)
{
  char *title = g_strdup_printf ("By %s, of all accesses", counts->by_name);
  const struct dg_breakdown_table table = {.key = "rows",
                                           .title = title,
                                           .columns = columns,
                                           .n_columns = G_N_ELEMENTS (columns),
                                           .fill = fill,
                                           .weigh = accesses,
                                           .user = counts};
  int result = dg_breakdown_report (counts->groups, &table, report, err);

  g_free (title);
  return result;
}

/* ---- The whole ---- */

static void
report_totals (const struct counts *counts, struct dg_report *report)
{
  static const struct { const char *key, *title; enum dg_unit unit; }
  names[] = {
    { "instructions", "Instructions", DG_UNIT_COUNT },
    { "reads", "Reads", DG_UNIT_COUNT },
    { "writes", "Writes", DG_UNIT_COUNT },
    { "read_bytes", "Bytes read", DG_UNIT_BYTES },
    { "write_bytes", "Bytes written", DG_UNIT_BYTES },
  };
  const uint64_t *totals = counts->totals;
  uint64_t all = accesses (totals, NULL);

  for (unsigned i = 0; i < COUNTS_N; i++)
    dg_report_total (report, names[i].key, names[i].title, names[i].unit,
                     totals[i]);
  if (counts->kernel_reads + counts->kernel_writes > 0) {
    dg_report_total (report, "kernel_reads", "Reads by the kernel",
                     DG_UNIT_COUNT, counts->kernel_reads);
    dg_report_total (report, "kernel_writes", "Writes by the kernel",
                     DG_UNIT_COUNT, counts->kernel_writes);
  }
  dg_report_value (report, "accesses_per_instruction",
                   "Accesses per instruction", DG_UNIT_REAL,
                   ratio (all, totals[COUNTS_INSTRUCTIONS]));
  dg_report_value (report, "read_share", "Reads of these", DG_UNIT_PERCENT,
                   ratio (totals[COUNTS_READS], all));
  dg_report_value (report, "bytes_per_access", "Bytes per access",
                   DG_UNIT_REAL, ratio (bytes (totals), all));
}

static void
advise (const struct counts *counts, struct dg_report *report)
{
  switch (counts->by) {
  case DG_BY_NOTHING:
    dg_report_note (report, "Which code: --by=function, --by=line.  Which "
                            "data: --by=variable, --by=site.");
    break;
  case DG_BY_THREAD:
    dg_report_note (report, "What one thread does: --threads=N --by=function. "
                            " Whether threads slow each other down: dg "
                            "sharing.");
    break;
  case DG_BY_FUNCTION: case DG_BY_MODULE:
    dg_report_note (report, "Lines of a function: --events=fn:NAME --by=line. "
                            " Its callers: dg calls.  What waits for memory: "
                            "dg cache.");
    break;
  case DG_BY_LINE: case DG_BY_INSTRUCTION:
    dg_report_note (report, "Which of them miss the cache: dg cache "
                            "--by=line.  How they move through memory: dg "
                            "patterns.");
    break;
  default:
    dg_report_note (report, "How soon it is used again: dg reuse.  Which "
                            "fields are used together: dg patterns.");
  }
}

int
counts_report (void *self, struct dg_report *report, struct dg_error *err)
{
  struct counts *counts = self;

  report_totals (counts, report);
  if (counts->groups != NULL) {
    int result = report_rows (counts, report, err);
    if (result < 0)
      return result;
  }
  advise (counts, report);
  return 0;
}

/* ---- Intervals ---- */

int
counts_print (void *self, struct dg_snapshot *const *snapshots, size_t n,
              struct dg_report *report, struct dg_error *err)
{
  static const struct dg_column interval_columns[] = {
    { "interval", "Interval", DG_UNIT_NUMBER, 0 },
    { "end_icount", "Ends at", DG_UNIT_COUNT, 0 },
    { "end_ns", "Time", DG_UNIT_NS, 0 },
    { "instructions", "Instructions", DG_UNIT_COUNT, 0 },
    { "reads", "Reads", DG_UNIT_COUNT, 0 },
    { "writes", "Writes", DG_UNIT_COUNT, 0 },
    { "read_bytes", "Read", DG_UNIT_BYTES, 0 },
    { "write_bytes", "Written", DG_UNIT_BYTES, 0 },
    { "accesses_per_instruction", "Per instr", DG_UNIT_REAL,
      DG_COLUMN_TEXT_ONLY },
  };
  struct dg_rows *rows
    = dg_report_table (report, "intervals", "Over time", interval_columns,
                       G_N_ELEMENTS (interval_columns));

  dg_rows_show_all (rows);
  for (size_t i = 0; i < n; i++) {
    const struct counts_snapshot *snapshot
      = (const struct counts_snapshot *) (const void *) snapshots[i];
    struct dg_cell cells[G_N_ELEMENTS (interval_columns)] = {
      DG_CELL_NUMBER (snapshot->base.interval),
      DG_CELL_NUMBER (snapshot->base.end_icount),
      DG_CELL_NUMBER (snapshot->base.end_ns),
    };
    cells[2].is_empty = snapshot->base.end_ns == 0;
    for (unsigned k = 0; k < COUNTS_N; k++)
      cells[3 + k] = DG_CELL_NUMBER (snapshot->sums[k]);
    cells[3 + COUNTS_N] = ratio (accesses (snapshot->sums, NULL),
                                 snapshot->sums[COUNTS_INSTRUCTIONS]);
    dg_rows_add (rows, cells);
  }
  return 0;
}
