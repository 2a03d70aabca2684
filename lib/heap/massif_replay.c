/* massif_replay.c: what Massif does when blocks are allocated and freed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "massif.h"

#include "dg_record.h"
#include "base/error.h"
#include "base/progress.h"

#include <stdlib.h>
#include <string.h>

/* Steps between two calls of the progress function.  */
#define STEPS_BETWEEN 65536
/* No sum gets larger, whatever a log says; what would make it is left out.  */
#define MOST_BYTES (UINT64_C (1) << 62)

/* ---- State ------------------------------------------------------------ */

static uint64_t
magnitude (uint64_t change)
{
  return (int64_t) change < 0 ? -change : change;
}

void
dg_massif_grow (struct dg_massif_replay *replay, uint64_t heap,
                uint64_t extra)
{
  struct dg_massif_snapshot *now = &replay->now.told;


  now->heap += heap;
  now->extra += extra;
  dg_massif_move (replay, magnitude (heap + extra));
}

void
dg_massif_move (struct dg_massif_replay *replay, uint64_t bytes)
{
  replay->moved = replay->moved > UINT64_MAX - bytes ? UINT64_MAX
                                                     : replay->moved + bytes;
}

bool
dg_massif_has_room (const struct dg_massif_replay *replay, uint64_t bytes)
{
  uint64_t total = dg_massif_total (&replay->now.told);

  return bytes <= MOST_BYTES && total <= MOST_BYTES - bytes;
}

/* Copies what the sites have to all that want it here.  */
static int
fill_wanted (struct dg_massif_replay *replay)
{
  const uint64_t *sums = replay->sums.items;
  size_t n = 0;

  for (size_t i = 0; i < replay->sums.n; i++)
    n += sums[i] != 0;
  while (replay->next_wanted < replay->n_wanted) {
    struct dg_massif_entry *entry = replay->wanted[replay->next_wanted];
    size_t at = 0;

    if (entry->position != replay->now.position)
      return 0;
    replay->next_wanted++;
    entry->shares = g_try_new (struct dg_massif_share, MAX (n, 1));
    if (entry->shares == NULL)
      return DG_ERR_NOMEM;
    for (size_t i = 0; i < replay->sums.n; i++)
      if (sums[i] != 0)
        entry->shares[at++] = (struct dg_massif_share){(uint32_t) i, sums[i]};
    entry->n_shares = n;
  }
  return 0;
}

static inline bool
is_wanted (const struct dg_massif_replay *replay)
{
  return replay->next_wanted < replay->n_wanted
         && replay->wanted[replay->next_wanted]->position
              == replay->now.position;
}

int
dg_massif_change (struct dg_massif_replay *replay, uint32_t site,
                  uint64_t bytes)
{
  if (replay->table == NULL) {
    if (is_wanted (replay) && fill_wanted (replay) < 0)
      return DG_ERR_NOMEM;
    while (replay->sums.n <= site)
      if (dg_table_add (&replay->sums, sizeof (uint64_t)) == NULL)
        return DG_ERR_NOMEM;
    ((uint64_t *) replay->sums.items)[site] += bytes;
  }
  replay->now.position++;
  return 0;
}

/* ---- Snapshots -------------------------------------------------------- */

static void
set_time (struct dg_massif_replay *replay, struct dg_massif_entry *entry)
{
  struct dg_massif_snapshot *told = &entry->told;
  uint64_t ns;

  switch (replay->options->time_unit) {
  case DG_MASSIF_TIME_I:
    told->time = told->icount;
    break;
  case DG_MASSIF_TIME_MS:
    /* Never back, even if a damaged log says so; and where it does not say,
       that of the snapshot before.  */
    if (dg_log_ns (replay->log, told->icount, &ns))
      told->time = MAX (told->time, ns / 1000000);
    break;
  case DG_MASSIF_TIME_B:
    told->time = replay->moved;
    break;
  }
  entry->n_sites = (uint32_t) replay->sites->sites.n;
}

void
dg_massif_maybe_normal (struct dg_massif_replay *replay)
{
  if (replay->table == NULL)
    return;
  set_time (replay, &replay->now);
  if (replay->now.told.time >= replay->table->earliest)
    dg_massif_table_normal (replay->table, &replay->now);
  if (replay->exact != NULL
      && dg_massif_total (&replay->now.told)
           > dg_massif_total (&replay->exact->told))
    *replay->exact = replay->now;
}

void
dg_massif_maybe_peak (struct dg_massif_replay *replay)
{
  if (replay->table == NULL
      || dg_massif_total (&replay->now.told) <= replay->table->peak_above)
    return;
  set_time (replay, &replay->now);
  dg_massif_table_peak (replay->table, &replay->now);
}

/* ---- Blocks ----------------------------------------------------------- */

/* Pieces of pools are not what Massif counts.  */
static bool
is_counted (const struct dg_block *block)
{
  return block->allocator != DG_ALLOC_POOL;
}

