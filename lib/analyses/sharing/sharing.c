/* sharing.c: "dg sharing": which variables threads share, how evenly, from
   which lines of code, and which only share a cache line.

   A pass before the others finds the cache lines that several threads touch
   (shared_lines.c); everything else is passed over.  Accesses to these are
   counted by address and thread (sharing_cells.c) until the variable there
   ends, then by address, variable and thread, in a table of each worker
   (sharing_worker.c), which is emptied into common sums when it is full
   (sharing_counts.c).  Variables on stacks come and go too fast, and
   instructions are too many, so that these go to the table at once.  How lines
   went from thread to thread depends on the order: chunks note it
   (sharing_feed.c), and are put together in theirs.  How they would go does
   not: accesses are added up by line, thread, phase and bytes (contention.c).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing.h"

#include "analysis/analysis.h"
#include "analysis/breakdown.h"
#include "base/error.h"

/* Keys that "--addresses" allows, at least.  */
#define FEWEST 1000

static const struct dg_option options[] = {
  { "uniform", DG_OPTION_FLAG, NULL, NULL, NULL,
    "show only what is shared evenly: the busiest thread has less than twice "
    "the accesses of the second" },
  { "variable", DG_OPTION_TEXT, "NAME", NULL, NULL,
    "show only the variable of this name, or all of its fields" },
  { "by", DG_OPTION_CHOICE, "line", NULL, "line",
    "also show the lines of code, each with the variable that it accesses" },
  DG_MINE_OPTIONS,
  { "false", DG_OPTION_FLAG, NULL, NULL, NULL,
    "also show falsely shared cache lines" },
  { "libraries", DG_OPTION_FLAG, NULL, NULL, NULL,
    "also show memory of the C library, the dynamic linker and other runtime "
    "libraries" },
  { "addresses", DG_OPTION_NUMBER, "N", "4M", NULL,
    "keep at most N counts, of 10 to 30 bytes each; beyond that, addresses "
    "are merged" },
  { NULL }
};

/* ---- Making ------------------------------------------------------------- */

static void
sharing_free (void *self)
{
  struct sharing *sharing = self;

  sharing_sums_fini (&sharing->sums);
  sharing_lines_fini (&sharing->lines);
  sharing_turns_fini (&sharing->turns);
  dg_contention_free (sharing->contention);
  dg_phases_free (sharing->phases);
  dg_thread_stacks_free (sharing->stacks);
  dg_units_free (sharing->units);
  g_mutex_clear (&sharing->lock);
  g_free (sharing);
}

/* The pass before the others, once for all windows of a sample, and what is
   needed for the next one.  */
static int
find_shared_lines (struct sharing *sharing, struct dg_setup *setup,
                   struct dg_error *err)
{
  struct dg_services *services = setup->services;
  struct dg_symbols *symbols;
  struct dg_frames *frames;
  int code;

  if (services->has_shared_lines) {
    sharing->shared_lines = services->shared_lines;
    if (sharing->shared_lines.n_lines > 0)
      sharing->variables = dg_setup_variables (setup, err);
    return sharing->variables != NULL || sharing->shared_lines.n_lines == 0
             ? 0 : DG_ERR_NOMEM;
  }
  symbols = dg_setup_symbols (setup, err);
  frames = symbols != NULL ? dg_frames_begin (sharing->log, symbols, err)
                           : NULL;
  if (frames == NULL)
    return DG_ERR_NOMEM;
  code = dg_shared_lines_find (&services->shared_lines, sharing->log, frames,
                               dg_setup_workers (setup), services->pace,
                               services->pace_user, err);
  services->has_shared_lines = code == 0;
  sharing->shared_lines = services->shared_lines;
  if (code == 0 && sharing->shared_lines.n_lines > 0) {
    sharing->variables = dg_setup_variables (setup, err);
    if (sharing->variables != NULL) {
      dg_variables_give_frames (sharing->variables, frames);
      return 0;
    }
    code = DG_ERR_NOMEM;
  }
  dg_frames_free (frames);
  return code;
}

