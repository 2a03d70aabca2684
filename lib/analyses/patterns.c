/* patterns.c: `dg patterns`: how each instruction walks through memory, and
   which parts of structures are used together.

   A shard is a chunk of the log; where an address goes from is forgotten at
   its beginning, and where threads change.  Shards are merged in their order,
   so that what has no room is the same for any number of workers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "patterns.h"

#include <string.h>

#include "dg_record.h"
#include "error.h"

/* A sample of addresses is remembered, with what came next.  */
#define SAMPLE_MASK     15
#define SUCCESSOR_SHIFT 13

/* ---- Lists by number ---- */

void
dg_sparse_init (struct dg_sparse *sparse, size_t item_size)
{
  sparse->items = g_array_new (FALSE, TRUE, item_size);
  sparse->index = g_array_new (FALSE, TRUE, sizeof (uint32_t));
}

void
dg_sparse_fini (struct dg_sparse *sparse)
{
  if (sparse->items)
    g_array_unref (sparse->items);
  if (sparse->index)
    g_array_unref (sparse->index);
}

static inline void *
item_at (const struct dg_sparse *sparse, uint32_t i)
{
  return sparse->items->data
         + (size_t) i * g_array_get_element_size (sparse->items);
}

/* What the index says may be of an earlier shard: the item knows.  */
static inline void *
find_there (const struct dg_sparse *sparse, uint32_t number)
{
  uint32_t i, n = sparse->items->len;
  uint32_t *item;

  if (number >= sparse->index->len)
    return NULL;
  i = g_array_index (sparse->index, uint32_t, number);
  if (i >= n)
    return NULL;
  item = item_at (sparse, i);
  return *item == number ? item : NULL;
}

void *
dg_sparse_find (struct dg_sparse *sparse, uint32_t number)
{
  uint32_t *item = find_there (sparse, number);
  uint32_t n = sparse->items->len;

  if (G_LIKELY (item))
    return item;
  if (number >= sparse->index->len)
    g_array_set_size (sparse->index, number + number / 2 + 64);
  g_array_index (sparse->index, uint32_t, number) = n;
  g_array_set_size (sparse->items, n + 1);
  item = item_at (sparse, n);
  *item = number;
  return item;
}

/* ---- Workers ---- */

/* Where a slot is, in a chunk.  */
struct slot {
  uint32_t number;
  uint32_t epoch;          /* in which `last` was had */
  uint32_t block;          /* that it was in, or DG_NONE */
  uint32_t site, site_lead;
  uint32_t accesses, heap;
  uint64_t last, icount;
  int64_t stride;
  struct dg_moves moves;
  struct dg_chase chase;
};

struct site {
  uint32_t number;
  uint64_t reads, writes;
  struct dg_moves moves;
};

/* After this address of this slot came that one.  */
struct successor {
  uint32_t slot, chunk;
  uint64_t address, next;
};

struct worker {
  struct dg_finder *finder;
  /* Only their memory is the worker's; what is in them is its shard's.  */
  struct dg_sparse slots, sites;
  struct successor successors[1u << SUCCESSOR_SHIFT];
  GArray *object_bytes;    /* uint32_t: of each site + 1, 0: not asked */
};

struct shard {
  const struct dg_patterns *self;
  struct worker *worker;
  GArray *slots, *sites;   /* in the end */
  struct dg_visits *visits;
  uint32_t chunk;          /* + 1 */
  uint32_t thread, epoch;
  uint64_t now;            /* accesses so far */
};

static void
worker_free (void *self, void *data)
{
  struct worker *worker = data;

  dg_finder_free (worker->finder);
  dg_sparse_fini (&worker->slots);
  dg_sparse_fini (&worker->sites);
  g_array_unref (worker->object_bytes);
  g_free (worker);
}

static void *
worker_new (void *data, struct dg_error *err)
{
  struct dg_patterns *self = data;
  struct worker *worker = g_try_new0 (struct worker, 1);

  if (!worker) {
    dg_error_nomem (err);
    return NULL;
  }
  dg_sparse_init (&worker->slots, sizeof (struct slot));
  dg_sparse_init (&worker->sites, sizeof (struct site));
  worker->object_bytes = g_array_new (FALSE, TRUE, sizeof (uint32_t));
  worker->finder = dg_finder_new (self->variables, err);
  if (worker->finder)
    return worker;
  worker_free (self, worker);
  return NULL;
}

/* ---- Objects ---- */

