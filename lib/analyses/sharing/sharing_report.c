/* sharing_report.c: what "dg sharing" shows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing.h"
#include "base/path.h"

#include <inttypes.h>
#include <string.h>

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

static void
report_rows (const GArray *rows, struct dg_report *report)
{
  struct dg_rows *table =
    dg_report_table (report, "rows", "Shared addresses", row_columns,
                     G_N_ELEMENTS (row_columns));

  for (guint i = 0; i < rows->len; i++) {
    const struct sharing_row *row =
      &g_array_index (rows, struct sharing_row, i);
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

char *
sharing_place_text (const struct sharing_place *place)
{
  const char *path = place->file != NULL ? place->file : place->module;
  const char *base = path != NULL ? dg_path_base (path) : NULL;

  if (place->file != NULL && place->function != NULL)
    return g_strdup_printf ("%s:%u (%s)", base, place->line,
                            place->function);
  if (place->file != NULL)
    return g_strdup_printf ("%s:%u", base, place->line);
  if (place->function != NULL)
    return g_strdup_printf ("%s (%s)", place->function,
                            base != NULL ? base : "?");
  return g_strdup_printf ("%s0x%" PRIx64 "%s%s", base != NULL ? "" : "code ",
                          place->code, base != NULL ? " in " : "",
                          base != NULL ? base : "");
}

static void
report_places (const GArray *places, struct dg_report *report)
{
  struct dg_rows *table =
    dg_report_table (report, "code_lines", "Lines of code that access them",
                     line_columns, G_N_ELEMENTS (line_columns));

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
}

/* ---- All of it ---------------------------------------------------------- */

static void
report_grain (struct sharing *sharing, struct dg_report *report)
{
  uint64_t grain = sharing_counts_grain (&sharing->counts);

  dg_report_value (report, "grain", NULL, DG_UNIT_NUMBER,
                   DG_CELL_NUMBER (grain));
  if (grain == 1)
    return;
  if (grain == 0)
    dg_report_note (report,
                    "There were more than %u counts: all addresses of a "
                    "variable are merged.  --addresses=N allows more.",
                    sharing->counts.most);
  else
    dg_report_note (report,
                    "There were more than %u counts: addresses are merged by "
                    "%" G_GUINT64_FORMAT " bytes, so different "
                    "bytes there may look shared.  --addresses=N allows more.",
                    sharing->counts.most,
                    grain);
}

/* Of runtime libraries.  */
static void
report_left_out (const struct sharing *sharing, struct dg_report *report)
{
  GString *text = g_string_new (NULL);

  if (sharing->runtime_rows > 0)
    g_string_append_printf (text, "%" PRIu64 " address%s with %" PRIu64
                                  " accesses",
                            sharing->runtime_rows,
                            sharing->runtime_rows == 1 ? "" : "es",
                            sharing->runtime_accesses);
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
report_advice (struct sharing *sharing, const GArray *rows,
               struct dg_report *report)
{
  uint64_t written = 0;

  for (guint i = 0; i < rows->len; i++)
    written += g_array_index (rows, struct sharing_row, i).writes > 0;
  if (sharing->shared_lines.n_lines == 0)
    dg_report_note (report, "No cache line was touched by two threads%s.",
                    sharing_is_partial (sharing)
                      ? " in the recorded part of the run" : "");
  else if (rows->len == 0 && sharing->runtime_rows > 0)
    dg_report_note (report,
                    "Threads share no memory of the program itself.%s",
                    sharing->wants_false
                      ? "" : "  There may still be false sharing: see "
                             "--false.");
  else if (rows->len == 0)
    dg_report_note (report,
                    "Nothing in the selection is shared.  There may still be "
                    "false sharing: see --false.");
  else if (written == 0)
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

static int
report_all (struct sharing *sharing, const GArray *rows,
            struct dg_report *report, struct dg_error *err)
{
  uint64_t sum = 0;

  for (guint i = 0; i < rows->len; i++) {
    const struct sharing_row *row =
      &g_array_index (rows, struct sharing_row, i);

    sum += row->reads + row->writes;
  }
  dg_report_total (report, "accesses", "Accesses", DG_UNIT_COUNT,
                   sharing->accesses);
  dg_report_total (report, "line_accesses",
                   "Accesses to cache lines of several threads", DG_UNIT_COUNT,
                   sharing->shared);
  dg_report_total (report, "shared_accesses",
                   "Accesses to the addresses listed", DG_UNIT_COUNT, sum);
  dg_report_count (report, "shared_lines", "Cache lines of several threads",
                   sharing->shared_lines.n_lines);
  dg_report_count (report, "library_rows", NULL, sharing->runtime_rows);
  dg_report_total (report, "library_accesses", NULL, DG_UNIT_COUNT,
                   sharing->runtime_accesses);
  if (sharing->is_sampled)
    dg_report_note (report, "The number of lines, and what is listed, are "
                            "those that several threads touched in the "
                            "windows; there may be more.");
  report_grain (sharing, report);
  report_rows (rows, report);
  if (sharing->by_line) {
    GArray *pairs, *places = sharing_places (sharing, rows, &pairs);

    report_places (places, report);
    g_array_unref (places);
    g_array_unref (pairs);
  }
  if (sharing->wants_false
      && sharing_report_false (sharing, report, err) < 0)
    return err != NULL ? err->code : DG_ERR_NOMEM;
  report_left_out (sharing, report);
  report_advice (sharing, rows, report);
  return 0;
}

int
sharing_report (void *self, struct dg_report *report, struct dg_error *err)
{
  struct sharing *sharing = self;
  GArray *pairs, *rows = sharing_rows (sharing, &pairs, err);
  int code = DG_ERR_NOMEM;

  if (rows != NULL) {
    code = report_all (sharing, rows, report, err);
    g_array_unref (rows);
  }
  g_array_unref (pairs);
  g_clear_pointer (&sharing->order, g_free);
  return code;
}
