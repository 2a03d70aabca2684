/* reuse_report.c: what `dg reuse` shows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "reuse.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

#define BAR 40
/* Steps of --mrc for each power of two.  */
#define FINE 8

struct telling {
  struct reuse *self;
  struct dg_report *report;
  struct dg_reuse_curve *curve;
  uint64_t accesses;
};

static struct dg_cell
share (double part, double whole)
{
  return whole > 0 ? DG_CELL_REAL (part / whole) : DG_CELL_EMPTY;
}

/* Estimated from a sample, there may be more misses than accesses.  */
static struct dg_cell
miss_share (uint64_t misses, uint64_t accesses)
{
  return share ((double) MIN (misses, accesses), (double) accesses);
}

/* What the sample has, of the whole.  */
static uint64_t
scaled (const struct reuse *self, uint64_t n)
{
  return self->sample.rate >= 1
           ? n
           : (uint64_t) llround ((double) n / self->sample.rate);
}

/* ---- The whole ---- */

static void
tell_stats (struct dg_report *report, const char *key, const char *title,
            struct dg_reuse_stats stats)
{
  static const struct { const char *key, *title; enum dg_unit unit; }
  names[] = {
    { "mean", "mean", DG_UNIT_REAL },
    { "median", "median", DG_UNIT_COUNT },
    { "deviation", "standard deviation", DG_UNIT_REAL },
  };
  const struct dg_cell cells[] = {
    DG_CELL_REAL (stats.mean), DG_CELL_NUMBER (stats.median),
    DG_CELL_REAL (stats.sigma)
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++) {
    char *whole_key = g_strconcat (key, names[i].key, NULL);
    char *whole_title = g_strconcat (title, ", ", names[i].title, NULL);

    dg_report_value (report, whole_key, whole_title, names[i].unit,
                     stats.n > 0 ? cells[i] : DG_CELL_EMPTY);
    g_free (whole_key);
    g_free (whole_title);
  }
}

static void
tell_totals (const struct telling *telling)
{
  const struct reuse *self = telling->self;
  struct dg_report *report = telling->report;
  struct dg_pair pairs[DG_REUSE_TIME_BUCKETS];
  uint64_t lines = 0;
  size_t n;

  for (guint i = 0; i < self->wholes->len; i++) {
    const struct reuse_whole *whole = g_ptr_array_index (self->wholes, i);

    lines += whole->whole.stack.n;
  }
  dg_report_total (report, "accesses", "Accesses", DG_UNIT_COUNT,
                   telling->accesses);
  dg_report_value (report, "line_size", "Line size", DG_UNIT_NUMBER,
                   DG_CELL_NUMBER (UINT64_C (1) << self->line_shift));
  dg_report_count (report, "lines",
                   self->is_per_thread ? "Lines, summed over "
                                         "threads" : "Lines",
                   scaled (self, lines));
  dg_report_count (report, "cold", "First touches (cold)",
                   scaled (self, self->hist.cold));
  tell_stats (report, "", "Distance in lines",
              dg_reuse_distances (&self->hist, &self->sample));
  tell_stats (report, "time_", "Accesses in between",
              dg_reuse_times (&self->hist, &self->sample));
  if (dg_setup_is_sampled (self->setup))
    dg_report_note (report, "Only accesses are scaled.  Distances are those "
                            "of what was recorded: lines that are used again "
                            "in a later window seem nearer, and those first "
                            "used before the first window seem cold.  "
                            "Distances longer than a window are not known.");
  if (self->sample.rate < 1)
    dg_report_value (report, "sampled_share", "Share of lines sampled",
                     DG_UNIT_PERCENT, DG_CELL_REAL (self->sample.rate));
  n = dg_reuse_distance_pairs (&self->hist, &self->sample, pairs);
  dg_report_value (report, "histogram", NULL, DG_UNIT_PAIRS,
                   DG_CELL_PAIRS (pairs, n));
  n = dg_reuse_time_pairs (&self->hist, &self->sample, pairs);
  dg_report_value (report, "time_histogram", NULL, DG_UNIT_PAIRS,
                   DG_CELL_PAIRS (pairs, n));
}

