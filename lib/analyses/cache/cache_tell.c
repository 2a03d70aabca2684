/* cache_tell.c: the counts of a memory hierarchy, as tables.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_run.h"

#include <string.h>

#include "analysis/report.h"
#include "base/error.h"

/* ---- What there is ---------------------------------------------------- */

/* window: of dg_cache_run_window, if the log is a sample.  */
static void
add_cache (struct dg_rows *rows, const char *name,
           const struct dg_cache_shape *shape, const char *holds,
           const char *of, uint64_t window)
{
  struct dg_cell cells[] = {
    DG_CELL_TEXT (name),
    DG_CELL_NUMBER (shape->size),
    DG_CELL_NUMBER (shape->assoc),
    DG_CELL_NUMBER (shape->line),
    DG_CELL_NUMBER (dg_cache_shape_sets (shape)),
    DG_CELL_NUMBER (shape->size / shape->line),
    DG_CELL_TEXT (holds),
    DG_CELL_TEXT (of),
    { .number = window, .is_empty = window == 0 }
  };

  dg_rows_add (rows, cells);
}

static uint64_t
window_of (const struct dg_cache_run *run, unsigned level)
{
  const struct dg_cache_made *made = &run->made;
  const struct dg_cache_part *part = level < 2 ? run->parts[level] : NULL;

  if (!run->plan.is_windowed || (level < 2 && part == NULL))
    return 0;
  if (level < 2)
    return dg_cache_run_window (run, level == 0 ? &made->instr : &made->data,
                                part->depths, 2);
  return dg_cache_run_window (run, &made->lower[level - 2],
                              dg_cache_lower_depths (run->plan.lower,
                                                     level - 2),
                              DG_MISS_KINDS);
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
    { "window_instructions", NULL, DG_UNIT_COUNT, DG_COLUMN_JSON_ONLY },
  };
  const struct dg_cache_made *made = &run->made;
  struct dg_rows *rows =
    dg_report_table (report, "levels", run->made.words->levels_title, columns,
                     G_N_ELEMENTS (columns) - !run->plan.is_windowed);
  const char *first = made->n_cores > 1 ? "each core" : "all threads";
  const char *lower = made->is_coherent ? "all threads" : first;
  unsigned i;

  dg_rows_show_all (rows);
  add_cache (rows, made->instr_name, &made->instr, "instructions", first,
             window_of (run, 0));
  add_cache (rows, made->data_name, &made->data, "data", first,
             window_of (run, 1));
  for (i = 0; i < made->n_lower; i++)
    add_cache (rows, made->lower_names[i], &made->lower[i], "both", lower,
               window_of (run, 2 + i));
}

/* ---- What it did ------------------------------------------------------ */

#define LEVELS_MAX (1 + DG_LOWER_LEVELS)

/* Misses of a level: what is likely, and between what they are; all the same
   unless the log is a sample.  */
struct misses {
  uint64_t likely, least, most;
};

/* refs and misses of one kind, or of several.  */
struct line {
  const char *title;
  uint64_t refs;
  struct misses levels[LEVELS_MAX];
};

/* People are shown no number that is little more than a guess, only between
   what it is.  accesses: of which these are the misses.  */
static struct dg_cell
known_cell (const struct misses *misses, uint64_t accesses)
{
  return dg_cache_is_known (misses->least, misses->most, accesses)
           ? DG_CELL_NUMBER (misses->likely) : DG_CELL_EMPTY;
}

/* share: of the accesses that are not known, those that are likely misses.  */
static void
set_likely (struct misses *misses, double share)
{
  misses->likely =
    misses->least
    + (uint64_t) (share * (double) (misses->most - misses->least) + 0.5);
}

/* The three columns of a total with its bounds; keys: room for theirs.  */
static void
set_bounds (struct dg_column *columns, char keys[2][40])
{
  const struct dg_column *total = &columns[0];

  g_snprintf (keys[0], sizeof keys[0], "%s_least", total->key);
  g_snprintf (keys[1], sizeof keys[1], "%s_most", total->key);
  columns[1] = (struct dg_column) { keys[0], "at least", total->unit,
                                    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL
                                      | DG_COLUMN_LEAST };
  columns[2] = (struct dg_column) { keys[1], "at most", total->unit,
                                    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL
                                      | DG_COLUMN_MOST };
}