/* The first frame of others is the program's own.  */
static bool
has_allocator_frame (const struct dg_block *block)
{
  return block->allocator != DG_ALLOC_MALLOCLIKE
         && block->allocator != DG_ALLOC_RESIZE_IN_PLACE;
}

static uint64_t
slop_of (const struct dg_block *block)
{
  return block->usable > block->size ? block->usable - block->size : 0;
}

static int
site_of (struct dg_massif_replay *replay, const struct dg_block *block,
         uint32_t *site)
{
  return dg_massif_site (replay->sites, &block->alloc_stack,
                         has_allocator_frame (block), block->alloc_icount,
                         site);
}

static bool
is_shown (const struct dg_massif_replay *replay, uint32_t site)
{
  return dg_massif_site_at (replay->sites, site)->n > 0;
}

static bool
is_too_large (const struct dg_massif_replay *replay,
              const struct dg_block *block)
{
  uint64_t bytes = MAX (block->size, block->usable);

  return bytes > INT64_MAX
         || !dg_massif_has_room (replay, bytes + DG_MASSIF_MAX_ADMIN);
}

static int
allocate (struct dg_massif_replay *replay, const struct dg_block *block,
          uint32_t *where)
{
  *where = DG_NONE;
  if (is_too_large (replay, block))
    return 0;
  if (site_of (replay, block, where) < 0
      || dg_massif_change (replay, *where, block->size) < 0)
    return DG_ERR_NOMEM;
  if (is_shown (replay, *where)) {
    dg_massif_grow (replay, block->size,
                    replay->options->heap_admin + slop_of (block));
    dg_massif_maybe_normal (replay);
  }
  return 0;
}

static int
release (struct dg_massif_replay *replay, const struct dg_block *block,
         uint32_t where)
{
  if (!is_shown (replay, where))
    return 0;
  dg_massif_maybe_peak (replay);
  dg_massif_grow (replay, -block->size,
                  -(replay->options->heap_admin + slop_of (block)));
  if (dg_massif_change (replay, where, -block->size) < 0)
    return DG_ERR_NOMEM;
  dg_massif_maybe_normal (replay);
  return 0;
}

/* Bytes that were ignored stay so, and a block that is to be ignored from now
   on keeps what it had: Massif never takes that back.  */
static int
reallocate (struct dg_massif_replay *replay, const struct dg_block *old,
            uint32_t old_where, const struct dg_block *block,
            uint32_t *where)
{
  bool was_shown = is_shown (replay, old_where), shown;

  *where = DG_NONE;
  if (is_too_large (replay, block))
    return release (replay, old, old_where);
  if (was_shown && block->size < old->size)
    dg_massif_maybe_peak (replay);
  if (site_of (replay, block, where) < 0
      || dg_massif_change (replay, *where, block->size) < 0)
    return DG_ERR_NOMEM;
  shown = is_shown (replay, *where);
  if (!was_shown && shown)
    *where = old_where;
  if (!was_shown || !shown)
    return 0;
  if (dg_massif_change (replay, old_where, -old->size) < 0)
    return DG_ERR_NOMEM;
  dg_massif_grow (replay, block->size - old->size,
                  slop_of (block) - slop_of (old));
  dg_massif_maybe_normal (replay);
  return 0;
}

/* ---- Moments ---------------------------------------------------------- */

static void
take_moment (struct dg_massif_replay *replay, size_t i)
{
  const struct dg_massif_moment *moment = &replay->options->at[i];
  struct dg_massif_entry *entry = &replay->moments[i];

  *entry = replay->now;
  entry->told.icount = moment->icount != DG_NEVER
                         ? moment->icount
                         : dg_log_summary (replay->log)->last_icount;
  set_time (replay, entry);
  entry->told.moment = moment;
  entry->told.kind = DG_MASSIF_DETAILED;
  entry->has_tree = true;
}

/* Takes those that are before a step; NULL: at the end.  */
static void
take_moments (struct dg_massif_replay *replay,
              const struct dg_massif_step *step)
{
  for (; replay->next_moment < replay->options->n_at; replay->next_moment++) {
    const struct dg_massif_moment *moment =
      &replay->options->at[replay->next_moment];

    if (step != NULL
        && (moment->order != 0 ? moment->order > step->order
                               : moment->icount >= step->icount))
      return;
    take_moment (replay, replay->next_moment);
  }
}

void
dg_massif_take_moments (struct dg_massif_replay *replay, uint64_t icount)
{
  for (; replay->next_moment < replay->options->n_at
         && replay->options->at[replay->next_moment].icount <= icount;
       replay->next_moment++)
    take_moment (replay, replay->next_moment);
}

/* ---- The walk --------------------------------------------------------- */

/* Whether a block is freed as it becomes the next one.  */
static bool
is_realloc (const struct dg_massif_step *step,
            const struct dg_massif_step *next)
{
  return step->block.deallocator == DG_ALLOC_REALLOC && next != NULL
         && next->kind == DG_REPLAY_ALLOC
         && next->block.allocator == DG_ALLOC_REALLOC
         && next->block.old_address == step->block.address;
}

