/* diff_findings.c: findings of dg advise, before and after: as rows of a
   table, which are found again as all others are, and told in sentences.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_findings.h"

#include "base/report_cells.h"
#include "diff_align.h"
#include "diff_limit.h"
#include "diff_report.h"

#include <string.h>

/* ---- Reports ---------------------------------------------------------- */

/* Their keys are those of dg advise; diff_table.c knows which of them tell
   rows apart.  */
enum { SHARE = 2, AMOUNT, MEASURE = 1, RULE = 0 };

static const struct dg_column columns[] = {
  [RULE] = {"rule", NULL, DG_UNIT_TEXT, DG_COLUMN_LAST},
  [MEASURE] = {"measure", NULL, DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
  [SHARE] = {"share", NULL, DG_UNIT_PERCENT, DG_COLUMN_JSON_ONLY},
  [AMOUNT] = {"amount", NULL, DG_UNIT_COUNT, DG_COLUMN_JSON_ONLY},
  {"title", NULL, DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
  {"text", NULL, DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
  {"action", NULL, DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
  {"function", NULL, DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
  {"file", NULL, DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
  {"line", NULL, DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY},
  {"module", NULL, DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY},
  {"memory", NULL, DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY}};

static const char *
measure_name (const struct advise_finding *finding)
{
  return finding->measure == ADVISE_TIME ? "time" : "memory";
}

static void
put_rows (const GPtrArray *found, struct dg_report *report)
{
  struct dg_rows *rows = dg_report_table (report, "findings", NULL, columns,
                                          G_N_ELEMENTS (columns));

  for (guint i = 0; i < found->len; i++) {
    const struct advise_finding *finding = found->pdata[i];
    const struct advise_code *code = &finding->code;
    const struct dg_cell cells[] = {
      DG_CELL_TEXT (finding->rule), DG_CELL_TEXT (measure_name (finding)),
      DG_CELL_REAL (finding->share),
      DG_CELL_NUMBER ((uint64_t) finding->amount),
      DG_CELL_TEXT (finding->title), DG_CELL_TEXT (finding->text),
      DG_CELL_TEXT (finding->action), DG_CELL_TEXT (code->function),
      DG_CELL_TEXT (code->file),
      code->line > 0 ? DG_CELL_NUMBER (code->line) : DG_CELL_EMPTY,
      DG_CELL_TEXT (code->module), DG_CELL_TEXT (finding->memory)};

    dg_rows_add (rows, cells);
  }
}

/* Without totals.  */
static struct dg_report *
report_rows (const GPtrArray *found, struct dg_error *err)
{
  struct dg_report *report = dg_report_new (err);

  if (report != NULL)
    put_rows (found, report);
  return report;
}

static const struct advise_rule *
find_rule (const char *name)
{
  size_t n;
  const struct advise_rule *rules = advise_rules (&n);

  for (size_t i = 0; i < n; i++)
    if (strcmp (rules[i].name, name) == 0)
      return &rules[i];
  return NULL;
}

/* Cycles that findings cost beyond the estimate, such as those in which
   threads wait for a line.  */
static double
beyond (const GPtrArray *found)
{
  double cycles = 0;

  for (guint i = 0; i < found->len; i++) {
    const struct advise_finding *finding = found->pdata[i];

    if (find_rule (finding->rule)->beyond)
      cycles += finding->amount;
  }
  return cycles;
}

struct dg_report *
diff_findings_report (const struct advise_work *work, struct dg_error *err)
{
  const struct advise_facts *facts = &work->facts;
  struct dg_report *report = report_rows (work->found, err);

  if (report == NULL)
    return NULL;
  dg_report_count (report, "findings", NULL, work->found->len);
  dg_report_count (report, "estimated_cycles", NULL,
                   (uint64_t) facts->cycles);
  dg_report_count (report, "cycles_beyond", NULL,
                   (uint64_t) beyond (work->found));
  dg_report_count (report, "instructions", NULL, facts->instructions);
  dg_report_value (report, "allocated_bytes", NULL, DG_UNIT_BYTES,
                   facts->has_heap ? DG_CELL_NUMBER (facts->heap_bytes)
                                   : DG_CELL_EMPTY);
  return report;
}

/* ---- Order ------------------------------------------------------------ */

static bool
is_memory (struct diff_rows *rows, guint group)
{
  diff_rows_read (rows, group);
  return strcmp (diff_rows_cell (rows, group, MEASURE)->text, "memory") == 0;
}

/* Time before memory, as dg advise has it; each by what changed.  */
static gint
compare_changes (gconstpointer a, gconstpointer b, gpointer user)
{
  const struct diff_changed *x = a, *y = b;
  bool m = is_memory (user, x->group), n = is_memory (user, y->group);

  if (m != n)
    return m - n;
  if (x->size != y->size)
    return x->size > y->size ? -1 : 1;
  return x->group < y->group ? -1 : x->group > y->group;
}

/* The table of a report that has no other.  */
static const struct dg_report_item *
table_of (const struct dg_report *report)
{
  const struct dg_report_item *item;
  size_t i = 0;

  while ((item = dg_report_at (report, i)) != NULL
         && item->kind != DG_ITEM_TABLE)
    i++;
  return item;
}

GArray *
diff_findings_pair (const GPtrArray *const found[2],
                    const char *const programs[2], struct dg_error *err)
{
  struct dg_report *reports[2] = {NULL, NULL};
  struct diff_table *tables[2] = {NULL, NULL};
  GArray *groups = NULL;
  bool is_good = true;

  for (unsigned log = 0; log < 2 && is_good; log++) {
    reports[log] = report_rows (found[log], err);
    is_good =
      reports[log] != NULL && dg_report_check (reports[log], err) == 0;
    if (is_good)
      tables[log] = diff_table_new (table_of (reports[log]), programs[log]);
  }
  if (is_good)
    groups = diff_align ((const struct diff_table *const *) tables, 2, err);
  for (unsigned log = 0; log < 2; log++) {
    diff_table_free (tables[log]);
    dg_report_free (reports[log]);
  }
  return groups;
}

/* ---- Totals ----------------------------------------------------------- */

/* A figure of all logs; those that were added up where there is another
   key.  */
static struct diff_value
total_of (const struct diff_logs *logs, const char *key, const char *and)
{
  struct dg_cell *cells = g_new0 (struct dg_cell, logs->n);
  struct diff_value value;

  for (unsigned log = 0; log < logs->n; log++) {
    const struct dg_report_item *item;

    for (size_t i = 0; (item = dg_report_at (logs->reports[log], i)) != NULL;
         i++)
      if (item->kind == DG_ITEM_VALUE
          && (g_strcmp0 (item->key, key) == 0
              || (and != NULL && g_strcmp0 (item->key, and) == 0))) {
        struct dg_cell cell;

        dg_report_row (item, 0, &cell);
        cells[log].number += cell.number;
      }
  }
  value = diff_value_of (DG_UNIT_COUNT, cells, logs->n, logs->n_before);
  g_free (cells);
  return value;
}

/* "1,000 before, 900 after (-10.0 %)"; to be freed.  */
static char *
change_text (enum dg_unit unit, const struct diff_value *value)
{
  struct dg_cell relative = diff_value_relative (value);
  char *before = report_cell_text (unit, &value->before);
  char *after = report_cell_text (unit, &value->after);
  char *percent = report_cell_text (DG_UNIT_CHANGE_PERCENT, &relative);
  char *text = value->change == 0
                 ? g_strdup_printf ("%s before and after", before)
                 : g_strdup_printf ("%s before, %s after%s%s%s", before, after,
                                    percent[0] != '\0' ? " (" : "", percent,
                                    percent[0] != '\0' ? ")" : "");

  g_free (before);
  g_free (after);
  g_free (percent);
  return text;
}

static void
put_totals (const struct diff_logs *logs, struct dg_report *out)
{
  struct diff_value cycles = total_of (logs, "estimated_cycles", NULL);
  struct diff_value more = total_of (logs, "cycles_beyond", NULL);
  struct diff_value all =
    total_of (logs, "estimated_cycles", "cycles_beyond");
  char *text = change_text (DG_UNIT_COUNT, &cycles), *with_all;

  if (more.before.number == 0 && more.after.number == 0) {
    dg_report_note (out, "Estimated cycles: %s.", text);
  } else {
    with_all = change_text (DG_UNIT_COUNT, &all);
    dg_report_note (out,
                    "Estimated cycles: %s; with what findings cost beyond"
                    " them, as when threads wait for a line: %s.",
                    text, with_all);
    g_free (with_all);
  }
  g_free (text);
}

/* ---- Sentences -------------------------------------------------------- */

/* A changed row, and its finding of the last log that has it.  */
struct told {
  struct diff_rows *rows;
  guint group;
  bool was, is;            /* before, after */
  const struct advise_finding *finding;
};

static struct told
told_of (struct diff_rows *rows, guint group, const GPtrArray *found)
{
  struct told told = {rows, group, diff_rows_has (rows, group, false),
                      diff_rows_has (rows, group, true), NULL};
  const uint32_t *numbers = &g_array_index (rows->groups, uint32_t, group);
  unsigned log = rows->logs->n - 1;

  diff_rows_read (rows, group);
  while (numbers[log] == DIFF_NO_ROW)
    log--;
  told.finding =
    ((const GPtrArray *) found->pdata[log])->pdata[numbers[log]];
  return told;
}

/* "40 % of the estimated cycles before, 12 % after"; to be freed.  */
static char *
shares_text (const struct told *told)
{
  struct diff_value value = diff_rows_value (told->rows, told->group, SHARE);
  const char *of = advise_measure_text (told->finding->measure);
  char *before = advise_percent_text (value.before.real);
  char *after = advise_percent_text (value.after.real);
  char *text;

  if (told->was && told->is)
    text = g_strdup_printf ("%s of the %s before, %s after", before, of,
                            after);
  else
    text = g_strdup_printf ("%s of the %s %s", told->was ? before : after, of,
                            told->was ? "before" : "after");
  g_free (before);
  g_free (after);
  return text;
}

/* What is gone needs nothing to be done.  */
static void
tell (guint number, const struct told *told, struct dg_report *out)
{
  const struct advise_finding *finding = told->finding;
  bool is_time = finding->measure == ADVISE_TIME;
  const char *kind = !told->is ? "Gone" : !told->was ? "New" : "Changed";
  char *shares = shares_text (told);
  char *title = g_strdup_printf ("%u  %s: %s  (%s, %s)", number, kind,
                                 finding->title, finding->rule, shares);

  dg_report_begin (out, NULL, title);
  dg_report_note (out, "%s", finding->text);
  if (told->was && told->is) {
    struct diff_value value =
      diff_rows_value (told->rows, told->group, AMOUNT);
    char *amounts =
      change_text (is_time ? DG_UNIT_COUNT : DG_UNIT_BYTES, &value);

    dg_report_note (out, "Cost%s: %s.", is_time ? ", in cycles" : "",
                    amounts);
    g_free (amounts);
  }
  if (told->is)
    dg_report_note (out, "What to do: %s", finding->action);
  dg_report_end (out);
  g_free (title);
  g_free (shares);
}

static void
put_count (struct dg_report *out, const char *what, uint64_t n)
{
  if (n > 0)
    dg_report_note (out, "%s: %" G_GUINT64_FORMAT ".", what, n);
}

static void
put_sentences (struct diff_rows *rows, const GPtrArray *found, uint64_t top,
               struct dg_report *out)
{
  guint n = rows->changed->len;
  guint shown = top > 0 ? (guint) MIN (n, top) : n;

  for (guint i = 0; i < shown; i++) {
    struct told told = told_of (
      rows, g_array_index (rows->changed, struct diff_changed, i).group,
      found);

    tell (i + 1, &told, out);
  }
  if (n == 0)
    dg_report_note (out, "No finding is gone, new or changed.");
  put_count (out, "More findings, which --top=0 shows", n - shown);
  put_count (out, "Findings that cost the same", rows->same);
  put_count (out, "Findings whose cost changed by less than --min",
             rows->small);
  put_count (out,
             "Findings whose cost changed by no more than logs of one side"
             " differ",
             rows->noise);
}

/* ---- Limits ----------------------------------------------------------- */

static void
check_count (const struct diff_options *options, const char *key,
             uint64_t count)
{
  const struct diff_value value = {.has_before = true, .has_after = true,
                                   .before = DG_CELL_NUMBER (0),
                                   .after = DG_CELL_NUMBER (count),
                                   .change = (double) count};

  diff_limit_check (options->limits, key, NULL, DG_UNIT_COUNT, &value);
}

/* How many findings are gone, new and changed; and the cost of rules without
   findings, which is nothing: a limit of theirs may hold.  */
static void
check_limits (struct diff_rows *rows, const struct diff_options *options)
{
  const struct diff_value none = {.before = DG_CELL_EMPTY,
                                  .after = DG_CELL_EMPTY};
  uint64_t gone = 0, new = 0;
  size_t n;
  const struct advise_rule *rules = advise_rules (&n);
  GHashTable *met = g_hash_table_new_full (dg_hash_text, g_str_equal, g_free,
                                           NULL);

  for (guint group = 0; group < rows->groups->len; group += rows->logs->n) {
    diff_rows_read (rows, group);
    g_hash_table_add (met,
                      g_strdup (diff_rows_cell (rows, group, RULE)->text));
  }
  for (guint i = 0; i < rows->changed->len; i++) {
    guint group = g_array_index (rows->changed, struct diff_changed, i).group;

    gone += !diff_rows_has (rows, group, true);
    new += !diff_rows_has (rows, group, false);
  }
  check_count (options, "gone", gone);
  check_count (options, "new", new);
  check_count (options, "changed", rows->changed->len - gone - new);
  for (size_t i = 0; i < n; i++)
    if (!g_hash_table_contains (met, rules[i].name))
      for (unsigned k = SHARE; k <= AMOUNT; k++)
        diff_limit_check (options->limits, columns[k].key, rules[i].name,
                          columns[k].unit, &none);
  g_hash_table_unref (met);
}

/* ---- All of it -------------------------------------------------------- */

int
diff_findings (const struct diff_logs *logs,
               const struct diff_options *options, const GPtrArray *found,
               uint64_t top, struct dg_report *out, struct dg_error *err)
{
  GPtrArray *items = diff_items_new (logs, DG_ITEM_TABLE);
  struct diff_rows rows;
  int code = 0;

  diff_figures (logs, options, out);
  put_totals (logs, out);
  /* All have the same columns.  */
  if (items->len > 0)
    code = diff_rows_init (&rows, logs, options, items->pdata[0], err);
  if (code > 0) {
    g_array_sort_with_data (rows.changed, compare_changes, &rows);
    check_limits (&rows, options);
    dg_report_begin (out, "tables", NULL);
    diff_report_rows (&rows, "findings", NULL, out);
    dg_report_end (out);
    put_sentences (&rows, found, top, out);
    diff_rows_fini (&rows);
  }
  g_ptr_array_unref (items);
  return MIN (code, 0);
}