static struct dg_cell
rate (uint64_t part, uint64_t whole)
{
  if (whole == 0)
    return DG_CELL_EMPTY;
  return DG_CELL_REAL ((double) part / (double) whole);
}

static const char *
level_name (const struct dg_cache_run *run, unsigned level)
{
  return level == 0 ? "L1" : run->made.lower_names[level - 1];
}

/* Of the columns of a level.  */
struct level_keys {
  char misses[32], share[32], title[32], bounds[2][40];
};

static void
add_line (struct line *to, const struct line *from)
{
  unsigned i;

  to->refs += from->refs;
  for (i = 0; i < LEVELS_MAX; i++) {
    to->levels[i].likely += from->levels[i].likely;
    to->levels[i].least += from->levels[i].least;
    to->levels[i].most += from->levels[i].most;
  }
}

/* A level's misses, their bounds if the log is a sample, and their rate: the
   number of columns.  */
static unsigned
add_level (const struct dg_cache_run *run, unsigned level,
           struct dg_column *columns, struct level_keys *keys)
{
  const char *name = level_name (run, level);
  char *lower = g_ascii_strdown (name, -1);
  unsigned n = 1;

  g_snprintf (keys->misses, sizeof keys->misses, "%s_misses", lower);
  g_snprintf (keys->share, sizeof keys->share, "%s_miss_share", lower);
  g_snprintf (keys->title, sizeof keys->title, "%s misses", name);
  g_free (lower);
  columns[0] = (struct dg_column) { keys->misses, keys->title, DG_UNIT_COUNT,
                                    DG_COLUMN_TOTAL };
  if (run->plan.is_windowed) {
    set_bounds (columns, keys->bounds);
    columns[3] = columns[0];
    columns[3].key = "";
    columns[0].flags |= DG_COLUMN_JSON_ONLY;
    columns[3].flags |= DG_COLUMN_TEXT_ONLY;
    n = 4;
  }
  columns[n]
    = (struct dg_column) { keys->share, "of those", DG_UNIT_PERCENT, 0 };
  return n + 1;
}

static unsigned
fill_level (const struct dg_cache_run *run, const struct line *line,
            unsigned level, struct dg_cell *cells)
{
  const struct misses *misses = &line->levels[level];
  struct dg_cell known = known_cell (misses, line->refs);
  bool knows = !known.is_empty
               && (level == 0
                   || !known_cell (misses - 1, line->refs).is_empty);
  unsigned n = 0;

  cells[n++] = DG_CELL_NUMBER (misses->likely);
  if (run->plan.is_windowed) {
    cells[n++] = DG_CELL_NUMBER (misses->least);
    cells[n++] = DG_CELL_NUMBER (misses->most);
    cells[n++] = known;
  }
  cells[n++] = rate (misses->likely,
                     !knows       ? 0
                     : level == 0 ? line->refs : misses[-1].likely);
  return n;
}

/* A table of kinds and levels; each level's rate is that of its own
   accesses.  */
