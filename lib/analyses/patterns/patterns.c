/* patterns.c: `dg patterns`: how each instruction walks through memory, and
   which parts of structures are used together.

   A shard is a chunk of the log; where an address goes from is forgotten at
   its beginning, and where threads change.  Shards are merged in their order,
   so that what has no room is the same for any number of workers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "patterns_shard.h"

#include <string.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "analysis/breakdown.h"
#include "variables/variables.h"

/* ---- Merging ---- */

/* What is known of a site, or of a variable.  */
static struct dg_pattern_place
ask_place (struct dg_patterns *self, uint32_t number)
{
  const struct dg_site *site;
  const struct dg_named *named;

  if ((number & DG_PLACE_VARIABLE) == 0) {
    site = dg_variables_named_site (self->variables, number);
    return (struct dg_pattern_place){.name = site->named.name,
                             .type = site->type_text,
                             .layout = site->type};
  }
  named =
    dg_variables_named (self->variables, number & ~DG_PLACE_VARIABLE);
  return (struct dg_pattern_place){.name = named->name, .type = named->type};
}

/* The place of a site or variable, by its name.  */
static uint32_t
place_of (struct dg_patterns *self, uint32_t number)
{
  GArray *list = self->place_of[(number & DG_PLACE_VARIABLE) != 0];
  uint32_t at = number & ~DG_PLACE_VARIABLE, *known;
  struct dg_pattern_place place;
  gpointer index;

  if (number == 0)
    return 0;
  if (at >= list->len)
    g_array_set_size (list, at + at / 2 + 64);
  known = &g_array_index (list, uint32_t, at);
  if (*known > 0)
    return *known - 1;
  place = ask_place (self, number);
  if (!g_hash_table_lookup_extended (self->by_name, place.name, NULL,
                                     &index)) {
    index = GUINT_TO_POINTER (self->places->len);
    g_array_append_val (self->places, place);
    g_hash_table_insert (self->by_name, (void *) place.name, index);
  }
  *known = GPOINTER_TO_UINT (index) + 1;
  return *known - 1;
}

/* What a shard has seen of the layout of a place.  */
static void
set_layout (struct dg_patterns *self, const struct dg_pattern_seen *seen)
{
  uint32_t number = place_of (self, seen->number);
  struct dg_pattern_place *place =
    &g_array_index (self->places, struct dg_pattern_place, number);

  if (place->layout || place->origin)
    return;
  place->layout = seen->layout;
  place->origin = seen->origin;
  place->icount = seen->icount;
}

static struct dg_pattern_object_kind
kind_of (void *self, struct dg_pattern_object_kind kind)
{
  kind.site = place_of (self, kind.site);
  return kind;
}

static void
merge_slot (struct dg_patterns *self, const struct dg_pattern_slot_walk *from)
{
  struct dg_pattern_slot_sums *to =
    dg_pattern_sparse_find (&self->slots, from->number);
  const struct dg_pattern_slot_sums sums = {.place =
                                              place_of (self, from->site),
                                            .place_lead = from->site_lead,
                                            .accesses = from->accesses,
                                            .named = from->named,
                                            .stack = from->stack,
                                            .moves = from->moves,
                                            .chase = from->chase,
                                            .fetches = from->fetches};

  if (to->accesses == 0)
    to->icount = from->icount;
  dg_pattern_slot_sums_add (to, &sums);
}

static int
merge (void *data, void *shard_data, const struct dg_feed *feed,
       struct dg_error *err)
{
  struct dg_patterns *self = data;
  const struct dg_patterns_shard *shard = shard_data;

  for (guint i = 0; i < shard->seen->len; i++)
    set_layout (self, &g_array_index (shard->seen, struct dg_pattern_seen, i));
  for (size_t i = 0; i < shard->slots.n; i++)
    merge_slot (self,
                (const struct dg_pattern_slot_walk *) shard->slots.items + i);
  for (size_t i = 0; i < shard->sites.n; i++) {
    const struct dg_pattern_site_walk *from =
      (const struct dg_pattern_site_walk *) shard->sites.items + i;
    struct dg_pattern_site_sums *to =
      dg_pattern_sparse_find (&self->sites, place_of (self, from->number));

    to->reads += from->reads;
    to->writes += from->writes;
    dg_pattern_moves_merge (&to->moves, &from->moves);
    dg_pattern_chase_merge (&to->chase, &from->chase);
  }
  dg_pattern_visits_merge (self->visits, shard->visits, kind_of, self);
  return self->slots.lacks || self->sites.lacks ? dg_error_nomem (err) : 0;
}

/* ---- The analysis ---- */

