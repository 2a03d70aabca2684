/* frames_blocks.h: what a log's superblocks say of frames.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FRAMES_BLOCKS_H
#define DG_FRAMES_BLOCKS_H

#include "log/arch.h"

/* How the last instruction of a block goes on; whether the block is behind a
   call.  */
enum dg_frame_block_end {
  DG_BLOCK_CALL = 1,       /* a call: its last access is the write of the
                              return address, where there is such */
  DG_BLOCK_READ = 2,       /* perhaps a return: its last access is the read of
                              a word */
  DG_BLOCK_BEHIND = 4      /* returns lead there */
};

/* Of all blocks and call sites.  Any thread may ask.  */
struct dg_frame_blocks {
  const struct dg_log *log;
  uint8_t *ends;           /* of enum dg_frame_block_end, by block */
  uint64_t word;           /* bytes */
  /* Where calls write nothing, else NULL: */
  uint64_t *accesses;      /* by block: what dg_frame_blocks_cfa and _returns
                              know, found out when they are asked */
  uint64_t *called;        /* likewise, of dg_frame_blocks_called: and 1 */
  const struct dg_arch *arch;
  struct dg_symbols *symbols;          /* NULL: nothing is known */
};

/* symbols: the caller's, which must live as long; may be NULL.  */
int dg_frame_blocks_init (struct dg_frame_blocks *blocks,
                          const struct dg_log *log,
                          struct dg_symbols *symbols, struct dg_error *err);
void dg_frame_blocks_fini (struct dg_frame_blocks *blocks);

/* The call site that a block is behind; 0: it is behind none.  */
uint64_t dg_frame_blocks_behind (const struct dg_frame_blocks *blocks,
                                 const struct dg_bbdef *block);

/* Where calls write nothing: the CFA of the function that a run is in, if an
   access of the run tells it; whether the run ends with a return.  */
bool dg_frame_blocks_cfa (const struct dg_frame_blocks *blocks,
                          const struct dg_run *run, uint64_t *cfa);
bool dg_frame_blocks_returns (const struct dg_frame_blocks *blocks,
                              const struct dg_run *run);
/* How far below the CFA that of a function is which a run calls at its end; 0:
   that is not known.  */
uint64_t dg_frame_blocks_called (const struct dg_frame_blocks *blocks,
                                 const struct dg_run *run);

#endif /* DG_FRAMES_BLOCKS_H */
