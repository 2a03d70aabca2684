/* massif_steps.c: what happens to the heap, to pages and to stack pointers, in
   the order of the log.

   Of a log that has all its blocks, these are the steps of dg_log_replay.  One
   whose blocks pass is read as a stream, for each pass over it once more.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "log/block_reader.h"
#include "log/block_window.h"
#include "massif.h"

/* How far it looks ahead.  */
#define AHEAD 2

struct dg_massif_steps {
  const struct dg_log *log;
  struct dg_table sites;       /* uint32_t: of blocks, by step.block_number */
  struct dg_massif_step ahead[AHEAD];
  unsigned n_ahead;
  size_t n;                    /* steps of the pass, about */
  /* Of a log that has all blocks.  */
  struct dg_replay_step *replayed;
  size_t at;
  /* Of one whose blocks pass.  */
  struct dg_block_reader *reader;      /* NULL: blocks are not asked for */
  struct dg_block_step block;          /* its next step */
  uint32_t block_number;
  bool has_block;
  unsigned kinds;
  size_t at_pages, at_pointers;
};

struct dg_massif_steps *
dg_massif_steps_new (const struct dg_log *log, struct dg_error *err)
{
  struct dg_massif_steps *steps = g_try_new0 (struct dg_massif_steps, 1);

  if (steps == NULL)
    dg_error_nomem (err);
  else
    steps->log = log;
  return steps;
}

static void
forget (struct dg_massif_steps *steps)
{
  free (steps->replayed);
  steps->replayed = NULL;
  dg_table_fini (&steps->sites);
}

void
dg_massif_steps_free (struct dg_massif_steps *steps)
{
  if (steps == NULL)
    return;
  forget (steps);
  dg_block_reader_free (steps->reader);
  g_free (steps);
}

static bool
has_blocks (unsigned kinds)
{
  return (kinds & (1u << DG_REPLAY_ALLOC | 1u << DG_REPLAY_FREE)) != 0;
}

/* How many steps there are, for the progress.  */
static size_t
count (const struct dg_massif_steps *steps)
{
  const struct dg_summary *summary = dg_log_summary (steps->log);
  size_t n = 0, n_pages, n_pointers;

  dg_log_page_changes (steps->log, &n_pages);
  dg_log_stack_pointers (steps->log, &n_pointers);
  if (has_blocks (steps->kinds))
    n += summary->heap_allocs + summary->heap_frees;
  if ((steps->kinds & 1u << DG_REPLAY_PAGES) != 0)
    n += n_pages;
  if ((steps->kinds & 1u << DG_REPLAY_STACK_POINTER) != 0)
    n += n_pointers;
  return n;
}

static int
begin_reading (struct dg_massif_steps *steps, struct dg_error *err)
{
  steps->at_pages = steps->at_pointers = 0;
  steps->has_block = false;
  steps->n = count (steps);
  if (!has_blocks (steps->kinds))
    return 0;
  if (steps->reader != NULL)
    return dg_block_reader_restart (steps->reader, err);
  steps->reader = dg_block_reader_new (steps->log, err);
  return steps->reader != NULL ? 0 : DG_ERR_NOMEM;
}

int
dg_massif_steps_begin (struct dg_massif_steps *steps, unsigned kinds,
                       struct dg_error *err)
{
  forget (steps);
  steps->kinds = kinds;
  steps->n_ahead = 0;
  steps->at = 0;
  return dg_block_window_number (steps->log) != 0
           ? begin_reading (steps, err)
           : dg_log_replay (steps->log, kinds, &steps->replayed, &steps->n,
                            err);
}

size_t
dg_massif_steps_n (const struct dg_massif_steps *steps)
{
  return steps->n;
}

/* ---- One step --------------------------------------------------------- */

static void
set_pages (const struct dg_massif_steps *steps, size_t i,
           struct dg_massif_step *step)
{
  size_t n;

  step->kind = DG_REPLAY_PAGES;
  step->pages = &dg_log_page_changes (steps->log, &n)[i];
  step->icount = step->pages->icount;
  step->order = step->pages->order;
}

static void
set_pointer (const struct dg_massif_steps *steps, size_t i,
             struct dg_massif_step *step)
{
  size_t n;

  step->kind = DG_REPLAY_STACK_POINTER;
  step->pointer = &dg_log_stack_pointers (steps->log, &n)[i];
  step->icount = step->pointer->icount;
  step->order = step->pointer->order;
}

static void
set_block (const struct dg_block *block, uint32_t number, bool is_free,
           struct dg_massif_step *step)
{
  step->kind = is_free ? DG_REPLAY_FREE : DG_REPLAY_ALLOC;
  step->block = *block;
  step->block_number = number;
  step->icount = is_free ? block->free_icount : block->alloc_icount;
  step->order = is_free ? block->free_order : block->alloc_order;
}