/* ---- Misses ---- */

/* Columns of a cache; the last two of a sample only.  */
static const struct dg_column cache_columns[] = {
  { "lines", "Lines", DG_UNIT_COUNT, 0 },
  { "size", "Cache", DG_UNIT_BYTES, 0 },
  { "misses", "Misses", DG_UNIT_COUNT, 0 },
  { "miss_share", "Miss ratio", DG_UNIT_PERCENT, 0 },
  { "least_miss_share", "At least", DG_UNIT_PERCENT, 0 },
  { "most_miss_share", "At most", DG_UNIT_PERCENT, 0 },
};
enum { CACHE_COLUMNS = G_N_ELEMENTS (cache_columns) };

static size_t
n_cache_columns (const struct telling *telling)
{
  return telling->self->sample.rate < 1 ? CACHE_COLUMNS : CACHE_COLUMNS - 2;
}

static void
cache_cells (const struct telling *telling, uint64_t lines,
             struct dg_cell *cells)
{
  const struct dg_reuse_misses misses
    = dg_reuse_curve_misses (telling->curve, lines);
  const double all = (double) telling->accesses;

  cells[0] = DG_CELL_NUMBER (lines);
  cells[1] = DG_CELL_NUMBER (lines << telling->self->line_shift);
  cells[2] = DG_CELL_NUMBER (misses.n);
  cells[3] = share ((double) misses.n, all);
  if (telling->self->sample.rate < 1) {
    cells[4] = share ((double) misses.low, all);
    cells[5] = share ((double) misses.high, all);
  }
}

/* The sizes that were asked for.  */
static void
tell_sizes (const struct telling *telling)
{
  static const struct { const char *key; size_t offset; } groups[] = {
    { "misses_by_lines", G_STRUCT_OFFSET (struct dg_reuse_misses, n) },
    { "least_misses_by_lines", G_STRUCT_OFFSET (struct dg_reuse_misses, low) },
    { "most_misses_by_lines", G_STRUCT_OFFSET (struct dg_reuse_misses, high) },
  };
  const struct reuse *self = telling->self;
  struct dg_report *report = telling->report;
  struct dg_cell cells[CACHE_COLUMNS];
  struct dg_pair pairs[DG_REUSE_SIZES];
  struct dg_rows *rows;

  if (self->n_sizes == 0)
    return;
  for (unsigned g = 0; g < (self->sample.rate < 1 ? 3 : 1); g++) {
    for (unsigned i = 0; i < self->n_sizes; i++) {
      const struct dg_reuse_misses misses
        = dg_reuse_curve_misses (telling->curve, self->sizes[i]);

      pairs[i] = (struct dg_pair) {
        self->sizes[i],
        G_STRUCT_MEMBER (uint64_t, &misses, groups[g].offset)
      };
    }
    dg_report_value (report, groups[g].key, NULL, DG_UNIT_PAIRS,
                     DG_CELL_PAIRS (pairs, self->n_sizes));
  }
  rows = dg_report_table (report, NULL, "Fully associative LRU caches",
                          cache_columns, n_cache_columns (telling));
  dg_rows_show_all (rows);
  for (unsigned i = 0; i < self->n_sizes; i++) {
    cache_cells (telling, self->sizes[i], cells);
    dg_rows_add (rows, cells);
  }
}

static char *
bar (double part)
{
  /* Blocks of an eighth to seven eighths.  */
  static const char *const eighths[]
    = { "", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a",
        "\u2589" };
  const unsigned n = (unsigned) lround (CLAMP (part, 0, 1) * BAR * 8);
  GString *text = g_string_new (NULL);

  for (unsigned i = 0; i < n / 8; i++)
    g_string_append (text, "\u2588");
  g_string_append (text, eighths[n % 8]);
  return g_string_free (text, FALSE);
}

/* The histogram, and what it means to caches: row N is what a cache of N lines
   misses and one of 2 N does not.  */
