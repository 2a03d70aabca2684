/* whatif_shard.c: the program as it is, or the changed one, on processors of
   its own.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "whatif.h"

#include <string.h>

#include "base/error.h"
#include "format/decode.h"
#include "whatif_data.h"

struct shard {
  struct dg_whatif *self;
  enum dg_whatif_side side;
  struct dg_time_model *model;
  struct dg_breakdown_sums *sums;      /* the analysis's */
  struct dg_whatif_data data;          /* by variable or place only */
  struct dg_time_sample sample;
  struct dg_time_skip skip;
  /* AFTER only: */
  struct dg_whatif_place place;
  size_t next;             /* step */
  uint64_t next_icount;    /* of it; DG_NEVER: there is none */
  uint64_t *addresses;     /* of a run */
  size_t room;
  uint64_t across;
  bool is_counted;         /* the present run is */
};

/* ---- Blocks that change ---- */

static const struct dg_whatif_step *
step_at (const struct shard *shard, size_t i)
{
  return (const struct dg_whatif_step *) shard->self->steps.items + i;
}

static uint64_t
step_icount (const struct shard *shard, size_t i)
{
  return i < shard->self->steps.n ? step_at (shard, i)->icount : DG_NEVER;
}

static void
count_object (struct dg_whatif_target *target, uint64_t size,
              uint64_t new_size)
{
  target->objects++;
  target->bytes += size;
  target->new_bytes += new_size;
}

static struct dg_whatif_target *
target_at (const struct shard *shard, uint32_t i)
{
  return g_ptr_array_index (shard->self->targets.list, i);
}

/* Adds an object in a block that is allocated, or removes it as the block is
   freed.  */
static void
take_object (struct shard *shard, const struct dg_whatif_step *step,
             uint64_t address, const struct dg_whatif_member *object,
             enum dg_whatif_store store)
{
  if (step->is_free)
    dg_whatif_place_remove (&shard->place, address);
  else
    count_object (target_at (shard, object->target), object->size,
                  dg_whatif_place_add (&shard->place, address, object->size,
                                       object->layout, store,
                                       object->target));
}

static void
take_step (struct shard *shard)
{
  const struct dg_whatif_step *step = step_at (shard, shard->next);
  const struct dg_whatif_site *site = &shard->self->targets.sites[step->site];
  uint64_t address = step->address + site->cookie,
           size = step->size > site->cookie ? step->size - site->cookie : 0;
  const struct dg_whatif_member all = { 0, size, site->layout, site->target };

  if (site->layout != NULL && size > 0)
    take_object (shard, step, address, &all, DG_WHATIF_BLOCK);
  for (uint64_t at = 0; site->members != NULL && at + site->period <= size;
       at += site->period)
    for (guint i = 0; i < site->members->len; i++) {
      const struct dg_whatif_member *member =
        &g_array_index (site->members, struct dg_whatif_member, i);

      take_object (shard, step, address + at + member->offset, member,
                   DG_WHATIF_STATIC);
    }
  shard->next++;
  shard->next_icount = step_icount (shard, shard->next);
}

static void
add_variables (struct shard *shard)
{
  const GArray *variables = shard->self->targets.variables;

  for (guint i = 0; i < variables->len; i++) {
    const struct dg_whatif_variable *variable =
      &g_array_index (variables, struct dg_whatif_variable, i);

    count_object (target_at (shard, variable->target), variable->size,
                  dg_whatif_place_add (&shard->place, variable->address,
                                       variable->size, variable->layout,
                                       DG_WHATIF_STATIC, variable->target));
  }
}

/* ---- Shards ---- */

void
dg_whatif_shard_free (void *self, void *data)
{
  struct shard *shard = data;

  (void) self;
  dg_time_skip_fini (&shard->skip);
  dg_time_model_free (shard->model);
  dg_whatif_data_fini (&shard->data);
  dg_whatif_place_fini (&shard->place);
  g_free (shard->addresses);
  g_free (shard);
}

static int
start (struct shard *shard, struct dg_error *err)
{
  struct dg_whatif *self = shard->self;
  struct dg_symbols *symbols = dg_setup_symbols (self->setup, err);

  if (symbols == NULL)
    return DG_ERR_NOMEM;
  shard->model = dg_time_model_new (dg_setup_log (self->setup), symbols,
                                    &self->machine, err);
  if (shard->model == NULL)
    return DG_ERR_NOMEM;
  if (self->has_skips
      && dg_time_skip_init (&shard->skip, dg_setup_log (self->setup), err) < 0)
    return err->code;
  shard->sums = self->sums[shard->side];
  if (dg_by_is_data (self->by)
      && dg_whatif_data_init (&shard->data, dg_setup_log (self->setup)) < 0)
    return dg_error_nomem (err);
  if (shard->side == DG_WHATIF_BEFORE || self->targets.list->len == 0)
    return 0;
  add_variables (shard);
  shard->next_icount = step_icount (shard, 0);
  return 0;
}