static void
tell_lines (const struct dg_cache_run *run, const struct line *lines,
            size_t n, struct dg_report *report)
{
  struct dg_column columns[2 + 5 * LEVELS_MAX] = {
    { "name", "", DG_UNIT_TEXT, 0 },
    { "refs", "Accesses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  };
  struct dg_cell cells[G_N_ELEMENTS (columns)] = { 0 };
  struct level_keys keys[LEVELS_MAX];
  unsigned levels = 1 + run->made.n_lower, n_columns = 2, i, to;
  struct dg_rows *rows;
  size_t k;

  for (i = 0; i < levels; i++)
    n_columns += add_level (run, i, columns + n_columns, &keys[i]);
  rows = dg_report_table (report, "totals", run->made.words->totals_title,
                          columns, n_columns);
  dg_rows_show_all (rows);
  for (k = 0; k < n; k++) {
    cells[0] = DG_CELL_TEXT (lines[k].title);
    cells[1] = DG_CELL_NUMBER (lines[k].refs);
    for (i = 0, to = 2; i < levels; i++)
      to += fill_level (run, &lines[k], i, cells + to);
    dg_rows_add (rows, cells);
  }
}

/* For people, the same misses again, and between what they are.  */
static void
tell_bounds (const struct dg_cache_run *run, const struct line *lines,
             size_t n, struct dg_report *report)
{
  const unsigned total = DG_COLUMN_TEXT_ONLY | DG_COLUMN_TOTAL;
  const struct dg_column columns[] = {
    { "name", "", DG_UNIT_TEXT, 0 },
    { "level", "Level", DG_UNIT_TEXT, 0 },
    { "misses", "Misses", DG_UNIT_COUNT, total },
    { "least", "at least", DG_UNIT_COUNT, total | DG_COLUMN_LEAST },
    { "most", "at most", DG_UNIT_COUNT, total | DG_COLUMN_MOST },
  };
  struct dg_rows *rows =
    dg_report_table (report, NULL, "Misses: estimate and limits",
                     columns, G_N_ELEMENTS (columns));
  size_t k;
  unsigned i;

  dg_rows_show_all (rows);
  for (k = 0; k < n; k++)
    for (i = 0; i <= run->made.n_lower; i++) {
      const struct misses *misses = &lines[k].levels[i];
      struct dg_cell cells[] = { DG_CELL_TEXT (lines[k].title),
                                 DG_CELL_TEXT (level_name (run, i)),
                                 known_cell (misses, lines[k].refs),
                                 DG_CELL_NUMBER (misses->least),
                                 DG_CELL_NUMBER (misses->most) };

      dg_rows_add (rows, cells);
    }
}

/* The lines of the report, of what was counted.  */
static void
fill_lines (const struct dg_cache_run *run, struct line lines[5])
{
  static const char *const titles[]
    = { "Instructions", "Reads", "Writes", "Data", "All" };
  const struct dg_cache_lower_counts *lower =
    dg_cache_lower_counts (run->plan.lower);
  uint64_t totals[DG_EVENTS_ALL];
  struct dg_cache_shares shares;
  unsigned i, j;

  memset (lines, 0, 5 * sizeof *lines);
  dg_cache_run_counted (run, totals);
  dg_cache_run_shares (run, &shares);
  for (i = 0; i < 5; i++)
    lines[i].title = titles[i];
  for (i = 0; i < 3; i++) {
    lines[i].refs = totals[dg_miss_event (i)];
    lines[i].levels[0].least = totals[dg_miss_event (i) + 1];
    lines[i].levels[0].most =
      lines[i].levels[0].least + totals[dg_unknown_event (i)];
    for (j = 0; j < run->made.n_lower; j++) {
      lines[i].levels[1 + j].least = lower->misses[j][i];
      lines[i].levels[1 + j].most =
        lower->misses[j][i] + lower->unknown[j][i];
    }
    for (j = 0; j <= run->made.n_lower; j++)
      set_likely (&lines[i].levels[j], shares.shares[j][i]);
    add_line (&lines[4], &lines[i]);
    if (i > 0)
      add_line (&lines[3], &lines[i]);
  }
}

static void
tell_figures (const struct dg_cache_run *run, struct dg_report *report)
{
  uint64_t counted[DG_EVENTS_ALL], totals[DG_EVENTS];
  unsigned i;

  dg_cache_run_counted (run, counted);
  dg_cache_run_totals (run, totals);
  for (i = 0; i < DG_EVENTS_NINE; i++) {
    const char *key = run->made.words->columns[i].key;
    unsigned unknown = dg_cache_unknown_of (i);

    dg_report_total (report, key, NULL, DG_UNIT_COUNT, totals[i]);
    if (run->plan.is_windowed && unknown != 0)
      dg_report_bounds (report, key, DG_UNIT_COUNT, counted[i],
                        counted[i] + counted[unknown]);
  }
}

/* Why the limits do not hold in any case.  */
static void
tell_doubts (const struct dg_cache_made *made, struct dg_report *report)
{
  static const char before[] = "the caches are taken for empty when a window "
                               "begins";

  if (made->policy == DG_CACHE_FIFO)
    dg_report_note (report,
                    "With --replacement=fifo, the limits are approximate: %s, "
                    "but a line that is there from before is replaced earlier "
                    "than one that comes in the window.", before);
  if (made->policy == DG_CACHE_RANDOM)
    dg_report_note (report,
                    "With --replacement=random, the limits are approximate: "
                    "%s, and lines that are replaced in a full cache stay in "
                    "places that are free.", before);
  if (made->has_prefetch)
    dg_report_note (report,
                    "With --prefetch, the limits of D1 are approximate: an "
                    "access that may be a hit or a miss fetches the next line "
                    "ahead, as if it were a miss.");
  if (made->is_coherent && made->n_cores > 1)
    dg_report_note (report,
                    "With several cores, the limits of D1 are approximate: "
                    "places of lines that other cores wrote are used before "
                    "those of lines from before the window.");
}

/* How the bounds come about, and which levels windows are too short for.  */
static void
tell_windows (const struct dg_cache_run *run, const struct line lines[5],
              struct dg_report *report)
{
  const struct dg_cache_made *made = &run->made;
  const struct misses *instr = &lines[0].levels[0], *data =
    &lines[3].levels[0];
  unsigned i;

  dg_report_note (report,
                  "The contents of the caches are unknown when a window "
                  "begins, so that some accesses may be hits or misses.  "
                  "Misses include an estimated part of these accesses, the "
                  "lower limit none of them, the upper limit all; the limits "
                  "include the sampling error.  Misses that these accesses "
                  "could more than double are not shown, unless the upper "
                  "limit is below 0.1 %% of the accesses.");
  tell_doubts (made, report);
  dg_cache_tell_window (run, made->instr_name, instr->least, instr->most,
                        lines[0].refs, window_of (run, 0), report);
  dg_cache_tell_window (run, made->data_name, data->least, data->most,
                        lines[3].refs, window_of (run, 1), report);
  for (i = 0; i < made->n_lower; i++)
    dg_cache_tell_window (run, made->lower_names[i],
                          lines[4].levels[1 + i].least,
                          lines[4].levels[1 + i].most, lines[4].refs,
                          window_of (run, 2 + i), report);
}

void
dg_cache_tell_totals (const struct dg_cache_run *run, struct dg_report *report)
{
  struct line lines[5];

  fill_lines (run, lines);
  tell_caches (run, report);
  tell_figures (run, report);
  tell_lines (run, lines, G_N_ELEMENTS (lines), report);
  if (!run->plan.is_windowed)
    return;
  tell_bounds (run, lines, G_N_ELEMENTS (lines), report);
  tell_windows (run, lines, report);
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
  const struct dg_cache_run *run;
  struct dg_cache_shares shares;
  uint64_t weight;         /* of all */
  bool is_data;
  unsigned n_events;       /* in JSON */
};

static uint64_t
weigh_row (const uint64_t *sums, const void *user)
{
  const struct shown *shown = user;
  uint64_t likely[DG_EVENTS];

  dg_cache_shares_row (&shown->shares, sums, likely);
  return dg_cache_weigh (likely, NULL);
}

/* The event that has the accesses of an event of misses.  */
static unsigned
refs_of (unsigned event)
{
  return event < DG_EV_DR ? DG_EV_IR : event < DG_EV_DW ? DG_EV_DR : DG_EV_DW;
}

/* What people are shown of the misses of some events, of a row.  */
static struct dg_cell
known_sum (const struct shown *shown, const uint64_t *sums,
           const uint64_t *likely, const unsigned *events, unsigned n)
{
  struct misses misses = { 0 };
  uint64_t accesses = 0;
  unsigned i;

  for (i = 0; i < n; i++) {
    unsigned unknown =
      shown->run->plan.is_windowed ? dg_cache_unknown_of (events[i]) : 0;

    accesses += likely[refs_of (events[i])];
    misses.likely += likely[events[i]];
    misses.least += sums[events[i]];
    misses.most += sums[events[i]] + (unknown != 0 ? sums[unknown] : 0);
  }
  return known_cell (&misses, accesses);
}

static void
fill (const uint64_t *sums, struct dg_cell *cells, const void *user)
{
  static const unsigned first[] = { DG_EV_D1MR, DG_EV_D1MW };
  static const unsigned code[] = { DG_EV_I1MR };
  static const unsigned last[] = { DG_EV_DLMR, DG_EV_DLMW, DG_EV_ILMR };
  const struct shown *shown = user;
  uint64_t events[DG_EVENTS], refs, misses;
  unsigned i;

  dg_cache_shares_row (&shown->shares, sums, events);
  refs = events[DG_EV_DR] + events[DG_EV_DW];
  misses = events[DG_EV_D1MR] + events[DG_EV_D1MW];
  cells[0] = rate (dg_cache_weigh (events, NULL), shown->weight);
  cells[1] = DG_CELL_NUMBER (events[DG_EV_IR]);
  cells[2] = known_sum (shown, sums, events, code, 1);
  cells[3] = DG_CELL_NUMBER (refs);
  cells[4] = known_sum (shown, sums, events, first, 2);
  cells[5] = cells[4].is_empty ? DG_CELL_EMPTY : rate (misses, refs);
  cells[6] = known_sum (shown, sums, events, last, shown->is_data ? 2 : 3);
  cells += 7;
  for (i = 0; i < shown->n_events; i++) {
    unsigned unknown = dg_cache_unknown_of (i);

    *cells++ = DG_CELL_NUMBER (events[i]);
    if (!shown->run->plan.is_windowed || unknown == 0)
      continue;
    *cells++ = DG_CELL_NUMBER (sums[i]);
    *cells++ = DG_CELL_NUMBER (sums[i] + sums[unknown]);
  }
}

/* Columns for JSON: the events, with their bounds if the log is a sample; the
   number of columns.  keys: room for those of bounds.  */
static unsigned
add_events (const struct shown *shown, struct dg_column *columns,
            char keys[][2][40])
{
  unsigned n = 0, i;

  for (i = 0; i < shown->n_events; i++) {
    columns[n] = shown->run->made.words->columns[i];
    columns[n].flags = DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL;
    if (shown->run->plan.is_windowed && dg_cache_unknown_of (i) != 0) {
      set_bounds (columns + n, keys[i]);
      n += 2;
    }
    n++;
  }
  return n;
}

int
dg_cache_tell_rows (struct dg_cache_run *run, struct dg_report *report,
                    struct dg_error *err)
{
  enum dg_by by = dg_breakdown_by (run->plan.groups);
  uint64_t totals[DG_EVENTS];
  bool is_coherent = run->made.is_coherent && run->made.n_cores > 1;
  struct shown shown = { .run = run,
                         .is_data = dg_by_is_data (by),
                         .n_events = is_coherent ? DG_EVENTS
                                                 : DG_EVENTS_NINE };
  unsigned shows = DG_COLUMN_TEXT_ONLY | DG_COLUMN_TOTAL;
  struct dg_column columns[7 + DG_EVENTS + 12] = {
    { "share", "Cost", DG_UNIT_PERCENT, 0 },
    { "", run->made.words->columns[DG_EV_IR].title, DG_UNIT_COUNT, shows },
    { "", run->made.words->columns[DG_EV_I1MR].title, DG_UNIT_COUNT, shows },
    { "", "Data", DG_UNIT_COUNT, shows },
    { "", run->made.words->data_title, DG_UNIT_COUNT, shows },
    { "", "of those", DG_UNIT_PERCENT, DG_COLUMN_TEXT_ONLY },
    { "", run->made.words->last_title, DG_UNIT_COUNT, shows },
  };
  char keys[DG_EVENTS][2][40];
  struct dg_breakdown_table table = {.key = "rows",
                                     .title = "Misses",
                                     .columns = columns,
                                     .fill = fill,
                                     .weigh = weigh_row,
                                     .user = &shown};

  /* Instructions are not data.  */
  if (shown.is_data)
    columns[1].flags = columns[2].flags
      = DG_COLUMN_TEXT_ONLY | DG_COLUMN_JSON_ONLY;
  table.n_columns = 7 + add_events (&shown, columns + 7, keys);
  dg_cache_run_shares (run, &shown.shares);
  dg_cache_run_totals (run, totals);
  if (shown.is_data)
    totals[DG_EV_I1MR] = totals[DG_EV_ILMR] = 0;
  shown.weight = dg_cache_weigh (totals, NULL);
  return dg_breakdown_report (run->plan.groups, &table, report, err);
}