/* next: the step behind it, or NULL.  */
static int
apply_block (struct dg_massif_replay *replay,
             const struct dg_massif_step *step,
             const struct dg_massif_step *next, bool *took_next)
{
  uint32_t site = dg_massif_steps_site (replay->steps, step);
  int code;

  if (!is_counted (&step->block)
      || (step->kind == DG_REPLAY_FREE && site == DG_NONE))
    return 0;
  if (step->kind == DG_REPLAY_ALLOC) {
    code = allocate (replay, &step->block, &site);
    return code == 0 ? dg_massif_steps_set_site (replay->steps, step, site)
                     : code;
  }
  if (!is_realloc (step, next))
    return release (replay, &step->block, site);
  *took_next = true;
  code = reallocate (replay, &step->block, site, &next->block, &site);
  return code == 0 ? dg_massif_steps_set_site (replay->steps, next, site)
                   : code;
}

/* Massif's snapshot of the program's first instruction; pages that were mapped
   when it started have been counted by then.  */
static void
start (struct dg_massif_replay *replay, bool is_early)
{
  if (replay->has_started || is_early)
    return;
  replay->has_started = true;
  dg_massif_maybe_normal (replay);
}

static int
apply (struct dg_massif_replay *replay, const struct dg_massif_step *step,
       bool *took_next)
{
  const struct dg_massif_step *next = NULL;
  int code = 0;

  switch (step->kind) {
  case DG_REPLAY_PAGES:
    return dg_massif_pages_apply (replay, step->pages);
  case DG_REPLAY_STACK_POINTER:
    dg_massif_stacks_apply (replay, step->pointer);
    return 0;
  case DG_REPLAY_FREE:
    code = dg_massif_steps_peek (replay->steps, 1, &next, replay->err);
    break;
  default:
    break;
  }
  return code < 0 ? code : apply_block (replay, step, next, took_next);
}

int
dg_massif_walk (struct dg_massif_replay *replay, uint64_t until)
{
  const struct dg_massif_step *step;
  int code;

  while ((code = dg_massif_steps_peek (replay->steps, 0, &step, replay->err))
           > 0
         && step->icount <= until) {
    bool took_next = false;

    start (replay, step->kind == DG_REPLAY_PAGES && step->icount == 0);
    if (replay->moments != NULL)
      take_moments (replay, step);
    replay->now.told.icount = step->icount;
    code = apply (replay, step, &took_next);
    if (code < 0)
      return code;
    dg_massif_steps_pass (replay->steps, 1 + took_next);
    replay->at += 1 + took_next;
    if (replay->at % STEPS_BETWEEN == 0) {
      code = dg_massif_pace (replay, replay->at);
      if (code < 0)
        return code;
    }
  }
  return MIN (code, 0);
}

int
dg_massif_pace (struct dg_massif_replay *replay, uint64_t done)
{
  return replay->progress != NULL
             && replay->progress (replay->user, replay->done + done,
                                  replay->total)
                  != 0
           ? DG_ERR_CANCELLED
           : 0;
}

/* Everything that happens, in order.  */
static int
walk_all (struct dg_massif_replay *replay)
{
  bool has_stacks = replay->options->stacks && replay->table != NULL;
  int code = dg_massif_pace (replay, 0);

  if (code == 0 && has_stacks) {
    start (replay, false);
    code = dg_massif_stacks_run (replay);
  }
  if (code == 0)
    code = dg_massif_walk (replay, UINT64_MAX);
  start (replay, false);
  if (code == 0 && replay->moments != NULL)
    take_moments (replay, NULL);
  if (code == 0 && replay->table == NULL)
    code = fill_wanted (replay);
  return code;
}

static unsigned
kinds_of (const struct dg_massif_replay *replay)
{
  const struct dg_massif_options *options = replay->options;
  unsigned kinds = 0;

  if (options->pages_as_heap)
    kinds |= 1u << DG_REPLAY_PAGES;
  else if (options->heap)
    kinds |= 1u << DG_REPLAY_ALLOC | 1u << DG_REPLAY_FREE;
  if (options->stacks && replay->table != NULL)
    kinds |= 1u << DG_REPLAY_STACK_POINTER;
  return kinds;
}

int
dg_massif_replay_run (struct dg_massif_replay *replay)
{
  size_t n_chunks = 0, n;
  int code = dg_massif_steps_begin (replay->steps, kinds_of (replay),
                                    replay->err);

  if (code < 0)
    return code;
  n = dg_massif_steps_n (replay->steps);
  replay->at = 0;
  if (replay->table != NULL) {
    if (replay->options->stacks)
      dg_log_chunks (replay->log, &n_chunks);
    replay->done = 0;
    replay->total = 2 * (uint64_t) n + n_chunks * DG_MASSIF_CHUNK_STEPS;
  } else {
    replay->done = replay->total - n;
  }
  code = walk_all (replay);
  if (code == DG_ERR_NOMEM)
    dg_error_nomem (replay->err);
  else if (code == DG_ERR_CANCELLED)
    dg_progress_cancelled (replay->err);
  return code;
}
