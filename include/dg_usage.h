/* dg_usage.h: how each heap block was used: which bytes were read and written,
   how often, and when for the last time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   Counting rules
     - An access belongs to the block that contains its first byte, as in
       Valgrind's DHAT; of overlapping blocks, to the one allocated last
       (dg_space_find).  A block is live in [alloc_icount, free_icount).
     - Bytes are counted one by one: a byte was read or written if any access
       covered it while the block was live, even if the access started outside.
     - Reads and writes by the kernel in system calls (read, write ...) count
       as accesses to the whole range, as in DHAT; if that is more than 64 KiB,
       only bytes of the block in which it starts count, and only the first
       64 MiB.
     - A realloc makes a new block.  Bytes that it keeps have the same state in
       the new block (but none if the old one had chunks, see below); copying
       them is not an access.  Counts of accesses and moments are not
       inherited.
     - Bytes that calloc clears are not written.
     - A block that contains others (memory of the program's own allocator,
       with VALGRIND_MALLOCLIKE_BLOCK or memory pools) has no counts of bytes:
       DG_USAGE_HAS_PIECES.

   The rules of libdatagrind.h apply.  */

#ifndef LIBDATAGRIND_USAGE_H
#define LIBDATAGRIND_USAGE_H

#include "dg_log.h"

#ifdef __cplusplus
extern "C" {
#endif

enum dg_usage_flags {
  DG_USAGE_HAS_PIECES = 1 /* another block was allocated in it while it was
                           live: the three counts of bytes below are 0 */
};

/* Usage of a block.  The last access is the one with the highest icount, and
   of several, the last one in the log.  */
struct dg_usage_block {
  uint64_t reads, writes;             /* accesses, each once */
  uint64_t read_bytes, written_bytes; /* sums of the sizes of these */
  /* Bytes of the block, if options.want_bytes, otherwise 0.  */
  uint64_t unread;                    /* never read */
  uint64_t unwritten;                 /* never written */
  uint64_t untouched;                 /* neither */
  uint64_t first_icount, last_icount; /* of accesses; DG_NEVER: none */
  uint64_t last_instruction;          /* its address; 0: the kernel, or
                                         none */
  uint32_t last_context;              /* DG_NONE: the kernel, or none */
  uint32_t last_thread;               /* 0: none */
  uint32_t previous; /* index of the block that a realloc replaced with
                        this one; DG_NONE: none, or blocks pass */
  uint32_t flags;    /* enum dg_usage_flags */
};

/* How often each byte of a block was read or written, up to 65535.  Called on
   the calling thread, once for each block for which `wants` is not 0 and that
   was accessed, after its end or the end of the log.  The order does not
   depend on the number of workers. n: bytes of the block.  Only accesses that
   start in the block count, up to its end.  */
typedef void (*dg_usage_counts_fn) (void *user, uint32_t block,
                                    const uint16_t *counts, size_t n);

/* Usage of a block, after its end; of blocks that are live at the end of the
   log, then.  Called on the calling thread, once for each block of the log, in
   the order in which they end; of those at the end, the latest one first.  The
   order does not depend on the number of workers.  *use is valid during this
   call only.  */
typedef void (*dg_usage_ended_fn) (void *user, uint32_t block,
                                   const struct dg_usage_block *use);

/* A realloc replaces a block, which has just ended, with the one that begins.
   On the calling thread, in the order of the log.  */
typedef void (*dg_usage_replaced_fn) (void *user, uint32_t block,
                                      uint32_t previous);

struct dg_usage_options {
  size_t size;             /* sizeof (struct dg_usage_options) */
  dg_usage_ended_fn ended; /* NULL: not needed */
  void *ended_user;
  unsigned workers; /* threads; 0: one per processor */
  bool want_bytes;
  const struct dg_filter *filter; /* excludes accesses; NULL: none */
  /* NULL: no counts. wants[i] != 0: counts of block i.  */
  dg_usage_counts_fn counts;
  void *counts_user;
  const uint8_t *wants; /* one for each block (dg_log_block) */
  /* NULL: all blocks. only[i] == 0: nothing is reported for block i, which
     saves most of the time if this applies to most blocks.  Not allowed with
     want_bytes or counts (DG_ERR_INVALID), since reallocs inherit bytes.  */
  const uint8_t *only;
  dg_usage_replaced_fn replaced; /* with ended_user; NULL: not needed */
};

/* Reads all accesses of a loaded log.  A log that ends early is used up to
   there.  Progress is in accesses.  DG_ERR_NOMEM, DG_ERR_CANCELLED, and errors
   of dg_reader_run.  Blocks may pass (DG_BLOCKS_PASSING), without `counts` and
   `only`; indices are then those of the blocks that the log has during a call
   of a function (dg_log_block).

   Memory: 9 bytes for each block of the log, or that it has at a time; 120
   for each live block that was accessed, and for those that end in a few
   chunks; for each worker, about a third of the extent of the heap (pages
   that ever contained a small block or touched bytes) and 110 bytes for
   each block accessed in a chunk; with want_bytes, a quarter of the
   touched pages of the heap; with counts, 2 bytes for each byte of touched
   live blocks with counts.  */
DG_API int dg_usage_run (const struct dg_log *log,
                         const struct dg_usage_options *options,
                         dg_progress_fn progress, void *user,
                         struct dg_error *err);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_USAGE_H */
