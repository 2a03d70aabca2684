/* block_window.c: the heap blocks of a part of a log, in place of all.

   A reader gives the blocks as they begin and end.  Those that begin are added
   to the window until it has enough of them; it ends with the chunk in which
   that is.  Of the next window, the first are those that have not ended.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "block_window.h"

#include <glib.h>

#include "base/bisect.h"
#include "base/error.h"
#include "block_reader.h"
#include "log.h"

struct dg_block_window {
  const struct dg_log *log;
  struct dg_log_window *shown; /* the blocks, and the moments */
  struct dg_store_index index;
  struct dg_table items;       /* uint32_t: the reader's, by block */
  struct dg_table places;      /* uint32_t: the block of each, that lives */
  struct dg_block_reader *reader;      /* NULL: as yet, or after an error */
  struct dg_block_step next;   /* what comes behind the window */
  uint32_t next_item;
  bool has_next;
};

/* Back to the start of the log.  */
static void
begin_again (struct dg_block_window *window)
{
  struct dg_log_window *shown = window->shown;

  dg_store_fini (&shown->blocks);
  shown->blocks = (struct dg_store) { 0 };
  shown->first = shown->end = 0;
  dg_store_index_fini (&window->index);
  window->index = (struct dg_store_index) { 0 };
  dg_table_fini (&window->items);
  dg_block_reader_free (window->reader);
  window->reader = NULL;
  window->has_next = false;
}

static void
free_window (struct dg_block_window *window)
{
  begin_again (window);
  dg_table_fini (&window->places);
  g_free (window);
}

static struct dg_block_window *
window_of (const struct dg_log *log)
{
  struct dg_log_window *shown = log->window;
  struct dg_block_window *window = shown->mover;

  if (window)
    return window;
  window = g_try_new0 (struct dg_block_window, 1);
  if (!window)
    return NULL;
  window->log = log;
  window->shown = shown;
  shown->mover = window;
  shown->free_mover = free_window;
  return window;
}

/* ---- Blocks ---- */

static int
add_birth (struct dg_block_window *window, const struct dg_block *block,
           size_t i)
{
  struct dg_store *blocks = &window->shown->blocks;

  dg_store_set_order (blocks, i, block->alloc_order);
  return dg_store_set_birth (blocks, &window->index, i, block);
}

static int
set_pool (struct dg_block_window *window, const struct dg_block *block,
          size_t i)
{
  struct dg_store *blocks = &window->shown->blocks;

  return dg_store_birth (blocks, i)->pool == block->pool
           ? 0 : dg_store_set_pool (blocks, &window->index, i, block->pool);
}

/* The pool may be known of the end only.  */
static int
add_death (struct dg_block_window *window, const struct dg_block *block,
           size_t i)
{
  struct dg_store *blocks = &window->shown->blocks;

  if (set_pool (window, block, i) < 0
      || dg_store_set_end (blocks, i, block->free_icount, block->free_order)
           < 0)
    return DG_ERR_NOMEM;
  return dg_store_set_death (blocks, &window->index, i, block);
}

/* Adds a block of the reader's that begins, or goes on.  */
static int
add_block (struct dg_block_window *window, const struct dg_block *block,
           uint32_t item)
{
  uint32_t *place = dg_table_add (&window->items, sizeof *place);
  struct dg_table *places = &window->places;
  size_t i;

  if (!place
      || dg_store_add (&window->shown->blocks, &window->index, block, &i) < 0)
    return DG_ERR_NOMEM;
  *place = item;
  while (places->n <= item)
    if (!dg_table_add (places, sizeof *place))
      return DG_ERR_NOMEM;
  ((uint32_t *) places->items)[item] = (uint32_t) i;
  if (add_birth (window, block, i) < 0)
    return DG_ERR_NOMEM;
  return set_pool (window, block, i);
}

static int
take_step (struct dg_block_window *window, const struct dg_block_step *step,
           uint32_t item)
{
  return step->is_free
           ? add_death (window, &step->block,
                        ((uint32_t *) window->places.items)[item])
           : add_block (window, &step->block, item);
}

