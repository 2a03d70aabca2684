/* shared_lines.h: the cache lines that more than one thread touches.

   Found by a pass over the whole log, so that those who count what threads do
   to each other's memory can leave out the rest, which is most of it.

   A line of a stack is shared if somebody else than its owner touches it:
   that one thread's stack is where another's was before is not sharing, as
   each call of a function has variables of its own.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SHARED_LINES_H
#define DG_SHARED_LINES_H

#include <glib.h>

#include "base/keys.h"
#include "libdatagrind.h"

/* Lines that stand together: a page of them.  */
#define DG_SHARED_PAGE_LINES 64

/* The pages that have shared lines.  Read-only once made.  */
struct dg_shared_lines {
  unsigned line_shift; /* of bytes per line: the log's, or 64 */
  unsigned page_shift; /* of DG_SHARED_PAGE_LINES lines */
  struct dg_keys pages; /* address >> page_shift -> place in `shared` */
  uint64_t *shared; /* bit for each line; not 0 */
  size_t n_lines;
};

struct dg_frames;
/* Reads all accesses.  A log of one thread has no shared lines and is not
   read.  frames: as dg_frames_begin gave them, to be completed meanwhile; or
   NULL.  workers: 0: one per processor.  pace: asked now and then, on the
   calling thread; non-zero cancels; may be NULL.  Memory: 136 bytes for each
   page that is touched, for each worker.  The lines that two threads touch do
   not depend on anything else; where there are more than 65,000 threads, or
   memory that was a stack is used for something else, some lines of one thread
   may be among them.  */
int dg_shared_lines_find (struct dg_shared_lines *lines,
                          const struct dg_log *log, struct dg_frames *frames,
                          unsigned workers, dg_progress_fn pace, void *user,
                          struct dg_error *err);
void dg_shared_lines_fini (struct dg_shared_lines *lines);

/* Whether a page with shared lines has a byte of low .. high - 1.  */
bool dg_shared_lines_any (const struct dg_shared_lines *lines, uint64_t low,
                          uint64_t high);

/* The stack of a thread at a moment.  */
struct dg_thread_stack {
  uint32_t thread;
  uint64_t since, until; /* moments for which this is right */
  uint64_t low, size;
};
/* Finds it by the number of the thread, which may be used again.  */
struct dg_thread_stacks;
/* NULL: no memory.  */
struct dg_thread_stacks *dg_thread_stacks_new (const struct dg_log *log);
void dg_thread_stacks_free (struct dg_thread_stacks *stacks);
void dg_thread_stacks_find (const struct dg_thread_stacks *stacks,
                            uint32_t thread, uint64_t icount,
                            struct dg_thread_stack *out);
static inline bool
dg_thread_stack_is (const struct dg_thread_stack *stack, uint32_t thread,
                    uint64_t icount)
{
  return stack->thread == thread && icount >= stack->since
         && icount < stack->until;
}
/* Whether low .. last has a byte of anybody's stack at any time.  */
bool dg_thread_stacks_any (const struct dg_thread_stacks *stacks, uint64_t low,
                           uint64_t last);

/* The bits of a page; 0: none of its lines.  */
static inline uint64_t
dg_shared_lines_page (const struct dg_shared_lines *lines, uint64_t page)
{
  uint32_t i = dg_keys_find (&lines->pages, page);

  return i != DG_NONE ? lines->shared[i] : 0;
}

#endif /* DG_SHARED_LINES_H */
