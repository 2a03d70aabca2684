/* cache_coherence.c: who took lines from whom, where that cost misses, and
   what fetching ahead was good for.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_run.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/error.h"
#include "base/path.h"
#include "symbols/frame_text.h"
#include "variables/variables.h"

/* ---- Cores ------------------------------------------------------------ */

/* The thread that a core is for; NULL: it is for several.  */
static const struct dg_thread *
thread_of (const struct dg_cache_run *run, uint32_t core)
{
  size_t n;
  const struct dg_thread *threads = dg_log_threads (run->log, &n);

  return n <= run->made.n_cores && core < n ? &threads[core] : NULL;
}

/* A core that has one thread is called by it.  */
static char *
core_name (const struct dg_cache_run *run, uint32_t core)
{
  const struct dg_thread *thread = thread_of (run, core);

  if (thread == NULL)
    return g_strdup_printf ("core %" PRIu32, core);
  if (thread->name[0] == '\0')
    return g_strdup_printf ("thread %" PRIu32, thread->number);
  return g_strdup_printf ("thread %" PRIu32 " (%s)", thread->number,
                          thread->name);
}

/* That of its thread, or its own.  */
static uint32_t
core_number (const struct dg_cache_run *run, uint32_t core)
{
  const struct dg_thread *thread = thread_of (run, core);

  return thread != NULL ? thread->number : core;
}

/* The numbers of those in the set, as pairs of a DG_UNIT_LIST.  */
static GArray *
core_numbers (const struct dg_cache_run *run, const uint64_t *cores)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (struct dg_pair));
  uint32_t i;

  for (i = 0; i < run->made.n_cores; i++)
    if ((cores[i / 64] >> i % 64 & 1) != 0) {
      struct dg_pair pair = { core_number (run, i), 0 };

      g_array_append_val (numbers, pair);
    }
  return numbers;
}

static struct dg_cell
list_cell (const GArray *numbers)
{
  return DG_CELL_PAIRS ((const struct dg_pair *) (void *) numbers->data,
                        numbers->len);
}

struct taken { uint32_t writer, sufferer; uint64_t n; };

static int
compare_taken (const void *a, const void *b)
{
  const struct taken *x = a, *y = b;

  return DG_COMPARE (y->n, x->n)
         ?: DG_COMPARE (x->writer, y->writer)
         ?: DG_COMPARE (x->sufferer, y->sufferer);
}

static void
tell_taken (const struct dg_cache_run *run,
            const struct dg_cache_private *caches, struct dg_report *report)
{
  static const struct dg_column columns[] = {
    { "invalidations", "Lines", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
    { "writer", "", DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY },
    { "sufferer", "", DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY },
    { "", "Taken by", DG_UNIT_TEXT, DG_COLUMN_TEXT_ONLY },
    { "", "From", DG_UNIT_TEXT, DG_COLUMN_TEXT_ONLY | DG_COLUMN_LAST },
  };
  struct dg_rows *rows
    = dg_report_table (report, "taken", "Lines taken, by core", columns,
                       G_N_ELEMENTS (columns));
  uint32_t n = run->made.n_cores, i, j;
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct taken));

  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      struct taken taken = { i, j, dg_cache_private_taken (caches, i, j) };
      if (taken.n > 0)
        g_array_append_val (all, taken);
    }
  g_array_sort (all, compare_taken);
  for (i = 0; i < all->len; i++) {
    const struct taken *taken = &g_array_index (all, struct taken, i);
    char *writer = core_name (run, taken->writer);
    char *sufferer = core_name (run, taken->sufferer);
    struct dg_cell cells[] = { DG_CELL_NUMBER (taken->n),
                               DG_CELL_NUMBER (core_number (run,
                                                            taken->writer)),
                               DG_CELL_NUMBER (core_number (run,
                                                            taken->sufferer)),
                               DG_CELL_TEXT (writer),
                               DG_CELL_TEXT (sufferer) };
    dg_rows_add (rows, cells);
    g_free (writer);
    g_free (sufferer);
  }
  g_array_free (all, TRUE);
}

/* ---- Lines ------------------------------------------------------------ */

static int
compare_lines (const void *a, const void *b)
{
  const struct dg_cache_private_line
    *x = *(const struct dg_cache_private_line *const *) a,
    *y = *(const struct dg_cache_private_line *const *) b;

  return DG_COMPARE (y->misses, x->misses)
         ?: DG_COMPARE (y->invalidations, x->invalidations)
         ?: DG_COMPARE (x->line, y->line);
}