/* What --false needs.  */
static int
make_contention (struct sharing *sharing, struct dg_error *err)
{
  if (!sharing->wants_false)
    return 0;
  sharing->phases = dg_phases_new (sharing->log, err);
  if (sharing->phases == NULL)
    return DG_ERR_NOMEM;
  sharing->contention = dg_contention_new ((uint32_t) sharing->sums.most);
  return sharing->contention != NULL ? 0 : dg_error_nomem (err);
}

/* Lines of code, and sites, are to be mine.  */
static int
make_units (struct sharing *sharing, struct dg_setup *setup,
            struct dg_error *err)
{
  const struct dg_mine *mine;

  if (dg_setup_mine (setup, &mine, err) < 0)
    return DG_ERR_NOMEM;
  if (mine == NULL)
    return 0;
  sharing->units = dg_units_new (sharing->log, sharing->symbols, mine, err);
  return sharing->units != NULL ? 0 : DG_ERR_NOMEM;
}

static void *
sharing_create (struct dg_setup *setup, struct dg_error *err)
{
  struct sharing *sharing = g_new0 (struct sharing, 1);
  uint64_t most = dg_setup_number (setup, "addresses");

  sharing->log = dg_setup_log (setup);
  sharing->variable = dg_setup_text (setup, "variable");
  sharing->is_uniform = dg_setup_flag (setup, "uniform");
  sharing->by_line = dg_setup_has (setup, "by");
  sharing->wants_false = dg_setup_flag (setup, "false");
  /* --variable shows a variable also if it belongs to a runtime library.  */
  sharing->has_runtime = dg_setup_flag (setup, "libraries")
                         || sharing->variable != NULL;
  sharing->is_sampled = dg_setup_is_sampled (setup);
  sharing->is_restricted = dg_setup_is_filtered (setup);
  sharing->by_instruction = sharing->by_line || sharing->wants_false;
  g_mutex_init (&sharing->lock);
  sharing->stacks = dg_thread_stacks_new (sharing->log);
  sharing->sums.most = CLAMP (most, FEWEST, UINT32_MAX / 4);
  sharing->lines.most_users = (uint32_t) (sharing->sums.most / 4);
  sharing->symbols = dg_setup_symbols (setup, err);
  if (sharing->stacks == NULL)
    dg_error_nomem (err);
  if (sharing->symbols == NULL || sharing->stacks == NULL
      || make_units (sharing, setup, err) < 0
      || make_contention (sharing, err) < 0
      || find_shared_lines (sharing, setup, err) < 0) {
    sharing_free (sharing);
    return NULL;
  }
  return sharing;
}

static int
sharing_plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  struct sharing *sharing = self;

  (void) err;
  plan->view = DG_VIEW_RUNS;
  plan->shard = DG_SHARD_CHUNK;
  /* Without shared lines there is nothing to look at.  */
  plan->needs_addresses = sharing->variables != NULL;
  plan->needs_contexts = sharing->variables != NULL;
  plan->takes_alike = sharing->variables == NULL;
  return 0;
}

const struct dg_analysis dg_analysis_sharing = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "sharing",
  .summary = "Shows which variables threads share, and which only share a "
             "cache line",
  .details =
    "Rows are addresses that more than one thread accessed while the same\n"
    "variable was there.  With --by=line, also the lines of code.\n"
    "With --false, also cache lines that threads lose to writes of bytes\n"
    "that they do not use.\n",
  .options = options,
  .pass_blocks = dg_setup_pass_no_blocks,
  .create = sharing_create,
  .plan = sharing_plan,
  .worker_new = sharing_worker_new,
  .shard_new = sharing_shard_new,
  .shard_feed = sharing_shard_feed,
  .shard_end = sharing_shard_end,
  .merge = sharing_shard_merge,
  .shard_free = sharing_shard_free,
  .worker_merge = sharing_worker_merge,
  .worker_free = sharing_worker_free,
  .report = sharing_report,
  .free = sharing_free,
};
