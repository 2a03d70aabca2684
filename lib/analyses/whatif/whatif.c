/* whatif.c: `dg whatif`: what a change of the program would bring.

   The log is executed twice by the model of lib/time: as it is, and with the
   addresses and instructions that the changed program would have.  Each of
   the two is a shard, so that they run side by side.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "whatif.h"

#include <stdlib.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "time/time_choice.h"

static const struct dg_option options[] = {
  { "soa", DG_OPTION_TEXT, "TYPE", NULL, NULL,
    "an array for each field, instead of one of all" },
  { "split", DG_OPTION_TEXT, "TYPE:A,B", NULL, NULL,
    "fields A and B stay together, the others are elsewhere" },
  { "order", DG_OPTION_TEXT, "TYPE:A,B,C", NULL, NULL,
    "the fields in this order, others after them" },
  { "pack", DG_OPTION_TEXT, "TYPE", NULL, NULL,
    "the fields in the order that needs least padding" },
  { "narrow", DG_OPTION_TEXT, "TYPE.A:BYTES", NULL, NULL,
    "field A takes this number of bytes" },
  { "pad", DG_OPTION_TEXT, "WHAT:BYTES", NULL, NULL,
    "the size of elements becomes a multiple; BYTES/ROW: rows get more" },
  { "align", DG_OPTION_TEXT, "WHAT:BYTES", NULL, NULL,
    "objects begin at a multiple of this number of bytes" },
  { "pool", DG_OPTION_TEXT, "WHAT[:use]", NULL, NULL,
    "blocks side by side, as they are allocated, or first used" },
  { "page", DG_OPTION_TEXT, "WHAT:2Mi", NULL, NULL,
    "objects are on pages of 2 MiB" },
  { "first-touch", DG_OPTION_TEXT, "WHAT:by-user", NULL, NULL,
    "pages are memory of the node of the thread that uses them" },
  { "remove-writes", DG_OPTION_TEXT, "WHERE", NULL, NULL,
    "the writes of a line or function are not made" },
  { "remove", DG_OPTION_TEXT, "WHERE", NULL, NULL,
    "a line or function is not executed" },
  { "in-l1", DG_OPTION_TEXT, "WHERE", NULL, NULL,
    "a line or function finds all its data in the first-level cache" },
  { "in-order", DG_OPTION_TEXT, "WHERE", NULL, NULL,
    "accesses go along consecutive addresses" },
  { "exchange", DG_OPTION_TEXT, "WHERE", NULL, NULL,
    "as --in-order, and no result waits for the one before" },
  { "in-register", DG_OPTION_TEXT, "WHERE", NULL, NULL,
    "a register has what a line or function reads and writes" },
  { "predicted", DG_OPTION_TEXT, "WHERE", NULL, NULL,
    "all branches of a line or function are predicted" },
  { "machine", DG_OPTION_TEXT, "NAME[,FIGURE=N...]", NULL, NULL,
    "the processor, or 'host' (default: zen5, neoverse-v2 for arm64)" },
  { "by", DG_OPTION_CHOICE, "WHAT", "line",
    DG_BY_CHOICES, "one row per line, function, variable ..." },
  DG_MINE_OPTIONS,
  { "sample", DG_OPTION_NUMBER, "N", "1", NULL,
    "execute one stretch in N" },
  { NULL }
};

static void
whatif_free (void *data)
{
  struct dg_whatif *self = data;

  for (unsigned i = 0; i < DG_WHATIF_SIDES; i++)
    dg_breakdown_sums_free (self->sums[i]);
  dg_breakdown_free (self->groups);
  dg_whatif_targets_fini (&self->targets);
  dg_whatif_code_fini (&self->code);
  dg_units_free (self->units);
  dg_table_fini (&self->steps);
  g_free (self);
}

static bool
changes (const struct dg_whatif *self, uint32_t site)
{
  return self->targets.sites[site].layout != NULL
         || self->targets.sites[site].members != NULL;
}

static int
add_step (struct dg_whatif *self, const struct dg_block_step *from,
          uint32_t site)
{
  struct dg_whatif_step *step = dg_table_add (&self->steps, sizeof *step);

  if (step == NULL)
    return DG_ERR_NOMEM;
  step->icount = from->is_free ? from->block.free_icount
                               : from->block.alloc_icount;
  step->address = from->block.address;
  step->size = from->block.size;
  step->site = site;
  step->is_free = from->is_free;
  return 0;
}

/* Lists the allocations and frees of the blocks that change.  */
static int
list_steps (struct dg_whatif *self, struct dg_error *err)
{
  struct dg_variables *variables;
  struct dg_block_reader *reader;
  struct dg_block_step step;
  int code;

  if (self->targets.list->len == 0)
    return 0;
  variables = dg_setup_variables (self->setup, err);
  reader = variables != NULL
             ? dg_block_reader_new (dg_setup_log (self->setup), err) : NULL;
  if (reader == NULL)
    return DG_ERR_NOMEM;
  while ((code = dg_block_reader_next (reader, &step, err)) > 0) {
    uint32_t site =
      dg_variables_stack_site (variables, &step.block.alloc_stack);

    if (changes (self, site) && add_step (self, &step, site) < 0) {
      code = dg_error_nomem (err);
      break;
    }
  }
  dg_block_reader_free (reader);
  return code;
}

