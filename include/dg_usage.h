/* dg_usage.h: what became of each block of the heap: how much of it was read
   and written, how often, and when for the last time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   What counts
     - An access belongs to the block that its first byte lies in, as with
       Valgrind's DHAT; of blocks that overlap, to the one that began last
       (dg_space_find).  A block lives in [alloc_icount, free_icount).
     - Bytes are counted one by one: a byte was read or written if any access
       covered it while the block was alive, wherever that access began.
     - What the kernel reads and writes in system calls (read, write ...)
       counts as an access of the whole range, as with DHAT; of more than
       64 KiB, the bytes of the block in which it begins, and of these the
       first 64 MiB.
     - A realloc makes a new block.  Bytes that it keeps are in the new block
       what they were in the old one (but nothing if that had pieces, see
       below); its copying is not an access.  Counts of
       accesses and moments are each block's own.
     - What calloc clears and a program reads as zeros is not written.
     - A block from which others were cut (an allocator's own, with
       VALGRIND_MALLOCLIKE_BLOCK or memory pools) has no bytes of its own to
       show about: DG_USAGE_HAS_PIECES.

   The rules of libdatagrind.h hold here, too.  */

#ifndef LIBDATAGRIND_USAGE_H
#define LIBDATAGRIND_USAGE_H

#include "dg_log.h"

#ifdef __cplusplus
extern "C" {
#endif

enum dg_usage_flags {
  DG_USAGE_HAS_PIECES = 1 /* another block began in it while it was alive:
                           the three counts of bytes below are 0 */
};

/* What is known of a block.  The last access is that of the highest icount,
   and of one moment the last in the log.  */
struct dg_usage_block {
  uint64_t reads, writes;             /* accesses, each once */
  uint64_t read_bytes, written_bytes; /* of these: sums of their sizes */
  /* Bytes of the block, if options.want_bytes, else 0.  */
  uint64_t unread;                    /* never read */
  uint64_t unwritten;                 /* never written */
  uint64_t untouched;                 /* neither */
  uint64_t first_icount, last_icount; /* accesses; DG_NEVER: there was none */
  uint64_t last_instruction;          /* its address; 0: the kernel, or
                                         none */
  uint32_t last_context;              /* DG_NONE: the kernel, or none */
  uint32_t last_thread;               /* 0: none */
  uint32_t previous; /* index of the block that a realloc replaced by
                        this; DG_NONE: none */
  uint32_t flags;    /* enum dg_usage_flags */
};

/* How often each byte of a block was touched, of read or written alike: at
   most 65535.  Called on the calling thread, once for each block that `wants`
   said yes to and that was accessed, when it has ended or the log has; the
   order is the same for any number of workers.  n: its bytes.  Only accesses
   that begin in the block count, and only as far as it goes.  */
typedef void (*dg_usage_counts_fn) (void *user, uint32_t block,
                                    const uint16_t *counts, size_t n);

/* What became of a block, when it has ended; of those that are alive when the
   log ends, then.  Called on the calling thread, once for each block of the
   log, in the order in which they end, and of those at the end the youngest
   one first: the order is the same for any number of workers.  *use is good
   for this call only.  */
typedef void (*dg_usage_ended_fn) (void *user, uint32_t block,
                                   const struct dg_usage_block *use);

struct dg_usage_options {
  size_t size;             /* sizeof (struct dg_usage_options) */
  dg_usage_ended_fn ended; /* NULL: nobody asks */
  void *ended_user;
  unsigned workers; /* threads; 0: one per processor */
  bool want_bytes;
  const struct dg_filter *filter; /* leaves accesses out; NULL: none */
  /* NULL: nobody wants counts.  wants[i] != 0: those of block i.  */
  dg_usage_counts_fn counts;
  void *counts_user;
  const uint8_t *wants; /* one for each block (dg_log_block) */
  /* NULL: all blocks.  only[i] == 0: nothing is reported about block i: saves
     most of the time if this is so of most.  Not with want_bytes or
     counts (DG_ERR_INVALID), as bytes are handed on by reallocs.  */
  const uint8_t *only;
};

/* Reads all accesses of a loaded log.  A log that ends early is used as far
   as it goes.  Progress is in accesses.  DG_ERR_NOMEM, DG_ERR_CANCELLED, and
   as dg_reader_run.

   Memory: 9 bytes for each block of the log, 120 for each one alive that was
   accessed, and those that end in a few chunks; for each worker about a third
   of the extent of the heap (pages that ever had a small block, or of which
   somebody touched a byte), and 110 bytes for each block that is accessed in a
   chunk; and, with want_bytes, a quarter
   of the pages of the heap that were touched; with counts, 2 bytes for each
   byte of the blocks that are wanted, alive and were touched.  */
DG_API int dg_usage_run (const struct dg_log *log,
                         const struct dg_usage_options *options,
                         dg_progress_fn progress, void *user,
                         struct dg_error *err);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_USAGE_H */