/* Where an access was made: "worker (main.c:12)".  */
static char *
describe_code (struct dg_setup *setup, const struct dg_access *access,
               bool is_short)
{
  struct dg_symbols *symbols = dg_setup_symbols (setup, NULL);
  struct dg_frame frame;

  if (access->size == 0 || symbols == NULL)
    return g_strdup ("");
  dg_symbols_frames (symbols, access->instruction, access->icount, &frame, 1);
  if (!is_short || frame.file == NULL)
    return dg_frame_text (&frame, access->instruction);
  return g_strdup_printf ("%s:%" PRIu32, dg_path_base (frame.file),
                          frame.line);
}

static const char *
name_of (struct dg_variables *variables, const struct dg_access *access,
         uint32_t number)
{
  return access->size != 0 ? dg_variables_named (variables, number)->name
                           : NULL;
}

/* "table (main.c:12)"; and what was missed, if it is anything else.  */
static char *
describe_line (struct dg_setup *setup,
               const struct dg_cache_private_line *line, const char *written,
               const char *missed)
{
  char *write = describe_code (setup, &line->write, true);
  char *miss = describe_code (setup, &line->miss, true), *text;

  if (missed == NULL)
    text = g_strdup_printf ("%s (%s)", written, write);
  else if (g_strcmp0 (written, missed) == 0)
    text = g_strdup_printf ("%s (%s, missed in %s)", written, write, miss);
  else
    text = g_strdup_printf ("%s (%s), missed: %s (%s)", written, write,
                            missed, miss);
  g_free (write);
  g_free (miss);
  return text;
}

/* numbers: of the variables that were written and missed.  */
static void
tell_line (const struct dg_cache_run *run,
           const struct dg_cache_private_line *line, const uint32_t *numbers,
           struct dg_variables *variables, struct dg_rows *rows)
{
  const char *written = name_of (variables, &line->write, numbers[0]);
  const char *missed = name_of (variables, &line->miss, numbers[1]);
  GArray *writers = core_numbers (run, line->writers);
  GArray *sufferers = core_numbers (run, line->sufferers);
  char *texts[] = {
    describe_code (run->setup, &line->write, false),
    describe_code (run->setup, &line->miss, false),
    describe_line (run->setup, line, written, missed)
  };
  struct dg_cell cells[] = {
    DG_CELL_NUMBER (line->misses),
    DG_CELL_NUMBER (line->invalidations),
    DG_CELL_NUMBER (line->line << run->plan.data_bits),
    list_cell (writers),
    list_cell (sufferers),
    DG_CELL_TEXT (written),
    DG_CELL_TEXT (texts[0]),
    DG_CELL_TEXT (missed),
    DG_CELL_TEXT (texts[1]),
    DG_CELL_TEXT (texts[2])
  };
  unsigned i;

  dg_rows_add (rows, cells);
  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  g_array_unref (writers);
  g_array_unref (sufferers);
}

/* Two numbers of each line, to be freed.  NULL and *err on failure.  */
static uint32_t *
find_variables (struct dg_variables *variables,
                const struct dg_cache_private_line *const *lines, size_t n,
                struct dg_error *err)
{
  struct dg_access *accesses = g_try_new (struct dg_access, 2 * n + 1);
  uint32_t *numbers = g_try_new (uint32_t, 2 * n + 1);
  int code = accesses != NULL && numbers != NULL ? 0 : dg_error_nomem (err);

  for (size_t i = 0; i < n && code == 0; i++) {
    accesses[2 * i] = lines[i]->write;
    accesses[2 * i + 1] = lines[i]->miss;
  }
  if (code == 0)
    code = dg_finder_all (variables, accesses, 2 * n, numbers, err);
  g_free (accesses);
  if (code < 0)
    g_clear_pointer (&numbers, g_free);
  return numbers;
}

