/* count_cells.c: what the cells of a table say, compared, and as text.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "count_cells.h"

#include <libdatagrind.h>

#include "format.h"
#include "model/log/gap_text.h"
#include "i18n.h"

bool
dv_count_cell_is_number (enum dv_count_value value)
{
  return value >= DV_VALUE_SHARE;
}

bool
dv_count_cell_is_estimate (enum dv_count_value value)
{
  return value >= DV_VALUE_CYCLES;
}

/* False: it is not known.  */
static bool
find_estimate (const struct dv_count_shown *shown, const struct dv_row *row,
               enum dv_count_value value, uint64_t *n)
{
  const struct dv_cost *cost
    = shown->costs != NULL ? dv_costs_find (shown->costs, row) : NULL;
  if (cost == NULL)
    return false;
  *n = value == DV_VALUE_CYCLES      ? cost->cycles
       : value == DV_VALUE_L1_MISSES ? cost->l1_misses
                                     : cost->l3_misses;
  return true;
}

static uint64_t
number_of (const struct dv_count_shown *shown, const struct dv_row *row,
           enum dv_count_value value)
{
  uint64_t n = 0;
  switch (value) {
  case DV_VALUE_SHARE:
  case DV_VALUE_ACCESSES:
    return dv_tally_count_accesses (&row->count);
  case DV_VALUE_INCLUSIVE:
    return row->inclusive;
  case DV_VALUE_READS:
    return row->count.reads;
  case DV_VALUE_WRITES:
    return row->count.writes;
  case DV_VALUE_BYTES:
    return row->count.read_bytes + row->count.written_bytes;
  case DV_VALUE_BLOCKS:
    return row->blocks;
  case DV_VALUE_BLOCK_BYTES:
    return row->bytes;
  case DV_VALUE_THREADS:
    return row->threads;
  case DV_VALUE_WRITERS:
    return row->writers;
  case DV_VALUE_CYCLES:
  case DV_VALUE_L1_MISSES:
  case DV_VALUE_L3_MISSES:
    find_estimate (shown, row, value, &n);
    return n;
  default:
    return 0;
  }
}

static const char *
sharing_text (enum dv_sharing sharing)
{
  switch (sharing) {
  case DV_SHARING_TRUE:
    return _ ("shared");
  case DV_SHARING_MIXED:
    return _ ("partly false sharing");
  case DV_SHARING_FALSE:
    return _ ("false sharing");
  default:
    return "";
  }
}

static const char *
string_of (const struct dv_row *row, enum dv_count_value value)
{
  switch (value) {
  case DV_VALUE_NAME:
    return row->name;
  case DV_VALUE_WHERE:
    return row->where;
  case DV_VALUE_MODULE:
    return row->module;
  case DV_VALUE_DETAIL:
    return row->detail != NULL ? row->detail : "";
  case DV_VALUE_SHARING:
    return sharing_text (row->sharing);
  default:
    return "";
  }
}

/* Whether there is no number where others of the column have one.  */
static bool
is_blank (const struct dv_count_shown *shown, const struct dv_row *row,
          enum dv_count_value value)
{
  uint64_t n;
  if (dv_count_cell_is_estimate (value))
    return !find_estimate (shown, row, value, &n);
  /* "not in a heap block" has no blocks to count.  */
  return (value == DV_VALUE_BLOCKS || value == DV_VALUE_BLOCK_BYTES)
         && number_of (shown, row, value) == 0;
}

char *
dv_count_cell_text (const struct dv_count_shown *shown,
                    const struct dv_row *row, enum dv_count_value value)
{
  char number[40];
  if (value == DV_VALUE_SHARING && row->sharing >= DV_SHARING_MIXED) {
    dg_number_text_percent (number, sizeof number, row->false_share);
    /* What it is, and of which share of the accesses.  */
    return g_strdup_printf ("%s, %s", string_of (row, value), number);
  }
  if (!dv_count_cell_is_number (value))
    return g_strdup (string_of (row, value));
  if (value == DV_VALUE_SHARE) {
    dg_number_text_percent (number, sizeof number,
                            dv_count_cell_share (shown->rows, row));
    return g_strdup (number);
  }
  if (is_blank (shown, row, value))
    return g_strdup ("");
  dg_number_text (number, sizeof number, number_of (shown, row, value));
  return g_strdup (number);
}

double
dv_count_cell_share (const struct dv_rows *rows, const struct dv_row *row)
{
  uint64_t total = dv_tally_count_accesses (dv_rows_total (rows));
  return total == 0 ? 0 : (double) dv_tally_count_accesses (&row->count)
                          / (double) total;
}

