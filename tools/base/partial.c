/* partial.c: reports that a log does not cover the whole run, with the same
   words and key in all commands.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "partial.h"

#include "json_text.h"
#include "printable.h"

static const char *
lack_word (enum dg_lack lacks)
{
  switch (lacks) {
  case DG_LACKS_ACCESSES:
    return "accesses";
  case DG_LACKS_LATER:
    return "later";
  default:
    return "earlier";
  }
}

/* Those that are known to be one: a log of which nobody knows whether it is
   whole is taken as it is.  */
static size_t
find_gaps (const struct dg_log *log, struct dg_gap gaps[DG_GAP_KINDS])
{
  size_t all = dg_log_gaps (log, gaps), n = 0;

  for (size_t i = 0; i < all; i++)
    if (gaps[i].kind != DG_GAP_NO_END)
      gaps[n++] = gaps[i];
  return n;
}

/* ---- For people ------------------------------------------------------- */

/* A clause; to be freed.  The names in it are the program's.  */
static char *
clause_of (const struct dg_log *log, const struct dg_gap *gap)
{
  char *undecoded
    = gap->kind == DG_GAP_UNDECODED ? dg_undecoded_text (log) : NULL;
  char *shown = undecoded != NULL ? printable_text (undecoded)
                                  : g_strdup (dg_gap_text (gap->kind));

  g_free (undecoded);
  return shown;
}

static void
add_gap (GString *text, const struct dg_log *log, const struct dg_gap *gap)
{
  uint64_t all = dg_log_summary (log)->last_icount;
  char *clause = clause_of (log, gap);

  g_string_append (text, clause);
  g_free (clause);
  if (gap->instructions > 0) {
    char *part = printable_number (gap->instructions);
    char *whole = printable_number (all);

    g_string_append_printf (text, " (%s of %s instructions)", part, whole);
    g_free (part);
    g_free (whole);
  }
}

char *
partial_text (const struct dg_log *log)
{
  struct dg_gap gaps[DG_GAP_KINDS];
  size_t n = find_gaps (log, gaps);
  GString *text;

  if (n == 0)
    return NULL;
  text = g_string_new ("Caution: this log does not cover the whole run: ");
  for (size_t i = 0; i < n; i++) {
    if (i > 0)
      g_string_append (text, "; ");
    add_gap (text, log, &gaps[i]);
  }
  g_string_append (text, ". \"Never\", \"no\" and \"unused\" apply to this "
                         "log only.");
  return g_string_free (text, FALSE);
}

char *
partial_sample (const struct dg_log *log)
{
  struct dg_sampling sampling;
  char share[DG_NUMBER_TEXT], *windows, *text;

  if (dg_sampling_of (log, &sampling, NULL) <= 0 || sampling.executed == 0)
    return NULL;
  dg_number_text_real (share, sizeof share,
                       100 * (double) sampling.recorded
                         / (double) sampling.executed, 2);
  windows = printable_number (sampling.windows);
  text = g_strdup_printf ("Sampled: %s %% of the instructions, in %s "
                          "window%s; totals are scaled to the whole.  dg "
                          "counts, cache and others show their errors.",
                          share, windows, sampling.windows == 1 ? "" : "s");
  g_free (windows);
  return text;
}

void
partial_put (struct output *out, const struct dg_log *log)
{
  char *text = partial_text (log), *rest;

  if (text == NULL)
    return;
  /* "Caution:", two blanks, and the rest in lines below each other.  */
  rest = strchr (text, ' ');
  *rest++ = '\0';
  output_style (out, OUTPUT_CAUTION);
  output_text (out, text);
  output_style (out, OUTPUT_PLAIN);
  output_wrapped (out, rest, strlen (text), strlen (text) + 2);
  g_free (text);
}

/* ---- For programs ----------------------------------------------------- */

void
partial_json (struct output *out, const struct dg_log *log)
{
  struct dg_gap gaps[DG_GAP_KINDS];
  size_t n = find_gaps (log, gaps);

  output_text (out, "\"partial\": [");
  for (size_t i = 0; i < n; i++) {
    output_text (out, i > 0 ? ", {\"gap\": " : "{\"gap\": ");
    json_text_string (out, dg_gap_name (gaps[i].kind));
    output_text (out, ", \"lacks\": ");
    json_text_string (out, lack_word (gaps[i].lacks));
    output_text (out, ", \"instructions\": ");
    if (gaps[i].instructions > 0)
      output_decimal (out, gaps[i].instructions);
    else
      output_text (out, "null");
    output_text (out, ", \"text\": ");
    json_text_string (out, dg_gap_text (gaps[i].kind));
    output_text (out, "}");
  }
  output_text (out, "]");
}

void
partial_report (struct dg_report *report, const struct dg_log *log)
{
  static const struct dg_column columns[] = {
    {"gap", "Gap", DG_UNIT_TEXT, 0},
    {"lacks", "Lacks", DG_UNIT_TEXT, 0},
    {"instructions", "Instructions", DG_UNIT_COUNT, 0},
    {"text", "Text", DG_UNIT_TEXT, 0}};
  struct dg_rows *rows = dg_report_table (report, "partial", NULL, columns,
                                          G_N_ELEMENTS (columns));
  struct dg_gap gaps[DG_GAP_KINDS];
  size_t n = find_gaps (log, gaps);
  char *text = partial_text (log);

  for (size_t i = 0; i < n; i++) {
    const struct dg_cell cells[] = {
      DG_CELL_TEXT (dg_gap_name (gaps[i].kind)),
      DG_CELL_TEXT (lack_word (gaps[i].lacks)),
      gaps[i].instructions > 0 ? DG_CELL_NUMBER (gaps[i].instructions)
                               : DG_CELL_EMPTY,
      DG_CELL_TEXT (dg_gap_text (gaps[i].kind))};

    dg_rows_add (rows, cells);
  }
  dg_rows_show_all (rows);
  if (text != NULL)
    dg_report_note (report, "%s", text);
  g_free (text);
}
