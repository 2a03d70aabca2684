/* dg_temporary.h: which heap blocks were temporary.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   A block is temporary if the next call of an allocator after its allocation,
   by any thread, frees it, as in heaptrack: nothing else was allocated or
   freed meanwhile, so the program could have used the stack, or one block
   again and again.  A realloc frees a block and allocates another.  Chunks of
   memory pools do not count as calls.

   The rules of libdatagrind.h apply.  */

#ifndef LIBDATAGRIND_TEMPORARY_H
#define LIBDATAGRIND_TEMPORARY_H

#include <stdint.h>

#include "dg_log.h"

#ifdef __cplusplus
extern "C" {
#endif

/* *are receives one byte for each block of a loaded log (dg_log_block): 1 if
   it was temporary, otherwise 0; free it with free.  Takes 8 bytes for each
   step of the log meanwhile, as dg_log_replay.  0 or DG_ERR_NOMEM.  */
DG_API int dg_temporary_find (const struct dg_log *log, uint8_t **are,
                              struct dg_error *err);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_TEMPORARY_H */