void *
dg_whatif_shard_new (void *self, const struct dg_feed *feed, void *worker,
                     struct dg_error *err)
{
  struct shard *shard = g_new0 (struct shard, 1);

  (void) worker;
  shard->self = self;
  shard->side = feed->index == 0 ? DG_WHATIF_BEFORE : DG_WHATIF_AFTER;
  shard->next_icount = DG_NEVER;
  dg_time_sample_init (&shard->sample, shard->self->one_in,
                       DG_WHATIF_STRETCH);
  dg_whatif_place_init (&shard->place);
  if (start (shard, err) == 0)
    return shard;
  dg_whatif_shard_free (self, shard);
  return NULL;
}

/* ---- Accesses ---- */

/* The new address of an access to an object.  An access to bytes that are
   apart after the change is taken for one access at its first byte.  */
static uint64_t
move (struct shard *shard, struct dg_whatif_object *object, uint64_t address,
      const struct dg_slot *slot)
{
  uint64_t to, last;

  target_at (shard, object->owner)->accesses += shard->is_counted;
  if (G_UNLIKELY (object->is_waiting)) {
    if (dg_whatif_place_is_begun (&shard->place, object,
                                  slot->kind != DG_ACC_READ))
      return address;
    dg_whatif_place_settle (&shard->place, object);
  }
  to = dg_whatif_object_move (object, address);
  if (object->layout->cells != NULL && slot->size > 1) {
    last = dg_whatif_object_move (
      object,
      MIN (address + slot->size, object->origin + object->size) - 1);
    shard->across += shard->is_counted && last - to >= slot->size;
  }
  return to;
}

/* The address that an access of an edited slot has in the changed program.  */
static uint64_t
move_edited (struct shard *shard, struct dg_time_core *core,
             struct dg_whatif_slot *edited, uint64_t address,
             const struct dg_slot *slot)
{
  struct dg_whatif_code *code = &shard->self->code;
  bool is_new;
  uint64_t to = dg_whatif_code_move_edited (
    code, edited, address, MAX (slot->size, 1), &is_new);

  g_array_index (code->list, struct dg_whatif_where, edited->where).accesses
    += shard->is_counted;
  if (edited->edit == DG_WHATIF_HITS)
    dg_time_core_keep (core, address);
  if (is_new)
    dg_time_core_bring (core, to, address);
  return to;
}

/* The addresses of a run in the changed program; NULL: no memory.  block: the
   edited one, or NULL; core: NULL without one.  */
static const uint64_t *
move_run (struct shard *shard, struct dg_time_core *core,
          const struct dg_run *run, struct dg_whatif_block *block)
{
  const uint64_t *addresses = run->addresses;
  size_t n = dg_run_entries (run);
  bool has_walks = shard->self->code.n_walks > 0;

  for (unsigned i = 0; i < run->n_slots; i++) {
    const struct dg_slot *slot = &run->bbdef->slots[i];
    uint64_t address = run->addresses[slot->entry], to;
    struct dg_whatif_object *object;

    if (address == 0 || slot->iseq < run->first_instr)
      continue;
    object = dg_whatif_place_find (&shard->place, address);
    if (block != NULL && block->slots[i].edit != 0)
      to = move_edited (shard, core, &block->slots[i], address, slot);
    else if (G_UNLIKELY (object != NULL))
      to = move (shard, object, address, slot);
    else if (has_walks)
      to = dg_whatif_code_move (&shard->self->code, address,
                                MAX (slot->size, 1));
    else
      continue;
    if (G_LIKELY (to == address))
      continue;
    if (addresses == run->addresses) {
      if (!DG_ARRAY_ROOM (shard->addresses, shard->room, n))
        return NULL;
      memcpy (shard->addresses, run->addresses, n * sizeof *addresses);
      addresses = shard->addresses;
    }
    shard->addresses[slot->entry] = to;
  }
  return addresses;
}

