/* dg_timeline.h: the contents of a log besides accesses, over time: threads,
   the heap, mappings, ranges and events.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_TIMELINE_H
#define LIBDATAGRIND_TIMELINE_H

#include "dg_log.h"
#include "dg_record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each timeline is sorted by start.  *n receives the length; the result is
   NULL and 0 if there is none.  Labels and names are never NULL.  */

struct dg_thread {
  uint32_t number, parent; /* from 1; parent 0: none */
  uint64_t os_tid;         /* 0: unknown */
  uint64_t start_icount, end_icount;
  uint64_t stack_low, stack_high; /* its last known bounds; 0, 0: unknown */
  uint64_t instructions, reads, writes;
  const char *name; /* "" when it has none */
};
DG_API const struct dg_thread *dg_log_threads (const struct dg_log *log,
                                               size_t *n);
/* The thread with this number; of several, the last one; NULL: there is none.
   O(log n).  */
DG_API const struct dg_thread *dg_log_thread (const struct dg_log *log,
                                              uint32_t number);

/* Call sites as in contexts; in logs with DG_PROCESS_UNFOLDED_HEAP, stacks of
   blocks, mappings and page changes are not folded. n is 0 if the stack is
   unknown.  */
struct dg_stack {
  uint32_t n;
  const uint64_t *sites;
};

/* Several records may have the same icount.  Their order is given by orders:
   numbers from 1, in the order of the log, each used once, which blocks, page
   changes, pools, events, windows and stack pointers have in common.
   (dg_log_replay returns all of them in this order.)  */

/* Blocks of different kinds, and chunks of different pools, may be live at one
   address: one is then part of the memory of the other.  */
enum dg_block_kind {
  DG_BLOCK_ALLOCATED = 0, /* by malloc, new or similar functions, or unknown */
  DG_BLOCK_LIKE = 1,      /* VALGRIND_MALLOCLIKE_BLOCK */
  DG_BLOCK_POOL_CHUNK = 2 /* what a pool handed out */
};
/* A heap block, or a chunk of a pool.  A realloc, in place or not, ends one
   block and starts another, which is the next step; its old_address is the
   address of the first (DG_ALLOC_REALLOC, DG_ALLOC_RESIZE_IN_PLACE).  */
struct dg_block {
  uint64_t address, size;             /* requested bytes */
  uint64_t alloc_icount, free_icount; /* live in [alloc, free) */
  struct dg_stack alloc_stack, free_stack;
  /* From the records with details; all 0 without them.  */
  uint64_t alloc_seqno, free_seqno;
  uint32_t alloc_thread, free_thread;
  uint8_t allocator, deallocator; /* enum dg_allocator */
  uint8_t kind;                   /* enum dg_block_kind */
  uint32_t pool;                  /* index in dg_log_pools, plus 1; 0: none */
  uint64_t usable, alignment, old_address;
  uint32_t alloc_order, free_order; /* free: DG_NONE if it never is */
};
/* Address and lifetime of a block, which are needed most often.  */
struct dg_block_extent {
  uint64_t address, size;
  uint64_t alloc_icount, free_icount;
};
/* Whether a realloc replaced the old block, the end of which is the step
   before the beginning of this one.  */
static inline bool
dg_block_replaces (const struct dg_block *block,
                   const struct dg_block_extent *old)
{
  return (block->allocator == DG_ALLOC_REALLOC
          || block->allocator == DG_ALLOC_RESIZE_IN_PLACE)
         && block->old_address != 0 && block->old_address == old->address
         && block->alloc_icount == old->free_icount;
}
/* Blocks are stored in 40 bytes each, and returned one by one: index is less
   than dg_log_n_blocks, in the order of allocation.  Blocks with the same call
   stack have the same `sites`.  */
DG_API size_t dg_log_n_blocks (const struct dg_log *log);
DG_API struct dg_block dg_log_block (const struct dg_log *log, size_t index);
DG_API struct dg_block_extent dg_log_block_extent (const struct dg_log *log,
                                                   size_t index);

/* The heap blocks of a loaded log as a stream, whatever blocks the log keeps:
   what happened to them, in the order of the log, as DG_REPLAY_ALLOC and
   DG_REPLAY_FREE.  Takes memory for the blocks that live at one time, and
   reads the records of the log once more.  A reader is used by one thread at a
   time; readers of one log are independent.  */
struct dg_block_reader;
struct dg_block_step {
  bool is_free; /* it ends; otherwise it begins, and what is recorded with its
                   end is not known yet */
  struct dg_block block; /* orders are those of DG_BLOCKS_ALL; call stacks are
                            valid until the reader is freed */
};
DG_API struct dg_block_reader *dg_block_reader_new (const struct dg_log *log,
                                                    struct dg_error *err);