static void
patterns_free (void *data)
{
  struct dg_patterns *self = data;

  g_free (self->bases);
  g_array_unref (self->places);
  g_hash_table_unref (self->by_name);
  g_array_unref (self->place_of[0]);
  g_array_unref (self->place_of[1]);
  dg_pattern_sparse_fini (&self->slots);
  dg_pattern_sparse_fini (&self->sites);
  dg_pattern_visits_free (self->visits);
  dg_pattern_block_flows_free (self->flows);
  dg_units_free (self->units);
  dg_table_fini (&self->called);
  dg_intern_fini (&self->by_called);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static int
number_slots (struct dg_patterns *self, struct dg_error *err)
{
  uint64_t base = 0;

  self->n_bbdefs = dg_log_summary (self->log)->bbdefs;
  self->bases = g_try_new (uint32_t, self->n_bbdefs + 1);
  if (!self->bases)
    return dg_error_nomem (err);
  for (size_t i = 0; i < self->n_bbdefs; i++) {
    self->bases[i] = (uint32_t) base;
    base += dg_log_bbdef (self->log, (uint32_t) i)->n_slots;
    if (base > INT32_MAX)
      return dg_error_set (err, DG_ERR_LIMIT,
                           "the superblocks of the log have too many "
                           "accesses");
  }
  self->bases[self->n_bbdefs] = (uint32_t) base;
  return 0;
}

/* Rows of code, and sites, are to be mine.  */
static int
make_units (struct dg_patterns *self, struct dg_error *err)
{
  const struct dg_mine *mine;

  if (dg_setup_mine (self->setup, &mine, err) < 0)
    return DG_ERR_NOMEM;
  if (!mine)
    return 0;
  if (strcmp (dg_setup_text (self->setup, "by"), "instruction") == 0)
    return dg_error_set (err, DG_ERR_INVALID,
                         "--mine and --program need --by=line or function");
  self->units = dg_units_new (self->log, self->symbols, mine, err);
  return self->units ? 0 : DG_ERR_NOMEM;
}

static void *
create (struct dg_setup *setup, struct dg_error *err)
{
  struct dg_patterns *self = g_try_new0 (struct dg_patterns, 1);

  if (!self) {
    dg_error_nomem (err);
    return NULL;
  }
  self->setup = setup;
  self->sample = MAX (dg_setup_number (setup, "sample"), 1);
  self->log = dg_setup_log (setup);
  self->places = g_array_new (FALSE, TRUE, sizeof (struct dg_pattern_place));
  g_array_set_size (self->places, 1);
  self->by_name = g_hash_table_new (dg_hash_text, g_str_equal);
  g_mutex_init (&self->lock);
  for (int i = 0; i < 2; i++)
    self->place_of[i] = g_array_new (FALSE, TRUE, sizeof (uint32_t));
  dg_pattern_sparse_init (&self->slots, sizeof (struct dg_pattern_slot_sums));
  dg_pattern_sparse_init (&self->sites, sizeof (struct dg_pattern_site_sums));
  self->visits = dg_pattern_visits_new ();
  self->symbols = dg_setup_symbols (setup, err);
  if (self->symbols)
    self->variables = dg_setup_variables (setup, err);
  if (self->variables && number_slots (self, err) == 0
      && make_units (self, err) == 0)
    self->flows = dg_pattern_block_flows_new (self->log, err);
  if (self->flows)
    return self;
  patterns_free (self);
  return NULL;
}

static int
plan (void *self, struct dg_plan *plan, struct dg_error *err)
{
  plan->view = DG_VIEW_RUNS;
  plan->shard = DG_SHARD_CHUNK;
  return 0;
}

static const struct dg_option options[] = {
  {.name = "by",
   .type = DG_OPTION_CHOICE,
   .value = "WHAT",
   .fallback = "line",
   .choices = "line,function,instruction",
   .help = "one row of code per line, function or instruction"},
  DG_MINE_OPTIONS,
  {.name = "sample",
   .type = DG_OPTION_NUMBER,
   .value = "N",
   .fallback = "1",
   .help = "examine one of N stretches of the run, and count only these"},
  {.name = NULL}};

const struct dg_analysis dg_analysis_patterns = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "patterns",
  .summary = "Shows access patterns: strides, and fields that are used "
             "together",
  .details =
    "Patterns: stack (the thread's own), constant, sequential, strided, local "
    "(within\n"
    "a few lines), pointer-chasing (each address was loaded from the one "
    "before),\n"
    "gather (by pointers or indices that another load fetched), random, "
    "random or\n"
    "pointer-chasing (an old log cannot distinguish them), mixed, few (too "
    "few moves).\n",
  .options = options,
  .pass_blocks = dg_setup_pass_no_blocks,
  .create = create,
  .plan = plan,
  .worker_new = dg_patterns_worker_new,
  .shard_new = dg_patterns_shard_new,
  .shard_feed = dg_patterns_shard_feed,
  .shard_end = dg_patterns_shard_end,
  .merge = merge,
  .shard_free = dg_patterns_shard_free,
  .worker_free = dg_patterns_worker_free,
  .report = dg_patterns_report,
  .free = patterns_free};
