/* usage_events.c: the blocks of a log as they begin and end, what reallocs
   replaced, and large blocks that overlap.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>

#include "dg_record.h"
#include "base/compare.h"
#include "base/error.h"
#include "log/log.h"
#include "usage.h"

/* A realloc is the end of a block and, as the next step, the beginning of the
   one that replaces it.  */
static void
note_realloc (struct dg_usage_pass *pass, uint32_t end, uint32_t begin)
{
  const struct dg_store *blocks = dg_log_store (pass->log);
  uint8_t allocator = dg_store_birth (blocks, begin)->allocator;
  struct dg_block_extent old;
  struct dg_block new;

  /* Most are not, which is known without the rest of the block.  */
  if (allocator != DG_ALLOC_REALLOC && allocator != DG_ALLOC_RESIZE_IN_PLACE)
    return;
  old = dg_store_extent (blocks, end);
  new = dg_store_get (blocks, begin);
  if (dg_block_replaces (&new, &old)) {
    pass->of.marks[begin] |= DG_USAGE_HAS_PREVIOUS;
    pass->of.marks[end] |= DG_USAGE_HAS_NEXT;
  }
}

/* ---- Large blocks ----------------------------------------------------- */

/* Comparisons of large blocks with each other, in all.  */
#define MOST_STEPS 100000000u

/* Large blocks that are alive.  */
struct large {
  struct dg_usage_pass *pass;
  GTree *live;    /* by address; keys and values are blocks + 1 */
  bool is_mixed;  /* some overlapped */
  uint32_t block; /* the one that begins */
  uint64_t steps;
};

static int
compare_large (const void *a, const void *b, void *user)
{
  const struct dg_log *log = user;
  size_t x = GPOINTER_TO_SIZE (a) - 1, y = GPOINTER_TO_SIZE (b) - 1;
  uint64_t x_address = dg_log_block_extent (log, x).address;
  uint64_t y_address = dg_log_block_extent (log, y).address;

  return DG_COMPARE (x_address, y_address) ?: DG_COMPARE (x, y);
}

/* Notes it if a block that is alive overlaps the one that begins.  */
static gboolean
see_large (gpointer key, gpointer value, gpointer user)
{
  struct large *large = user;
  struct dg_usage_pass *pass = large->pass;
  uint32_t other = GPOINTER_TO_SIZE (key) - 1;
  const struct dg_block_extent there = dg_log_block_extent (pass->log, other);
  const struct dg_block_extent new =
    dg_log_block_extent (pass->log, large->block);

  (void) value;
  if (there.address < dg_usage_end (new)
      && new.address < dg_usage_end (there)) {
    large->is_mixed = true;
    pass->of.marks[other] |= DG_USAGE_IS_HOLDER;
    pass->of.marks[large->block] |= DG_USAGE_IS_ODD;
  }
  return ++large->steps > MOST_STEPS;
}

static void
begin_large (struct large *large, uint32_t block)
{
  gpointer key = GSIZE_TO_POINTER ((gsize) block + 1);
  GTreeNode *node = g_tree_insert_node (large->live, key, key);
  GTreeNode *before = g_tree_node_previous (node);
  GTreeNode *behind = g_tree_node_next (node);

  large->block = block;
  if (!large->is_mixed) {
    if (before != NULL)
      see_large (g_tree_node_key (before), NULL, large);
    if (behind != NULL)
      see_large (g_tree_node_key (behind), NULL, large);
  }
  if (large->is_mixed) {
    g_tree_remove (large->live, key);
    /* Who has so many is told that all of them are odd.  */
    if (large->steps <= MOST_STEPS)
      g_tree_foreach (large->live, see_large, large);
    if (large->steps > MOST_STEPS)
      large->pass->of.marks[block] |= DG_USAGE_IS_ODD | DG_USAGE_IS_HOLDER;
    g_tree_insert (large->live, key, key);
  }
}