/* Leaves the blocks that live when the window ends.  */
static int
keep_living (struct dg_block_window *window)
{
  struct dg_store old = window->shown->blocks;
  struct dg_table items = window->items;
  int code = 0;

  window->shown->blocks = (struct dg_store) { 0 };
  window->items = (struct dg_table) { 0 };
  dg_store_index_fini (&window->index);
  window->index = (struct dg_store_index) { 0 };
  for (size_t i = 0; i < old.items.n && code == 0; i++) {
    const struct dg_block block = dg_store_get (&old, i);

    if (block.free_icount < window->shown->end)
      continue;
    code = add_block (window, &block, ((uint32_t *) items.items)[i]);
    if (code == 0 && block.free_icount != DG_NEVER)
      code = add_death (window, &block, window->shown->blocks.items.n - 1);
  }
  dg_store_fini (&old);
  dg_table_fini (&items);
  return code;
}

/* ---- Moving ---- */

static uint64_t
when (const struct dg_block_step *step)
{
  return step->is_free ? step->block.free_icount : step->block.alloc_icount;
}

/* The beginning of the first chunk that begins after a moment.  */
static uint64_t
end_of_chunk (const struct dg_block_window *window, uint64_t icount)
{
  size_t n, at;
  const struct dg_chunk *chunks = dg_log_chunks (window->log, &n);

  at = DG_BISECT (0, n, i, chunks[i].icount <= icount);
  return at < n ? chunks[at].icount : DG_NEVER;
}

/* 1: the window has a next step; 0: the log has none; < 0.  */
static int
look_ahead (struct dg_block_window *window, struct dg_error *err)
{
  int code;

  if (window->has_next)
    return 1;
  code = dg_block_reader_next_item (window->reader, &window->next,
                                    &window->next_item, err);
  window->has_next = code > 0;
  return code;
}

/* The part of the log that comes behind the window.  What happens at its last
   moment is in both: accesses of that moment are made before and after.  */
static int
move_on (struct dg_block_window *window, struct dg_error *err)
{
  size_t begun = 0, least;
  int code = 1;

  window->shown->first = window->shown->end;
  if (keep_living (window) < 0)
    return dg_error_nomem (err);
  least = MAX (window->shown->least, window->shown->blocks.items.n);
  window->shown->end = DG_NEVER;
  while (code > 0 && (code = look_ahead (window, err)) > 0
         && when (&window->next) <= window->shown->end) {
    if (take_step (window, &window->next, window->next_item) < 0)
      return dg_error_nomem (err);
    window->has_next = false;
    begun += !window->next.is_free;
    if (begun >= least && window->shown->end == DG_NEVER)
      window->shown->end = end_of_chunk (window, when (&window->next));
  }
  if (code == 0)
    window->shown->end = DG_NEVER;
  return MIN (code, 0);
}

unsigned
dg_block_window_number (const struct dg_log *log)
{
  return log->window ? log->window->number : 0;
}

void
dg_block_window_moments (const struct dg_log *log, uint64_t *first,
                       uint64_t *end)
{
  *first = log->window ? log->window->first : 0;
  *end = log->window ? log->window->end : DG_NEVER;
}

int
dg_block_window_move (const struct dg_log *log, uint64_t icount,
                    struct dg_error *err)
{
  struct dg_log_window *shown = log->window;
  struct dg_block_window *window;
  int code = 0;

  if (!shown || (icount >= shown->first && icount < shown->end))
    return 0;
  window = window_of (log);
  if (!window)
    return dg_error_nomem (err);
  shown->number++;
  if (!window->reader || icount < shown->first) {
    begin_again (window);
    window->reader = dg_block_reader_new (log, err);
    if (!window->reader)
      return DG_ERR_NOMEM;
  }
  while (code == 0 && icount >= shown->end && shown->end != DG_NEVER)
    code = move_on (window, err);
  if (code < 0)
    begin_again (window);
  return code;
}
