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
#include "base/bisect.h"
#include "base/error.h"
#include "analysis/breakdown.h"
#include "variables/variables.h"

/* ---- Lists by number ---- */

void
dg_pattern_sparse_init (struct dg_pattern_sparse *sparse, size_t item_size)
{
  memset (sparse, 0, sizeof *sparse);
  sparse->item_size = item_size;
  sparse->scratch = g_malloc (item_size);
}

void
dg_pattern_sparse_fini (struct dg_pattern_sparse *sparse)
{
  dg_table_fini (&sparse->items);
  g_clear_pointer (&sparse->index, g_free);
  g_clear_pointer (&sparse->scratch, g_free);
}

void
dg_pattern_sparse_clear (struct dg_pattern_sparse *sparse)
{
  sparse->items.n = 0;
  sparse->lacks = false;
}

/* What the index says may be of an earlier shard: the item knows.  */
static inline void *
find_there (const struct dg_pattern_sparse *sparse, uint32_t number)
{
  uint32_t i, *item;

  if (number >= sparse->n_index)
    return NULL;
  i = sparse->index[number];
  if (i >= sparse->items.n)
    return NULL;
  item = (void *) ((char *) sparse->items.items + i * sparse->item_size);
  return *item == number ? item : NULL;
}

void *
dg_pattern_sparse_find (struct dg_pattern_sparse *sparse, uint32_t number)
{
  uint32_t *item = find_there (sparse, number);

  if (G_LIKELY (item))
    return item;
  if (DG_ARRAY_ROOM_ZERO (sparse->index, sparse->n_index, number))
    item = dg_table_add (&sparse->items, sparse->item_size);
  if (item) {
    sparse->index[number] = (uint32_t) sparse->items.n - 1;
  } else {
    sparse->lacks = true;
    item = sparse->scratch;
    memset (item, 0, sparse->item_size);
  }
  *item = number;
  return item;
}

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

bool
dg_patterns_field (const struct dg_patterns *self,
                   const struct dg_pattern_place *place, uint32_t offset,
                   struct dg_field *out)
{
  struct dg_variable variable;

  if (place->layout)
    return dg_symbols_field (self->symbols, place->layout, 0, offset, 0, out);
  if (place->origin == 0
      || !dg_symbols_data (self->symbols, place->origin + offset,
                           place->icount, 0, &variable)
      || variable.address != place->origin || !variable.has_field)
    return false;
  *out = variable.field;
  return true;
}

static struct dg_pattern_object_kind
kind_of (void *self, struct dg_pattern_object_kind kind)
{
  kind.site = place_of (self, kind.site);
  return kind;
}

void
dg_pattern_slot_sums_add (struct dg_pattern_slot_sums *to,
                          const struct dg_pattern_slot_sums *from)
{
  if (to->place == from->place)
    to->place_lead += from->place_lead;
  else if (to->place_lead >= from->place_lead)
    to->place_lead -= from->place_lead;
  else {
    to->place = from->place;
    to->place_lead = from->place_lead - to->place_lead;
  }
  to->accesses += from->accesses;
  to->named += from->named;
  to->stack += from->stack;
  dg_pattern_moves_merge (&to->moves, &from->moves);
  dg_pattern_chase_merge (&to->chase, &from->chase);
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
                                            .chase = from->chase};

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

static guint
hash_called (gconstpointer item)
{
  const struct dg_pattern_called_slot *called = item;

  return g_int64_hash (&called->caller) * 31 + g_int64_hash (&called->slot);
}

static gboolean
equal_called (gconstpointer a, gconstpointer b)
{
  const struct dg_pattern_called_slot *x = a, *y = b;

  return x->caller == y->caller && x->slot == y->slot;
}

uint32_t
dg_patterns_called (struct dg_patterns *self, uint32_t slot,
                    const struct dg_access *access)
{
  const struct dg_pattern_called_slot called = {
    .caller = dg_units_code (self->units, access->context,
                             access->instruction, access->icount),
    .slot = slot};
  uint32_t known;

  if (called.caller == access->instruction)
    return slot;
  g_mutex_lock (&self->lock);
  known =
    GPOINTER_TO_UINT (g_hash_table_lookup (self->by_called, &called));
  if (known == 0) {
    g_array_append_val (self->called, called);
    known = self->called->len;
    g_hash_table_insert (self->by_called, g_memdup2 (&called, sizeof called),
                         GUINT_TO_POINTER (known));
  }
  g_mutex_unlock (&self->lock);
  return self->bases[self->n_bbdefs] + known - 1;
}

struct dg_pattern_called_slot
dg_patterns_whose (const struct dg_patterns *self, uint32_t number)
{
  uint32_t first = self->bases[self->n_bbdefs];

  return number < first
           ? (struct dg_pattern_called_slot){.slot = number}
           : g_array_index (self->called, struct dg_pattern_called_slot,
                            number - first);
}

const struct dg_bbdef *
dg_patterns_slot (const struct dg_patterns *self, uint32_t number,
                  const struct dg_slot **slot, uint64_t *code)
{
  size_t low;
  const struct dg_pattern_called_slot whose = dg_patterns_whose (self, number);
  const struct dg_bbdef *bbdef;

  number = (uint32_t) whose.slot;
  /* The last definition that begins at it or before.  */
  low = DG_BISECT (1, self->n_bbdefs, i, self->bases[i] <= number) - 1;
  bbdef = dg_log_bbdef (self->log, (uint32_t) low);
  *slot = &bbdef->slots[number - self->bases[low]];
  *code = whose.caller != 0 ? whose.caller
                            : bbdef->instrs[(*slot)->iseq].address;
  return bbdef;
}

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
  g_array_unref (self->called);
  g_hash_table_unref (self->by_called);
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
                           "the basic blocks of the log have too many "
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
  self->log = dg_setup_log (setup);
  self->places = g_array_new (FALSE, TRUE, sizeof (struct dg_pattern_place));
  g_array_set_size (self->places, 1);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g_mutex_init (&self->lock);
  self->called =
    g_array_new (FALSE, FALSE, sizeof (struct dg_pattern_called_slot));
  self->by_called =
    g_hash_table_new_full (hash_called, equal_called, g_free, NULL);
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
