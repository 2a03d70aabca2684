/* cache_tell.c: the counts of a memory hierarchy, as tables.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_run.h"

#include <string.h>

#include "base/error.h"

/* ---- What there is ---------------------------------------------------- */

static void
add_cache (struct dg_rows *rows, const char *name,
           const struct dg_cache_shape *shape, const char *holds,
           const char *of)
{
  struct dg_cell cells[] = {
    DG_CELL_TEXT (name),
    DG_CELL_NUMBER (shape->size),
    DG_CELL_NUMBER (shape->assoc),
    DG_CELL_NUMBER (shape->line),
    DG_CELL_NUMBER (dg_cache_shape_sets (shape)),
    DG_CELL_NUMBER (shape->size / shape->line),
    DG_CELL_TEXT (holds),
    DG_CELL_TEXT (of)
  };

  dg_rows_add (rows, cells);
}

static void
tell_caches (const struct dg_cache_run *run, struct dg_report *report)
{
  static const struct dg_column columns[] = {
    { "name", "Level", DG_UNIT_TEXT, 0 },
    { "size", "Reach", DG_UNIT_BYTES, 0 },
    { "associativity", "Ways", DG_UNIT_COUNT, 0 },
    { "line_size", "Line", DG_UNIT_BYTES, 0 },
    { "sets", "Sets", DG_UNIT_COUNT, 0 },
    { "entries", "Entries", DG_UNIT_COUNT, 0 },
    { "holds", "Holds", DG_UNIT_TEXT, 0 },
    { "of", "Of", DG_UNIT_TEXT, DG_COLUMN_LAST },
  };
  const struct dg_cache_made *made = &run->made;
  struct dg_rows *rows =
    dg_report_table (report, "levels", run->made.words->levels_title, columns,
                     G_N_ELEMENTS (columns));
  const char *first = made->n_cores > 1 ? "each core" : "all threads";
  const char *lower = made->is_coherent ? "all threads" : first;
  unsigned i;

  dg_rows_show_all (rows);
  add_cache (rows, made->instr_name, &made->instr, "instructions", first);
  add_cache (rows, made->data_name, &made->data, "data", first);
  for (i = 0; i < made->n_lower; i++)
    add_cache (rows, made->lower_names[i], &made->lower[i], "both", lower);
}

/* ---- What it did ------------------------------------------------------ */

#define LEVELS_MAX (1 + DG_LOWER_LEVELS)

/* refs and misses of one kind, or of several.  */
struct line {
  const char *key, *title;
  uint64_t refs, misses[LEVELS_MAX];
};

static struct dg_cell
rate (uint64_t part, uint64_t whole)
{
  if (whole == 0)
    return DG_CELL_EMPTY;
  return DG_CELL_REAL ((double) part / (double) whole);
}

static void
add_line (struct line *to, const struct line *from)
{
  unsigned i;

  to->refs += from->refs;
  for (i = 0; i < LEVELS_MAX; i++)
    to->misses[i] += from->misses[i];
}

/* A table of kinds and levels; each level's rate is that of its own
   accesses.  */
