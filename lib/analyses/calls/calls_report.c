/* calls_report.c: what "dg calls" shows: the table of functions, and of who
   calls whom.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "time/time_figures.h"

/* Bytes of a function's name in a hint.  */
#define MOST_TYPED 40

#define IN_JSON (DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL)

/* A function to be told.  */
struct row {
  struct calls_function function;
  const struct calls_of *of;
  uint32_t number;         /* of the function */
  struct calls_cost self, inclusive;
};

static struct dg_cell
share (uint64_t part, uint64_t whole)
{
  if (whole == 0)
    return DG_CELL_EMPTY;
  return DG_CELL_REAL ((double) part / (double) whole);
}

/* ---- Functions ---- */

static int
compare_numbers (uint64_t a, uint64_t b)
{
  return (a < b) - (a > b);
}

static int
compare_rows (const void *a, const void *b, void *user)
{
  const struct row *x = a, *y = b;
  const struct calls *calls = user;
  const char *sort = calls->sort;
  int order = 0;

  if (strcmp (sort, "inclusive") == 0)
    order = compare_numbers (calls_cost_of (&x->inclusive, calls->weight),
                             calls_cost_of (&y->inclusive, calls->weight));
  else if (strcmp (sort, "calls") == 0)
    order = compare_numbers (x->of->calls, y->of->calls);
  else if (strcmp (sort, "longest") == 0)
    order = compare_numbers (x->of->longest, y->of->longest);
  if (order == 0)
    order = compare_numbers (calls_cost_of (&x->self, calls->weight),
                             calls_cost_of (&y->self, calls->weight));
  if (order == 0)
    order = compare_numbers (x->self.instructions, y->self.instructions);
  if (order == 0)
    order = compare_numbers (x->inclusive.instructions,
                             y->inclusive.instructions);
  return order != 0 ? order
                    : calls_function_compare (&x->function, &y->function);
}

/* What inlined functions do is known by the call paths.  */
static void
add_paths (void *user, uint32_t function,
           const uint64_t self[CALLS_N_WEIGHTS],
           const uint64_t all[CALLS_N_WEIGHTS])
{
  struct row *row = (struct row *) user + function;

  row->self.instructions += self[CALLS_INSTRUCTIONS];
  row->self.accesses += self[CALLS_ACCESSES];
  row->inclusive.instructions += all[CALLS_INSTRUCTIONS];
  row->inclusive.accesses += all[CALLS_ACCESSES];
  for (unsigned i = 0; i < CALLS_TIMES; i++) {
    row->self.time[i] += self[CALLS_COUNTED + i];
    row->inclusive.time[i] += all[CALLS_COUNTED + i];
  }
}

/* All functions that ran, in order; *n receives how many.  */
static struct row *
make_rows (struct calls *calls, uint32_t *n)
{
  uint32_t n_all = calls_code_n_functions (calls->code);
  struct row *rows = g_try_new0 (struct row, n_all + 1);

  *n = 0;
  if (rows == NULL)
    return NULL;
  /* All of them, so that they stay where they are.  */
  for (uint32_t i = 0; i < n_all; i++)
    calls_sums_function (&calls->sums, i);
  for (uint32_t i = 0; i < n_all; i++) {
    rows[i].number = i;
    rows[i].function = calls_code_function (calls->code, i);
    rows[i].of = calls_sums_function (&calls->sums, i);
    if (!calls->has_inlined) {
      rows[i].self = rows[i].of->self;
      rows[i].inclusive = rows[i].of->inclusive;
    }
  }
  if (calls->has_inlined)
    calls_tree_functions (calls->tree, add_paths, rows);
  for (uint32_t i = 0; i < n_all; i++)
    if (rows[i].of->calls > 0 || rows[i].self.instructions > 0
        || rows[i].inclusive.instructions > 0)
      rows[(*n)++] = rows[i];
  g_qsort_with_data (rows, (gint) *n, sizeof *rows, compare_rows,
                     calls);
  return rows;
}