static void
tell_histogram (const struct telling *telling)
{
  static const struct dg_column more[] = {
    { "reuses", "Reuses", DG_UNIT_COUNT, 0 },
    { "share", "Share", DG_UNIT_PERCENT, DG_COLUMN_TEXT_ONLY },
    { "bar", "of all accesses", DG_UNIT_TEXT,
      DG_COLUMN_TEXT_ONLY | DG_COLUMN_LAST | DG_COLUMN_BAR },
  };
  const size_t n_cache = n_cache_columns (telling);
  struct dg_column columns[CACHE_COLUMNS + G_N_ELEMENTS (more)];
  struct dg_cell cells[G_N_ELEMENTS (columns)];
  struct dg_pair pairs[DG_REUSE_BUCKETS];
  const size_t n = dg_reuse_distance_pairs (&telling->self->hist,
                                            &telling->self->sample, pairs);
  struct dg_rows *rows;

  memcpy (columns, cache_columns, n_cache * sizeof *columns);
  memcpy (columns + n_cache, more, sizeof more);
  columns[0].title = "Distance";
  rows = dg_report_table (telling->report, "curve",
                          "Distances (up to the next row), and misses of a "
                          "cache of that many lines", columns,
                          n_cache + G_N_ELEMENTS (more));
  dg_rows_show_all (rows);
  for (size_t i = 0; i < n; i++) {
    const double part = (double) pairs[i].count / (double) telling->accesses;
    char *text = bar (part);

    cache_cells (telling, pairs[i].key, cells);
    if (pairs[i].key == 0)
      cells[1] = DG_CELL_EMPTY;
    cells[n_cache] = DG_CELL_NUMBER (pairs[i].count);
    cells[n_cache + 1] = DG_CELL_REAL (part);
    cells[n_cache + 2] = *text ? DG_CELL_TEXT (text) : DG_CELL_EMPTY;
    dg_rows_add (rows, cells);
    g_free (text);
  }
}

static void
tell_curve (const struct telling *telling)
{
  struct dg_cell cells[CACHE_COLUMNS];
  struct dg_rows *rows;
  uint64_t last = 0;

  if (!telling->self->is_curve_fine)
    return;
  rows = dg_report_table (telling->report, "mrc", "Miss-ratio curve",
                          cache_columns, n_cache_columns (telling));
  dg_rows_show_all (rows);
  for (unsigned i = 0; i <= 29 * FINE; i++) {
    const uint64_t lines = (uint64_t) llround (exp2 ((double) i / FINE));

    if (lines == last)
      continue;
    last = lines;
    cache_cells (telling, lines, cells);
    dg_rows_add (rows, cells);
    if (dg_reuse_curve_misses (telling->curve, lines).n
        <= scaled (telling->self, telling->self->hist.cold))
      break;
  }
}

/* "0.66 %".  */
static char *
misses_text (const struct telling *telling, uint64_t misses)
{
  char text[DG_NUMBER_TEXT];

  dg_number_text_real (text, sizeof text,
                       100 * (double) misses / (double) telling->accesses, 2);
  return g_strconcat (text, " %", NULL);
}

static void
tell_sentence (const struct telling *telling)
{
  const struct reuse *self = telling->self;
  const struct dg_reuse_misses misses
    = dg_reuse_curve_misses (telling->curve, self->far);
  char size[DG_NUMBER_TEXT], lines[DG_NUMBER_TEXT];
  char *some, *low, *high;

  dg_report_value (telling->report, "far_lines", NULL, DG_UNIT_COUNT,
                   DG_CELL_NUMBER (self->far));
  dg_report_value (telling->report, "far_misses", NULL, DG_UNIT_COUNT,
                   DG_CELL_NUMBER (misses.n));
  if (telling->accesses == 0)
    return;
  dg_number_text_bytes (size, sizeof size,
                        (uint64_t) self->far << self->line_shift);
  dg_number_text (lines, sizeof lines, self->far);
  some = misses_text (telling, misses.n);
  low = misses_text (telling, misses.low);
  high = misses_text (telling, misses.high);
  if (self->sample.rate >= 1)
    dg_report_note (telling->report,
                    "A fully associative cache of %s (%s lines) would miss "
                    "%s of the accesses.", size, lines, some);
  else
    dg_report_note (telling->report,
                    "A fully associative cache of %s (%s lines) would miss "
                    "about %s of the accesses: between %s and %s (three "
                    "standard errors).  A higher --approx is more exact.",
                    size,
                    lines, some, low, high);
  g_free (some);
  g_free (low);
  g_free (high);
}