/* 1; at the end 0; < 0 on error (the file was changed since it was loaded, or
   cannot be read).  */
DG_API int dg_block_reader_next (struct dg_block_reader *reader,
                                 struct dg_block_step *step,
                                 struct dg_error *err);
/* NULL is allowed.  */
DG_API void dg_block_reader_free (struct dg_block_reader *reader);

struct dg_range {
  uint64_t address, size, start_icount, end_icount;
  const char *type, *label;
};
DG_API const struct dg_range *dg_log_ranges (const struct dg_log *log,
                                             size_t *n);

/* From a START_EVENT to the END_EVENT that closes it; an END closes the latest
   open START with the same label.  */
struct dg_event {
  uint64_t start_icount, end_icount;
  const char *label;
  uint32_t start_order, end_order; /* end: DG_NONE if it has none */
};
DG_API const struct dg_event *dg_log_events (const struct dg_log *log,
                                             size_t *n);

struct dg_module {
  uint64_t text_address, text_size; /* size 0: unknown */
  uint64_t bias;                    /* valid if has_detail */
  uint64_t load_icount, unload_icount;
  const char *file, *soname;
  const uint8_t *build_id;
  uint8_t n_build_id;
  bool has_detail;
};
DG_API const struct dg_module *dg_log_modules (const struct dg_log *log,
                                               size_t *n);

/* A thread's copy of the thread-local variables of a module, and the time
   during which it was at this address.  */
struct dg_thread_local {
  uint32_t thread; /* number */
  uint32_t module; /* index in dg_log_modules */
  uint64_t address, size;
  uint64_t start_icount, end_icount;
  uint64_t block_address; /* of the heap block that it is in; 0:
                             none */
};
DG_API const struct dg_thread_local *
dg_log_thread_locals (const struct dg_log *log, size_t *n);

/* Code that is in no file, such as a JIT compiler makes, or a function of a
   script, for all of the log: the last one over an address is right.  The
   upper bits of an address of code are its generation (DG_GENERATION_SHIFT),
   or say that it is a script's (DG_IS_SCRIPT).  */
struct dg_code_line {
  uint64_t address; /* where its code begins */
  uint32_t line;    /* from 1 */
};
struct dg_code_name {
  uint64_t address, size; /* size > 0 */
  uint64_t start;         /* of the function, of which this may be a part */
  const char *language;   /* "": machine code; "py": a script's */
  const char *name, *file; /* file of the lines; "": unknown */
  const struct dg_code_line *lines; /* n_lines, in ascending order */
  uint32_t n_lines;
  uint8_t source; /* enum dg_code_source */
};
DG_API const struct dg_code_name *dg_log_code_names (const struct dg_log *log,
                                                     size_t *n);

struct dg_mapping {
  uint64_t address, size, start_icount, end_icount, offset;
  uint8_t protection, what; /* enum dg_prot, enum dg_map */
  const char *file;         /* "" when anonymous */
  struct dg_stack stack;    /* of the call that mapped it */
  uint32_t thread;          /* 0: unknown */
};
/* Mappings over time; they do not overlap.  */
DG_API const struct dg_mapping *dg_log_mappings (const struct dg_log *log,
                                                 size_t *n);

/* All changes of pages: each MAP and UNMAP of the log, whatever was mapped
   before.  A remap that moves is a DG_MAP_REMAP at the new address and an
   UNMAP of the old one; a heap that grows is a DG_MAP_BRK of the new part, one
   that shrinks an UNMAP.  */
#define DG_PAGE_UNMAP 255
struct dg_page_change {
  uint64_t icount, address, size;
  struct dg_stack stack; /* of the call that changed them */
  uint32_t thread;       /* 0: unknown */
  uint32_t order;
  uint8_t what;       /* enum dg_map, or DG_PAGE_UNMAP */
  uint8_t protection; /* enum dg_prot; 0 for an unmap */
};
DG_API const struct dg_page_change *
dg_log_page_changes (const struct dg_log *log, size_t *n);

/* Memory pools that the program created (VALGRIND_CREATE_MEMPOOL).  */
struct dg_mempool {
  uint64_t address;      /* at first */
  uint64_t last_address; /* the program may change it */
  uint64_t start_icount, end_icount;
  uint32_t start_order, end_order; /* end: DG_NONE if it has none */
};
DG_API const struct dg_mempool *dg_log_pools (const struct dg_log *log,
                                              size_t *n);