/* Finds out which large blocks overlap others of them.  */
static void
see_event (struct large *large, uint32_t event)
{
  uint32_t block = event & ~DG_USAGE_IS_END;

  if (!dg_usage_is_large (dg_log_block_extent (large->pass->log, block)))
    return;
  if (event & DG_USAGE_IS_END)
    g_tree_remove (large->live, GSIZE_TO_POINTER ((gsize) block + 1));
  else
    begin_large (large, block);
}

/* ---- All of it -------------------------------------------------------- */

/* So many times as many orders as blocks: most blocks are not kept.  */
#define FEW_BLOCKS 16

/* An event and its order.  */
struct at {
  uint32_t order, event;
};

DG_COMPARE_BY (compare_at, struct at, order)

/* Calls put with each event, in any order.  */
static void
each_event (const struct dg_usage_pass *pass,
            void (*put) (void *user, struct at at), void *user)
{
  const struct dg_store *blocks = dg_log_store (pass->log);

  for (size_t i = 0; i < pass->of.n; i++) {
    const struct dg_small_block *block = dg_store_small (blocks, i);

    if ((pass->of.marks[i] & DG_USAGE_IS_LEFT_OUT) != 0)
      continue;
    put (user, (struct at) { block->alloc_order, (uint32_t) i });
    if (block->free_order != DG_NONE)
      put (user, (struct at) { block->free_order,
                               (uint32_t) i | DG_USAGE_IS_END });
  }
}

static void
put_in_place (void *user, struct at at)
{
  uint32_t *events = user;

  events[at.order] = at.event;
}

static void
put_last (void *user, struct at at)
{
  struct dg_table *events = user;

  *(struct at *) dg_table_add (events, sizeof at) = at;
}

/* Each event goes straight to its place in the order of the log; others leave
   gaps, which are closed.  */
static int
place_events (struct dg_usage_pass *pass)
{
  size_t room = (size_t) pass->log->contents.orders + 1;
  uint32_t *smaller;

  pass->events = g_try_new (uint32_t, room);
  if (pass->events == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < room; i++)
    pass->events[i] = DG_NONE;
  each_event (pass, put_in_place, pass->events);
  for (size_t i = 0; i < room; i++)
    if (pass->events[i] != DG_NONE)
      pass->events[pass->n_events++] = pass->events[i];
  smaller = g_try_renew (uint32_t, pass->events, pass->n_events + 1);
  if (smaller != NULL)
    pass->events = smaller;
  return 0;
}

static int
sort_events (struct dg_usage_pass *pass)
{
  struct dg_table all = { 0 };
  const struct at *at;

  if (dg_table_reserve (&all, sizeof *at, 2 * pass->of.n) < 0)
    return DG_ERR_NOMEM;
  each_event (pass, put_last, &all);
  if (all.n > 1)
    qsort (all.items, all.n, sizeof *at, compare_at);
  pass->events = g_try_new (uint32_t, all.n + 1);
  at = all.items;
  for (size_t i = 0; pass->events != NULL && i < all.n; i++)
    pass->events[pass->n_events++] = at[i].event;
  dg_table_fini (&all);
  return pass->events != NULL ? 0 : DG_ERR_NOMEM;
}

static int
put_events (struct dg_usage_pass *pass)
{
  return pass->log->contents.orders / FEW_BLOCKS > pass->of.n
           ? sort_events (pass) : place_events (pass);
}

int
dg_usage_list_events (struct dg_usage_pass *pass, struct dg_error *err)
{
  struct large large = {.pass = pass};
  const uint32_t *events;

  if (put_events (pass) < 0)
    return dg_error_nomem (err);
  events = pass->events;
  for (size_t i = 1; i < pass->n_events; i++)
    if ((events[i - 1] & ~events[i] & DG_USAGE_IS_END) != 0)
      note_realloc (pass, events[i - 1] & ~DG_USAGE_IS_END, events[i]);
  if (pass->of.large == NULL)
    return 0;
  large.live = g_tree_new_with_data (compare_large, (gpointer) pass->log);
  for (size_t i = 0; i < pass->n_events; i++)
    see_event (&large, events[i]);
  g_tree_unref (large.live);
  return 0;
}
