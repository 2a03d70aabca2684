/* cache_annotate.c: source files annotated with the counts of each line.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_annotate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/error.h"

/* Lines shown before and behind one with figures.  */
#define AROUND 3
/* Of larger files nobody wants to see the lines.  */
#define SOURCE_MAX (16 << 20)
/* Of the share that --annotate-least asks for.  */
#define MOST_DECIMALS 6

/* A line of a source file; of several functions, if it was inlined.  */
struct line {
  uint32_t number;
  uint64_t sums[DG_EVENTS];
};

struct source {
  const char *file;
  uint64_t weight;
  GArray *lines;           /* struct line */
};

/* ---- Figures by file and line ----------------------------------------- */

static void
free_source (gpointer item)
{
  struct source *source = item;

  g_array_free (source->lines, TRUE);
  g_free (source);
}

static gint
compare_sources (gconstpointer a, gconstpointer b)
{
  const struct source *x = *(struct source *const *) a,
                      *y = *(struct source *const *) b;

  return DG_COMPARE (y->weight, x->weight) ?: g_strcmp0 (x->file, y->file);
}

DG_COMPARE_BY (compare_lines, struct line, number)

/* Ascending, each once.  */
static void
join_lines (GArray *lines)
{
  struct line *line = (struct line *) (void *) lines->data;
  guint i, j, n = 0;

  g_array_sort (lines, compare_lines);
  for (i = 0; i < lines->len; i++) {
    if (n > 0 && line[n - 1].number == line[i].number) {
      for (j = 0; j < DG_EVENTS; j++)
        line[n - 1].sums[j] += line[i].sums[j];
    } else
      line[n++] = line[i];
  }
  g_array_set_size (lines, n);
}

/* All source files of rows by line.  */
static GPtrArray *
find_sources (const struct dg_cache_run *run,
              const struct dg_breakdown_group *rows, size_t n)
{
  GHashTable *by_file = g_hash_table_new (dg_hash_text, g_str_equal);
  GPtrArray *sources = g_ptr_array_new_with_free_func (free_source);
  struct dg_cache_shares shares;
  size_t i;

  dg_cache_run_shares (run, &shares);
  for (i = 0; i < n; i++) {
    const struct dg_breakdown_group *row = &rows[i];
    struct source *source;
    struct line line = { .number = row->line };
    if (row->file == NULL)
      continue;
    source = g_hash_table_lookup (by_file, row->file);
    if (source == NULL) {
      source = g_new0 (struct source, 1);
      source->file = row->file;
      source->lines = g_array_new (FALSE, FALSE, sizeof line);
      g_hash_table_insert (by_file, (gpointer) row->file, source);
      g_ptr_array_add (sources, source);
    }
    dg_cache_shares_row (&shares, row->sums, line.sums);
    g_array_append_val (source->lines, line);
    source->weight += dg_cache_weigh (line.sums, NULL);
  }
  g_hash_table_destroy (by_file);
  g_ptr_array_sort (sources, compare_sources);
  for (i = 0; i < sources->len; i++)
    join_lines (((struct source *) sources->pdata[i])->lines);
  return sources;
}

/* ---- One file --------------------------------------------------------- */

/* 1234567 as 1,234,567, of a width; 0 as a dot, since most are.  */
static void
add_number (GString *text, int width, uint64_t number)
{
  char digits[32], grouped[48];
  size_t n, i, k = 0;

  g_snprintf (digits, sizeof digits, "%" PRIu64, number);
  n = strlen (digits);
  for (i = 0; i < n; i++) {
    if (i > 0 && (n - i) % 3 == 0)
      grouped[k++] = ',';
    grouped[k++] = digits[i];
  }
  grouped[k] = '\0';
  g_string_append_printf (text, "%*s ", width, number != 0 ? grouped : ".");
}

static void
add_head (GString *text, bool is_windowed)
{
  if (is_windowed)
    g_string_append (text, "Counts are those of the recorded windows; misses "
                           "are estimates (limits: --by=line)\n");
  g_string_append (text, "            Ir         Data  D1 misses  LL misses "
                         "  Cost   Line\n");
}

/* line NULL: room for them.  */
static void
add_figures (GString *text, const struct line *line, uint64_t all)
{
  const uint64_t *sums = line != NULL ? line->sums : NULL;
  double cost;

  if (sums == NULL) {
    g_string_append_printf (text, "%57s", "");
    return;
  }
  cost = all != 0 ? 100. * dg_cache_weigh (sums, NULL) / all : 0;

  add_number (text, 14, sums[DG_EV_IR]);
  add_number (text, 12, sums[DG_EV_DR] + sums[DG_EV_DW]);
  add_number (text, 10, sums[DG_EV_D1MR] + sums[DG_EV_D1MW]);
  add_number (text, 10,
              sums[DG_EV_ILMR] + sums[DG_EV_DLMR] + sums[DG_EV_DLMW]);
  if (cost >= 0.05) {
    char percent[DG_NUMBER_TEXT];

    dg_number_text_real (percent, sizeof percent, cost, 1);
    g_string_append_printf (text, "%5s%% ", percent);
  } else
    g_string_append (text, "       ");
}

/* The lines from `from` to `to`, of which `line` is the first with figures. */
static const struct line *
add_lines (GString *text, char *const *source, uint32_t from, uint32_t to,
           const struct line *line, const struct line *end, uint64_t all)
{
  uint32_t i;

  for (i = from; i <= to; i++) {
    bool has_figures = line < end && line->number == i;
    add_figures (text, has_figures ? line : NULL, all);
    g_string_append_printf (text, "%6" PRIu32 "  %s\n", i, source[i - 1]);
    line += has_figures;
  }
  return line;
}

