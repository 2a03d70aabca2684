/* use_events.c: the blocks of a log as they begin and end, what reallocs
   replaced, and large blocks that overlap.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>

#include "dg_record.h"
#include "error.h"
#include "use.h"

/* A realloc is the end of a block and, as the next step, the beginning of the
   one that replaces it.  */
static void
note_realloc (struct dg_use_pass *pass, const struct dg_use_event *end,
              const struct dg_use_event *begin)
{
  const struct dg_block_extent old =
    dg_log_block_extent (pass->log, end->block);
  const struct dg_block new = dg_log_block (pass->log, begin->block);

  if ((new.allocator == DG_ALLOC_REALLOC
       || new.allocator == DG_ALLOC_RESIZE_IN_PLACE)
      && new.old_address == old.address && new.old_address != 0
      && begin->icount == end->icount) {
    pass->use[begin->block].previous = end->block;
    pass->of.marks[end->block] |= DG_USE_HAS_NEXT;
  }
}

/* ---- Large blocks ----------------------------------------------------- */

/* Comparisons of large blocks with each other, in all.  */
#define MOST_STEPS 100000000u

/* Large blocks that are alive.  */
struct large {
  struct dg_use_pass *pass;
  GTree *live;             /* by address; keys and values are blocks + 1 */
  bool is_mixed;           /* some overlapped */
  uint32_t block;          /* the one that begins */
  uint64_t steps;
};

static int
compare_large (const void *a, const void *b, void *user)
{
  const struct dg_log *log = user;
  size_t x = GPOINTER_TO_SIZE (a) - 1, y = GPOINTER_TO_SIZE (b) - 1;
  uint64_t x_address = dg_log_block_extent (log, x).address;
  uint64_t y_address = dg_log_block_extent (log, y).address;

  if (x_address != y_address)
    return x_address < y_address ? -1 : 1;
  return (x > y) - (x < y);
}

/* Notes it if a block that is alive overlaps the one that begins.  */
static gboolean
see_large (gpointer key, gpointer value, gpointer user)
{
  struct large *large = user;
  struct dg_use_pass *pass = large->pass;
  uint32_t other = GPOINTER_TO_SIZE (key) - 1;
  const struct dg_block_extent there =
    dg_log_block_extent (pass->log, other);
  const struct dg_block_extent new =
    dg_log_block_extent (pass->log, large->block);

  (void) value;
  if (there.address < dg_use_end (new) && new.address < dg_use_end (there)) {
    large->is_mixed = true;
    pass->use[other].flags |= DG_USE_HAS_PIECES;
    pass->of.marks[other] |= DG_USE_IS_HOLDER;
    pass->of.marks[large->block] |= DG_USE_IS_ODD;
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
    /* Whoever has so many is told that all of them are odd.  */
    if (large->steps <= MOST_STEPS)
      g_tree_foreach (large->live, see_large, large);
    if (large->steps > MOST_STEPS)
      large->pass->of.marks[block] |= DG_USE_IS_ODD | DG_USE_IS_HOLDER;
    g_tree_insert (large->live, key, key);
  }
}

/* Finds out which large blocks overlap others of them.  */
static void
see_event (struct large *large, const struct dg_use_event *event)
{
  if (!dg_use_is_large (dg_log_block_extent (large->pass->log, event->block)))
    return;
  if (event->is_end)
    g_tree_remove (large->live,
                   GSIZE_TO_POINTER ((gsize) event->block + 1));
  else
    begin_large (large, event->block);
}

/* ---- All of it -------------------------------------------------------- */

int
dg_use_list_events (struct dg_use_pass *pass, struct dg_error *err)
{
  struct large large = {.pass = pass};
  struct dg_replay_step *steps;
  size_t n;
  int code = dg_log_replay (pass->log,
                            1u << DG_REPLAY_ALLOC | 1u << DG_REPLAY_FREE,
                            &steps, &n, err);

  if (code < 0)
    return code;
  pass->events = g_try_new (struct dg_use_event, n + 1);
  if (pass->events == NULL) {
    free (steps);
    return dg_error_nomem (err);
  }
  large.live = g_tree_new_with_data (compare_large,
                                     (gpointer) pass->log);
  for (size_t i = 0; i < n; i++) {
    const struct dg_block_extent at =
      dg_log_block_extent (pass->log, steps[i].index);
    struct dg_use_event *event = &pass->events[pass->n_events];

    if ((pass->of.marks[steps[i].index] & DG_USE_IS_LEFT_OUT) != 0)
      continue;
    event->block = steps[i].index;
    event->is_end = steps[i].kind == DG_REPLAY_FREE;
    event->icount = event->is_end ? at.free_icount : at.alloc_icount;
    if (!event->is_end && pass->n_events > 0 && event[-1].is_end)
      note_realloc (pass, &event[-1], event);
    if (pass->of.large != NULL)
      see_event (&large, event);
    pass->n_events++;
  }
  g_tree_unref (large.live);
  free (steps);
  return 0;
}
