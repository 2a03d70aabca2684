/* tally_state.h: what a tally holds, for those who make it and who show it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_TALLY_STATE_H
#define DV_TALLY_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "model/log/scene.h"
#include "model/log/viewport.h"

struct dv_tally_count {
  uint64_t reads, writes;              /* accesses */
  uint64_t read_bytes, written_bytes;
};

static inline uint64_t
dv_tally_count_accesses (const struct dv_tally_count *count)
{
  return count->reads + count->writes;
}

static inline void
dv_tally_count_add (struct dv_tally_count *to,
                    const struct dv_tally_count *count)
{
  to->reads += count->reads;
  to->writes += count->writes;
  to->read_bytes += count->read_bytes;
  to->written_bytes += count->written_bytes;
}

/* All accesses of a call path: struct dv_tally_context.  */
struct dv_tally_context {
  uint32_t context;        /* of dg_log_context */
  struct dv_tally_count count;
};

struct dv_tally_thread {
  uint32_t thread;
  struct dv_tally_count count;
};

/* All accesses of an instruction, from whatever path.  */
struct dv_tally_code {
  uint64_t instruction;    /* its address */
  uint64_t icount;         /* when it ran once: for dg_symbols_frames */
  struct dv_tally_count count;
};

/* How threads that could run at the same time share a cache line
   (dg_contention.h), within the view: what they do to it before and after does
   not count.  */
enum dv_sharing {
  DV_SHARING_NONE,         /* nobody takes it from anybody; or the tally is
                              not complete */
  DV_SHARING_TRUE,         /* bytes that one thread writes others touch */
  DV_SHARING_MIXED,        /* both */
  DV_SHARING_FALSE         /* others write to it, but other bytes */
};

/* A page or a cache line.  */
struct dv_tally_place {
  uint64_t address;        /* of its first byte */
  struct dv_tally_count count;   /* of accesses that touch a byte of it */
  uint32_t threads;        /* that touched it */
  uint32_t writers;        /* that wrote to it */
  enum dv_sharing sharing; /* lines only */
  double false_share;      /* of the accesses: those disturbed falsely */
  uint64_t first_icount, last_icount;   /* of the accesses in the view */
};

/* What a thread does to a line that is shared in either way: its bytes as
   bits, the lowest first (of lines longer than 64 bytes, 64ths).  */
struct dv_tally_share {
  uint64_t line;           /* its address */
  uint32_t thread;
  uint64_t touched, written;
};

/* All heap blocks allocated by the same call stack.  An access belongs to the
   block that has its first byte.  */
struct dv_tally_site {
  uint32_t block;          /* one of them, of dg_log_block: has the stack */
  uint64_t blocks;         /* so many of them were touched */
  uint64_t bytes;          /* of these */
  struct dv_tally_count count;
};

/* Reference counted, for any thread; not changed once it was given out.  */
struct dv_tally {
  struct dv_scene *scene;
  struct dv_view view;
  /* The tables of memory: share of the work that is in them (1: all is done);
     each of their accesses once; of these, to what is not a heap block.  */
  double done;
  struct dv_tally_count total, elsewhere;
  /* The tables of code, which may be ready earlier: the same.  */
  double code_done;
  struct dv_tally_count code_total;
  GArray *contexts;        /* struct dv_tally_context, by context */
  GArray *threads;         /* struct dv_tally_thread, by thread */
  GArray *code;            /* struct dv_tally_code, by instruction */
  /* Tables of memory.  The heaviest first.  Where there are too many, only
     these are here, and the numbers below say how many there are.  */
  GArray *pages, *lines;   /* struct dv_tally_place: those that lie, at
                              least in part, in the view */
  GArray *shares;          /* struct dv_tally_share, by line and thread */
  GArray *sites;           /* struct dv_tally_site */
  uint64_t n_pages, n_lines, n_sites;
  /* What the count of a line lacks at most; more than 0 only where the view
     has more than a million of them.  */
  uint64_t lines_lack;
};

/* Whether tables of code are the same for both: while those of memory go on,
   one tally after the other has the same arrays of it.  */
static inline bool
dv_tally_has_same_code (const struct dv_tally *a, const struct dv_tally *b)
{
  return a->code == b->code;
}

/* Whether they are of the same instructions, whatever memory is in view.  */
static inline bool
dv_tally_has_same_time (const struct dv_tally *a, const struct dv_tally *b)
{
  return a->scene == b->scene && a->view.y0 == b->view.y0
         && a->view.y1 == b->view.y1;
}

#endif /* DV_TALLY_STATE_H */
