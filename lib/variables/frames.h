/* frames.h: where the frames of functions are on the stacks of threads.

   A log has no stack pointers.  But a call writes its return address: what is
   above that word is the caller's frame, and its end is what debug information
   calls the canonical frame address (CFA) of the callee.  A return reads the
   word again.  So the stack of frames follows from the runs alone.  An
   instruction is taken for a call if the log has its end as a call site, and
   for a return if the thread goes on behind a call site.

   Elsewhere (arm64) calls write nothing.  There a function's frame is found by
   the first access that it makes by the stack pointer or a frame pointer: call
   frame information says how far from that register the CFA is.  Who called it
   is in the context.  A return is the instruction of that name, after which
   the thread goes on behind the call site.

   Chunks are read in parallel for what they push and pop; put together, that
   gives the frames at the beginning of each chunk, from where a cursor follows
   the runs.

   Memory: 24 bytes for each frame that is pushed in one chunk and still there
   at its end, at most DG_FRAMES_MOST of them; beyond, frames that were pushed
   in earlier chunks are not known.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FRAMES_H
#define DG_FRAMES_H

#include "libdatagrind.h"

#define DG_FRAMES_MOST (8u << 20)

/* Read-only once made.  */
struct dg_frames;
/* Reads all runs.  symbols: of the log, and must live as long; NULL: nothing
   is known where calls write no word.  workers: 0: one per processor.  */
struct dg_frames *dg_frames_new (const struct dg_log *log,
                                 struct dg_symbols *symbols, unsigned workers,
                                 struct dg_error *err);
void dg_frames_free (struct dg_frames *frames);

/* The same for somebody who reads the log anyway: of each chunk all runs, by
   any thread, and then the chunks in order, by one.  */
struct dg_frames *dg_frames_begin (const struct dg_log *log,
                                   struct dg_symbols *symbols,
                                   struct dg_error *err);
struct dg_frame_chunk;
/* Empty; to be used again after it was taken.  */
struct dg_frame_chunk *dg_frame_chunk_new (const struct dg_frames *frames,
                                           struct dg_error *err);
void dg_frame_chunk_free (struct dg_frame_chunk *chunk);
void dg_frame_chunk_clear (struct dg_frame_chunk *chunk);
void dg_frame_chunk_run (struct dg_frame_chunk *chunk,
                         const struct dg_run *run);
/* What a chunk lacks for lack of memory is an error here.  */
int dg_frames_take (struct dg_frames *frames, size_t number,
                    struct dg_frame_chunk *chunk, struct dg_error *err);

/* A place in the log; one thread.  */
struct dg_frame_cursor;
struct dg_frame_cursor *dg_frame_cursor_new (const struct dg_frames *frames,
                                             struct dg_error *err);
void dg_frame_cursor_free (struct dg_frame_cursor *cursor);

/* Who is given all runs of a chunk, nothing left out, tells the cursor of
   each, which then need not read the log itself.  Questions are about the run
   that was begun; after another one the cursor reads, up to the next
   chunk.  */
void dg_frame_cursor_begin_chunk (struct dg_frame_cursor *cursor,
                                  size_t chunk);
void dg_frame_cursor_begin_run (struct dg_frame_cursor *cursor,
                                const struct dg_run *run);
void dg_frame_cursor_end_run (struct dg_frame_cursor *cursor);

/* Whose frame an address is in.  */
struct dg_frame_place {
  uint64_t low, cfa;       /* its bytes: low .. cfa - 1 */
  uint64_t pc;             /* in the code that it is the frame of; 0: that is
                              the instruction of the access */
  uint64_t inner_cfa;      /* of what is called from there; 0: nothing is */
  uint64_t inner_pc;       /* in the code of that; 0: as above */
  /* All this is right for the accesses of the same thread at moments
     since .. since + span - 1, to the same frame.  */
  uint64_t since, span;
};
/* The frame that has an address on the stack of thread `owner`, at an access;
   0: it is not known.  Fast for accesses in the order of the log.  1, 0, or
   < 0 when the log cannot be read.  */
int dg_frame_cursor_find (struct dg_frame_cursor *cursor,
                          const struct dg_access *access, uint32_t owner,
                          struct dg_frame_place *out, struct dg_error *err);

#endif /* DG_FRAMES_H */