/* Values of a thread's stack pointer that were not set by an instruction; only
   in logs with DG_PROCESS_STACKS.  */
struct dg_stack_pointer {
  uint64_t icount, sp;
  uint32_t thread, order;
  uint8_t what; /* enum dg_sp */
};
DG_API const struct dg_stack_pointer *
dg_log_stack_pointers (const struct dg_log *log, size_t *n);

/* Synchronizations that order threads in every run, in the order of the log.
   Without DG_PROCESS_ORDER, a thread is created where its first instruction
   runs, and joins and barriers are unknown.  Threads of statically linked
   programs only have creations.  */
enum dg_sync_kind {
  DG_SYNC_CREATE = 0,  /* `thread` creates `other` */
  DG_SYNC_EXIT = 1,    /* `thread` ends */
  DG_SYNC_JOIN = 2,    /* `thread` has waited for the end of `other` */
  DG_SYNC_RELEASE = 3, /* all earlier actions of `thread` are before
                          `number` */
  DG_SYNC_ACQUIRE = 4  /* all later actions of `thread` are after
                          `number` */
};
struct dg_sync {
  uint64_t icount; /* accesses at this icount are after it */
  uint64_t number; /* of a round of a barrier or region */
  uint32_t thread, other;
  uint32_t count; /* threads that take part; 0: unknown */
  uint8_t kind;   /* enum dg_sync_kind */
};
DG_API const struct dg_sync *dg_log_syncs (const struct dg_log *log,
                                           size_t *n);

/* Memory that the kernel read and wrote in system calls, in the order of the
   log; `accesses` of the summary does not include these.  */
struct dg_kernel_access {
  uint64_t icount, address, size;
  uint32_t thread;
  uint8_t kind; /* DG_ACC_READ, DG_ACC_WRITE */
};
DG_API const struct dg_kernel_access *
dg_log_kernel_accesses (const struct dg_log *log, size_t *n);

/* Moments at which recording was switched on or off.  */
struct dg_window_change {
  uint64_t icount;
  bool on;
  uint8_t why;
  uint32_t order;
};
DG_API const struct dg_window_change *dg_log_windows (const struct dg_log *log,
                                                      size_t *n);

/* All records with an order, in the order of the log.  */
enum dg_replay_kind {
  DG_REPLAY_ALLOC = 0,   /* index: for dg_log_block */
  DG_REPLAY_FREE,        /* the same */
  DG_REPLAY_PAGES,       /* in dg_log_page_changes */
  DG_REPLAY_EVENT_START, /* in dg_log_events */
  DG_REPLAY_EVENT_END,
  DG_REPLAY_WINDOW,        /* in dg_log_windows */
  DG_REPLAY_STACK_POINTER, /* in dg_log_stack_pointers */
  DG_REPLAY_POOL_START,    /* in dg_log_pools */
  DG_REPLAY_POOL_END
};
struct dg_replay_step {
  uint32_t index;
  uint8_t kind; /* enum dg_replay_kind */
};
/* Steps of the kinds whose bits (1 << kind) are in `kinds`; free *steps with
   free.  Takes 8 bytes for each step of the log, and one pass over them.  0 or
   DG_ERR_NOMEM.  */
DG_API int dg_log_replay (const struct dg_log *log, unsigned kinds,
                          struct dg_replay_step **steps, size_t *n,
                          struct dg_error *err);

/* The clock: nanoseconds since the start of the recording, at an icount.  */
struct dg_clock {
  uint64_t icount, ns;
};
DG_API const struct dg_clock *dg_log_clock (const struct dg_log *log,
                                            size_t *n);
/* Nanoseconds at a moment, interpolated between two readings. false: the log
   has no clock, or no reading at or after that moment.  */
DG_API bool dg_log_ns (const struct dg_log *log, uint64_t icount,
                       uint64_t *ns);

/* Positions where a reader may start, about every 4 MiB of a raw log; the
   first is after the header.  Chunk i ends where chunk i + 1 starts.  In an
   archive, its chunks, of about a million accesses each.  */
struct dg_chunk {
  uint64_t offset; /* in the file; in an archive, of its runs */
  uint64_t icount;
  /* Totals before it; accesses is the number of addresses of runs, including
     those not made.  */
  uint64_t accesses, runs, instructions, reads, writes;
  uint32_t bbdefs, contexts;
  uint32_t thread;
  bool recording;
};
DG_API const struct dg_chunk *dg_log_chunks (const struct dg_log *log,
                                             size_t *n);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_TIMELINE_H */
