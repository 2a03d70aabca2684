/* owner_changes.c: the moments at which the owner of memory changes, in order.

   Blocks stand in the log in the order of their beginnings; only the order of
   their ends has to be made.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "owner_changes.h"

#include "base/bisect.h"
#include "base/compare.h"
#include "base/error.h"
#include "log/block_window.h"
#include "blocks_by_end.h"

#include <glib.h>
#include <stdlib.h>

struct change {
  uint64_t icount, low, high;
};

struct dg_owner_changes {
  const struct dg_log *log;
  unsigned window;         /* the blocks are of: see log/block_window.h */
  size_t n_blocks;
  uint32_t *freed; /* blocks by the moment of their end */
  size_t n_freed;
  struct change *others; /* by moment */
  size_t n_others;
};

/* ---- Making ----------------------------------------------------------- */

static int
list_freed (struct dg_owner_changes *changes)
{
  g_free (changes->freed);
  changes->window = dg_block_window_number (changes->log);
  changes->n_blocks = dg_log_n_blocks (changes->log);
  changes->n_freed = 0;
  changes->freed = g_try_new (uint32_t, changes->n_blocks + 1);
  if (changes->freed == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < changes->n_blocks; i++) {
    struct dg_block_extent at = dg_log_block_extent (changes->log, i);

    if (at.free_icount != DG_NEVER && at.size > 0)
      changes->freed[changes->n_freed++] = (uint32_t) i;
  }
  return dg_blocks_by_end (changes->log, changes->freed, changes->n_freed);
}

static void
add (struct dg_owner_changes *changes, uint64_t icount, uint64_t low,
     uint64_t size)
{
  uint64_t high = size > UINT64_MAX - low ? UINT64_MAX : low + size;

  if (size > 0 && icount != DG_NEVER)
    changes->others[changes->n_others++] = (struct change){icount, low, high};
}

DG_COMPARE_BY (compare_changes, struct change, icount)

static int
list_others (struct dg_owner_changes *changes, const struct dg_log *log)
{
  size_t n_ranges, n_threads, n_maps, n_modules, n_locals;
  const struct dg_range *ranges = dg_log_ranges (log, &n_ranges);
  const struct dg_thread *threads = dg_log_threads (log, &n_threads);
  const struct dg_mapping *maps = dg_log_mappings (log, &n_maps);
  const struct dg_module *modules = dg_log_modules (log, &n_modules);
  const struct dg_thread_local *locals = dg_log_thread_locals (log, &n_locals);

  changes->others =
    g_try_new (struct change,
               2 * (n_ranges + n_threads + n_maps + n_modules + n_locals) + 1);
  if (changes->others == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n_ranges; i++) {
    add (changes, ranges[i].start_icount, ranges[i].address, ranges[i].size);
    add (changes, ranges[i].end_icount, ranges[i].address, ranges[i].size);
  }
  for (size_t i = 0; i < n_threads; i++) {
    const struct dg_thread *t = &threads[i];
    uint64_t size =
      t->stack_high > t->stack_low ? t->stack_high - t->stack_low : 0;

    add (changes, t->start_icount, t->stack_low, size);
    add (changes, t->end_icount, t->stack_low, size);
  }
  for (size_t i = 0; i < n_maps; i++) {
    add (changes, maps[i].start_icount, maps[i].address, maps[i].size);
    add (changes, maps[i].end_icount, maps[i].address, maps[i].size);
  }
  for (size_t i = 0; i < n_locals; i++) {
    add (changes, locals[i].start_icount, locals[i].address, locals[i].size);
    add (changes, locals[i].end_icount, locals[i].address, locals[i].size);
  }
  for (size_t i = 0; i < n_modules; i++) {
    add (changes, modules[i].load_icount, 0, UINT64_MAX);
    add (changes, modules[i].unload_icount, 0, UINT64_MAX);
  }
  qsort (changes->others, changes->n_others, sizeof *changes->others,
         compare_changes);
  return 0;
}