/* Groups of lines that have figures, or stand near such lines.  */
static char *
annotate (const struct source *source, char *const *text, uint32_t n,
          uint64_t all, bool is_windowed)
{
  GString *out = g_string_new (NULL);
  const struct line *line
    = (const struct line *) (const void *) source->lines->data;
  const struct line *end = line + source->lines->len;
  uint32_t shown = 0, to;

  add_head (out, is_windowed);
  for (; line < end && line->number == 0; line++) {
    add_figures (out, line, all);
    g_string_append (out, "     -  (no line information)\n");
  }
  while (line < end && line->number <= n) {
    const struct line *next = line + 1;
    uint32_t from
      = line->number > AROUND ? line->number - AROUND : 1;
    while (next < end && next->number <= n
           && next->number - next[-1].number <= 2 * AROUND + 1)
      next++;
    to = MIN (n, next[-1].number + AROUND);
    if (from > shown + 1)
      g_string_append (out, "--\n");
    line = add_lines (out, text, MAX (from, shown + 1), to, line, next, all);
    shown = to;
  }
  for (; line < end; line++) {
    add_figures (out, line, all);
    g_string_append_printf (out, "%6" PRIu32 "  (past the end of the file)\n",
                            line->number);
  }
  return g_string_free (out, FALSE);
}

/* NULL: there is no such file, or it is none to be read.  */
static char **
read_source (const struct dg_log *log, const char *file, uint32_t *n,
             int64_t *changed)
{
  char *bytes, *text, **lines;
  size_t length;

  if (dg_log_read_source (log, file, SOURCE_MAX, &bytes, &length, changed,
                          NULL)
      < 0)
    return NULL;
  text = g_utf8_make_valid (bytes, (gssize) length);
  free (bytes);
  lines = g_strsplit (text, "\n", -1);
  g_free (text);
  *n = g_strv_length (lines);
  if (*n > 0 && lines[*n - 1][0] == '\0')
    --*n;
  return lines;
}

static void
tell_source (const struct dg_cache_run *run, const struct source *source,
             uint64_t all, struct dg_rows *rows, struct dg_report *report)
{
  const struct dg_process *process = dg_log_process (run->log);
  double cost = all != 0 ? source->weight / all : 0;
  char share[DG_NUMBER_TEXT];
  int64_t changed;
  uint32_t n;
  char **lines = read_source (run->log, source->file, &n, &changed);
  /* In a note, a newline would begin a paragraph.  */
  char *file = g_strdelimit (g_strdup (source->file), "\n", '?');
  char *text, *title;

  dg_number_text_percent (share, sizeof share, cost);
  if (lines == NULL) {
    dg_report_note (report,
                    "%s: %s of the cost; the file cannot be read here "
                    "(see --source-map).",
                    file, share);
    g_free (file);
    return;
  }
  text = annotate (source, lines, n, all, run->plan.is_windowed);
  title = g_strdup_printf ("%s: %s of the cost", file, share);
  dg_report_text (report, NULL, title, text);
  dg_rows_add (rows, (struct dg_cell[]) { DG_CELL_TEXT (source->file),
                                          DG_CELL_REAL (cost),
                                          DG_CELL_TEXT (text) });
  if (process != NULL && process->wall_ns != 0
      && changed > (int64_t) (process->wall_ns / 1000000000))
    dg_report_note (report, "%s was changed after the program was recorded.",
                    file);
  g_free (file);
  g_free (title);
  g_free (text);
  g_strfreev (lines);
}

int
dg_cache_annotate (struct dg_cache_run *run, double least,
                   struct dg_report *report, struct dg_error *err)
{
  static const struct dg_column columns[] = {
    { "file", "File", DG_UNIT_TEXT, 0 },
    { "share", "Cost", DG_UNIT_PERCENT, 0 },
    { "annotated", "Text", DG_UNIT_TEXT, 0 },
  };
  const struct dg_breakdown_group *rows;
  uint64_t totals[DG_EVENTS], all;
  struct dg_rows *texts;
  GPtrArray *sources;
  struct dg_error why;
  double percent = 100 * least;
  char share[DG_NUMBER_TEXT];
  unsigned decimals = 0;
  size_t n, i, shown = 0;

  dg_breakdown_regroup (run->plan.groups, DG_BY_LINE);
  rows =
    dg_breakdown_rows (run->plan.groups, NULL, NULL, NULL, NULL, &n, &why);
  if (rows == NULL)
    return dg_error_copy (err, &why);
  dg_cache_run_totals (run, totals);
  all = dg_cache_weigh (totals, NULL);
  sources = find_sources (run, rows, n);
  dg_report_begin (report, NULL, "Sources");
  texts = dg_report_table (report, "sources", NULL, columns,
                           G_N_ELEMENTS (columns));
  for (i = 0; i < sources->len; i++) {
    const struct source *source = sources->pdata[i];
    if (source->weight == 0 || (double) source->weight < least * (double) all)
      break;
    tell_source (run, source, all, texts, report);
    shown++;
  }
  dg_report_end (report);
  /* As few decimals as tell what was asked for.  */
  while (decimals < MOST_DECIMALS
         && fabs (percent - round (percent)) > 1e-6) {
    percent *= 10;
    decimals++;
  }
  dg_number_text_real (share, sizeof share, 100 * least, decimals);
  if (shown < sources->len)
    dg_report_note (report,
                    "%u more %s less than %s %% of the cost each "
                    "(--annotate-least).", (guint) (sources->len - shown),
                    sources->len - shown == 1 ? "file has" : "files have",
                    share);
  g_ptr_array_free (sources, TRUE);
  return 0;
}
