/* temporary.c: blocks that the next call of an allocator frees.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "libdatagrind.h"

#include "dg_record.h"
#include "base/error.h"

#include <glib.h>
#include <stdlib.h>

/* A block whose memory was allocated again, without a record of its free:
   nobody freed it just then.  Only records with details show that.  */
static bool
was_replaced (const struct dg_block *block)
{
  return block->alloc_seqno != 0 && block->free_seqno == 0;
}

int
dg_temporary_find (const struct dg_log *log, uint8_t **are,
                   struct dg_error *err)
{
  struct dg_replay_step *steps;
  uint32_t newest = DG_NONE;
  size_t n;
  int code = dg_log_replay (
    log, 1u << DG_REPLAY_ALLOC | 1u << DG_REPLAY_FREE, &steps, &n, err);

  *are = NULL;
  if (code < 0)
    return code;
  *are = g_try_new0 (uint8_t, dg_log_n_blocks (log) + 1);
  for (size_t i = 0; *are != NULL && i < n; i++) {
    const struct dg_block block = dg_log_block (log, steps[i].index);
    bool is_free = steps[i].kind == DG_REPLAY_FREE;

    if (block.allocator == DG_ALLOC_POOL)
      continue;
    if (is_free && steps[i].index == newest && !was_replaced (&block))
      (*are)[newest] = 1;
    newest = is_free ? DG_NONE : steps[i].index;
  }
  free (steps);
  return *are != NULL ? 0 : dg_error_nomem (err);
}