static void
execute (struct shard *shard, struct dg_time_core *core,
         const struct dg_time_block *block, const struct dg_run *run,
         const struct dg_run *moved, enum dg_time_take take)
{
  size_t first = shard->side * DG_TIME_COUNTS;

  g_assert (block->n <= DG_TIME_BLOCK);
  if (take == DG_TIME_WARM) {
    dg_time_core_run (core, block, moved, shard->sample.spare,
                      DG_TIME_COUNTS);
  } else if (shard->self->by == DG_BY_THREAD) {
    dg_time_core_run (core, block, moved,
                      dg_sums_number (shard->sums, run->thread) + first, 0);
  } else if (dg_by_is_data (shard->self->by)) {
    dg_time_core_run (core, block, moved,
                      dg_whatif_data_rows (&shard->data, run),
                      DG_TIME_COUNTS);
    dg_whatif_data_give (&shard->data, run, shard->sums, first);
  } else {
    dg_time_core_run (core, block, moved,
                      dg_sums_code (shard->sums, run->bbdef->number,
                                    run->context, run->icount) + first,
                      DG_WHATIF_COUNTS);
  }
}

/* A run that the sample has not.  */
static int
pass_run (struct shard *shard, const struct dg_run *run, struct dg_error *err)
{
  struct dg_run moved = *run;

  shard->is_counted = false;
  if (shard->side == DG_WHATIF_AFTER && shard->self->targets.list->len > 0)
    moved.addresses = move_run (shard, NULL, run, NULL);
  if (moved.addresses == NULL || shard->place.has_failed)
    return dg_error_nomem (err);
  dg_time_model_pass (shard->model, &moved);
  return 0;
}

static int
feed_run (struct shard *shard, struct dg_time_core *core,
          const struct dg_run *run, struct dg_error *err)
{
  enum dg_time_take take;
  const struct dg_time_block *block;
  struct dg_run moved = *run;
  uint64_t before;
  int code = dg_time_skip_to (&shard->skip, &shard->sample, shard->model,
                              run->icount, err);

  if (code < 0)
    return code;
  take = dg_time_sample_take (&shard->sample, run);
  while (G_UNLIKELY (shard->next_icount <= run->icount))
    take_step (shard);
  if (take == DG_TIME_SKIP)
    return pass_run (shard, run, err);
  block = dg_time_model_block (shard->model, run);
  if (block == NULL)
    return dg_error_nomem (err);
  shard->is_counted = take == DG_TIME_COUNT;
  if (shard->side == DG_WHATIF_AFTER) {
    struct dg_whatif_block *edited =
      dg_whatif_code_block (&shard->self->code, run, block);

    moved.addresses = move_run (shard, core, run, edited);
    if (edited != NULL)
      block = edited->code;
  }
  if (moved.addresses == NULL || shard->place.has_failed
      || shard->self->code.has_failed)
    return dg_error_nomem (err);
  before = dg_time_core_cycles (core);
  execute (shard, core, block, run, &moved, take);
  if (take == DG_TIME_COUNT)
    dg_time_sample_add (&shard->sample, run,
                        dg_time_core_cycles (core) - before);
  return 0;
}

int
dg_whatif_shard_feed (void *self, void *data, const struct dg_feed *feed,
                      const struct dg_batch *batch, struct dg_error *err)
{
  struct shard *shard = data;
  struct dg_time_core *core;

  (void) self;
  (void) feed;
  if (batch->n_runs == 0)
    return 0;
  core = dg_time_model_core (shard->model, batch->runs[0].thread);
  if (core == NULL)
    return dg_error_nomem (err);
  for (size_t i = 0; i < batch->n_runs; i++) {
    int code = feed_run (shard, core, &batch->runs[i], err);

    if (code < 0)
      return code;
  }
  return 0;
}

int
dg_whatif_merge (void *data, void *shard_data, const struct dg_feed *feed,
                 struct dg_error *err)
{
  struct dg_whatif *self = data;
  struct shard *shard = shard_data;

  int code = dg_time_skip_to (&shard->skip, &shard->sample, shard->model,
                              DG_NEVER, err);

  (void) feed;
  if (code < 0)
    return code;
  self->across += shard->across;
  if (shard->side == DG_WHATIF_BEFORE) {
    dg_time_sample_end (&shard->sample);
    self->scale = dg_time_sample_scale (&shard->sample);
    self->error = dg_time_sample_error (&shard->sample);
  }
  self->is_code_known = dg_time_model_knows_code (shard->model);
  if (shard->data.code != NULL) {
    dg_whatif_data_end (&shard->data, shard->sums,
                        shard->side * DG_TIME_COUNTS);
    if (shard->data.code->has_failed)
      return dg_error_nomem (err);
  }
  return dg_breakdown_take (self->groups, shard->sums, err);
}
