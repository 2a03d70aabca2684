/* usage_window.c: the usage of heap blocks that pass.

   Of a log with many blocks, those that live in a few chunks are known at a
   time (log/block_window.h).  Between two windows, what is known of a block
   that goes on gets its number in the next one.  There it is among the first,
   which are those that go on, in the same order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "base/bisect.h"
#include "base/error.h"
#include "log/block_window.h"
#include "usage.h"

/* What is known of the blocks that go on, by their new numbers.  */
struct kept {
  struct dg_table uses;        /* struct dg_usage_block */
  struct dg_usage_index index; /* as live_of */
  struct dg_table marks;       /* uint8_t */
};

static void
kept_fini (struct kept *kept)
{
  dg_table_fini (&kept->uses);
  dg_usage_index_fini (&kept->index);
  dg_table_fini (&kept->marks);
}

/* What overlaps a block may have ended.  */
static uint8_t
marks_of (uint8_t marks, const struct dg_usage_block *use)
{
  bool is_holder = use != NULL && (use->flags & DG_USAGE_HAS_PIECES) != 0;

  return (marks & (DG_USAGE_IS_ODD | DG_USAGE_IS_HOLDER))
         | (is_holder ? DG_USAGE_IS_HOLDER : 0);
}

static int
keep (struct dg_usage_pass *pass, uint32_t block, struct kept *kept)
{
  const struct dg_usage_block *live = pass->carry.live.items;
  uint32_t number = dg_usage_index_find (&pass->carry.live_of, block);
  const struct dg_usage_block *use = number != 0 ? &live[number - 1] : NULL;
  struct dg_usage_block *copy;
  uint8_t *marks = dg_table_add (&kept->marks, sizeof *marks);
  bool is_new;

  if (marks == NULL)
    return DG_ERR_NOMEM;
  *marks = marks_of (pass->of.marks[block], use);
  if (use == NULL)
    return 0;
  copy = dg_usage_index_item (&kept->index, &kept->uses, sizeof *copy,
                              (uint32_t) kept->marks.n - 1, &is_new);
  if (copy == NULL)
    return DG_ERR_NOMEM;
  *copy = *use;
  copy->previous = DG_NONE;
  return 0;
}

/* Those that live when the window ends.  */
static int
keep_living (struct dg_usage_pass *pass, uint64_t end, struct kept *kept)
{
  for (size_t i = 0; i < pass->of.n; i++)
    if (dg_log_block_extent (pass->log, i).free_icount >= end
        && keep (pass, (uint32_t) i, kept) < 0)
      return DG_ERR_NOMEM;
  return 0;
}

static int
take_over (struct dg_usage_pass *pass, struct kept *kept)
{
  struct dg_usage_carry *carry = &pass->carry;

  g_free (pass->of.marks);
  pass->of.n = dg_log_n_blocks (pass->log);
  g_assert (kept->marks.n <= pass->of.n);
  pass->of.marks = g_try_new0 (uint8_t, pass->of.n + 1);
  if (pass->of.marks == NULL || pass->of.n >= DG_USAGE_IS_END)
    return DG_ERR_NOMEM;
  if (kept->marks.n > 0)
    memcpy (pass->of.marks, kept->marks.items, kept->marks.n);
  dg_table_fini (&carry->live);
  dg_usage_index_fini (&carry->live_of);
  carry->live = kept->uses;
  carry->live_of = kept->index;
  kept->uses = (struct dg_table){0};
  kept->index = (struct dg_usage_index){0};
  pass->clears = pass->has_overlaps;
  /* A realloc is an end and a beginning at one moment.  */
  carry->stash.n = 0;
  carry->stash_of = DG_NONE;
  return 0;
}

/* The first chunk that begins at a moment or later.  */
static size_t
chunk_at (const struct dg_usage_pass *pass, size_t first, uint64_t icount)
{
  return icount == DG_NEVER
           ? pass->n_chunks
           : DG_BISECT (first, pass->n_chunks, i,
                        pass->chunks[i].icount < icount);
}

int
dg_usage_next_window (struct dg_usage_pass *pass, struct dg_error *err)
{
  uint64_t first, end, before = 0, icount;
  struct kept kept = {0};
  int code = 0;

  if (pass->has_begun && pass->end_chunk == pass->n_chunks)
    return 0;
  if (pass->has_begun) {
    dg_block_window_moments (pass->log, &first, &before);
    code = keep_living (pass, before, &kept);
  }
  icount = pass->has_begun ? pass->chunks[pass->end_chunk].icount : 0;
  if (code == 0)
    code = dg_block_window_move (pass->log, icount, err);
  else
    dg_error_nomem (err);
  if (code == 0) {
    dg_block_window_moments (pass->log, &first, &end);
    g_assert (first == before);
    pass->first_chunk = pass->end_chunk;
    pass->end_chunk = chunk_at (pass, pass->first_chunk + 1, end);
    if (take_over (pass, &kept) < 0)
      code = dg_error_nomem (err);
  }
  pass->has_begun = true;
  kept_fini (&kept);
  return code < 0 ? code : 1;
}