static int
tell_lines (struct dg_cache_run *run, const struct dg_cache_private *caches,
            struct dg_report *report, struct dg_error *err)
{
  static const struct dg_column columns[] = {
    { "coherence_misses", "Misses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
    { "invalidations", "Taken", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
    { "address", "Line", DG_UNIT_ADDRESS, DG_COLUMN_ID },
    { "writers", "Writers", DG_UNIT_LIST, 0 },
    { "sufferers", "Missed by", DG_UNIT_LIST, 0 },
    { "written_variable", "", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
    { "written_from", "", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
    { "missed_variable", "", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
    { "missed_from", "", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
    { "", "Written last", DG_UNIT_TEXT,
      DG_COLUMN_TEXT_ONLY | DG_COLUMN_LAST },
  };
  struct dg_variables *variables = dg_setup_variables (run->setup, err);
  const struct dg_cache_private_line **sorted, *lines;
  uint32_t *numbers;
  struct dg_rows *rows;
  size_t n, i;

  if (variables == NULL)
    return DG_ERR_NOMEM;
  lines = dg_cache_private_lines (caches, &n);
  sorted = g_try_new (const struct dg_cache_private_line *, n + 1);
  if (sorted == NULL)
    return dg_error_nomem (err);
  for (i = 0; i < n; i++)
    sorted[i] = &lines[i];
  qsort (sorted, n, sizeof *sorted, compare_lines);
  numbers = find_variables (variables, sorted, n, err);
  if (numbers == NULL) {
    g_free (sorted);
    return DG_ERR_NOMEM;
  }
  rows = dg_report_table (report, "line_list", "Lines that bounce between "
                                               "cores",
                          columns, G_N_ELEMENTS (columns));
  for (i = 0; i < n; i++)
    tell_line (run, sorted[i], &numbers[2 * i], variables, rows);
  g_free (numbers);
  g_free (sorted);
  return 0;
}

/* ---- All of it -------------------------------------------------------- */

static void
tell_prefetches (const struct dg_cache_run *run,
                 const struct dg_cache_private_counts *counts,
                 struct dg_report *report)
{
  const struct dg_cache_lower_counts *lower =
    dg_cache_lower_counts (run->plan.lower);

  dg_report_begin (report, "prefetch", "Lines prefetched");
  dg_report_total (report, "prefetches", "Fetched", DG_UNIT_COUNT,
                   counts->prefetches);
  dg_report_total (report, "useful", "used later", DG_UNIT_COUNT,
                   counts->useful);
  dg_report_total (report, "useless", "evicted unused", DG_UNIT_COUNT,
                   counts->useless);
  dg_report_count (report, "left", "still unused at the end",
                   counts->prefetches - counts->useful - counts->useless);
  dg_report_total (report, "from_memory", "missed in the last level, too",
                   DG_UNIT_COUNT,
                   lower->misses[run->made.n_lower - 1][DG_MISS_PREFETCH]);
  dg_report_end (report);
}

int
dg_cache_tell_private (struct dg_cache_run *run, struct dg_report *report,
                       struct dg_error *err)
{
  const struct dg_cache_private *caches = dg_cache_run_private (run);
  const struct dg_cache_private_counts *counts;
  uint64_t totals[DG_EVENTS];
  int code = 0;

  if (caches == NULL)
    return 0;
  counts = dg_cache_private_counts (caches);
  dg_cache_run_totals (run, totals);
  if (run->made.has_prefetch)
    tell_prefetches (run, counts, report);
  if (run->made.n_cores < 2)
    return 0;
  dg_report_begin (report, "coherence", "Coherence");
  dg_report_total (report, "coherence_misses",
                   "Misses of lines that another core took", DG_UNIT_COUNT,
                   totals[DG_EV_COHERENCE]);
  dg_report_total (report, "invalidations", "Lines taken", DG_UNIT_COUNT,
                   totals[DG_EV_INVALIDATIONS]);
  dg_report_total (report, "upgrades", "Writes to shared lines",
                   DG_UNIT_COUNT, counts->upgrades);
  dg_report_total (report, "transfers", "Misses of lines that another core "
                                        "modified",
                   DG_UNIT_COUNT, counts->transfers);
  tell_taken (run, caches, report);
  if (totals[DG_EV_INVALIDATIONS] > 0)
    code = tell_lines (run, caches, report, err);
  dg_report_end (report);
  dg_report_note (report,
                  "Valgrind runs one thread at a time, for about 100,000 "
                  "superblocks each.  Threads that run in parallel make "
                  "lines bounce far more often: dg sharing shows which lines "
                  "may.");
  if (counts->lines_lost > 0)
    dg_report_note (report,
                    "%" PRIu64 " transfers are of lines that are not in the "
                    "table, which has the first %d lines.",
                    counts->lines_lost, DG_CACHE_PRIVATE_LINES);
  return code;
}
