/* cache.c: dg cache: hits and misses of a hierarchy of caches.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analysis/analysis.h"
#include "cache_annotate.h"
#include "cache_callgrind.h"
#include "cache_levels.h"
#include "cache_run.h"
#include "dg_traffic.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"

/* Of --annotate.  */
#define LEAST_DEFAULT 0.01

static const struct dg_option options[] = {
  DG_TRAFFIC_OPTIONS,
  { "replacement", DG_OPTION_CHOICE, "WHICH", "lru", DG_CACHE_POLICIES,
    "replacement policy of all caches" },
  { "prefetch", DG_OPTION_CHOICE, "HOW", "none", "none,next-line",
    "prefetcher of D1" },
  { "cores", DG_OPTION_TEXT, "N|threads", "1", NULL,
    "cores, each with its own I1 and D1" },
  { "by", DG_OPTION_CHOICE, "WHAT", NULL, DG_BY_CHOICES,
    "break down the misses by this" },
  DG_MINE_OPTIONS,
  { "annotate", DG_OPTION_FLAG, NULL, NULL, NULL,
    "show source files with the counts of each line" },
  { "annotate-least", DG_OPTION_REAL, "SHARE", G_STRINGIFY (LEAST_DEFAULT),
    NULL,
    "only files with at least this share of the cost" },
  { "callgrind-out", DG_OPTION_FILE, "FILE", NULL, NULL,
    "write a file for KCachegrind and callgrind_annotate" },
  { NULL, 0, NULL, NULL, NULL, NULL }
};

static const struct dg_column columns[DG_EVENTS] = {
  { "Ir", "Ir", DG_UNIT_COUNT, 0 },
  { "I1mr", "I1mr", DG_UNIT_COUNT, 0 },
  { "ILmr", "ILmr", DG_UNIT_COUNT, 0 },
  { "Dr", "Dr", DG_UNIT_COUNT, 0 },
  { "D1mr", "D1mr", DG_UNIT_COUNT, 0 },
  { "DLmr", "DLmr", DG_UNIT_COUNT, 0 },
  { "Dw", "Dw", DG_UNIT_COUNT, 0 },
  { "D1mw", "D1mw", DG_UNIT_COUNT, 0 },
  { "DLmw", "DLmw", DG_UNIT_COUNT, 0 },
  { "coherence_misses", "Coherence", DG_UNIT_COUNT, 0 },
  { "invalidations", "Invalidations", DG_UNIT_COUNT, 0 },
};

/* Sources and callgrind's file need figures by code, which any table of code
   can be made of, too.  */
static int
make_by (struct dg_setup *setup, struct dg_cache_made *made,
         struct dg_error *err)
{
  bool is_code = dg_setup_flag (setup, "annotate")
                 || dg_setup_has (setup, "callgrind-out");

  if (!dg_setup_flag (setup, "annotate")
      && dg_setup_real (setup, "annotate-least") != LEAST_DEFAULT)
    return dg_error_set (err, DG_ERR_INVALID,
                         "--annotate-least needs --annotate");
  made->by = dg_by_parse (dg_setup_text (setup, "by"));
  made->by_context = dg_setup_has (setup, "callgrind-out");
  if (is_code && made->by == DG_BY_NOTHING)
    made->by = DG_BY_LINE;
  if (is_code && !dg_by_is_code (made->by))
    return dg_error_set (err, DG_ERR_INVALID,
                         "--annotate and --callgrind-out show code: they "
                         "cannot be combined with --by=%s",
                         dg_setup_text (setup, "by"));
  return 0;
}

static int
make (struct dg_setup *setup, struct dg_cache_made *made,
      struct dg_error *err)
{
  int code = dg_cache_levels_make (setup, made, err);

  if (code < 0)
    return code;
  made->policy
    = dg_cache_policy_parse (dg_setup_text (setup, "replacement"));
  made->has_prefetch
    = strcmp (dg_setup_text (setup, "prefetch"), "none") != 0;
  made->n_cores = dg_cache_cores_parse (
    dg_setup_log (setup), dg_setup_text (setup, "cores"), err);
  made->is_coherent = true;
  return made->n_cores > 0 ? make_by (setup, made, err) : DG_ERR_INVALID;
}

