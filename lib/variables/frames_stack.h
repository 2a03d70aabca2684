/* frames_stack.h: the stack of frames of one thread, as runs change it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FRAMES_STACK_H
#define DG_FRAMES_STACK_H

#include <glib.h>

#include "libdatagrind.h"

/* How the last instruction of a block goes on; whether the block is behind a
   call.  */
enum dg_frame_block_end {
  DG_BLOCK_CALL = 1,       /* a call: its last access is the write of the
                              return address */
  DG_BLOCK_READ = 2,       /* perhaps a return: its last access is the read of
                              a word */
  DG_BLOCK_BEHIND = 4      /* returns lead there */
};

/* What the log's blocks and call sites tell.  Read-only once made.  */
struct dg_frame_block_ends {
  uint8_t *ends;           /* of enum dg_frame_block_end, by block */
  uint64_t word;           /* bytes */
};
int dg_frame_block_ends_init (struct dg_frame_block_ends *ends,
                              const struct dg_log *log, struct dg_error *err);
void dg_frame_block_ends_fini (struct dg_frame_block_ends *ends);

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
  bool is_behind;          /* the first run was behind a call */
  uint64_t last_pc;        /* the last instruction that ran */
  bool may_return;         /* the last run ended with a read of a word */
  uint64_t read;           /* where that was */
  bool lacks;              /* there was no memory for a frame; the caller looks
                              when it is done */
};

void dg_frame_stack_fini (struct dg_frame_stack *stack);
/* Room for n frames in all: 0 or DG_ERR_NOMEM.  */
int dg_frame_stack_reserve (struct dg_frame_stack *stack, size_t n);
/* What a run of the thread does.  */
void dg_frame_stack_run (struct dg_frame_stack *stack,
                         const struct dg_frame_block_ends *ends,
                         const struct dg_run *run);
/* A run is next: whether the last one has returned to it is known now.  */
void dg_frame_stack_settle (struct dg_frame_stack *stack,
                            const struct dg_frame_block_ends *ends,
                            const struct dg_run *run);

#endif /* DG_FRAMES_STACK_H */