/* Bytes of the objects in the blocks of a site: by their type, else 0.  */
static uint32_t
object_bytes (const struct shard *shard, uint32_t site)
{
  GArray *known = shard->worker->object_bytes;
  const struct dg_named *named;
  const struct dg_type *type = NULL;
  struct dg_stack stack;
  uint64_t bytes = 0;

  if (site >= known->len)
    g_array_set_size (known, site + site / 2 + 64);
  if (g_array_index (known, uint32_t, site) > 0)
    return g_array_index (known, uint32_t, site) - 1;
  named = dg_variables_site (shard->self->variables, site, &stack);
  if (named && named->type)
    type = dg_symbols_type (shard->self->symbols, named->type);
  if (type)
    bytes = dg_type_size (type);
  bytes = bytes > DG_OBJECT_MAX ? 0 : bytes;
  g_array_index (known, uint32_t, site) = (uint32_t) bytes + 1;
  return (uint32_t) bytes;
}

/* An access to the heap: of which object, and where in it.  Blocks of unknown
   type are one object each.  */
static void
visit (struct shard *shard, const struct dg_access *access, uint32_t site,
       const struct dg_block *block)
{
  uint64_t offset = access->address - block->address;
  uint32_t bytes = object_bytes (shard, site);

  if (bytes == 0 && block->size <= DG_OBJECT_MAX)
    bytes = (uint32_t) block->size;
  if (bytes == 0)
    return;
  dg_visits_add (shard->visits,
                 (struct dg_object_kind) { .site = site, .bytes = bytes },
                 access->address - offset % bytes, offset % bytes,
                 access->size, access->kind == DG_ACC_WRITE, shard->now);
}

/* ---- Slots ---- */

static void
lead (struct slot *slot, uint32_t site)
{
  if (slot->site_lead == 0)
    slot->site = site;
  slot->site_lead += slot->site == site ? 1 : -1;
}

/* Was this address, if it is of the sample, followed by the same one?  */
static void
ask_successor (struct shard *shard, struct slot *slot, uint64_t next)
{
  uint64_t hash = (slot->last ^ (uint64_t) slot->number << 40)
                  * 0x9e3779b97f4a7c15;
  struct successor *successor;

  if ((hash >> 20 & SAMPLE_MASK) != 0)
    return;
  successor = &shard->worker->successors[hash >> (64 - SUCCESSOR_SHIFT)];
  if (successor->chunk == shard->chunk && successor->slot == slot->number
      && successor->address == slot->last) {
    slot->chase.asked++;
    slot->chase.repeated += successor->next == next;
  }
  *successor = (struct successor) { .slot = slot->number,
                                    .chunk = shard->chunk,
                                    .address = slot->last, .next = next };
}

static void
chase (struct shard *shard, struct slot *slot,
       const struct dg_access *access, uint32_t block,
       const struct dg_block *blocks)
{
  unsigned word = dg_log_header (shard->self->log)->word_size;

  if (access->kind != DG_ACC_READ || access->size != word)
    return;
  slot->chase.loads++;
  ask_successor (shard, slot, access->address);
  if (block == slot->block || block == DG_NONE || slot->block == DG_NONE)
    return;
  slot->chase.hops++;
  slot->chase.hops_alike += access->address - blocks[block].address
                            == slot->last - blocks[slot->block].address;
}

/* The move of a slot to an access; DG_MOVES: there is none.  */
static enum dg_move
move_slot (struct shard *shard, struct slot *slot,
           const struct dg_access *access, uint32_t block,
           const struct dg_block *blocks)
{
  enum dg_move move = DG_MOVES;
  int64_t bytes = (int64_t) (access->address - slot->last);

  if (slot->epoch == shard->epoch) {
    move = dg_move_of (slot->last, access->address, access->size,
                       slot->stride);
    dg_moves_add (&slot->moves, move, bytes);
    if (move != DG_MOVE_SAME)
      chase (shard, slot, access, block, blocks);
    slot->stride = bytes;
  } else {
    slot->epoch = shard->epoch;
    slot->stride = 0;
  }
  slot->last = access->address;
  slot->block = block;
  return move;
}

