/* block_window.h: the heap blocks of a part of a log, in place of all.

   A window has the blocks that live at some moment between the beginnings of
   two chunks.  It moves on from chunk to chunk, and forgets what has ended; so
   a program that allocates for hours takes memory for the blocks that live at
   one time, and as many again.  In the window, blocks have indices from 0 in
   the order of their allocation: a block has other ones in the next window.

   A log that was loaded with DG_BLOCKS_PASSING may have a window, which shows
   its blocks by dg_log_block and so on; before the first move, none.  What was
   made of them has to be made again when the window has moved: its number
   tells.  Nobody may ask about blocks while it moves.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_BLOCK_WINDOW_H
#define DG_BLOCK_WINDOW_H

#include "libdatagrind.h"

/* Its number, another one after each move; 0: the log has all its blocks.  */
unsigned dg_block_window_number (const struct dg_log *log);
/* The blocks are those of the moments from *first to *end - 1; all, if the log
   has all blocks.  */
void dg_block_window_moments (const struct dg_log *log, uint64_t *first,
                            uint64_t *end);
/* Moves to the part of the log that has this moment; backwards, the records
   are read from the start of the log.  0, or < 0: there are no blocks then.
   0 where the log has all its blocks.  */
int dg_block_window_move (const struct dg_log *log, uint64_t icount,
                        struct dg_error *err);

#endif /* DG_BLOCK_WINDOW_H */
