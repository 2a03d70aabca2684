/* costs.c: see costs.h.

   Rows of the report are those of the table that have the same names.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "costs.h"

#include "model/log/refs.h"
#include "report_keys.h"

/* Columns of the report.  */
enum { CYCLES, L1_MISSES, L3_MISSES, FUNCTION, MODULE, N_FUNCTION,
       FILE_NAME = FUNCTION, LINE, N_LINE };
static const char *const function_keys[N_FUNCTION] = {
  "cycles", "l1_misses", "l3_misses", "function", "module" };
static const char *const line_keys[N_LINE] = {
  "cycles", "l1_misses", "l3_misses", "file", "line" };

/* A function and its module, or a file and its line.  */
struct named_cost {
  const char *name, *module;
  uint32_t line;
  struct dv_cost cost;
};

static guint
hash_named (gconstpointer memory)
{
  const struct named_cost *named = memory;
  guint hash = dg_hash_text (named->name) * 31 + named->line;
  return named->module == NULL ? hash
                               : hash * 31 + dg_hash_text (named->module);
}

static gboolean
equal_named (gconstpointer a, gconstpointer b)
{
  const struct named_cost *x = a, *y = b;
  return x->line == y->line && g_str_equal (x->name, y->name)
         && g_strcmp0 (x->module, y->module) == 0;
}

static void
costs_clear (void *memory)
{
  struct dv_costs *costs = memory;
  g_hash_table_unref (costs->rows);
  dg_report_free (costs->report);
  dv_tally_unref (costs->tally);
}

DV_DEFINE_REFS (dv_costs, costs_clear)

/* ---- The report ----------------------------------------------------- */

/* A line may be of several functions, as that of a template: they add up.  */
static void
add_row (struct dv_costs *costs, const struct dg_cell *cells,
         const guint *columns)
{
  bool by_line = costs->kind == DV_ROWS_SOURCE;
  const struct named_cost named = {
    .name = cells[columns[FUNCTION]].text,
    .module = by_line ? NULL : cells[columns[MODULE]].text,
    .line = by_line ? (uint32_t) cells[columns[LINE]].number : 0,
    .cost = { cells[columns[CYCLES]].number, cells[columns[L1_MISSES]].number,
              cells[columns[L3_MISSES]].number } };
  struct named_cost *known
    = named.name != NULL ? g_hash_table_lookup (costs->rows, &named) : NULL;
  if (known != NULL) {
    known->cost.cycles += named.cost.cycles;
    known->cost.l1_misses += named.cost.l1_misses;
    known->cost.l3_misses += named.cost.l3_misses;
  } else if (named.name != NULL) {
    g_hash_table_add (costs->rows, g_memdup2 (&named, sizeof named));
  }
}

static const char *
machine_of (const struct dg_report *report)
{
  const struct dg_report_item *item;
  struct dg_cell cell;
  for (size_t i = 0; (item = dg_report_at (report, i)) != NULL; i++)
    if (item->kind == DG_ITEM_VALUE && g_strcmp0 (item->key, "machine") == 0) {
      dg_report_row (item, 0, &cell);
      return cell.text;
    }
  return NULL;
}

static void
read_report (struct dv_costs *costs)
{
  bool by_line = costs->kind == DV_ROWS_SOURCE;
  guint columns[N_LINE];
  const struct dg_report_item *table = dv_report_keys (
    costs->report, by_line ? line_keys : function_keys, N_LINE, columns);
  struct dg_cell cells[DV_REPORT_CELLS];
  for (uint64_t i = 0; table != NULL && i < table->n_rows; i++) {
    dg_report_row (table, i, cells);
    add_row (costs, cells, columns);
  }
  costs->machine = machine_of (costs->report);
}

/* ---- Making --------------------------------------------------------- */

static int
analyse (struct dv_costs *costs, dg_progress_fn progress, void *user,
         struct dg_error *err)
{
  const struct dv_scene *scene = costs->tally->scene;
  const struct dg_analysis *time = dg_analysis_find ("time");
  uint64_t start, end;
  dv_scene_time (scene, &costs->tally->view, &start, &end);
  costs->sample = dv_scene_time_sample (scene, start, end);
  char *sample = g_strdup_printf ("%" G_GUINT64_FORMAT, costs->sample);
  const struct dg_setting settings[] = {
    { "by", costs->kind == DV_ROWS_SOURCE ? "line" : "function" },
    { "sample", sample } };
  struct dg_analyse_options options = {
    .size = sizeof options,
    .start_icount = start, .end_icount = end < UINT64_MAX ? end : 0,
    .symbols = scene->data->symbols, .space = scene->data->space,
    .settings = settings, .n_settings = G_N_ELEMENTS (settings) };
  struct dg_filter *made = NULL;
  int code = dv_scene_code_filter (scene, &options.filter, &made, err);
  if (code == 0)
    code = dg_analyse (scene->data->log, &time, 1, &options, progress, user,
                       costs->report, err);
  dg_filter_free (made);
  g_free (sample);
  return code;
}

struct dv_costs *
dv_costs_new (struct dv_tally *tally, enum dv_rows_kind kind,
              dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct dv_costs *costs = g_atomic_rc_box_new0 (struct dv_costs);
  costs->tally = dv_tally_ref (tally);
  costs->kind = kind;
  costs->rows
    = g_hash_table_new_full (hash_named, equal_named, g_free, NULL);
  costs->report = dg_report_new (err);
  if (costs->report != NULL && analyse (costs, progress, user, err) == 0)
    read_report (costs);
  else
    g_clear_pointer (&costs, dv_costs_unref);
  return costs;
}

/* ---- Asking --------------------------------------------------------- */

const struct dv_cost *
dv_costs_find (const struct dv_costs *costs, const struct dv_row *row)
{
  bool by_line = costs->kind == DV_ROWS_SOURCE;
  const struct named_cost wanted = {
    .name = by_line ? row->file : row->function,
    .module = by_line ? NULL : row->module_path,
    .line = by_line ? row->line : 0 };
  const struct named_cost *found
    = wanted.name != NULL ? g_hash_table_lookup (costs->rows, &wanted) : NULL;
  return found != NULL ? &found->cost : NULL;
}