int
dv_count_cell_compare (const struct dv_count_shown *shown,
                       const struct dv_row *a, const struct dv_row *b,
                       enum dv_count_value value)
{
  if (dv_count_cell_is_number (value)) {
    uint64_t x = number_of (shown, a, value),
             y = number_of (shown, b, value);
    return (x > y) - (x < y);
  }
  /* What matters most comes last: false sharing.  */
  if (value == DV_VALUE_SHARING)
    return a->sharing != b->sharing
           ? (int) a->sharing - (int) b->sharing
           : (a->false_share > b->false_share)
             - (a->false_share < b->false_share);
  /* Addresses are not told with zeros before them.  */
  if (value == DV_VALUE_NAME && a->address != b->address)
    return a->address > b->address ? 1 : -1;
  if (value == DV_VALUE_NAME && a->thread != b->thread)
    return a->thread > b->thread ? 1 : -1;
  return g_utf8_collate (string_of (a, value), string_of (b, value));
}

/* ---- The line above the table ----------------------------------------- */

static char *
count_text (enum dv_rows_kind kind, uint64_t n)
{
  char number[40];
  gulong few = n > G_MAXLONG ? G_MAXLONG : (gulong) n;
  dg_number_text (number, sizeof number, n);
  switch (kind) {
  case DV_ROWS_FUNCTIONS:
    return g_strdup_printf (ngettext ("%s function", "%s functions", few),
                            number);
  case DV_ROWS_SOURCE:
    return g_strdup_printf (ngettext ("%s source line",
                                      "%s source lines", few), number);
  case DV_ROWS_SITES:
    return g_strdup_printf (ngettext ("%s place", "%s places", few), number);
  case DV_ROWS_PAGES:
    return g_strdup_printf (ngettext ("%s page", "%s pages", few), number);
  case DV_ROWS_LINES:
    return g_strdup_printf (ngettext ("%s cache line", "%s cache lines", few),
                            number);
  case DV_ROWS_THREADS:
    break;
  }
  return g_strdup_printf (ngettext ("%s thread", "%s threads", few), number);
}

static void
add_part (GString *text, char *part)
{
  if (text->len > 0)
    g_string_append (text, " · ");
  g_string_append (text, part);
  g_free (part);
}

char *
dv_count_cells_summary (const struct dv_rows *rows)
{
  const struct dv_tally *tally = rows->tally;
  uint64_t n = dv_tally_count_accesses (dv_rows_total (rows));
  char number[40];
  GString *text = g_string_new (NULL);
  dg_number_text (number, sizeof number, n);
  add_part (text, g_strdup_printf (
    ngettext ("%s access in view", "%s accesses in view",
              n > G_MAXLONG ? G_MAXLONG : (gulong) n), number));
  add_part (text, count_text (rows->kind, rows->n));
  if (rows->n > rows->rows.n) {
    dg_number_text (number, sizeof number, rows->rows.n);
    add_part (text, g_strdup_printf (_ ("the first %s are listed"), number));
  }
  if (rows->kind == DV_ROWS_LINES && tally->lines_lack > 0) {
    dg_number_text (number, sizeof number, tally->lines_lack);
    add_part (text,
              g_strdup_printf (_ ("counts may be low by up to %s"), number));
  }
  if (dv_rows_done (rows) < 1) {
    dv_format_about_percent (number, sizeof number, dv_rows_done (rows));
    add_part (text, g_strdup_printf (_ ("%s of it so far"), number));
  }
  return dv_gap_before (tally->scene->data, g_string_free (text, FALSE));
}

/* ---- Copies ----------------------------------------------------------- */

/* Numbers without separators, so that other programs can read them.  */
static char *
plain_text (const struct dv_count_shown *shown, const struct dv_row *row,
            enum dv_count_value value)
{
  if (dv_count_cell_is_number (value) && value != DV_VALUE_SHARE
      && !(dv_count_cell_is_estimate (value) && is_blank (shown, row, value)))
    return g_strdup_printf ("%" G_GUINT64_FORMAT,
                            number_of (shown, row, value));
  return g_strdelimit (dv_count_cell_text (shown, row, value), "\t\n\r", ' ');
}

/* The columns that are copied: all, but estimates only where there are
   some.  */
static GArray *
copied_columns (const struct dv_count_shown *shown,
                const struct dv_count_class *class)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof *class->columns);
  for (guint c = 0; c < class->n_columns; c++)
    if (shown->costs != NULL
        || !dv_count_cell_is_estimate (class->columns[c].value))
      g_array_append_val (columns, class->columns[c]);
  return columns;
}

char *
dv_count_cells_table (const struct dv_count_shown *shown,
                      const struct dv_count_class *class, const guint *order,
                      guint n)
{
  GString *text = g_string_new (NULL);
  GArray *copied = copied_columns (shown, class);
  const struct dv_count_column *columns = (const void *) copied->data;
  for (guint c = 0; c < copied->len; c++)
    g_string_append_printf (text, "%s%s", c > 0 ? "\t" : "",
                            _ (columns[c].title));
  g_string_append_c (text, '\n');
  for (guint i = 0; i < n; i++) {
    const struct dv_row *row = dv_rows_at (shown->rows, order[i]);
    for (guint c = 0; c < copied->len; c++) {
      char *cell = plain_text (shown, row, columns[c].value);
      g_string_append_printf (text, "%s%s", c > 0 ? "\t" : "", cell);
      g_free (cell);
    }
    g_string_append_c (text, '\n');
  }
  g_array_unref (copied);
  return g_string_free (text, FALSE);
}
