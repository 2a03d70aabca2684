/* block_reader.h: heap blocks as a stream, for the library.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_BLOCK_READER_H
#define DG_BLOCK_READER_H

#include "libdatagrind.h"

/* As dg_block_reader_next.  *item: a number that no other block has from the
   allocation of this one to its end.  */
int dg_block_reader_next_item (struct dg_block_reader *reader,
                               struct dg_block_step *step, uint32_t *item,
                               struct dg_error *err);

/* From the start of the log once more.  Call stacks that it gave stay valid,
   and equal ones are where they were.  0, or < 0: then it can only be
   freed.  */
int dg_block_reader_restart (struct dg_block_reader *reader,
                             struct dg_error *err);

#endif /* DG_BLOCK_READER_H */