static void
take_access (struct shard *shard, uint32_t number,
             const struct dg_access *access)
{
  struct worker *worker = shard->worker;
  struct slot *slot = dg_sparse_find (&worker->slots, number);
  uint32_t block = dg_finder_block (worker->finder, access), site = 0;
  int64_t bytes = (int64_t) (access->address - slot->last);
  const struct dg_block *blocks;
  enum dg_move move;
  size_t n_blocks;

  blocks = dg_log_blocks (shard->self->log, &n_blocks);
  if (slot->accesses++ == 0)
    slot->icount = access->icount;
  move = move_slot (shard, slot, access, block, blocks);
  if (block != DG_NONE && block < n_blocks)
    site = dg_finder_site (worker->finder, access);
  if (site != 0) {
    struct site *sums = dg_sparse_find (&worker->sites, site);

    slot->heap++;
    if (access->kind == DG_ACC_READ)
      sums->reads++;
    else
      sums->writes++;
    if (move != DG_MOVES)
      dg_moves_add (&sums->moves, move, bytes);
    visit (shard, access, site, &blocks[block]);
  }
  lead (slot, site);
  shard->now++;
}

/* ---- Shards ---- */

static void *
shard_new (void *data, const struct dg_feed *feed, void *worker,
           struct dg_error *err)
{
  struct shard *shard = g_try_new0 (struct shard, 1);

  if (!shard) {
    dg_error_nomem (err);
    return NULL;
  }
  shard->self = data;
  shard->worker = worker;
  shard->visits = dg_visits_new ();
  shard->chunk = feed->index + 1;
  shard->epoch = 1;
  g_array_set_size (shard->worker->slots.items, 0);
  g_array_set_size (shard->worker->sites.items, 0);
  return shard;
}

static void
take_run (struct shard *shard, const struct dg_run *run)
{
  const struct dg_bbdef *bbdef = run->bbdef;
  uint32_t definition = dg_log_context (shard->self->log, run->context)->bbdef;
  uint32_t base = shard->self->bases[definition];

  for (unsigned i = 0; i < run->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];
    struct dg_access access = {
      .icount = run->icount + slot->iseq,
      .address = run->addresses[slot->entry],
      .instruction = bbdef->instrs[slot->iseq].address,
      .size = slot->size,
      .context = run->context,
      .thread = run->thread,
      .kind = slot->kind
    };

    if (access.address != 0 && slot->iseq >= run->first_instr)
      take_access (shard, base + i, &access);
  }
}

static int
shard_feed (void *self, void *data, const struct dg_feed *feed,
            const struct dg_batch *batch, struct dg_error *err)
{
  struct shard *shard = data;

  for (size_t i = 0; i < batch->n_runs; i++) {
    if (batch->runs[i].thread != shard->thread)
      shard->epoch++;
    shard->thread = batch->runs[i].thread;
    take_run (shard, &batch->runs[i]);
  }
  return 0;
}

/* The worker's lists are of use to the next shard.  */
static GArray *
copy_items (const GArray *items)
{
  GArray *copy =
    g_array_sized_new (FALSE, FALSE, g_array_get_element_size ((void *) items),
                       items->len);

  if (items->len > 0)
    g_array_append_vals (copy, items->data, items->len);
  return copy;
}

static int
shard_end (void *self, void *data, const struct dg_feed *feed,
           struct dg_error *err)
{
  struct shard *shard = data;

  dg_visits_end (shard->visits);
  shard->slots = copy_items (shard->worker->slots.items);
  shard->sites = copy_items (shard->worker->sites.items);
  return 0;
}

static void
shard_free (void *self, void *data)
{
  struct shard *shard = data;

  if (shard->slots)
    g_array_unref (shard->slots);
  if (shard->sites)
    g_array_unref (shard->sites);
  dg_visits_free (shard->visits);
  g_free (shard);
}

/* ---- Merging ---- */

/* The place of a site, by its name.  */
static uint32_t
place_of (struct dg_patterns *self, uint32_t site)
{
  const struct dg_named *named;
  struct dg_stack stack;
  gpointer index;
  uint32_t *known;

  if (site == 0)
    return 0;
  if (site >= self->place_of->len)
    g_array_set_size (self->place_of, site + site / 2 + 64);
  known = &g_array_index (self->place_of, uint32_t, site);
  if (*known > 0)
    return *known - 1;
  named = dg_variables_site (self->variables, site, &stack);
  if (!g_hash_table_lookup_extended (self->by_name, named->name, NULL,
                                     &index)) {
    struct dg_place place = { .name = named->name, .type = named->type };

    index = GUINT_TO_POINTER (self->places->len);
    g_array_append_val (self->places, place);
    g_hash_table_insert (self->by_name, (void *) named->name, index);
  }
  *known = GPOINTER_TO_UINT (index) + 1;
  return *known - 1;
}

