/* frames_stack.h: the stack of frames of one thread, as runs change it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FRAMES_STACK_H
#define DG_FRAMES_STACK_H

#include "frames_blocks.h"

struct dg_frame_slot {
  uint64_t cfa, site;      /* the call site that made it */
};

/* Of a thread, outermost first; frames that were there before the runs are
   not in it.  */
struct dg_frame_stack {
  uint64_t low, high;      /* bytes of the thread's stack; the caller's */
  struct dg_frame_slot *items;
  size_t n, room;
  uint64_t popped;         /* of those before the runs, those with a CFA up to
                              this are gone */
  uint64_t top;            /* the highest CFA that ever was */
  bool has_run;
  uint64_t behind;         /* the first run was behind this call site; 0:
                              behind none */
  uint64_t last_pc;        /* the last instruction that ran */
  bool may_return;         /* the last run ended with a read of a word, or,
                              where calls write none, with a return */
  uint64_t read;           /* where that was */
  uint64_t leaf;           /* where calls write none: the call site at which
                              the innermost frame is, while what it has called
                              has none; 0: it is not at one */
  uint64_t leaf_cfa;       /* and the CFA of that; 0: not known */
  bool lacks;              /* there was no memory for a frame; the caller looks
                              when it is done */
};

void dg_frame_stack_fini (struct dg_frame_stack *stack);
/* Room for n frames in all: 0 or DG_ERR_NOMEM.  */
int dg_frame_stack_reserve (struct dg_frame_stack *stack, size_t n);
/* What a run of the thread does.  */
void dg_frame_stack_run (struct dg_frame_stack *stack,
                         const struct dg_frame_blocks *blocks,
                         const struct dg_run *run);
/* A run is next: whether the last one has returned to it is known now, and
   where calls write no word, whose frame it is in.  */
void dg_frame_stack_settle (struct dg_frame_stack *stack,
                            const struct dg_frame_blocks *blocks,
                            const struct dg_run *run);

#endif /* DG_FRAMES_STACK_H */