/* 1, 0 at the end.  */
static int
next_replayed (struct dg_massif_steps *steps, struct dg_massif_step *step)
{
  const struct dg_replay_step *replayed = steps->replayed + steps->at;
  struct dg_block block;

  if (steps->at == steps->n)
    return 0;
  steps->at++;
  switch (replayed->kind) {
  case DG_REPLAY_PAGES:
    set_pages (steps, replayed->index, step);
    break;
  case DG_REPLAY_STACK_POINTER:
    set_pointer (steps, replayed->index, step);
    break;
  default:
    block = dg_log_block (steps->log, replayed->index);
    set_block (&block, replayed->index, replayed->kind == DG_REPLAY_FREE,
               step);
  }
  return 1;
}

/* The next of those that are asked for has the least order.  1, 0, < 0.  */
static int
next_read (struct dg_massif_steps *steps, struct dg_massif_step *step,
           struct dg_error *err)
{
  const unsigned kinds = steps->kinds;
  struct dg_massif_step other;
  size_t n_pages, n_pointers;
  bool has_step = false;

  dg_log_page_changes (steps->log, &n_pages);
  dg_log_stack_pointers (steps->log, &n_pointers);
  if (has_blocks (kinds) && !steps->has_block) {
    int code = dg_block_reader_next_item (steps->reader, &steps->block,
                                          &steps->block_number, err);

    if (code < 0)
      return code;
    steps->has_block = code > 0;
  }
  if (has_blocks (kinds) && steps->has_block) {
    set_block (&steps->block.block, steps->block_number, steps->block.is_free,
               step);
    has_step = true;
  }
  if ((kinds & 1u << DG_REPLAY_PAGES) != 0 && steps->at_pages < n_pages) {
    set_pages (steps, steps->at_pages, &other);
    if (!has_step || other.order < step->order)
      *step = other;
    has_step = true;
  }
  if ((kinds & 1u << DG_REPLAY_STACK_POINTER) != 0
      && steps->at_pointers < n_pointers) {
    set_pointer (steps, steps->at_pointers, &other);
    if (!has_step || other.order < step->order)
      *step = other;
    has_step = true;
  }
  if (!has_step)
    return 0;
  steps->at_pages += step->kind == DG_REPLAY_PAGES;
  steps->at_pointers += step->kind == DG_REPLAY_STACK_POINTER;
  if (step->kind == DG_REPLAY_ALLOC || step->kind == DG_REPLAY_FREE)
    steps->has_block = false;
  return 1;
}

int
dg_massif_steps_peek (struct dg_massif_steps *steps, unsigned ahead,
                      const struct dg_massif_step **step,
                      struct dg_error *err)
{
  g_assert (ahead < AHEAD);
  while (steps->n_ahead <= ahead) {
    struct dg_massif_step *next = &steps->ahead[steps->n_ahead];
    int code = steps->replayed != NULL ? next_replayed (steps, next)
                                       : next_read (steps, next, err);

    if (code <= 0)
      return code;
    steps->n_ahead++;
  }
  *step = &steps->ahead[ahead];
  return 1;
}

void
dg_massif_steps_pass (struct dg_massif_steps *steps, unsigned n)
{
  g_assert (n <= steps->n_ahead);
  steps->n_ahead -= n;
  for (unsigned i = 0; i < steps->n_ahead; i++)
    steps->ahead[i] = steps->ahead[i + n];
}

/* ---- Sites of blocks -------------------------------------------------- */

uint32_t
dg_massif_steps_site (const struct dg_massif_steps *steps,
                      const struct dg_massif_step *step)
{
  const uint32_t *sites = steps->sites.items;

  return step->block_number < steps->sites.n ? sites[step->block_number]
                                             : DG_NONE;
}

int
dg_massif_steps_set_site (struct dg_massif_steps *steps,
                          const struct dg_massif_step *step, uint32_t site)
{
  uint32_t *added;

  while (steps->sites.n <= step->block_number) {
    added = dg_table_add (&steps->sites, sizeof *added);
    if (added == NULL)
      return DG_ERR_NOMEM;
    *added = DG_NONE;
  }
  ((uint32_t *) steps->sites.items)[step->block_number] = site;
  return 0;
}

/* ---- The first block -------------------------------------------------- */

int
dg_massif_steps_has_sizes (struct dg_massif_steps *steps, bool *has_sizes,
                           struct dg_error *err)
{
  const struct dg_massif_step *first;
  int code;

  if (dg_block_window_number (steps->log) == 0) {
    *has_sizes = dg_log_n_blocks (steps->log) == 0
                 || dg_log_block (steps->log, 0).alloc_seqno != 0;
    return 0;
  }
  code = dg_massif_steps_begin (
    steps, 1u << DG_REPLAY_ALLOC | 1u << DG_REPLAY_FREE, err);
  if (code == 0)
    code = dg_massif_steps_peek (steps, 0, &first, err);
  *has_sizes = code <= 0 || first->block.alloc_seqno != 0;
  return MIN (code, 0);
}