static struct dg_object_kind
kind_of (void *self, struct dg_object_kind kind)
{
  kind.site = place_of (self, kind.site);
  return kind;
}

static void
merge_slot (struct dg_patterns *self, const struct slot *from)
{
  struct dg_slot_sums *to = dg_sparse_find (&self->slots, from->number);
  uint32_t place = place_of (self, from->site);

  if (to->accesses == 0)
    to->icount = from->icount;
  if (to->place == place)
    to->place_lead += from->site_lead;
  else if (to->place_lead >= from->site_lead)
    to->place_lead -= from->site_lead;
  else {
    to->place = place;
    to->place_lead = from->site_lead - to->place_lead;
  }
  to->accesses += from->accesses;
  to->heap += from->heap;
  dg_moves_merge (&to->moves, &from->moves);
  dg_chase_merge (&to->chase, &from->chase);
}

static int
merge (void *data, void *shard_data, const struct dg_feed *feed,
       struct dg_error *err)
{
  struct dg_patterns *self = data;
  const struct shard *shard = shard_data;

  for (guint i = 0; i < shard->slots->len; i++)
    merge_slot (self, &g_array_index (shard->slots, struct slot, i));
  for (guint i = 0; i < shard->sites->len; i++) {
    const struct site *from = &g_array_index (shard->sites, struct site, i);
    struct dg_site_sums *to =
      dg_sparse_find (&self->sites, place_of (self, from->number));

    to->reads += from->reads;
    to->writes += from->writes;
    dg_moves_merge (&to->moves, &from->moves);
  }
  dg_visits_merge (self->visits, shard->visits, kind_of, self);
  return 0;
}

/* ---- The analysis ---- */

const struct dg_bbdef *
dg_patterns_slot (const struct dg_patterns *self, uint32_t number,
                  const struct dg_slot **slot)
{
  size_t low = 0, high = self->n_bbdefs;
  const struct dg_bbdef *bbdef;

  /* The last definition that begins at it or before.  */
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;

    if (self->bases[middle] <= number)
      low = middle;
    else
      high = middle;
  }
  bbdef = dg_log_bbdef (self->log, (uint32_t) low);
  *slot = &bbdef->slots[number - self->bases[low]];
  return bbdef;
}

static void
patterns_free (void *data)
{
  struct dg_patterns *self = data;

  g_free (self->bases);
  g_array_unref (self->places);
  g_hash_table_unref (self->by_name);
  g_array_unref (self->place_of);
  dg_sparse_fini (&self->slots);
  dg_sparse_fini (&self->sites);
  dg_visits_free (self->visits);
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
      return dg_error_set (err, DG_ERR_INVALID,
                           "the blocks of the log have too many accesses");
  }
  self->bases[self->n_bbdefs] = (uint32_t) base;
  return 0;
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
  self->places = g_array_new (FALSE, TRUE, sizeof (struct dg_place));
  g_array_set_size (self->places, 1);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->place_of = g_array_new (FALSE, TRUE, sizeof (uint32_t));
  dg_sparse_init (&self->slots, sizeof (struct dg_slot_sums));
  dg_sparse_init (&self->sites, sizeof (struct dg_site_sums));
  self->visits = dg_visits_new ();
  self->symbols = dg_setup_symbols (setup, err);
  if (self->symbols)
    self->variables = dg_setup_variables (setup, err);
  if (self->variables && number_slots (self, err) == 0)
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
  { .name = "by", .type = DG_OPTION_CHOICE, .value = "WHAT",
    .fallback = "line", .choices = "line,function,instruction",
    .help = "what the rows of code are" },
  { .name = NULL }
};

const struct dg_analysis dg_analysis_patterns = {
  .version = DG_ANALYSIS_VERSION,
  .size = sizeof (struct dg_analysis),
  .name = "patterns",
  .summary = "How instructions walk through memory, and which fields are used"
             " together",
  .details =
    "Patterns: constant, sequential, strided, local (within some lines),\n"
    "pointer-chasing (a guess: values are not in the log), random, mixed, few"
    " (too\nfew moves to tell).\n",
  .options = options,
  .create = create,
  .plan = plan,
  .worker_new = worker_new,
  .shard_new = shard_new,
  .shard_feed = shard_feed,
  .shard_end = shard_end,
  .merge = merge,
  .shard_free = shard_free,
  .worker_free = worker_free,
  .report = dg_patterns_report,
  .free = patterns_free
};
