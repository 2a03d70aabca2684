/* tlb.c: dg tlb: hits and misses of the buffers that translate the addresses
   of pages.

   A translation buffer is a cache whose lines are pages.  Each core has its
   own, and nobody takes an entry away.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_run.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "base/number.h"

#define PAGE_MIN 1024
#define PAGE_MAX ((uint64_t) 1 << 30)

static const struct dg_option options[] = {
  { "itlb", DG_OPTION_TEXT, "ENTRIES,WAYS", "128,8", NULL,
    "first level for instructions" },
  { "dtlb", DG_OPTION_TEXT, "ENTRIES,WAYS", "64,4", NULL,
    "first level for data" },
  { "stlb", DG_OPTION_TEXT, "ENTRIES,WAYS", "1536,12", NULL,
    "second level, for both" },
  { "page", DG_OPTION_BYTES, "BYTES", "4Ki", NULL,
    "size of a page: 4Ki, 64Ki, 2Mi, 1Gi" },
  { "replacement", DG_OPTION_CHOICE, "WHICH", "lru", DG_CACHE_POLICIES,
    "replacement policy of all buffers" },
  { "cores", DG_OPTION_TEXT, "N|threads", "1", NULL,
    "cores, each with its own buffers" },
  { "by", DG_OPTION_CHOICE, "WHAT", NULL, DG_BY_CHOICES,
    "break down the misses by this" },
  DG_MINE_OPTIONS,
  { NULL, 0, NULL, NULL, NULL, NULL }
};

static const struct dg_column columns[DG_EVENTS_NINE] = {
  { "fetches", "Fetches", DG_UNIT_COUNT, 0 },
  { "fetch_misses", "ITLB misses", DG_UNIT_COUNT, 0 },
  { "fetch_walks", "Fetch walks", DG_UNIT_COUNT, 0 },
  { "reads", "Reads", DG_UNIT_COUNT, 0 },
  { "read_misses", "Read misses", DG_UNIT_COUNT, 0 },
  { "read_walks", "Read walks", DG_UNIT_COUNT, 0 },
  { "writes", "Writes", DG_UNIT_COUNT, 0 },
  { "write_misses", "Write misses", DG_UNIT_COUNT, 0 },
  { "write_walks", "Write walks", DG_UNIT_COUNT, 0 },
};

/* "64,4" -> a cache of as many pages.  */
static int
choose_shape (const struct dg_setup *setup, const char *name, uint64_t page,
              struct dg_cache_shape *shape, struct dg_error *err)
{
  const char *text = dg_setup_text (setup, name);
  char *what = g_strdup_printf ("--%s=%s", name, text);
  uint64_t entries = 0, ways = 0;
  bool is_good = dg_number_take (&text, ",", DG_QUANTITY_COUNT, &entries)
                 && *text == ',';
  int code;

  if (is_good) {
    text++;
    is_good = dg_number_take (&text, ",", DG_QUANTITY_COUNT, &ways)
              && *text == '\0';
  }
  if (is_good ? entries > UINT32_MAX || ways > UINT32_MAX
              : dg_number_is_too_large (text))
    code = dg_error_set (err, DG_ERR_INVALID, "%s: too large", what);
  else if (!is_good)
    code = dg_error_set (err, DG_ERR_INVALID,
                         "%s: must be ENTRIES,WAYS, such as 64,4", what);
  else {
    *shape = (struct dg_cache_shape) { entries * page, ways, page };
    code = dg_cache_shape_check (shape, PAGE_MIN, what, err);
  }
  g_free (what);
  return code;
}

static int
make (struct dg_setup *setup, struct dg_cache_made *made,
      struct dg_error *err)
{
  uint64_t page = dg_setup_number (setup, "page");
  int code;

  if (page < PAGE_MIN || page > PAGE_MAX || (page & (page - 1)) != 0)
    return dg_error_set (err, DG_ERR_INVALID,
                         "--page=%s: must be a power of two from 1Ki to 1Gi",
                         dg_setup_text (setup, "page"));
  code = choose_shape (setup, "itlb", page, &made->instr, err);
  if (code == 0)
    code = choose_shape (setup, "dtlb", page, &made->data, err);
  if (code == 0)
    code = choose_shape (setup, "stlb", page, &made->lower[0], err);
  if (code < 0)
    return code;
  made->instr_name = "ITLB";
  made->data_name = "DTLB";
  made->lower_names[0] = "STLB";
  made->n_lower = 1;
  made->policy
    = dg_cache_policy_parse (dg_setup_text (setup, "replacement"));
  made->n_cores = dg_cache_cores_parse (
    dg_setup_log (setup), dg_setup_text (setup, "cores"), err);
  made->by = dg_by_parse (dg_setup_text (setup, "by"));
  return made->n_cores > 0 ? 0 : DG_ERR_INVALID;
}

static const struct dg_cache_words words = {
  .columns = columns,
  .levels_title = "TLBs",
  .totals_title = "Hits and misses",
  .data_title = "DTLB misses",
  .last_title = "Page walks"
};

static void *
create (struct dg_setup *setup, struct dg_error *err)
{
  struct dg_cache_made made = { .words = &words };

  return make (setup, &made, err) < 0 ? NULL
                                      : dg_cache_run_new (setup, &made, err);
}

static int
report (void *self, struct dg_report *report, struct dg_error *err)
{
  struct dg_cache_run *run = self;
  int code = dg_cache_run_take (run, NULL, NULL, err);

  if (code < 0)
    return code;
  dg_cache_tell_totals (run, report);
  if (run->plan.groups != NULL)
    return dg_cache_tell_rows (run, report, err);
  dg_report_note (report,
                  "Who misses: --by=function, line, variable or site.  With "
                  "larger pages: --page=2Mi.  How many pages are in use at a "
                  "time: dg pages.");
  return 0;
}

const struct dg_analysis dg_analysis_tlb = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "tlb",
  .summary = "Simulates TLBs: hits and misses, and who causes them",
  .options = options,
  .needs_blocks = dg_breakdown_needs_blocks,
  .pass_blocks = dg_setup_pass_no_blocks,
  .create = create,
  .report = report,
  DG_CACHE_RUN_OPERATIONS};