static void
tell_lines (const struct dg_cache_run *run, const struct line *lines,
            size_t n, struct dg_report *report)
{
  const struct dg_cache_made *made = &run->made;
  struct dg_column columns[2 + 2 * LEVELS_MAX] = {
    { "name", "", DG_UNIT_TEXT, 0 },
    { "refs", "Accesses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  };
  struct dg_cell cells[G_N_ELEMENTS (columns)] = { 0 };
  char keys[2 * LEVELS_MAX][32], titles[LEVELS_MAX][32];
  unsigned levels = 1 + made->n_lower, i;
  struct dg_rows *rows;
  size_t k;

  for (i = 0; i < levels; i++) {
    const char *name = i == 0 ? "L1" : made->lower_names[i - 1];
    char *lower = g_ascii_strdown (name, -1);
    g_snprintf (keys[2 * i], sizeof keys[0], "%s_misses", lower);
    g_snprintf (keys[2 * i + 1], sizeof keys[0], "%s_miss_share", lower);
    g_snprintf (titles[i], sizeof titles[0], "%s misses", name);
    g_free (lower);
    columns[2 + 2 * i]
      = (struct dg_column) { keys[2 * i], titles[i], DG_UNIT_COUNT,
                              DG_COLUMN_TOTAL };
    columns[3 + 2 * i]
      = (struct dg_column) { keys[2 * i + 1], "of those", DG_UNIT_PERCENT, 0 };
  }
  rows = dg_report_table (report, "totals", run->made.words->totals_title,
                          columns, 2 + 2 * levels);
  dg_rows_show_all (rows);
  for (k = 0; k < n; k++) {
    cells[0] = DG_CELL_TEXT (lines[k].title);
    cells[1] = DG_CELL_NUMBER (lines[k].refs);
    for (i = 0; i < levels; i++) {
      cells[2 + 2 * i] = DG_CELL_NUMBER (lines[k].misses[i]);
      cells[3 + 2 * i]
        = rate (lines[k].misses[i],
                i == 0 ? lines[k].refs : lines[k].misses[i - 1]);
    }
    dg_rows_add (rows, cells);
  }
}

/* What is in the caches where a window begins is what the window before left
   there; each line may be wrong once.  */
static void
tell_sampled (const struct dg_cache_run *run, const uint64_t *totals,
              struct dg_report *report)
{
  const struct dg_cache_made *made = &run->made;
  uint64_t misses = totals[DG_EV_D1MR] + totals[DG_EV_D1MW];
  uint64_t lines = made->data.size / made->data.line * made->n_cores;
  struct dg_sampling sampling;
  char most[DG_NUMBER_TEXT];
  double part;

  if (!dg_setup_is_sampled (run->setup)
      || dg_sampling_of (run->log, &sampling, NULL) <= 0 || misses == 0)
    return;
  part = (double) (lines * sampling.windows) / (double) misses;
  dg_number_text_percent (most, sizeof most, MIN (part, 1));
  dg_report_note (report,
                  "At the start of a window, caches have the contents that "
                  "the window before left, as what happened in between is "
                  "not known.  Of the misses of %s, %s or less depend on "
                  "this; more of lower levels, which need longer windows.",
                  made->data_name, most);
}

void
dg_cache_tell_totals (const struct dg_cache_run *run, struct dg_report *report)
{
  static const char *const titles[]
    = { "Instructions", "Reads", "Writes" };
  const struct dg_cache_lower_counts *lower =
    dg_cache_lower_counts (run->plan.lower);
  uint64_t totals[DG_EVENTS];
  struct line lines[5]
    = { [3] = { .title = "Data" }, [4] = { .title = "All" } };
  unsigned i, j;

  dg_cache_run_totals (run, totals);
  tell_caches (run, report);
  for (i = 0; i < DG_EVENTS_NINE; i++)
    dg_report_total (report, run->made.words->columns[i].key, NULL,
                     DG_UNIT_COUNT, totals[i]);
  for (i = 0; i < 3; i++) {
    lines[i].title = titles[i];
    lines[i].refs = totals[dg_miss_event (i)];
    lines[i].misses[0] = totals[dg_miss_event (i) + 1];
    for (j = 0; j < run->made.n_lower; j++)
      lines[i].misses[1 + j] = lower->misses[j][i];
    add_line (&lines[4], &lines[i]);
    if (i > 0)
      add_line (&lines[3], &lines[i]);
  }
  tell_lines (run, lines, G_N_ELEMENTS (lines), report);
  tell_sampled (run, totals, report);
}

/* ---- Rows ------------------------------------------------------------- */

static uint64_t
sum (const uint64_t *sums, unsigned nth)
{
  return sums[DG_EV_IR + nth] + sums[DG_EV_DR + nth] + sums[DG_EV_DW + nth];
}

/* What its misses cost: ten times as much in the last level as in the first,
   about as in machines.  */
uint64_t
dg_cache_weigh (const uint64_t *sums, const void *user)
{
  (void) user;
  return sum (sums, 1) + 10 * sum (sums, 2);
}

/* What the rows are shown with.  */
struct shown {
  uint64_t weight;         /* of all */
  bool is_data;
};

static void
fill (const uint64_t *sums, struct dg_cell *cells, const void *user)
{
  const struct shown *shown = user;
  uint64_t refs = sums[DG_EV_DR] + sums[DG_EV_DW];
  uint64_t misses = sums[DG_EV_D1MR] + sums[DG_EV_D1MW];
  uint64_t last = sums[DG_EV_DLMR] + sums[DG_EV_DLMW];
  unsigned i;

  cells[0] = rate (dg_cache_weigh (sums, NULL), shown->weight);
  cells[1] = DG_CELL_NUMBER (sums[DG_EV_IR]);
  cells[2] = DG_CELL_NUMBER (sums[DG_EV_I1MR]);
  cells[3] = DG_CELL_NUMBER (refs);
  cells[4] = DG_CELL_NUMBER (misses);
  cells[5] = rate (misses, refs);
  cells[6] = DG_CELL_NUMBER (shown->is_data ? last : sum (sums, 2));
  for (i = 0; i < DG_EVENTS; i++)
    cells[7 + i] = DG_CELL_NUMBER (sums[i]);
}

int
dg_cache_tell_rows (struct dg_cache_run *run, struct dg_report *report,
                    struct dg_error *err)
{
  enum dg_by by = dg_breakdown_by (run->plan.groups);
  uint64_t totals[DG_EVENTS];
  struct shown shown = { .is_data = dg_by_is_data (by) };
  unsigned shows = DG_COLUMN_TEXT_ONLY | DG_COLUMN_TOTAL, i;
  struct dg_column columns[7 + DG_EVENTS] = {
    { "share", "Cost", DG_UNIT_PERCENT, 0 },
    { "", run->made.words->columns[DG_EV_IR].title, DG_UNIT_COUNT, shows },
    { "", run->made.words->columns[DG_EV_I1MR].title, DG_UNIT_COUNT, shows },
    { "", "Data", DG_UNIT_COUNT, shows },
    { "", run->made.words->data_title, DG_UNIT_COUNT, shows },
    { "", "of those", DG_UNIT_PERCENT, DG_COLUMN_TEXT_ONLY },
    { "", run->made.words->last_title, DG_UNIT_COUNT, shows },
  };
  struct dg_breakdown_table table = {.key = "rows",
                                     .title = "Misses",
                                     .columns = columns,
                                     .fill = fill,
                                     .weigh = dg_cache_weigh,
                                     .user = &shown};
  bool is_coherent = run->made.is_coherent && run->made.n_cores > 1;

  /* Instructions are not data.  */
  if (shown.is_data)
    columns[1].flags = columns[2].flags
      = DG_COLUMN_TEXT_ONLY | DG_COLUMN_JSON_ONLY;
  table.n_columns = 7 + (is_coherent ? DG_EVENTS : DG_EVENTS_NINE);
  for (i = 0; i < table.n_columns - 7; i++) {
    columns[7 + i] = run->made.words->columns[i];
    columns[7 + i].flags = DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL;
  }
  dg_cache_run_totals (run, totals);
  if (shown.is_data)
    totals[DG_EV_I1MR] = totals[DG_EV_ILMR] = 0;
  shown.weight = dg_cache_weigh (totals, NULL);
  return dg_breakdown_report (run->plan.groups, &table, report, err);
}