/* ---- Rows of code or data ---- */

static uint64_t
weigh (const uint64_t *sums, const void *user)
{
  return sums[REUSE_COLD] + sums[REUSE_FAR];
}

static void
fill (const uint64_t *sums, struct dg_cell *cells, const void *user)
{
  const struct telling *telling = user;
  const struct reuse *self = telling->self;
  const uint64_t misses = scaled (self, weigh (sums, NULL));
  const double reuses = (double) sums[REUSE_ACCESSES]
                        - (double) sums[REUSE_COLD] / self->sample.rate;
  const uint64_t all
    = dg_reuse_curve_misses (telling->curve, self->far).n;

  cells[0] = share ((double) misses, (double) all);
  cells[1] = DG_CELL_NUMBER (sums[REUSE_ACCESSES]);
  cells[2] = DG_CELL_NUMBER (scaled (self, sums[REUSE_COLD]));
  cells[3] = DG_CELL_NUMBER (scaled (self, sums[REUSE_FAR]));
  cells[4] = miss_share (misses, sums[REUSE_ACCESSES]);
  cells[5] = share ((double) sums[REUSE_SUM] / self->sample.rate
                      / self->sample.rate,
                    reuses);
}

static int
tell_rows (const struct telling *telling, struct dg_error *err)
{
  static const struct dg_column columns[] = {
    { "share", "Share", DG_UNIT_PERCENT, DG_COLUMN_TEXT_ONLY },
    { "accesses", "Accesses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
    { "cold", "Cold", DG_UNIT_COUNT, 0 },
    { "far", "Far", DG_UNIT_COUNT, 0 },
    { "miss_share", "Miss ratio", DG_UNIT_PERCENT, 0 },
    { "mean", "Mean distance", DG_UNIT_REAL, 0 },
  };
  struct reuse *self = telling->self;
  char size[DG_NUMBER_TEXT], far[DG_NUMBER_TEXT];
  char *title;
  struct dg_breakdown_table table = {.key = "rows",
                                     .columns = columns,
                                     .n_columns = G_N_ELEMENTS (columns),
                                     .fill = fill,
                                     .weigh = weigh,
                                     .user = telling};
  int code;

  dg_number_text (far, sizeof far, self->far);
  dg_number_text_bytes (size, sizeof size,
                        (uint64_t) self->far << self->line_shift);
  title = g_strdup_printf ("Accesses at a distance of %s lines or more, or to "
                           "new lines: misses of a cache of %s", far, size);
  table.title = title;
  code = dg_breakdown_report (self->groups, &table, telling->report, err);
  g_free (title);
  return code;
}

static void
advise (const struct telling *telling)
{
  if (telling->accesses == 0)
    return;
  switch (telling->self->by) {
  case DG_BY_VARIABLE: case DG_BY_SITE:
    dg_report_note (telling->report,
                    "Whether all fetched bytes are used: dg pages.  Which "
                    "fields are used together: dg patterns.  Which code: "
                    "--by=line.");
    break;
  default:
    dg_report_note (telling->report,
                    "Which data: --by=variable, --by=site.  In which pattern: "
                    "dg patterns.  With the sets and levels of a real cache: "
                    "dg cache.");
  }
}

int
reuse_report (void *data, struct dg_report *report, struct dg_error *err)
{
  struct reuse *self = data;
  struct telling telling = {
    .self = self, .report = report, .accesses = self->hist.accesses,
    .curve = dg_reuse_curve_new (&self->hist, &self->sample)
  };
  int code;

  if (!telling.curve)
    return dg_error_nomem (err);
  code = dg_breakdown_take (self->groups, self->sums, err);
  if (code == 0) {
    tell_totals (&telling);
    tell_sizes (&telling);
    tell_sentence (&telling);
    tell_histogram (&telling);
    tell_curve (&telling);
    code = tell_rows (&telling, err);
  }
  if (code == 0)
    code = reuse_report_worst (self, report, err);
  if (code == 0)
    advise (&telling);
  dg_reuse_curve_free (telling.curve);
  return code;
}

/* ---- Intervals ---- */

/* Misses of a cache of so many lines, which is among those of the sample.  */
static uint64_t
misses_of (const struct reuse *self, const struct reuse_sums *sums,
           uint32_t lines)
{
  uint64_t n = 0;
  unsigned i = 0;

  while (i < self->sample.n_edges && self->sample.sizes[i] != lines)
    i++;
  while (i < self->sample.n_edges)
    n += sums->edges[++i];
  return scaled (self, n);
}

static void
interval_cells (const struct reuse *self, const struct reuse_snapshot *of,
                struct dg_pair *histogram, struct dg_pair *misses,
                struct dg_cell *cells)
{
  const struct reuse_sums *sums = &of->sums;
  const uint64_t far = misses_of (self, sums, self->far);
  double reuses = 0;
  size_t n = 0;

  for (unsigned i = 0; i < DG_REUSE_BUCKETS; i++) {
    reuses += (double) sums->buckets[i];
    if (sums->buckets[i] != 0)
      histogram[n++] = (struct dg_pair) {
        dg_reuse_bucket_start (i), scaled (self, sums->buckets[i])
      };
  }
  for (unsigned i = 0; i < self->n_sizes; i++)
    misses[i] = (struct dg_pair) {
      self->sizes[i], misses_of (self, sums, self->sizes[i])
    };
  cells[0] = DG_CELL_NUMBER (of->base.interval);
  cells[1] = DG_CELL_NUMBER (of->base.end_icount);
  cells[2] = DG_CELL_NUMBER (of->base.end_ns);
  cells[2].is_empty = of->base.end_ns == 0;
  cells[3] = DG_CELL_NUMBER (sums->accesses);
  cells[4] = DG_CELL_NUMBER (scaled (self, sums->cold));
  cells[5] = DG_CELL_NUMBER (far);
  cells[6] = miss_share (far, sums->accesses);
  cells[7] = share (sums->sum / self->sample.rate, reuses);
  cells[8] = DG_CELL_PAIRS (histogram, n);
  cells[9] = DG_CELL_PAIRS (misses, self->n_sizes);
}

int
reuse_print (void *data, struct dg_snapshot *const *snapshots, size_t n,
             struct dg_report *report, struct dg_error *err)
{
  static const struct dg_column columns[] = {
    { "interval", "Interval", DG_UNIT_NUMBER, 0 },
    { "end_icount", "Ends at", DG_UNIT_COUNT, 0 },
    { "end_ns", "Time", DG_UNIT_NS, 0 },
    { "accesses", "Accesses", DG_UNIT_COUNT, 0 },
    { "cold", "Cold", DG_UNIT_COUNT, 0 },
    { "far_misses", "Cold and far", DG_UNIT_COUNT, 0 },
    { "miss_share", "Miss ratio", DG_UNIT_PERCENT, 0 },
    { "mean", "Mean distance", DG_UNIT_REAL, 0 },
    { "histogram", "Histogram", DG_UNIT_PAIRS, DG_COLUMN_JSON_ONLY },
    { "misses_by_lines", "Misses", DG_UNIT_PAIRS, DG_COLUMN_JSON_ONLY },
  };
  const struct reuse *self = data;
  struct dg_pair histogram[DG_REUSE_BUCKETS], misses[DG_REUSE_SIZES];
  struct dg_rows *rows
    = dg_report_table (report, "intervals", "Over time", columns,
                       G_N_ELEMENTS (columns));

  dg_rows_show_all (rows);
  for (size_t i = 0; i < n; i++) {
    struct dg_cell cells[G_N_ELEMENTS (columns)];

    interval_cells (self,
                    (const struct reuse_snapshot *) (const void *)
                      snapshots[i],
                    histogram, misses, cells);
    dg_rows_add (rows, cells);
  }
  return 0;
}
