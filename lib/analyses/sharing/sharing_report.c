/* sharing_report.c: what "dg sharing" shows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing.h"

#include <inttypes.h>

#include "analysis/report.h"
#include "base/compare.h"
#include "base/error.h"

/* The share of the busiest thread.  */
static struct dg_cell
busiest (const struct dg_pair *threads, uint64_t accesses)
{
  if (accesses == 0)
    return DG_CELL_EMPTY;
  return DG_CELL_REAL ((double) threads[0].count / (double) accesses);
}

bool
sharing_is_partial (const struct sharing *sharing)
{
  return dg_log_lacks (sharing->log) != 0;
}

/* ---- Pass 1: addresses -------------------------------------------------- */

static const struct dg_column row_columns[] = {
  { "accesses", "Accesses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "writes", "Writes", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "threads", "Threads", DG_UNIT_NUMBER, 0 },
  { "busiest_share", "Busiest", DG_UNIT_PERCENT, 0 },
  { "accesses_by_thread", "", DG_UNIT_PAIRS,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "is_uniform", "Even", DG_UNIT_BOOLEAN, 0 },
  { "address", "Address", DG_UNIT_ADDRESS, DG_COLUMN_ID },
  { "type", "", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
  { "variable", "Variable", DG_UNIT_TEXT, DG_COLUMN_LAST | DG_COLUMN_ID },
};

/* What all rows have.  */
struct totals {
  uint32_t rows, written;  /* of them */
  uint64_t accesses;
  uint64_t runtime_rows;   /* that are left out */
  uint64_t runtime_accesses;
};

static struct totals
add_up (struct sharing *sharing)
{
  struct totals totals = { 0 };
  const struct sharing_row *row;
  struct sharing_rows rows;

  sharing_rows_begin (&rows, sharing);
  while ((row = sharing_rows_next (&rows)) != NULL) {
    totals.rows++;
    totals.written += row->writes > 0;
    totals.accesses += row->reads + row->writes;
  }
  totals.runtime_rows = rows.runtime_rows;
  totals.runtime_accesses = rows.runtime_accesses;
  sharing_rows_end (&rows);
  return totals;
}

static void
report_row (const struct sharing_row *row, struct dg_rows *table)
{
  uint64_t accesses = row->reads + row->writes;
  struct dg_cell cells[] = {
    DG_CELL_NUMBER (accesses),
    DG_CELL_NUMBER (row->writes),
    DG_CELL_NUMBER (row->n_threads),
    busiest (row->threads, accesses),
    DG_CELL_PAIRS (row->threads, row->n_threads),
    DG_CELL_NUMBER (sharing_is_uniform (row->threads, row->n_threads)),
    DG_CELL_NUMBER (row->address),
    DG_CELL_TEXT (row->named->type),
    DG_CELL_TEXT (row->named->name),
  };

  dg_rows_add (table, cells);
}

/* Heaviest first, and otherwise as they come.  */
static int
compare_rows (const void *a, const void *b, void *user)
{
  const uint64_t *accesses = user;
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

  return DG_COMPARE (accesses[y], accesses[x]) ?: DG_COMPARE (x, y);
}

/* Rows are added by address, as they are counted, and only then put in
   order.  */
static int
report_rows (struct sharing *sharing, uint32_t n, struct dg_report *report,
             struct dg_error *err)
{
  struct dg_rows *table =
    dg_report_table (report, "rows", "Shared addresses", row_columns,
                     G_N_ELEMENTS (row_columns));
  uint64_t *accesses = g_try_new (uint64_t, (gsize) n + 1);
  uint32_t *order = g_try_new (uint32_t, (gsize) n + 1);
  const struct sharing_row *row;
  struct sharing_rows rows;

  if (accesses == NULL || order == NULL) {
    g_free (accesses);
    g_free (order);
    return dg_error_nomem (err);
  }
  sharing_rows_begin (&rows, sharing);
  for (uint32_t i = 0; (row = sharing_rows_next (&rows)) != NULL; i++) {
    g_assert (i < n);
    accesses[i] = row->reads + row->writes;
    order[i] = i;
    report_row (row, table);
  }
  sharing_rows_end (&rows);
  g_qsort_with_data (order, (gint) n, sizeof *order, compare_rows, accesses);
  g_free (accesses);
  dg_report_arrange (table, order, n);
  return 0;
}

/* ---- Pass 2: lines of code ---------------------------------------------- */

static const struct dg_column line_columns[] = {
  { "accesses", "Accesses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "writes", "Writes", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "threads", "Threads", DG_UNIT_NUMBER, 0 },
  { "busiest_share", "Busiest", DG_UNIT_PERCENT, 0 },
  { "accesses_by_thread", "", DG_UNIT_PAIRS,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "file", "", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY | DG_COLUMN_ID },
  { "line", "", DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY | DG_COLUMN_ID },
  { "function", "", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY | DG_COLUMN_ID },
  { "address", "", DG_UNIT_ADDRESS, DG_COLUMN_JSON_ONLY },
  { "variable", "Variable", DG_UNIT_TEXT, DG_COLUMN_ID },
  { "place", "Code", DG_UNIT_TEXT, DG_COLUMN_TEXT_ONLY | DG_COLUMN_LAST },
};

static void
report_places (struct sharing *sharing, struct dg_report *report)
{
  struct dg_rows *table =
    dg_report_table (report, "code_lines", "Lines of code that access them",
                     line_columns, G_N_ELEMENTS (line_columns));
  const struct sharing_row *row;
  struct sharing_pieces pieces;
  struct sharing_rows rows;
  GArray *pairs, *places;

  sharing_rows_begin (&rows, sharing);
  sharing_pieces_init (&pieces, sharing);
  while ((row = sharing_rows_next (&rows)) != NULL)
    sharing_pieces_add (&pieces, row->sums, row->n);
  sharing_rows_end (&rows);
  places = sharing_places (&pieces, &pairs);
  for (guint i = 0; i < places->len; i++) {
    const struct sharing_place *place =
      &g_array_index (places, struct sharing_place, i);
    uint64_t accesses = place->reads + place->writes;
    char *text = sharing_place_text (place);
    struct dg_cell cells[] = {
      DG_CELL_NUMBER (accesses),
      DG_CELL_NUMBER (place->writes),
      DG_CELL_NUMBER (place->n_threads),
      busiest (place->threads, accesses),
      DG_CELL_PAIRS (place->threads, place->n_threads),
      DG_CELL_TEXT (place->file),
      place->line > 0 ? DG_CELL_NUMBER (place->line) : DG_CELL_EMPTY,
      DG_CELL_TEXT (place->function),
      DG_CELL_NUMBER (place->address),
      DG_CELL_TEXT (place->named->name),
      DG_CELL_TEXT (text),
    };

    dg_rows_add (table, cells);
    g_free (text);
  }
  g_array_unref (places);
  g_array_unref (pairs);
}

/* ---- All of it ---------------------------------------------------------- */

static void
report_grain (struct sharing *sharing, struct dg_report *report)
{
  uint64_t grain = sharing_sums_grain (&sharing->sums);

  dg_report_value (report, "grain", NULL, DG_UNIT_NUMBER,
                   DG_CELL_NUMBER (grain));
  if (grain == 1)
    return;
  if (grain == 0)
    dg_report_note (report,
                    "There were more than %" PRIu64 " counts: all addresses "
                    "of a variable are merged.  --addresses=N allows more.",
                    sharing->sums.most);
  else
    dg_report_note (report,
                    "There were more than %" PRIu64 " counts: addresses are "
                    "merged by %" PRIu64 " bytes, so different bytes there "
                    "may look shared.  --addresses=N allows more.",
                    sharing->sums.most, grain);
}

/* Of runtime libraries.  */
static void
report_left_out (const struct sharing *sharing, const struct totals *totals,
                 struct dg_report *report)
{
  GString *text = g_string_new (NULL);

  if (totals->runtime_rows > 0)
    g_string_append_printf (text, "%" PRIu64 " address%s with %" PRIu64
                                  " accesses",
                            totals->runtime_rows,
                            totals->runtime_rows == 1 ? "" : "es",
                            totals->runtime_accesses);
  if (sharing->runtime_lines > 0)
    g_string_append_printf (text, "%s%" PRIu64 " cache line%s",
                            text->len > 0 ? " and " : "",
                            sharing->runtime_lines,
                            sharing->runtime_lines == 1 ? "" : "s");
  if (text->len > 0)
    dg_report_note (report,
                    "%s of the C library, the dynamic linker and other "
                    "runtime libraries are left out: --libraries shows "
                    "them.", text->str);
  g_string_free (text, TRUE);
}

static void
report_advice (struct sharing *sharing, const struct totals *totals,
               struct dg_report *report)
{
  if (sharing->shared_lines.n_lines == 0)
    dg_report_note (report, "No cache line was touched by two threads%s.",
                    sharing_is_partial (sharing)
                      ? " in the recorded part of the run" : "");
  else if (totals->rows == 0 && totals->runtime_rows > 0)
    dg_report_note (report,
                    "Threads share no memory of the program itself.%s",
                    sharing->wants_false
                      ? "" : "  There may still be false sharing: see "
                             "--false.");
  else if (totals->rows == 0)
    dg_report_note (report,
                    "Nothing in the selection is shared.  There may still be "
                    "false sharing: see --false.");
  else if (totals->written == 0)
    dg_report_note (report,
                    "All of it is only read, which costs nothing: each "
                    "core keeps a copy.");
  else
    dg_report_note (report,
                    "What many threads write moves from core to core: keep "
                    "one copy per thread, or write less often.%s%s",
                    sharing->by_line ? ""
                                     : "  --by=line shows the code.",
                    sharing->wants_false
                      ? "" : "  --false shows variables that only share a "
                             "cache line.");
}

int
sharing_report (void *self, struct dg_report *report, struct dg_error *err)
{
  struct sharing *sharing = self;
  struct totals totals;

  sharing_sums_settle (&sharing->sums);
  if (sharing->sums.failed)
    return dg_error_nomem (err);
  sharing_lines_close (&sharing->lines);
  totals = add_up (sharing);
  dg_report_total (report, "accesses", "Accesses", DG_UNIT_COUNT,
                   sharing->accesses);
  dg_report_total (report, "line_accesses",
                   "Accesses to cache lines of several threads", DG_UNIT_COUNT,
                   sharing->shared);
  dg_report_total (report, "shared_accesses",
                   "Accesses to the addresses listed", DG_UNIT_COUNT,
                   totals.accesses);
  dg_report_count (report, "shared_lines", "Cache lines of several threads",
                   sharing->shared_lines.n_lines);
  dg_report_count (report, "library_rows", NULL, totals.runtime_rows);
  dg_report_total (report, "library_accesses", NULL, DG_UNIT_COUNT,
                   totals.runtime_accesses);
  if (sharing->is_sampled)
    dg_report_note (report, "The number of lines, and what is listed, are "
                            "those that several threads touched in the "
                            "windows; there may be more.");
  report_grain (sharing, report);
  if (report_rows (sharing, totals.rows, report, err) < 0)
    return DG_ERR_NOMEM;
  if (sharing->by_line)
    report_places (sharing, report);
  if (sharing->wants_false
      && sharing_report_false (sharing, report, err) < 0)
    return err != NULL ? err->code : DG_ERR_NOMEM;
  report_left_out (sharing, &totals, report);
  report_advice (sharing, &totals, report);
  return 0;
}