/* Sets the units that tell which code belongs to a WHERE: those of the rows,
   or, if rows are not by code, units made for this.  */
static int
make_units (struct dg_whatif *self, struct dg_symbols *symbols,
            struct dg_error *err)
{
  const struct dg_mine *mine;

  self->code.units = dg_breakdown_units (self->groups);
  if (self->code.units != NULL)
    return 0;
  if (dg_setup_mine (self->setup, &mine, err) < 0)
    return DG_ERR_NOMEM;
  if (mine == NULL)
    return 0;
  self->units =
    dg_units_new (dg_setup_log (self->setup), symbols, mine, err);
  self->code.units = self->units;
  return self->units != NULL ? 0 : DG_ERR_NOMEM;
}

static int
check_nodes (const struct dg_whatif *self, struct dg_error *err)
{
  if (self->machine.nodes > 1 || !dg_setup_has (self->setup, "first-touch"))
    return 0;
  return dg_error_set (err, DG_ERR_INVALID,
                       "--first-touch needs a processor with several nodes, "
                       "such as --machine=%s,nodes=2", self->machine.name);
}

static int
start (struct dg_whatif *self, struct dg_error *err)
{
  struct dg_symbols *symbols = dg_setup_symbols (self->setup, err);
  int code;

  if (symbols == NULL)
    return DG_ERR_NOMEM;
  code = dg_whatif_code_init (&self->code, self->setup, symbols, err);
  if (code == 0)
    code = dg_whatif_targets_init (&self->targets, self->setup, err);
  if (code == 0)
    code = check_nodes (self, err);
  if (code == 0)
    code = list_steps (self, err);
  if (code < 0)
    return code;
  self->groups
    = dg_breakdown_open (self->setup, self->by, DG_WHATIF_COUNTS, err);
  if (self->groups == NULL)
    return DG_ERR_NOMEM;
  code = make_units (self, symbols, err);
  if (code < 0)
    return code;
  for (unsigned i = 0; i < DG_WHATIF_SIDES; i++) {
    self->sums[i] = dg_breakdown_sums_new (self->groups, err);
    if (self->sums[i] == NULL)
      return DG_ERR_NOMEM;
  }
  return 0;
}

static void *
create (struct dg_setup *setup, struct dg_error *err)
{
  struct dg_whatif *self = g_new0 (struct dg_whatif, 1);

  self->setup = setup;
  self->by = dg_by_parse (dg_setup_text (setup, "by"));
  self->one_in = MAX (dg_setup_number (setup, "sample"), 1);
  self->scale = 1;
  self->error = -1;
  if (dg_breakdown_check_mine (setup, self->by, err) == 0
      && dg_time_machine_choose (dg_setup_text (setup, "machine"),
                                 dg_setup_log (setup), &self->machine, err)
           == 0
      && start (self, err) == 0)
    return self;
  whatif_free (self);
  return NULL;
}

/* Where objects move, all accesses are needed: an index does not tell which
   bytes of a line were touched.  */
static int
plan (void *data, struct dg_plan *plan, struct dg_error *err)
{
  struct dg_whatif *self = data;

  (void) err;
  plan->view = DG_VIEW_RUNS;
  plan->shard = DG_SHARD_PART;
  plan->parts = DG_WHATIF_SIDES;
  if (self->targets.list->len == 0)
    dg_time_skip_plan (self->one_in, DG_WHATIF_STRETCH, &self->machine,
                       self->setup, plan);
  self->has_skips = plan->one_in > 1;
  return 0;
}

const struct dg_analysis dg_analysis_whatif = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "whatif",
  .summary = "Estimates what a change of data or code would bring",
  .details =
    "TYPE is the name of a type, WHAT that of a type, a global variable or a "
    "place of\n"
    "allocation, WHERE is FILE:LINE or a function.  Several changes of an "
    "option are\n"
    "separated by ';'.\n",
  .options = options,
  .pass_blocks = dg_setup_pass_no_blocks,
  .create = create,
  .plan = plan,
  .shard_new = dg_whatif_shard_new,
  .shard_feed = dg_whatif_shard_feed,
  .merge = dg_whatif_merge,
  .shard_free = dg_whatif_shard_free,
  .report = dg_whatif_report,
  .free = whatif_free
};