/* Lines that bounce between cores are named.  */
static bool
needs_blocks (const struct dg_setup *setup)
{
  return strcmp (dg_setup_text (setup, "cores"), "1") != 0
         || dg_breakdown_needs_blocks (setup);
}

static const struct dg_cache_words words = {
  .columns = columns,
  .levels_title = "Caches",
  .totals_title = "Hits and misses",
  .data_title = "D1 misses",
  .last_title = "LL misses"
};

static void *
create (struct dg_setup *setup, struct dg_error *err)
{
  struct dg_cache_made made = { .words = &words };

  return make (setup, &made, err) < 0 ? NULL
                                      : dg_cache_run_new (setup, &made, err);
}

/* ---- Report ----------------------------------------------------------- */

static void
describe (GString *text, const char *name, const struct dg_cache_shape *shape)
{
  g_string_append_printf (
    text,
    "desc: %s cache: %" PRIu64 " B, %" PRIu32 " B, %" PRIu32
    "-way associative\n",
    name, shape->size, shape->line, shape->assoc);
}

static int
write_callgrind (const struct dg_cache_run *run,
                 struct dg_cache_callgrind *out, struct dg_report *report,
                 struct dg_error *err)
{
  const struct dg_cache_made *made = &run->made;
  FILE *file = dg_report_file (
    report, dg_setup_text (run->setup, "callgrind-out"), err);
  GString *levels;
  unsigned i;

  if (file == NULL)
    return DG_ERR_IO;
  levels = g_string_new (NULL);
  describe (levels, made->instr_name, &made->instr);
  describe (levels, made->data_name, &made->data);
  for (i = 0; i < made->n_lower; i++)
    describe (levels, made->lower_names[i], &made->lower[i]);
  if (run->plan.is_windowed)
    g_string_append (levels, "desc: Sample: counts are those of the recorded "
                             "windows; misses are estimates, of which dg "
                             "cache has the limits\n");
  dg_cache_callgrind_write (out, levels->str, file);
  g_string_free (levels, TRUE);
  return 0;
}

/* Takes what was found; for callgrind's file, as it comes.  */
static int
take (struct dg_cache_run *run, struct dg_report *report,
      struct dg_error *err)
{
  struct dg_cache_callgrind *out;
  struct dg_symbols *symbols;
  int code;

  if (!run->made.by_context)
    return dg_cache_run_take (run, NULL, NULL, err);
  symbols = dg_setup_symbols (run->setup, err);
  if (symbols == NULL)
    return DG_ERR_NOMEM;
  out = dg_cache_callgrind_new (run->log, symbols);
  code = dg_cache_run_take (run, dg_cache_callgrind_add, out, err);
  if (code == 0)
    code = write_callgrind (run, out, report, err);
  dg_cache_callgrind_free (out);
  return code;
}

/* What one would ask next.  */
static void
tell_next (const struct dg_cache_run *run, struct dg_report *report)
{
  uint64_t totals[DG_EVENTS];

  dg_cache_run_totals (run, totals);
  if (totals[DG_EV_IR] == 0 || dg_setup_has (run->setup, "by")
      || dg_setup_flag (run->setup, "annotate"))
    return;
  dg_report_note (report,
                  "Who misses: --by=function, line, variable or site; beside "
                  "the source: --annotate.  How large a cache would have to "
                  "be: dg reuse; why accesses miss: dg patterns; TLB misses: "
                  "dg tlb.");
}

static int
report (void *self, struct dg_report *report, struct dg_error *err)
{
  struct dg_cache_run *run = self;
  int code = take (run, report, err);

  if (code < 0)
    return code;
  dg_cache_tell_totals (run, report);
  code = dg_cache_tell_private (run, report, err);
  if (code == 0 && dg_setup_has (run->setup, "by"))
    code = dg_cache_tell_rows (run, report, err);
  if (code == 0 && dg_setup_flag (run->setup, "annotate"))
    code = dg_cache_annotate (
      run, dg_setup_real (run->setup, "annotate-least"), report, err);
  tell_next (run, report);
  return code;
}

const struct dg_analysis dg_analysis_cache = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "cache",
  .summary = "Simulates caches: hits and misses, and who causes them",
  .options = options,
  .needs_blocks = needs_blocks,
  .pass_blocks = dg_setup_pass_no_blocks,
  .create = create,
  .report = report,
  DG_CACHE_RUN_OPERATIONS};