struct dg_owner_changes *
dg_owner_changes_new (const struct dg_log *log, struct dg_error *err)
{
  struct dg_owner_changes *changes = g_try_new0 (struct dg_owner_changes, 1);

  if (changes != NULL) {
    changes->log = log;
    if (list_freed (changes) == 0 && list_others (changes, log) == 0)
      return changes;
  }
  dg_owner_changes_free (changes);
  dg_error_nomem (err);
  return NULL;
}

int
dg_owner_changes_follow (struct dg_owner_changes *changes,
                         struct dg_error *err)
{
  if (changes->window == dg_block_window_number (changes->log))
    return 0;
  return list_freed (changes) < 0 ? dg_error_nomem (err) : 0;
}

unsigned
dg_owner_changes_window (const struct dg_owner_changes *changes)
{
  return changes->window;
}

void
dg_owner_changes_free (struct dg_owner_changes *changes)
{
  if (changes == NULL)
    return;
  g_free (changes->freed);
  g_free (changes->others);
  g_free (changes);
}

/* ---- Going through ---------------------------------------------------- */

static uint64_t
alloc_moment (const struct dg_owner_changes *changes, size_t i)
{
  return i < changes->n_blocks
           ? dg_log_block_extent (changes->log, i).alloc_icount
           : DG_NEVER;
}

static uint64_t
freed_moment (const struct dg_owner_changes *changes, size_t i)
{
  return i < changes->n_freed
           ? dg_log_block_extent (changes->log, changes->freed[i]).free_icount
           : DG_NEVER;
}

static uint64_t
other_moment (const struct dg_owner_changes *changes, size_t i)
{
  return i < changes->n_others ? changes->others[i].icount : DG_NEVER;
}

static void
set_next (const struct dg_owner_changes *changes,
          struct dg_owner_changes_cursor *cursor)
{
  uint64_t next = alloc_moment (changes, cursor->alloc);

  next = MIN (next, freed_moment (changes, cursor->freed));
  cursor->next = MIN (next, other_moment (changes, cursor->other));
}

/* The first of n items whose moment is later.  */
static size_t
first_after (const struct dg_owner_changes *changes, size_t n,
             uint64_t (*moment) (const struct dg_owner_changes *, size_t),
             uint64_t icount)
{
  return DG_BISECT (0, n, i, moment (changes, i) <= icount);
}

void
dg_owner_changes_seek (const struct dg_owner_changes *changes, uint64_t icount,
                       struct dg_owner_changes_cursor *cursor)
{
  cursor->alloc =
    first_after (changes, changes->n_blocks, alloc_moment, icount);
  cursor->freed =
    first_after (changes, changes->n_freed, freed_moment, icount);
  cursor->other =
    first_after (changes, changes->n_others, other_moment, icount);
  set_next (changes, cursor);
}

static size_t
distance (size_t a, size_t b)
{
  return a > b ? a - b : b - a;
}

size_t
dg_owner_changes_between (const struct dg_owner_changes_cursor *from,
                          const struct dg_owner_changes_cursor *to)
{
  return distance (from->alloc, to->alloc) + distance (from->freed, to->freed)
         + distance (from->other, to->other);
}

static void
block_bytes (const struct dg_owner_changes *changes, size_t block,
             uint64_t *low, uint64_t *high)
{
  struct dg_block_extent at = dg_log_block_extent (changes->log, block);

  *low = at.address;
  *high =
    at.size > UINT64_MAX - at.address ? UINT64_MAX : at.address + at.size;
}

bool
dg_owner_changes_next (const struct dg_owner_changes *changes,
                       struct dg_owner_changes_cursor *cursor, uint64_t icount,
                       uint64_t *low, uint64_t *high)
{
  if (cursor->next > icount || cursor->next == DG_NEVER)
    return false;
  if (alloc_moment (changes, cursor->alloc) == cursor->next) {
    block_bytes (changes, cursor->alloc++, low, high);
  } else if (freed_moment (changes, cursor->freed) == cursor->next) {
    block_bytes (changes, changes->freed[cursor->freed++], low, high);
  } else {
    *low = changes->others[cursor->other].low;
    *high = changes->others[cursor->other++].high;
  }
  set_next (changes, cursor);
  return true;
}