static const struct dg_column columns[] = {
  { "self", "Self", DG_UNIT_PERCENT, DG_COLUMN_TEXT_ONLY },
  { "self_instructions", "Self instr", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "inclusive", "Incl.", DG_UNIT_PERCENT, DG_COLUMN_TEXT_ONLY },
  { "inclusive_instructions", "With callees", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "calls", "Calls", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "", "Average", DG_UNIT_COUNT, DG_COLUMN_TEXT_ONLY },
  { "mean", "Mean", DG_UNIT_REAL, DG_COLUMN_JSON_ONLY },
  { "longest", "Longest", DG_UNIT_COUNT, 0 },
  { "deviation", "Deviation", DG_UNIT_REAL, DG_COLUMN_JSON_ONLY },
  { "self_accesses", "Self accesses", DG_UNIT_COUNT,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "inclusive_accesses", "Accesses", DG_UNIT_COUNT,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "function", "Function", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
  { "module", "Module", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
  { "name", "Function", DG_UNIT_TEXT, DG_COLUMN_LAST },
};

/* With the time model.  */
static const struct dg_column timed_columns[] = {
  { "self", "Self", DG_UNIT_PERCENT, DG_COLUMN_TEXT_ONLY },
  { "inclusive", "Incl.", DG_UNIT_PERCENT, DG_COLUMN_TEXT_ONLY },
  { "self_cycles", "Self cycles", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "self_memory_cycles", "Memory", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "self_l1_misses", "L1 misses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "self_l2_misses", "L2 misses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "self_l3_misses", "L3 misses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "inclusive_cycles", "With callees", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "inclusive_memory_cycles", "Memory", DG_UNIT_COUNT, IN_JSON },
  { "inclusive_l1_misses", "L1 misses", DG_UNIT_COUNT, IN_JSON },
  { "inclusive_l2_misses", "L2 misses", DG_UNIT_COUNT, IN_JSON },
  { "inclusive_l3_misses", "L3 misses", DG_UNIT_COUNT, IN_JSON },
  { "self_instructions", "Self instr", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "inclusive_instructions", "With callees", DG_UNIT_COUNT, IN_JSON },
  { "calls", "Calls", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "mean", "Mean", DG_UNIT_REAL, DG_COLUMN_JSON_ONLY },
  { "longest", "Longest", DG_UNIT_COUNT, DG_COLUMN_JSON_ONLY },
  { "deviation", "Deviation", DG_UNIT_REAL, DG_COLUMN_JSON_ONLY },
  { "self_accesses", "Self accesses", DG_UNIT_COUNT, IN_JSON },
  { "inclusive_accesses", "Accesses", DG_UNIT_COUNT, IN_JSON },
  { "function", "Function", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
  { "module", "Module", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
  { "name", "Function", DG_UNIT_TEXT, DG_COLUMN_LAST },
};

/* Adds what the time model says of a cost.  */
static struct dg_cell *
add_times (const struct calls *calls, const struct calls_cost *cost,
           struct dg_cell *cell)
{
  for (unsigned i = 0; i < CALLS_TIMES; i++)
    *cell++ = DG_CELL_NUMBER (
      dg_time_meter_scaled (calls->meter, cost->time[i]));
  return cell;
}

static const char *
weight_title (const struct calls *calls)
{
  static const char *const titles[CALLS_TIMES] = {
    "Functions, by cycles", "Functions, by cycles of memory",
    "Functions, by L1 misses", "Functions, by L2 misses",
    "Functions, by L3 misses" };

  return titles[calls->weight - CALLS_COUNTED];
}

static void
report_timed (struct calls *calls, const struct row *rows, uint32_t n,
              struct dg_report *report)
{
  struct dg_rows *out
    = dg_report_table (report, "rows", weight_title (calls), timed_columns,
                       G_N_ELEMENTS (timed_columns));
  uint64_t all = calls_cost_of (&calls->totals, calls->weight);

  for (uint32_t i = 0; i < n; i++) {
    const struct row *row = &rows[i];
    const struct calls_of *of = row->of;
    struct dg_cell cells[G_N_ELEMENTS (timed_columns)], *cell = cells;

    *cell++ = share (calls_cost_of (&row->self, calls->weight), all);
    *cell++ = share (calls_cost_of (&row->inclusive, calls->weight), all);
    cell = add_times (calls, &row->self, cell);
    cell = add_times (calls, &row->inclusive, cell);
    *cell++ = DG_CELL_NUMBER (row->self.instructions);
    *cell++ = DG_CELL_NUMBER (row->inclusive.instructions);
    *cell = DG_CELL_NUMBER (of->calls);
    /* Inlined, and so not called.  */
    cell++->is_empty = calls->has_inlined && of->calls == 0;
    *cell++ = share (of->total, of->ended);
    *cell = DG_CELL_NUMBER (of->longest);
    cell++->is_empty = of->ended == 0;
    *cell = DG_CELL_REAL (calls_deviation (of));
    cell++->is_empty = of->ended == 0;
    *cell++ = DG_CELL_NUMBER (row->self.accesses);
    *cell++ = DG_CELL_NUMBER (row->inclusive.accesses);
    *cell++ = DG_CELL_TEXT (row->function.name);
    *cell++ = DG_CELL_TEXT (row->function.module);
    *cell++ = DG_CELL_TEXT (row->function.label);
    dg_rows_add (out, cells);
  }
}

static void
report_functions (struct calls *calls, const struct row *rows, uint32_t n,
                  struct dg_report *report)
{
  struct dg_rows *out
    = dg_report_table (report, "rows", "Functions, by instructions", columns,
                       G_N_ELEMENTS (columns));

  for (uint32_t i = 0; i < n; i++) {
    const struct calls_of *of = rows[i].of;
    uint64_t all = calls->totals.instructions;
    struct dg_cell cells[] = {
      share (rows[i].self.instructions, all),
      DG_CELL_NUMBER (rows[i].self.instructions),
      share (rows[i].inclusive.instructions, all),
      DG_CELL_NUMBER (rows[i].inclusive.instructions),
      DG_CELL_NUMBER (of->calls),
      DG_CELL_NUMBER (of->ended > 0 ? of->total / of->ended : 0),
      share (of->total, of->ended),
      DG_CELL_NUMBER (of->longest),
      DG_CELL_REAL (calls_deviation (of)),
      DG_CELL_NUMBER (rows[i].self.accesses),
      DG_CELL_NUMBER (rows[i].inclusive.accesses),
      DG_CELL_TEXT (rows[i].function.name),
      DG_CELL_TEXT (rows[i].function.module),
      DG_CELL_TEXT (rows[i].function.label),
    };
    for (unsigned k = 5; k < 9; k++)
      cells[k].is_empty = of->ended == 0;
    /* Inlined, and so not called.  */
    cells[4].is_empty = calls->has_inlined && of->calls == 0;
    dg_rows_add (out, cells);
  }
}

/* ---- Edges ---- */

/* With or without the parameters of a C++ function, or its module.  */
static bool
is_called (const struct calls *calls, uint32_t number, const char *name)
{
  struct calls_function function = calls_code_function (calls->code, number);
  size_t n = strlen (name);

  return strcmp (function.label, name) == 0
         || (function.name != NULL && strncmp (function.name, name, n) == 0
             && (function.name[n] == '\0' || function.name[n] == '('));
}

static int
compare_edges (const void *a, const void *b, void *user)
{
  const struct calls_edge *x = *(struct calls_edge *const *) a,
                          *y = *(struct calls_edge *const *) b;
  const struct calls *calls = user;
  struct calls_code *code = calls->code;
  int order = compare_numbers (
    calls_cost_of (&x->inclusive, calls->weight),
    calls_cost_of (&y->inclusive, calls->weight));

  if (order == 0)
    order = compare_numbers (x->inclusive.instructions,
                             y->inclusive.instructions);
  if (order == 0)
    order = compare_numbers (x->calls, y->calls);
  for (unsigned i = 0; order == 0 && i < 2; i++) {
    struct calls_function f
      = calls_code_function (code, i == 0 ? x->caller : x->callee);
    struct calls_function g
      = calls_code_function (code, i == 0 ? y->caller : y->callee);
    order = calls_function_compare (&f, &g);
  }
  return order;
}

static void
report_edges (struct calls *calls, const char *key, const char *title,
              const char *caller, const char *callee,
              struct dg_report *report)
{
  static const struct dg_column edge_columns[] = {
    { "share", "Share", DG_UNIT_PERCENT, DG_COLUMN_TEXT_ONLY },
    { "inclusive_instructions", "Instructions", DG_UNIT_COUNT,
      DG_COLUMN_TOTAL },
    { "inclusive_accesses", "Accesses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
    { "calls", "Calls", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
    { "", "Each", DG_UNIT_COUNT, DG_COLUMN_TEXT_ONLY },
    { "mean", "Mean", DG_UNIT_REAL, DG_COLUMN_JSON_ONLY },
    { "caller", "Caller", DG_UNIT_TEXT, 0 },
    { "callee", "Callee", DG_UNIT_TEXT, DG_COLUMN_LAST },
  };
  static const struct dg_column edge_times[CALLS_TIMES] = {
    { "inclusive_cycles", "Cycles", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
    { "inclusive_memory_cycles", "Memory", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
    { "inclusive_l1_misses", "L1 misses", DG_UNIT_COUNT, IN_JSON },
    { "inclusive_l2_misses", "L2 misses", DG_UNIT_COUNT, IN_JSON },
    { "inclusive_l3_misses", "L3 misses", DG_UNIT_COUNT, IN_JSON },
  };
  size_t n_times = calls->meter != NULL ? CALLS_TIMES : 0;
  struct dg_column columns_of[G_N_ELEMENTS (edge_columns) + CALLS_TIMES];
  struct dg_rows *out;
  GPtrArray *edges = g_ptr_array_new ();

  columns_of[0] = edge_columns[0];
  memcpy (columns_of + 1, edge_times, n_times * sizeof *edge_times);
  memcpy (columns_of + 1 + n_times, edge_columns + 1,
          sizeof edge_columns - sizeof edge_columns[0]);
  out = dg_report_table (report, key, title, columns_of,
                         G_N_ELEMENTS (edge_columns) + n_times);
  for (uint32_t i = 0; i < calls->sums.n_edges; i++) {
    struct calls_edge *edge = &calls->sums.edges[i];
    if ((caller == NULL || is_called (calls, edge->caller, caller))
        && (callee == NULL || is_called (calls, edge->callee, callee)))
      g_ptr_array_add (edges, edge);
  }
  g_ptr_array_sort_with_data (edges, compare_edges, calls);
  for (guint i = 0; i < edges->len; i++) {
    const struct calls_edge *edge = edges->pdata[i];
    struct dg_cell all[G_N_ELEMENTS (columns_of)];
    struct dg_cell cells[] = {
      DG_CELL_NUMBER (edge->inclusive.instructions),
      DG_CELL_NUMBER (edge->inclusive.accesses),
      DG_CELL_NUMBER (edge->calls),
      DG_CELL_NUMBER (edge->calls > 0
                      ? edge->inclusive.instructions / edge->calls : 0),
      share (edge->inclusive.instructions, edge->calls),
      DG_CELL_TEXT (calls_code_function (calls->code, edge->caller).label),
      DG_CELL_TEXT (calls_code_function (calls->code, edge->callee).label),
    };
    cells[3].is_empty = cells[4].is_empty = edge->calls == 0;
    all[0] = share (calls_cost_of (&edge->inclusive, calls->weight),
                    calls_cost_of (&calls->totals, calls->weight));
    if (n_times > 0)
      add_times (calls, &edge->inclusive, all + 1);
    memcpy (all + 1 + n_times, cells, sizeof cells);
    dg_rows_add (out, all);
  }
  g_ptr_array_unref (edges);
}

static void
report_all_edges (struct calls *calls, struct dg_report *report)
{
  if (calls->callers != NULL) {
    char *title = g_strdup_printf ("Callers of %s", calls->callers);
    report_edges (calls, "callers", title, NULL, calls->callers, report);
    g_free (title);
  }
  if (calls->callees != NULL) {
    char *title = g_strdup_printf ("Callees of %s", calls->callees);
    report_edges (calls, "callees", title, calls->callees, NULL, report);
    g_free (title);
  }
  if (calls->has_edges)
    report_edges (calls, "edges", "Calls", NULL, NULL, report);
}

/* ---- All ---- */

/* Contexts in their order, so that what names a path is the same however many
   workers there were.  */
static int
make_tree (struct calls *calls, struct dg_report *report,
           struct dg_error *err)
{
  uint32_t n = (uint32_t) dg_log_summary (calls->log)->contexts;
  GPtrArray *all = calls->run_counts;
  int result = 0;

  for (uint32_t i = 0; i < n && result == 0; i++) {
    for (guint k = 0; k < all->len; k++)
      if (((struct dg_run_counts *) all->pdata[k])->whole[i].n_instrs > 0) {
        calls_tree_meet (calls->tree, i);
        break;
      }
    if ((i & 255) == 0)
      result = dg_report_pace (report, i, n, err);
  }
  for (guint k = 0; k < all->len && result == 0; k++)
    result = calls_tree_take (calls->tree, all->pdata[k], err);
  return result;
}

static int
write_files (struct calls *calls, struct dg_report *report,
             struct dg_error *err)
{
  int result = 0;

  if (calls->folded != NULL) {
    FILE *file = dg_report_file (report, calls->folded, err);
    if (file == NULL)
      return DG_ERR_IO;
    result = calls_tree_folded (calls->tree,
                                calls->weight,
                                calls->meter, file, report, err);
  }
  if (result == 0 && calls->pprof != NULL)
    result = calls_write_pprof (calls, report, err);
  if (result == 0 && calls->dot != NULL)
    result = calls_write_dot (calls, report, err);
  if (result == 0 && calls->chrome != NULL)
    result = calls_write_chrome (calls, report, err);
  if (result == 0 && calls->firefox != NULL)
    result = calls_write_firefox (calls, report, err);
  if (result == 0 && calls->perfetto != NULL)
    result = calls_write_perfetto (calls, report, err);
  if (result == 0 && calls->speedscope != NULL)
    result = calls_write_speedscope (calls, report, err);
  return result;
}

/* As a shell takes it; "NAME" where it would be long.  */
static char *
typed_name (const char *name)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:@";

  if (name == NULL || strlen (name) > MOST_TYPED)
    return g_strdup ("NAME");
  return name[strspn (name, plain)] == '\0' ? g_strdup (name)
                                            : g_shell_quote (name);
}

static void
advise (const struct calls *calls, const struct row *rows, uint32_t n,
        struct dg_report *report)
{
  char *name = typed_name (n > 0 ? rows[0].function.name : NULL);

  if (calls->callers == NULL && calls->callees == NULL)
    dg_report_note (report, "Its callers: --callers=%s.  Its lines: dg counts "
                            "--by=line --events=fn:%s.  Pictures: --folded, "
                            "--chrome, --dot.", name, name);
  if (!calls->has_outliers)
    dg_report_note (report, "Calls that took unusually long: --outliers.");
  g_free (name);
}

/* Who names a function wants it: none of that name is not "none calls
   it".  */
static void
note_unknown (const struct calls *calls, const char *option, const char *name,
              const struct row *rows, uint32_t n, struct dg_report *report)
{
  struct dg_nearest *nearest;
  char *hint;

  if (name == NULL)
    return;
  for (uint32_t i = 0; i < n; i++)
    if (is_called (calls, rows[i].number, name))
      return;
  nearest = dg_nearest_new (name, NULL);
  for (uint32_t i = 0; nearest != NULL && i < n; i++)
    dg_nearest_add (nearest, rows[i].function.label);
  hint = nearest != NULL ? dg_nearest_hint (nearest) : g_strdup ("");
  dg_report_note (report, "--%s: no function named %s was called%s", option,
                          name,
                  hint[0] != '\0' ? hint : ".");
  g_free (hint);
  dg_nearest_free (nearest);
}

/* Before costs are shown.  */
static int
report_model (struct calls *calls, struct dg_report *report,
              struct dg_error *err)
{
  const struct dg_time_machine *machine
    = dg_time_meter_machine (calls->meter);

  dg_report_value (report, "machine", "Processor", DG_UNIT_TEXT,
                   DG_CELL_TEXT (machine->name));
  if (dg_time_meter_end (calls->meter, report, err) < 0)
    return err->code;
  for (unsigned i = 0; i < CALLS_TIMES; i++) {
    static const enum dg_time_figure figures[CALLS_TIMES] = {
      DG_TIME_FIGURE_CYCLES, DG_TIME_FIGURE_MEMORY, DG_TIME_FIGURE_L1_MISSES,
      DG_TIME_FIGURE_L2_MISSES, DG_TIME_FIGURE_L3_MISSES };
    const struct dg_column *column = &dg_time_columns[figures[i]];

    dg_report_total (report, column->key, column->title, DG_UNIT_COUNT,
                     dg_time_meter_scaled (calls->meter,
                                           calls->totals.time[i]));
  }
  dg_time_meter_note (calls->meter, calls->has_ranges, report);
  return 0;
}

int
calls_report (void *self, struct dg_report *report, struct dg_error *err)
{
  struct calls *calls = self;
  struct row *rows;
  uint32_t n;
  int result = calls->tree != NULL ? make_tree (calls, report, err) : 0;

  if (result == 0 && calls->meter != NULL)
    result = report_model (calls, report, err);
  if (result < 0)
    return result;
  rows = make_rows (calls, &n);
  if (rows == NULL || calls->sums.has_failed) {
    g_free (rows);
    return dg_error_nomem (err);
  }
  dg_report_total (report, "calls", "Calls", DG_UNIT_COUNT, calls->n_calls);
  dg_report_total (report, "instructions", "Instructions", DG_UNIT_COUNT,
                   calls->totals.instructions);
  dg_report_total (report, "accesses", "Accesses", DG_UNIT_COUNT,
                   calls->totals.accesses);
  dg_report_count (report, "functions", "Functions", n);
  dg_report_count (report, "deepest", "Deepest stack", calls->deepest);
  dg_report_value (report, "instructions_per_call", "Instructions per call",
                   DG_UNIT_REAL,
                   share (calls->totals.instructions, calls->n_calls));
  if (calls->is_sampled)
    dg_report_note (report, "The number of functions, the deepest stack and "
                            "the averages, longest calls and deviations are "
                            "those in the windows: calls that are longer "
                            "than a window are cut.");
  if (calls->meter != NULL)
    report_timed (calls, rows, n, report);
  else
    report_functions (calls, rows, n, report);
  report_all_edges (calls, report);
  if (calls->has_outliers)
    calls_report_outliers (calls, report);
  note_unknown (calls, "callers", calls->callers, rows, n, report);
  note_unknown (calls, "callees", calls->callees, rows, n, report);
  advise (calls, rows, n, report);
  g_free (rows);
  return write_files (calls, report, err);
}
