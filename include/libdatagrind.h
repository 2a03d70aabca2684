/* libdatagrind.h: read Datagrind logs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

   Contents
     1  Errors        struct dg_error, dg_code_name
     2  Logs          dg_log_open, dg_log_load, dg_log_close, what a log holds
     3  Reading       dg_reader: records, runs, accesses, in order
     4  Symbols       dg_symbols: address -> function, file, line, module,
                      variable, field
     5  Space         dg_space: address at a moment -> who owns it
     6  Filter        dg_filter: the --events and --ranges language
     7  Archives      dg_log_pack, dg_log_unpack: the small form of a log;
                      dg_log_cut: a part of one; dg_import_lackey
     8  Capture       dg_capture: an archive while the program runs
     9  Index         dg_index: touched cache lines, chunk by chunk
    10  Analyses      dg_analyse: figures from all accesses (dg_analysis.h says
                      how one is written)
    11  Numbers       dg_number: as people type them and read them
    12  Near names    dg_nearest: what a mistyped one may have meant

   Rules of the whole library
     - Functions that can fail return 0 (or a count, or a pointer) on success
       and a negative enum dg_code (or NULL) on failure; they then fill *err
       when err is not NULL, and leave it alone on success.
     - Bad input is an error, never a crash; nothing is printed; no exit.
     - Pointers to const that a function returns belong to the object that
       was asked and live as long as it does, unless another rule is given.
     - icount is a moment: the number of instructions that the program had
       executed before.  Addresses and sizes are in bytes.
     - A loaded log is read-only: any number of threads may use it at once,
       each with its own dg_reader.  dg_symbols locks by itself; dg_space
       and dg_filter are read-only once made.  */

#ifndef LIBDATAGRIND_H
#define LIBDATAGRIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef DG_API
#define DG_API __attribute__ ((visibility ("default")))
#endif

/* "Never": the end of what is still alive when the log ends.  */
#define DG_NEVER UINT64_MAX
/* "None": no such index.  */
#define DG_NONE  UINT32_MAX

/* ---- 1  Errors ------------------------------------------------------- */

enum dg_code {
  DG_OK = 0,
  DG_ERR_IO = -1,         /* the system said no: see the message */
  DG_ERR_NOMEM = -2,
  DG_ERR_NOT_A_LOG = -3,  /* empty, or does not begin as a log does */
  DG_ERR_VERSION = -4,    /* a log, of a kind that this library cannot read */
  DG_ERR_TRUNCATED = -5,  /* ends within a record, or without its end record */
  DG_ERR_DAMAGED = -6,    /* a record contradicts the format */
  DG_ERR_CANCELLED = -7,  /* a progress callback asked to stop */
  DG_ERR_FILTER = -8,     /* --events or --ranges do not parse */
  DG_ERR_INVALID = -9     /* an argument is out of its range */
};

/* offset: the byte of the file at which the bad record begins; for
   DG_ERR_FILTER, the column (from 0) in the text; else 0.
   message: complete, without program or file name and final newline, such
   as "offset 0x1f40: BBRUN names context 7, only 5 are defined".  */
struct dg_error {
  int code;
  uint64_t offset;
  char message[240];
};

/* A word for a code, such as "truncated"; "unknown" for others.  */
DG_API const char *dg_code_name (int code);

/* Reads a file that a log or a module names, such as a source: a regular one
   of at most `max` bytes; others are not even opened, as a FIFO would wait
   for its writer.  *text, which a 0 byte ends, is to be freed with free;
   *changed, unless NULL, is when it was last written, in seconds.
   Returns 0, or DG_ERR_INVALID: no regular file, or too large; DG_ERR_IO,
   DG_ERR_NOMEM: then *text is NULL.  The message does not name the file.  */
DG_API int dg_regular_read (const char *path, size_t max, char **text,
                            size_t *n, int64_t *changed,
                            struct dg_error *err);

/* ---- 2  Logs --------------------------------------------------------- */

struct dg_log;

/* Progress of a long call: `done` of `total` bytes.  Called on the
   calling thread, ten to fifty times a second.  Returning non-zero cancels
   the call, which then fails with DG_ERR_CANCELLED.  */
typedef int (*dg_progress_fn) (void *user, uint64_t done, uint64_t total);

/* Opens the log or archive at `path` and checks its header, in constant time.
   DG_ERR_IO, DG_ERR_NOT_A_LOG, DG_ERR_VERSION, DG_ERR_NOMEM, and
   DG_ERR_DAMAGED for the head of an archive.  On failure *log is NULL.  Close
   with dg_log_close.  */
DG_API int dg_log_open (const char *path, struct dg_log **log,
                        struct dg_error *err);

/* Walks every record once, checks it, and gathers definitions, timelines
   and totals.  Of an archive, the runs are only checked to be as they were
   written; dg_log_verify decodes them, and so does reading.  Everything below
   needs it, but dg_log_header.
   workers: threads to use, 0 for one per processor.  progress may be NULL.
   Returns 0, or DG_ERR_TRUNCATED or DG_ERR_DAMAGED: then what comes before
   err->offset is loaded and usable like a shorter log; or DG_ERR_IO,
   DG_ERR_NOMEM, DG_ERR_CANCELLED: then nothing is.  A log without an end
   record is DG_ERR_TRUNCATED if its recorder writes them (it has a PROCESS
   record), and no error otherwise.  To be called once.  */
DG_API int dg_log_load (struct dg_log *log, unsigned workers,
                        dg_progress_fn progress, void *user,
                        struct dg_error *err);

/* Like dg_log_load, for a log that is still being written, which most often
   is DG_ERR_TRUNCATED: dg_log_grow can go on from there.  A raw log is walked
   by one thread.  */
DG_API int dg_log_load_growing (struct dg_log *log, unsigned workers,
                                dg_progress_fn progress, void *user,
                                struct dg_error *err);

/* Reads what was added to the file since `log` was loaded by
   dg_log_load_growing or made by this: 1, *grown is a loaded log with all of
   it, and *flaw has the code (0, DG_ERR_TRUNCATED or DG_ERR_DAMAGED) and
   message that loading it had; 0, nothing was added.  Users of `log` may
   go on; they have memory in common, so that only tables are copied, and each
   is closed with dg_log_close, in any order.  Only the newest can grow, until
   it is whole or found damaged (dg_log_can_grow).  DG_ERR_IO: the file is
   gone, shorter, or another one; `log` may be tried again.  After
   DG_ERR_NOMEM and DG_ERR_CANCELLED it cannot grow any more.  */
DG_API int dg_log_grow (struct dg_log *log, unsigned workers,
                        dg_progress_fn progress, void *user,
                        struct dg_log **grown, struct dg_error *flaw,
                        struct dg_error *err);
DG_API bool dg_log_can_grow (const struct dg_log *log);

/* Whether somebody is writing a loaded log, as far as this machine
   knows: of an archive by its lock, of a raw log by its process.  */
enum dg_writer {
  DG_WRITER_UNKNOWN = 0,
  DG_WRITER_ACTIVE = 1,
  DG_WRITER_NONE = 2       /* nothing more will come */
};
DG_API enum dg_writer dg_log_writer (const struct dg_log *log);

/* Like dg_log_load for callers that want no more than the summary, the
   process and the chunks: of an archive that is whole, it reads just these
   and takes no time.  Of other logs it is dg_log_load.  dg_log_load may
   follow.  */
DG_API int dg_log_load_summary (struct dg_log *log, unsigned workers,
                                dg_progress_fn progress, void *user,
                                struct dg_error *err);

/* Looks at what dg_log_load does not: of an archive that it loaded without an
   error, decodes all runs and checks that they add up to what the archive
   says, and that the index is theirs.  Of other logs there is nothing left
   to do.  0, DG_ERR_DAMAGED, DG_ERR_IO, DG_ERR_NOMEM, DG_ERR_CANCELLED.
   Progress is in bytes of the log.  */
DG_API int dg_log_verify (const struct dg_log *log, unsigned workers,
                          dg_progress_fn progress, void *user,
                          struct dg_error *err);

/* Frees the log and all that belongs to it.  NULL is fine.  */
DG_API void dg_log_close (struct dg_log *log);

struct dg_header {
  uint8_t version;      /* 1 */
  uint8_t big_endian;   /* 0 or 1 */
  uint8_t word_size;    /* bytes: 4 or 8 */
  bool is_archive;      /* packed; everything below reads both forms */
  uint64_t file_size;   /* bytes, when the log was opened */
};
DG_API const struct dg_header *dg_log_header (const struct dg_log *log);
DG_API const char *dg_log_path (const struct dg_log *log);

/* Whether the log is complete.  */
enum dg_complete {
  DG_COMPLETE_NO = 0,      /* cut short or damaged */
  DG_COMPLETE_YES = 1,     /* it has its end record, and nothing is missing */
  DG_COMPLETE_UNKNOWN = 2  /* its recorder did not write end records */
};

struct dg_summary {
  enum dg_complete complete;
  int end_why;            /* enum dg_end of dg_record.h, -1 without one */
  int exit_code;          /* -1 when unknown */
  uint64_t good_bytes;    /* of the file, up to the first bad record */
  uint64_t last_icount;   /* the program's instructions, recorded or not */
  uint64_t instructions;  /* recorded */
  uint64_t accesses;      /* reads + writes */
  uint64_t reads, writes; /* by instructions, made ones only */
  uint64_t kernel_reads, kernel_writes;   /* records, in system calls */
  uint64_t runs, bbdefs, contexts;
  uint64_t threads;       /* that ran, or were started: at least 1 */
  uint64_t heap_allocs, heap_frees;
  uint64_t modules;
  uint64_t events_started, events_ended;
  uint64_t ranges_tracked, ranges_untracked;
  uint64_t windows;       /* WINDOW records */
  uint64_t unknown_records;  /* of types that this library skips */
  uint64_t lost_calls;    /* as the end record says, 0 without one */
  uint64_t min_address, max_address;  /* first bytes of accesses that were
                                         made; min > max if none */
  uint64_t pools;         /* of the program's own memory, that it made */
};
DG_API const struct dg_summary *dg_log_summary (const struct dg_log *log);

/* NULL when the log has no PROCESS record.  */
struct dg_process {
  uint64_t pid, ppid, start_ticks, wall_ns;
  uint32_t page_size, line_size;   /* bytes */
  uint8_t flags;                   /* enum dg_process_flags */
  uint8_t stack_depth;
  const char *tool_version, *valgrind_version, *arch, *exe, *cwd;
  uint32_t argc;
  const char *const *argv;
};
DG_API const struct dg_process *dg_log_process (const struct dg_log *log);
/* As the log says, else 4096 and 64.  */
DG_API uint32_t dg_log_page_size (const struct dg_log *log);
DG_API uint32_t dg_log_line_size (const struct dg_log *log);

struct dg_instr {
  uint64_t address;
  uint8_t size;           /* bytes */
};
/* An access of a block: continued entries of the file are joined here.  */
struct dg_slot {
  uint16_t size;          /* bytes */
  uint8_t kind;           /* DG_ACC_READ or DG_ACC_WRITE */
  uint8_t iseq;           /* index of its instruction */
  uint16_t entry;         /* index of its address in a run of the file */
};
/* An instruction that changes the stack pointer: no access, and counted as
   none, but the new value stands among the addresses of a run.  Logs with
   DG_PROCESS_STACKS have these.  */
struct dg_sp_entry {
  uint16_t entry;         /* index of the value, as in struct dg_slot */
  uint8_t iseq;           /* index of its instruction; never falls */
};
struct dg_bbdef {
  uint32_t number;        /* its index in the log */
  uint16_t n_instrs;
  uint16_t n_slots;
  uint16_t n_entries;     /* addresses of a whole run in the file */
  uint16_t n_sps;
  const struct dg_instr *instrs;
  const struct dg_slot *slots;      /* by entry */
  const struct dg_sp_entry *sps;    /* by entry */
};
/* A block in a call path.  Of a large program there are many millions.  */
struct dg_context {
  uint32_t bbdef;
  uint32_t path;          /* below dg_log_n_call_paths */
};
/* Arrays in the order of the file.  Indices are checked at load: every index
   that the library gives is in range.  */
DG_API const struct dg_bbdef *dg_log_bbdef (const struct dg_log *log,
                                            uint32_t index);
DG_API struct dg_context dg_log_context (const struct dg_log *log,
                                         uint32_t index);

/* A call path is another one, and a call more.  That other one has a smaller
   number, so what is worked out in the order of numbers finds what it goes on
   from.  Path 0 has no calls.  */
struct dg_call_path {
  uint64_t site;          /* of the innermost call: return address - 1 */
  uint32_t parent;        /* DG_NONE: of path 0; and of those of foreign logs
                             that only dg_log_path_sites has */
};
DG_API uint32_t dg_log_n_call_paths (const struct dg_log *log);
DG_API struct dg_call_path dg_log_call_path (const struct dg_log *log,
                                             uint32_t path);
/* The call sites of a path, innermost first, `max` at most: their number.
   No path has more than DG_STACK_MAX - 1.  */
#define DG_STACK_MAX 255
DG_API uint32_t dg_log_path_sites (const struct dg_log *log, uint32_t path,
                                   uint64_t *sites, uint32_t max);
/* The stack of a context: [0] the block's address, then the call sites of its
   path.  Its length, 0 if the log gives none.  */
DG_API uint32_t dg_log_context_stack (const struct dg_log *log,
                                      uint32_t index,
                                      uint64_t stack[DG_STACK_MAX]);

/* Each timeline is ordered by its beginning.  *n receives the length; NULL
   and 0 when there is none.  Labels and names are never NULL.  */

struct dg_thread {
  uint32_t number, parent;         /* from 1; parent 0: none */
  uint64_t os_tid;                 /* 0: unknown */
  uint64_t start_icount, end_icount;
  uint64_t stack_low, stack_high;  /* its last known bounds; 0, 0: unknown */
  uint64_t instructions, reads, writes;
  const char *name;                /* "" when it has none */
};
DG_API const struct dg_thread *dg_log_threads (const struct dg_log *log,
                                               size_t *n);
/* The thread of a number, of several the last one; NULL: there is none.
   O(log n).  */
DG_API const struct dg_thread *dg_log_thread (const struct dg_log *log,
                                              uint32_t number);

/* As in contexts; those of blocks, mappings and page changes are not folded
   in logs with DG_PROCESS_UNFOLDED_HEAP.  n is 0 when it is not known.  */
struct dg_stack { uint32_t n; const uint64_t *sites; };

/* Several things may happen at one icount.  What follows what is given by
   orders: numbers from 1, in the order of the log, that blocks, page changes,
   pools, events, windows and stack pointers have in common, each number once.
   (dg_log_replay gives all of them in that order.)  */

/* Blocks of different kinds, and pieces of different pools, may be alive at
   one address: one is made of the memory of the other.  */
enum dg_block_kind {
  DG_BLOCK_ALLOCATED = 0,  /* by malloc, new and the like, or unknown */
  DG_BLOCK_LIKE = 1,       /* VALGRIND_MALLOCLIKE_BLOCK */
  DG_BLOCK_PIECE = 2       /* of a pool */
};
/* A block of the heap, or a piece of a pool.  A realloc, in place or not, ends
   one block and begins another: that is the next step, and its old_address is
   the address of the first (DG_ALLOC_REALLOC, DG_ALLOC_RESIZE_IN_PLACE).  */
struct dg_block {
  uint64_t address, size;          /* bytes asked for */
  uint64_t alloc_icount, free_icount;  /* lives in [alloc, free) */
  struct dg_stack alloc_stack, free_stack;
  /* What the detail records say; all 0 without them.  */
  uint64_t alloc_seqno, free_seqno;
  uint32_t alloc_thread, free_thread;
  uint8_t allocator, deallocator;  /* enum dg_allocator */
  uint8_t kind;                    /* enum dg_block_kind */
  uint32_t pool;                   /* index in dg_log_pools, plus 1; 0: none */
  uint64_t usable, alignment, old_address;
  uint32_t alloc_order, free_order;    /* free: DG_NONE if it never is */
};
/* Where a block is and when it lives: what is asked most often.  */
struct dg_block_extent {
  uint64_t address, size;
  uint64_t alloc_icount, free_icount;
};
/* Blocks are kept in 40 bytes each, and returned one by one: the `index`-th of
   dg_log_n_blocks in the order of their beginnings, which must be one of
   them.  Blocks of one call stack have the same `sites`.  */
DG_API size_t dg_log_n_blocks (const struct dg_log *log);
DG_API struct dg_block dg_log_block (const struct dg_log *log, size_t index);
DG_API struct dg_block_extent dg_log_block_extent (const struct dg_log *log,
                                                   size_t index);

struct dg_range {
  uint64_t address, size, start_icount, end_icount;
  const char *type, *label;
};
DG_API const struct dg_range *dg_log_ranges (const struct dg_log *log,
                                             size_t *n);

/* One span from a START_EVENT to the END_EVENT that closes it; an END closes
   the latest open START of the same label.  */
struct dg_event {
  uint64_t start_icount, end_icount;
  const char *label;
  uint32_t start_order, end_order;   /* end: DG_NONE if it has none */
};
DG_API const struct dg_event *dg_log_events (const struct dg_log *log,
                                             size_t *n);

struct dg_module {
  uint64_t text_address, text_size;  /* size 0: unknown */
  uint64_t bias;                     /* valid if has_detail */
  uint64_t load_icount, unload_icount;
  const char *file, *soname;
  const uint8_t *build_id;
  uint8_t n_build_id;
  bool has_detail;
};
DG_API const struct dg_module *dg_log_modules (const struct dg_log *log,
                                               size_t *n);

/* A thread's copy of the thread-local variables of a module, at a moment in
   which nothing else was there.  */
struct dg_thread_local {
  uint32_t thread;                   /* number */
  uint32_t module;                   /* index in dg_log_modules */
  uint64_t address, size;
  uint64_t start_icount, end_icount;
  uint64_t block_address;            /* of the heap block that it is in; 0:
                                        none */
};
DG_API const struct dg_thread_local *
dg_log_thread_locals (const struct dg_log *log, size_t *n);

struct dg_mapping {
  uint64_t address, size, start_icount, end_icount, offset;
  uint8_t protection, what;          /* enum dg_prot, enum dg_map */
  const char *file;                  /* "" when anonymous */
  struct dg_stack stack;             /* who asked for it */
  uint32_t thread;                   /* 0: unknown */
};
/* What was mapped where, and when: intervals that do not overlap.  */
DG_API const struct dg_mapping *dg_log_mappings (const struct dg_log *log,
                                                 size_t *n);

/* What was done with pages, as it was done: each MAP and UNMAP of the log,
   whatever was there before.  A remap that moves is a DG_MAP_REMAP of the new
   place and an UNMAP of the old one; a heap that grows is a DG_MAP_BRK of what
   is new, one that shrinks an UNMAP.  */
#define DG_PAGE_UNMAP 255
struct dg_page_change {
  uint64_t icount, address, size;
  struct dg_stack stack;             /* who asked for it */
  uint32_t thread;                   /* 0: unknown */
  uint32_t order;
  uint8_t what;                      /* enum dg_map, or DG_PAGE_UNMAP */
  uint8_t protection;                /* enum dg_prot; 0 of an unmap */
};
DG_API const struct dg_page_change *
dg_log_page_changes (const struct dg_log *log, size_t *n);

/* Pools of the program's own (VALGRIND_CREATE_MEMPOOL).  */
struct dg_mempool {
  uint64_t address;                  /* at first */
  uint64_t last_address;             /* it may be given another */
  uint64_t start_icount, end_icount;
  uint32_t start_order, end_order;   /* end: DG_NONE if it has none */
};
DG_API const struct dg_mempool *dg_log_pools (const struct dg_log *log,
                                              size_t *n);

/* What a thread's stack pointer is, where no instruction set it; only in logs
   with DG_PROCESS_STACKS.  */
struct dg_stack_pointer {
  uint64_t icount, sp;
  uint32_t thread, order;
  uint8_t what;                      /* enum dg_sp */
};
DG_API const struct dg_stack_pointer *
dg_log_stack_pointers (const struct dg_log *log, size_t *n);

/* What orders threads, in the order of the log.  Without DG_PROCESS_ORDER a
   thread is created where its first instruction runs, and joins and meetings
   are not known; threads of programs that are linked statically only
   create.  */
enum dg_meeting_kind {
  DG_MEETING_CREATE = 0,   /* `thread` creates `other` */
  DG_MEETING_EXIT = 1,     /* `thread` ends */
  DG_MEETING_JOIN = 2,     /* `thread` has waited for the end of `other` */
  DG_MEETING_GIVE = 3,     /* `thread` gives what it has done to `number` */
  DG_MEETING_TAKE = 4      /* and this one takes what was given to it */
};
struct dg_meeting {
  uint64_t icount;                   /* what has this one is behind it */
  uint64_t number;                   /* a barrier's round and the like */
  uint32_t thread, other;
  uint32_t count;                    /* that take it; 0: not known */
  uint8_t kind;                      /* enum dg_meeting_kind */
};
DG_API const struct dg_meeting *dg_log_meetings (const struct dg_log *log,
                                                 size_t *n);

/* What the kernel read and wrote in system calls, in the order of the log;
   `accesses` of the summary does not count these.  */
struct dg_kernel_access {
  uint64_t icount, address, size;
  uint32_t thread;
  uint8_t kind;                      /* DG_ACC_READ, DG_ACC_WRITE */
};
DG_API const struct dg_kernel_access *
dg_log_kernel_accesses (const struct dg_log *log, size_t *n);

/* Moments at which recording went on or off.  */
struct dg_window_change {
  uint64_t icount;
  bool on;
  uint8_t why;
  uint32_t order;
};
DG_API const struct dg_window_change *dg_log_windows (const struct dg_log *log,
                                                      size_t *n);

/* What happened, in the order of the log: everything that has an order.  */
enum dg_replay_kind {
  DG_REPLAY_ALLOC = 0,     /* index: of dg_log_block */
  DG_REPLAY_FREE,          /* the same */
  DG_REPLAY_PAGES,         /* in dg_log_page_changes */
  DG_REPLAY_EVENT_START,   /* in dg_log_events */
  DG_REPLAY_EVENT_END,
  DG_REPLAY_WINDOW,        /* in dg_log_windows */
  DG_REPLAY_STACK_POINTER, /* in dg_log_stack_pointers */
  DG_REPLAY_POOL_START,    /* in dg_log_pools */
  DG_REPLAY_POOL_END
};
struct dg_replay_step {
  uint32_t index;
  uint8_t kind;            /* enum dg_replay_kind */
};
/* Steps of the kinds whose bits (1 << kind) are in `kinds`; *steps is to be
   freed with free.  Takes 8 bytes for each step that the log has, and a pass
   over them.  0 or DG_ERR_NOMEM.  */
DG_API int dg_log_replay (const struct dg_log *log, unsigned kinds,
                          struct dg_replay_step **steps, size_t *n,
                          struct dg_error *err);

/* The clock: ns since recording began, at an icount.  */
struct dg_clock { uint64_t icount, ns; };
DG_API const struct dg_clock *dg_log_clock (const struct dg_log *log,
                                            size_t *n);
/* Ns at a moment: what its clock says, or between two readings what is between
   them.  false: it has no clock, or no reading at or behind that moment.  */
DG_API bool dg_log_ns (const struct dg_log *log, uint64_t icount,
                       uint64_t *ns);

/* Places where a reader may begin, about every 4 MiB of a raw log; the first
   is right behind the header.  Chunk i ends where chunk i + 1 begins.  Of an
   archive, they are its chunks, of about a million accesses each.  */
struct dg_chunk {
  uint64_t offset;         /* in the file; of an archive: of its runs */
  uint64_t icount;
  /* Before it; accesses counts addresses of runs, made or not.  */
  uint64_t accesses, runs, instructions, reads, writes;
  uint32_t bbdefs, contexts;
  uint32_t thread;
  bool recording;
};
DG_API const struct dg_chunk *dg_log_chunks (const struct dg_log *log,
                                             size_t *n);

/* In what way a log contains less than its program did.  Those who say that
   something never happened says so if there is a gap: what is not in the log
   need not be what was not.  */
enum dg_gap_kind {
  DG_GAP_GROWING = 0,      /* it is still being written */
  DG_GAP_DAMAGED,          /* everything after a bad record is lost */
  DG_GAP_TRUNCATED,        /* it was cut short */
  DG_GAP_OUTPUT,           /* it could not be written any further */
  DG_GAP_MAX_SIZE,         /* it had become as large as it may */
  DG_GAP_KILLED,           /* the program was, before it came to its end */
  DG_GAP_NO_END,           /* its recorder did not write end records */
  DG_GAP_CUT_END,          /* dg_log_cut left out what follows */
  DG_GAP_FORKED,           /* what was before is in the parent's log */
  DG_GAP_CUT,              /* dg_log_cut left out accesses */
  DG_GAP_SKIP,             /* recording began later, */
  DG_GAP_STOP_AFTER,       /* ended earlier, */
  DG_GAP_OFF,              /* or was off now and then */
  DG_GAP_KINDS             /* how many there are */
};
/* What is missing then.  */
enum dg_lack {
  DG_LACKS_ACCESSES = 1,   /* accesses, but nothing else: blocks, threads and
                              the like are always recorded */
  DG_LACKS_LATER = 2,      /* everything from the end of the log on */
  DG_LACKS_EARLIER = 4     /* everything but what was there at its start */
};
struct dg_gap {
  enum dg_gap_kind kind;
  enum dg_lack lacks;
  uint64_t instructions;   /* that were executed and not recorded; 0: it is
                              not known how many */
};
/* The gaps of a loaded log, each kind at most once, in the order of the enum:
   their number.  0: the log is whole.  */
DG_API size_t dg_log_gaps (const struct dg_log *log,
                           struct dg_gap gaps[DG_GAP_KINDS]);
/* All bits of enum dg_lack that its gaps have.  */
DG_API unsigned dg_log_lacks (const struct dg_log *log);
/* A word for a kind, such as "max-size", and a clause, such as "the log was
   cut short, and what follows is lost".  */
DG_API const char *dg_gap_name (enum dg_gap_kind kind);
DG_API const char *dg_gap_text (enum dg_gap_kind kind);

/* For main, before there are threads, of programs that do little but read
   logs: what is freed goes back to the system at once.  It holds for all of
   the process, so the library does not call it by itself.  */
DG_API void dg_memory_give_back (void);

/* ---- 3  Reading ------------------------------------------------------ */

/* Reads a loaded log, or a part, in the order of the file.  One thread at a
   time; readers of one log are independent.  What a call returns is valid
   until the next call on the same reader.  */
struct dg_reader;

/* Chunks first .. end - 1 (0, SIZE_MAX: the whole log).  NULL on failure.  */
DG_API struct dg_reader *dg_reader_new (const struct dg_log *log,
                                        size_t first_chunk, size_t end_chunk,
                                        struct dg_error *err);
DG_API void dg_reader_free (struct dg_reader *reader);

/* One run of a block.  Slot i was reached if i < n_slots; its address is
   addresses[slots[i].entry], 0 if it was guarded and not made.  Also the
   stack pointer took the value addresses[sps[i].entry] behind instruction
   sps[i].iseq if i < n_sps, and if that is not 0.  (All of what n_instrs
   instructions do is reached, but of the last one, which may have been left
   early, only what is in the log.)  Of a part of a run, slots and sps of
   instructions before first_instr are to be left out.  */
struct dg_run {
  uint64_t icount;         /* before its first instruction */
  uint32_t context;
  uint32_t thread;
  uint16_t n_instrs;       /* executed */
  uint16_t n_slots;        /* reached */
  uint16_t first_instr;    /* 0; analyses may be given a part of a run */
  uint16_t n_sps;          /* reached */
  const struct dg_bbdef *bbdef;
  const uint64_t *addresses;
};

/* The next run: 1, 0 at the end, < 0 an error (the file changed since it was
   loaded, or cannot be read).  */
DG_API int dg_reader_run (struct dg_reader *reader, struct dg_run *run,
                          struct dg_error *err);

struct dg_access {
  uint64_t icount;         /* before the instruction that made it */
  uint64_t address;
  uint64_t instruction;    /* address of that instruction */
  uint32_t size;           /* bytes */
  uint32_t context;
  uint32_t thread;
  uint8_t kind;            /* DG_ACC_READ, DG_ACC_WRITE */
};

/* The next accesses, at most `max` (at least 256), in order; those not made
   are left out.  Returns their number, 0 at the end, < 0 an error.  */
DG_API ptrdiff_t dg_reader_accesses (struct dg_reader *reader,
                                     struct dg_access *out, size_t max,
                                     struct dg_error *err);

/* One record as it stands, for tools that show the file itself.  Numbers
   are in host order; `words` holds the numeric fields in the order of
   dg_record.h, `strings` the strings; arrays (instrs, accesses, addresses,
   stack) are in `words` behind the fixed fields.  An archive gives the records
   of the log that it was packed from; one that was recorded as such has no
   CHUNK records.  */
struct dg_record {
  uint64_t offset;         /* in the file; of an archive: of its chunk */
  uint64_t length;         /* payload bytes */
  uint64_t icount;         /* at the record */
  uint8_t type;            /* enum dg_record_type, or unknown */
  uint32_t thread;         /* current */
  uint32_t n_words, n_strings;
  const uint64_t *words;
  const char *const *strings;
  const uint8_t *behind;   /* behind the known fields: a later recorder's */
  uint64_t n_behind;
};
/* The next record of any type: 1, 0, < 0.  Do not mix with the two above on
   one reader.  Also works on a log that is not loaded (first chunk 0), where
   it stops with the error at the first bad record.  */
DG_API int dg_reader_record (struct dg_reader *reader, struct dg_record *rec,
                             struct dg_error *err);
/* "BBRUN" for DG_R_BBRUN; NULL for unknown types.  */
DG_API const char *dg_record_name (uint8_t type);

/* ---- 4  Symbols ------------------------------------------------------ */

struct dg_symbols;

/* Names for a log's code.  Opens debug files only when they are first
   needed.  `source_paths`, NULL-terminated, may be NULL: pairs "FROM=TO" by
   which the names of source files are mapped.  */
DG_API struct dg_symbols *dg_symbols_new (const struct dg_log *log,
                                          const char *const *source_paths,
                                          struct dg_error *err);
DG_API void dg_symbols_free (struct dg_symbols *symbols);

/* One place in the source; inlined calls make several for one address.
   Strings are interned: equal names have equal pointers, and they live as
   long as the dg_symbols.  NULL when unknown.  */
struct dg_frame {
  const char *function;    /* demangled */
  const char *file;        /* of the source, full when the debug info has it */
  const char *module;      /* path of the executable or library */
  uint64_t module_offset;  /* address minus bias, 0 without module */
  uint32_t line, column;   /* from 1; 0 unknown */
  bool inlined;            /* into the frame that follows it */
};

/* The frames of a code address (for a call site: as it is in a stack),
   the innermost inlined one first, the real function last.  icount picks
   the module loaded then.  Writes up to max >= 1 and returns the number, at
   least 1.  Code of no module, as what a compiler makes while the program
   runs, has one frame with nothing but perhaps a function: "code in pages from
   f (file.c:12)", or "code in file x", if the log says who mapped its
   address.
   Threads: locks by itself; repeated look-ups are cached.  */
DG_API size_t dg_symbols_frames (struct dg_symbols *symbols, uint64_t address,
                                 uint64_t icount, struct dg_frame *out,
                                 size_t max);

/* "name+0x12" of the data symbol that covers an address (a global or static
   variable), or NULL.  *offset and *size receive its place in the symbol and
   the symbol's size; either may be NULL.  Knows the symbol table only; see
   dg_symbols_data.  */
DG_API const char *dg_symbols_variable (struct dg_symbols *symbols,
                                        uint64_t address, uint64_t icount,
                                        uint64_t *offset, uint64_t *size);

/* What lies at a byte of something whose type is known: the innermost member
   or element there.  Strings are interned, as those of frames.  */
struct dg_field {
  const char *path;        /* from the whole: "[12].pos.x"; "" is the whole */
  const char *type;        /* of the field: "struct node *", or
                              "unsigned int : 3" of a bit-field */
  const char *also;        /* other members of the same bytes, as in unions:
                              "f, bytes"; NULL: none */
  const char *holder;      /* the type whose member it is: "struct node" */
  const char *member;      /* and its name there: "next"; both NULL when the
                              path leads through no member */
  uint64_t offset, size;   /* of the field in the whole, in bytes */
  uint64_t within;         /* of the byte in the field */
  bool is_padding;         /* `path` has members, but the byte is of none */
};

/* A global or static variable.  NULL and 0 when unknown.  */
struct dg_variable {
  const char *name;        /* "ns::table", or "function::counter" */
  const char *type;
  const char *file;        /* where it is declared */
  const char *module;      /* path of the executable or library */
  uint32_t line;
  uint64_t address, size;  /* in the memory of the program; bytes */
  uint64_t offset;         /* of the byte asked about */
  bool has_field;
  struct dg_field field;
  uint32_t thread;         /* whose copy it is; 0: it is the same for all */
  bool is_section;         /* no variable: see below */
  uint64_t until;          /* of a section: it is the answer for all addresses
                              from the one asked about up to here */
};

/* The variable over an address, from the debug information or else from the
   symbol table, and what of it is there.  access_size: of the access that is
   meant, which picks among the members of unions; or 0.  Data that are not
   a variable's, such as the linker's tables, are named by their section
   ("libc.so.6 .got"), those of Valgrind's own library in the program all
   alike.  False: none.
   Threads: as dg_symbols_frames.  */
DG_API bool dg_symbols_data (struct dg_symbols *symbols, uint64_t address,
                             uint64_t icount, uint32_t access_size,
                             struct dg_variable *out);

/* A type that debug information describes.  Belongs to the dg_symbols.  */
struct dg_type;

/* The type with a name as programs give it to DATAGRIND_TRACK_RANGE: the name
   of a struct, union, class, enum, typedef or base type, with or without the
   keyword, the namespaces and the template arguments that have defaults;
   perhaps const or volatile, followed by * or & or bounds:
   "struct node", "ns::node", "unsigned long", "std::vector<int>", "double *",
   "int[4][3]", "struct point [100]".  NULL: there is none.  It is looked for
   in the debug information of the program itself and then of its libraries,
   as far as that is on this machine; the first definition counts.  Answers
   are cached.  */
DG_API const struct dg_type *dg_symbols_type (struct dg_symbols *symbols,
                                              const char *name);
/* As it was asked for, in the library's spelling, interned.  */
DG_API const char *dg_type_name (const struct dg_type *type);
/* Bytes; 0 when unknown.  */
DG_API uint64_t dg_type_size (const struct dg_type *type);

/* What lies at byte `offset` of `total` bytes that hold one such thing or, if
   they are more than one needs, an array of them.  total 0: one.
   access_size: as above.  False if that is outside.  */
DG_API bool dg_symbols_field (struct dg_symbols *symbols,
                              const struct dg_type *type, uint64_t total,
                              uint64_t offset, uint32_t access_size,
                              struct dg_field *out);

/* Whether names at that address have to be waited for, as somebody else is
   just opening the module's debug information, which can come from a
   server.  */
DG_API bool dg_symbols_is_busy (struct dg_symbols *symbols, uint64_t address,
                                uint64_t icount);

/* Why files that were asked for gave no names, one line for each, such as
   "/lib/libx.so: changed since it was recorded (another build-id): no names".
   NULL when index is past the last.  */
DG_API const char *dg_symbols_problem (struct dg_symbols *symbols,
                                       size_t index);
/* Whether that is about a library that Valgrind puts into every program.  With
   each build of Valgrind it is another file, and nobody looks for their own
   code there: it is not worth a warning.  */
DG_API bool dg_symbols_problem_is_of_valgrind (struct dg_symbols *symbols,
                                               size_t index);

/* Functions that allocate for their callers.  */
struct dg_allocators;

/* Those of C, C++ and Valgrind, and, unless path is NULL, those of a file: a
   line "NAME NUMBER SIZE ADDRESS" for each (see dg(1)).  NULL and *err, which
   names the file and the line: DG_ERR_IO, DG_ERR_INVALID.  */
DG_API struct dg_allocators *dg_allocators_new (const char *path,
                                                struct dg_error *err);
DG_API void dg_allocators_free (struct dg_allocators *allocators);

/* Whether it is not this frame that wants the memory, but its caller: of an
   allocator, of what Valgrind puts in its place, and of what the C++ library
   has around them.  */
DG_API bool dg_frame_is_allocator (const struct dg_allocators *allocators,
                                   const struct dg_frame *frame);

/* ---- 5  Space -------------------------------------------------------- */

enum dg_owner_kind {
  DG_OWNER_NONE = 0,
  DG_OWNER_BLOCK,      /* index of dg_log_block */
  DG_OWNER_STACK,      /* index in dg_log_threads */
  DG_OWNER_MODULE,     /* index in dg_log_modules: its data or code */
  DG_OWNER_MAPPING,    /* index in dg_log_mappings */
  DG_OWNER_LOCALS      /* index in dg_log_thread_locals; before all others */
};

/* Who owns an address at a moment: the first that fits, in the order of the
   enum.  range: index in dg_log_ranges of the innermost (latest) user range
   over it, DG_NONE if none.  offset: from the owner's first byte.  */
struct dg_owner {
  enum dg_owner_kind kind;
  uint32_t index;
  uint32_t range;
  uint64_t offset;
};

struct dg_space;
DG_API struct dg_space *dg_space_new (const struct dg_log *log,
                                      struct dg_error *err);
/* The same; millions of heap blocks take a second, so it can be stopped.
   Progress is in steps.  */
DG_API struct dg_space *dg_space_build (const struct dg_log *log,
                                        dg_progress_fn progress, void *user,
                                        struct dg_error *err);
DG_API void dg_space_free (struct dg_space *space);
/* O(log n) for heaps as they are, O(log^2 n) at worst.  */
DG_API void dg_space_find (const struct dg_space *space, uint64_t address,
                           uint64_t icount, struct dg_owner *out);
/* The heap block on top at an address and a moment, as dg_space_find has it:
   its index of dg_log_block, or DG_NONE.  As long as it lives (or there is
   none) and no other block begins, the same is true of all addresses from
   *low to *high - 1.  */
DG_API uint32_t dg_space_block (const struct dg_space *space,
                                uint64_t address, uint64_t icount,
                                uint64_t *low, uint64_t *high);

/* ---- 6  Filter ------------------------------------------------------- */

/* events and ranges are comma-separated conditions, NULL or "" for none:
     fn:NAME     NAME is in the call stack
     file:NAME   a function of the call stack comes from the source file
                 NAME (its base name, or the end of its path from a '/')
     dso:NAME    ... from the module NAME (the same)
     user:LABEL  events: LABEL's event is active; ranges: the access
                 overlaps a range tracked with that label
     range       ranges only: overlaps any tracked range
     malloc      ranges only: overlaps any heap block
   A backslash takes the next character literally ("\," in a label).  For
   events the stack is the access's, for ranges the allocation's of the heap
   block that the access overlaps.  An access is kept if one event condition
   and one range condition hold; a side without conditions always holds.
   Function names match as a whole: with or without the parameter list of a
   demangled name.  Inlined frames count.  */
struct dg_filter;

/* symbols may be NULL when there is no fn, file or dso (else it is
   DG_ERR_INVALID); space may always be, but saves making its like for range
   and malloc.  Both must outlive the filter.  Evaluates the stack conditions
   of every context and block once, which may take a while: progress as in
   dg_log_load, but counted in contexts and blocks.  DG_ERR_FILTER names the
   condition.  The stack of an access is its own instruction and the call
   sites of its context.  */
DG_API struct dg_filter *dg_filter_new (const struct dg_log *log,
                                        struct dg_symbols *symbols,
                                        const struct dg_space *space,
                                        const char *events, const char *ranges,
                                        dg_progress_fn progress, void *user,
                                        struct dg_error *err);
/* Can both be understood?  Needs no log and no time.  0 or DG_ERR_FILTER,
   which names the condition.  Both may be NULL.  */
DG_API int dg_filter_check (const char *events, const char *ranges,
                            struct dg_error *err);
DG_API void dg_filter_free (struct dg_filter *filter);
/* Which conditions nothing of the log meets, one after the other: "--events:
   fn:sotr matches nothing; did you mean 'sort'?"; NULL when i is past the
   last.
   They select nothing, then.  Found out at the first call; one thread.  */
DG_API const char *dg_filter_problem (const struct dg_filter *filter,
                                      size_t i);
/* Is the access kept?  Cheap: some ns for filters without ranges.  */
DG_API bool dg_filter_access (const struct dg_filter *filter,
                              const struct dg_access *access);
/* Does any access of this context at this moment pass the events side?  For
   skipping whole runs.  */
DG_API bool dg_filter_run (const struct dg_filter *filter, uint32_t context,
                           uint64_t icount);

/* ---- 7  Archives ----------------------------------------------------- */

/* An archive holds a log in packed chunks that can be decoded alone, with an
   index (docs/archive.md).  Logs of both forms are opened and read alike.  */

struct dg_pack_options {
  int level;               /* of zstd, 1 to 19; 0: the default */
  unsigned workers;        /* threads; 0: one per processor */
  bool no_index;
};

/* Writes a loaded log to an archive at `path`, which is replaced when that is
   complete; an archive is packed again, at another level.  A log that ends
   early is packed up to there, and its last bytes are kept as they are.
   options may be NULL.  */
DG_API int dg_log_pack (const struct dg_log *log, const char *path,
                        const struct dg_pack_options *options,
                        dg_progress_fn progress, void *user,
                        struct dg_error *err);

/* Writes the raw log that an archive holds; one packed from a raw log gives
   that back byte for byte.  DG_ERR_INVALID if it is not one.  */
DG_API int dg_log_unpack (const struct dg_log *log, const char *path,
                          unsigned workers, dg_progress_fn progress,
                          void *user, struct dg_error *err);

struct dg_cut_options {
  /* Instructions from `start_icount` up to, but not with, `end_icount`; 0: to
     the end.  */
  uint64_t start_icount, end_icount;
  /* Accesses that touch a byte of low .. high - 1; high 0: no bound.  */
  uint64_t low, high;
  const struct dg_filter *filter;        /* NULL: all accesses */
  const struct dg_pack_options *pack;    /* NULL: a raw log, else an archive */
  unsigned workers;        /* threads that read; 0: one per processor */
};

/* Writes a part of a loaded log as a log: runs cut at the exact instruction,
   with the accesses that the options leave, and everything else that stands
   between; icounts, threads, stacks and owners of addresses are what they
   were.  A part that begins in the middle has first what was there.  Where
   runs are left out, WINDOW records (DG_WINDOW_CUT) say so.  Signals, forks,
   stack pointers, the kernel's accesses and records of types that are not
   known are left out before the start.  The log is the same for any number of
   workers.  Progress is in instructions.  */
DG_API int dg_log_cut (const struct dg_log *log, const char *path,
                       const struct dg_cut_options *options,
                       dg_progress_fn progress, void *user,
                       struct dg_error *err);

/* Writes a log with the instructions and accesses of a trace that Valgrind's
   lackey wrote with --trace-mem=yes, to `path`, which is replaced when that is
   complete.  trace: path of a file, or "-" for standard input.  pack: NULL for
   a raw log, else an archive.  What lackey writes as one line M is a read and
   a write by one instruction.  Progress is in bytes of the trace, then of the
   log; a total of 0 is not known.  DG_ERR_INVALID: a line is wrong; the
   message begins with its number.  */
DG_API int dg_import_lackey (const char *trace, const char *path,
                             const struct dg_pack_options *pack,
                             dg_progress_fn progress, void *user,
                             struct dg_error *err);

/* ---- 8  Capture ------------------------------------------------------ */

/* Receives what exp-datagrind records while programs run, and packs each
   process image into an archive.  The caller starts the programs, under
   Valgrind with --datagrind-ring=DIRECTORY (dg_capture_directory).  All work
   is done by threads of the capture; its functions are for one thread.  */
struct dg_capture;

/* One process image that is, or was, recorded.  */
struct dg_capture_recording {
  uint64_t pid;
  const char *path;        /* of its archive; NULL: there is none */
  uint64_t instructions, accesses;     /* packed so far */
  uint64_t bytes;          /* of the archive so far */
  uint64_t ring_bytes, ring_used;
  uint64_t ring_waits, ring_waited_us; /* of the program, for a full ring */
  bool is_whole;           /* ENDED only: nothing is missing */
};

enum dg_capture_event_type {
  DG_CAPTURE_BEGUN,        /* the archive was created */
  DG_CAPTURE_WARNING,      /* `text`, of something that is not a failure */
  DG_CAPTURE_FAILED,       /* `text` says why this is not recorded, or no
                              further; the program goes on */
  DG_CAPTURE_ENDED         /* the archive was closed */
};
struct dg_capture_event {
  enum dg_capture_event_type type;
  const struct dg_capture_recording *recording;
  const char *text;        /* or NULL; complete, names the archive */
};
/* Called on threads of the capture, for one event at a time.  */
typedef void (*dg_capture_event_fn) (void *user,
                                     const struct dg_capture_event *event);

struct dg_capture_options {
  /* Names of the archives: %p is the process id, %q{VAR} a variable of the
     environment, %% a percent sign.  Where a name was used by this capture,
     the pid is put before its suffix; if that was, too, a number from 2.  */
  const char *output;
  /* Where to make the folder of the rings.  NULL: in /dev/shm, or else
     $XDG_RUNTIME_DIR, $TMPDIR or /tmp.  */
  const char *directory;
  uint32_t ring_bytes;     /* of each ring, a power of two from 1 MiB to 1 GiB;
                              0: as it suits the workers */
  int level;               /* of zstd, 1 to 19; 0: the default */
  unsigned workers;        /* threads that pack; 0: processors but one,
                              at least two */
  uint64_t max_bytes;      /* of an archive; 0: as the tool is set */
  bool no_index;
  bool traces_children;    /* Valgrind was given --trace-children=yes */
  dg_capture_event_fn event;           /* may be NULL */
  void *user;
};

/* Where everything that writes a file under a name puts it: where symbolic
   links lead, which stay.  To be freed with free.  */
DG_API char *dg_output_path (const char *path);
/* May a file be written there?  DG_ERR_IO: no, because there is something else
   than a regular file (or a device of characters, if that may be), or no
   folder, or no right to it.  */
DG_API int dg_output_check (const char *path, bool may_be_device,
                            struct dg_error *err);
/* The text in messages for the errno of a write: strerror's text, but for
   EFBIG, which is the limit that the user has set.  */
DG_API const char *dg_output_error (int error);

/* A new file that takes the place of what is at `path`, where links lead, when
   it is complete; till then there is only what was.  Where the file system can
   do it, it has no name before, so that nothing is left of it however the
   process ends; elsewhere it is beside the other as PATH.XXXXXXXX.tmp, and
   what an earlier process that was killed has left of such is removed.  */
struct dg_output;
/* `mode` says who may read and write it (of 0666), whatever the umask; or -1:
   those who could the file that it replaces, or, where there is none, as the
   umask has it.  At no moment anybody else may.  DG_ERR_IO, DG_ERR_NOMEM
   (NULL).  */
DG_API int dg_output_open (const char *path, int mode, struct dg_output **out,
                           struct dg_error *err);
/* To be written to; or a name, by which it can be opened once more, also to be
   read.  Both are the output's own.  */
DG_API int dg_output_fd (const struct dg_output *output);
DG_API const char *dg_output_name (const struct dg_output *output);
/* Puts it in its place.  DG_ERR_IO.  */
DG_API int dg_output_commit (struct dg_output *output, struct dg_error *err);
/* Without having been put in its place, it is gone.  May be NULL.  */
DG_API void dg_output_close (struct dg_output *output);
/* All that at once, for what is in memory: on failure there is what was, and
   no other file.  DG_ERR_IO, also for what dg_output_check refuses.  */
DG_API int dg_output_save (const char *path, const void *bytes, size_t n,
                           struct dg_error *err);

/* DG_ERR_INVALID, DG_ERR_IO or DG_ERR_NOMEM (NULL).  */
DG_API struct dg_capture *
dg_capture_new (const struct dg_capture_options *options,
                struct dg_error *err);
DG_API const char *dg_capture_directory (const struct dg_capture *capture);

/* The name of the archive, or the log, of a process with this number, to be
   freed with free; NULL: DG_ERR_INVALID.  output: as in the options.  */
DG_API char *dg_capture_output (const char *output, uint64_t pid,
                                struct dg_error *err);

/* A program will start as this process: its ring and archive are made now, so
   that what fails fails before it runs.  DG_ERR_IO: no memory for the ring,
   or no archive can be written there; DG_ERR_INVALID: a bad name.  */
DG_API int dg_capture_expect (struct dg_capture *capture, uint64_t pid,
                              struct dg_error *err);

struct dg_capture_status {
  size_t active;           /* recordings that go on, or are about to begin */
  size_t begun;            /* archives made */
  size_t failed;           /* recordings that FAILED */
  uint64_t instructions, accesses, bytes;   /* of all */
  uint64_t ring_bytes, ring_used;           /* of those that go on */
  uint64_t ring_waits, ring_waited_us;      /* of all */
};
DG_API void dg_capture_status (struct dg_capture *capture,
                               struct dg_capture_status *status);

/* Ends all recordings as they are: their archives are closed, incomplete, and
   the programs go on.  */
DG_API void dg_capture_stop (struct dg_capture *capture);

/* Stops what is active, waits for it, removes the folder.  NULL is fine.  */
DG_API void dg_capture_free (struct dg_capture *capture);

/* ---- 9  Index -------------------------------------------------------- */

/* How often a cache line of 64 bytes was read and written; an access counts
   in each line of which it touches a byte.  */
struct dg_line_count {
  uint64_t line;           /* address / 64 */
  uint32_t reads, writes;  /* at most UINT32_MAX */
};
#define DG_LINE_BYTES 64

/* The lines that each chunk of a log touched, and coarser lists: level 0 has
   one list for each chunk; list i of level k is that of the lists 8 i to
   8 i + 7 of level k - 1, as far as there are; the last level has one list,
   or none if the log has no chunk.

   An index is part of an archive, or a file LOG.dgx beside the log (the
   sidecar), or was built in memory.  Lists are read when they are asked for;
   some are kept, within a bound.  Any number of threads may use one index at
   once.  It does not need the log that it was opened for.  */
struct dg_index;

enum dg_index_origin {
  DG_INDEX_ARCHIVE = 0,    /* part of the log */
  DG_INDEX_SIDECAR = 1,    /* a file beside it */
  DG_INDEX_MEMORY = 2
};

/* Where the sidecar of a log is looked for: its path and ".dgx".  To be
   freed with free.  */
DG_API char *dg_index_sidecar (const struct dg_log *log);

/* Opens the index of a log that is loaded, at least by dg_log_load_summary:
   the archive's own, else the sidecar.  A sidecar is used only if it was made
   for a log of the same size, time of modification and chunks.  Fails when
   there is no index that can be used; the message says why:
   DG_ERR_IO (none is there), DG_ERR_INVALID (of another log, or of an earlier
   state of this one), DG_ERR_DAMAGED...  *index is then NULL.  */
DG_API int dg_index_open (const struct dg_log *log, struct dg_index **index,
                          struct dg_error *err);

/* Gives a raw log that is not loaded what dg_log_load_summary would, from its
   sidecar, if that fits as above and the log was whole: in no time, however
   large the log is.  Else it fails, and nothing has happened.  dg_log_load may
   follow.  */
DG_API int dg_index_load_summary (struct dg_log *log, struct dg_error *err);

/* Makes the index of a loaded log by reading all of its accesses; the same
   for any number of workers (0: one per processor).  It is written to `path`
   (under another name, until it is complete) and used from there; or, if path
   is NULL or cannot be written, it is kept in memory: see dg_index_note.
   Progress is in bytes of the log.  */
DG_API int dg_index_build (const struct dg_log *log, const char *path,
                           unsigned workers, dg_progress_fn progress,
                           void *user, struct dg_index **index,
                           struct dg_error *err);
/* The index of a log that is still being written, after dg_log_load_growing
   or dg_log_grow: an archive's own, a raw log's in memory.  before: the index
   of an earlier state of the log, or NULL; it stays as it is, and what it has
   is not made again.  Fails as dg_index_open does for an archive without
   index.  Progress as above.  */
DG_API int dg_index_grow (const struct dg_log *log, struct dg_index *before,
                          unsigned workers, dg_progress_fn progress,
                          void *user, struct dg_index **index,
                          struct dg_error *err);
DG_API void dg_index_close (struct dg_index *index);

DG_API enum dg_index_origin dg_index_origin (const struct dg_index *index);
/* Why an index that should have been written is in memory; else NULL.  */
DG_API const char *dg_index_note (const struct dg_index *index);
/* Bytes that its lists take, in the file or in memory.  */
DG_API uint64_t dg_index_bytes (const struct dg_index *index);

DG_API unsigned dg_index_levels (const struct dg_index *index);
DG_API size_t dg_index_lists (const struct dg_index *index, unsigned level);

/* What a list is about: instructions [start_icount, end_icount) of the chunks
   first_chunk to end_chunk - 1 and the accesses that they made.  */
struct dg_index_span {
  size_t first_chunk, end_chunk;
  uint64_t start_icount, end_icount;
  uint64_t accesses;
};
DG_API struct dg_index_span dg_index_span (const struct dg_index *index,
                                           unsigned level, size_t i);

/* Ordered by line, each once.  */
struct dg_line_list {
  const struct dg_line_count *counts;
  size_t n;
};
/* A list; NULL on failure.  To be given back when it is no longer used.  */
DG_API const struct dg_line_list *dg_index_borrow (struct dg_index *index,
                                                   unsigned level, size_t i,
                                                   struct dg_error *err);
DG_API void dg_index_return (struct dg_index *index,
                             const struct dg_line_list *list);

/* The pages of 2^page_shift >= 64 bytes that the whole log touched: their
   numbers, ascending, each once; *pages is to be freed with free.  */
DG_API int dg_index_pages (struct dg_index *index, unsigned page_shift,
                           uint64_t **pages, size_t *n, struct dg_error *err);

/* ---- 10  Analyses ---------------------------------------------------- */

struct dg_analysis;        /* dg_analysis.h */
struct dg_report;

/* The built-in ones, by name; *n receives how many.  */
DG_API const struct dg_analysis *const *dg_analyses (size_t *n);

/* Loads the plug-in in the shared object `path`, whose code stays loaded.
   NULL and *err if it is none, or was made for another version of
   dg_analysis.h (DG_ERR_VERSION).  */
DG_API const struct dg_analysis *dg_plugin_load (const char *path,
                                                 struct dg_error *err);
/* Where plug-ins are looked for by name (NAME.so): the directories of
   $DATAGRIND_PLUGIN_PATH, separated by ':', then that of the installation.
   Calls `found` with the path of each; a negative result ends that and is
   returned.  Files that are not plug-ins are named, too.  */
DG_API int dg_plugin_list (int (*found) (void *user, const char *path),
                           void *user);

/* An option as the user gave it; value NULL for flags.  */
struct dg_setting { const char *name, *value; };

struct dg_analyse_options {
  unsigned workers;        /* threads; 0: one per processor */
  /* What is left out: accesses and instructions that `filter` does not keep
     (instructions: by the events side, and if there is a ranges side, only
     those that made an access that is kept), threads that are not in the list
     (n_threads 0: all), instructions before start_icount and from end_icount
     on (0: to the end).  */
  const struct dg_filter *filter;
  const uint32_t *threads;
  size_t n_threads;
  uint64_t start_icount, end_icount;
  /* Snapshots after this many instructions, or ns of the log's clock; at most
     one of the two.  Intervals begin at start_icount.  */
  uint64_t interval_instructions, interval_ns;
  /* May be NULL; else they are used, and must outlive the call.  */
  struct dg_symbols *symbols;
  const struct dg_space *space;
  const char *allocators;  /* path of an allocator definition file, or NULL */
  uint64_t top;            /* rows of tables; 0: all */
  const struct dg_setting *settings;     /* given to every analysis that has
                                            an option of that name */
  size_t n_settings;
};

/* Runs analyses over a loaded log: one pass for all of them.  The report
   receives what they found, in groups by name if there are several.  A log
   that ends early is analysed as far as it goes.  Progress is in bytes of the
   log.  DG_ERR_INVALID for options that are wrong; a message that names the
   analysis.  */
DG_API int dg_analyse (const struct dg_log *log,
                       const struct dg_analysis *const *analyses, size_t n,
                       const struct dg_analyse_options *options,
                       dg_progress_fn progress, void *user,
                       struct dg_report *report, struct dg_error *err);

DG_API struct dg_report *dg_report_new (struct dg_error *err);
DG_API void dg_report_free (struct dg_report *report);

/* What a report holds, in its order, for those who show it.  Keys, titles and
   texts belong to the report.  */
enum dg_report_kind {
  DG_ITEM_VALUE = 0,       /* a table of one column and one row */
  DG_ITEM_BEGIN,           /* what follows, up to its END, is of this group */
  DG_ITEM_END,
  DG_ITEM_TABLE,
  DG_ITEM_NOTE,            /* text, for people only */
  DG_ITEM_TEXT             /* text as it is */
};
struct dg_column;          /* dg_analysis.h, as struct dg_cell */
struct dg_cell;
struct dg_report_item {
  enum dg_report_kind kind;
  const char *key, *title;         /* NULL of END and NOTE */
  const char *text;                /* of NOTE and TEXT */
  const struct dg_column *columns;
  size_t n_columns;                /* 1 to 64 of VALUE and TABLE, else 0 */
  uint64_t n_rows;
  bool shows_all;                  /* it is not to be cut */
};
/* NULL when i is past the last.  */
DG_API const struct dg_report_item *
dg_report_at (const struct dg_report *report, size_t i);
/* Fills the n_columns cells of a row.  */
DG_API void dg_report_row (const struct dg_report_item *item, uint64_t row,
                           struct dg_cell *cells);
/* Whether dg_report_fail was called.  */
DG_API bool dg_report_has_failed (const struct dg_report *report);
/* Whether an analysis wrote to standard output, where nothing else is to
   appear then.  */
DG_API bool dg_report_has_output (const struct dg_report *report);

/* ---- 11  Numbers ----------------------------------------------------- */

/* What people type: one grammar, for all programs.  NUMBERS of dg(1) has it.
     12345678  12,345,678  1.5M  0x1f  64Ki  250ms
   k, M, G, T are powers of 1000, Ki (or ki), Mi, Gi, Ti of 1024; B may come
   behind these, or alone, where bytes are meant.  A fraction needs such a unit
   and is rounded to the nearest; digits in groups of three, set apart by ',',
   '_', "'" or a blank, take none.  Hexadecimal numbers have no fraction.  A
   blank may come before the unit.  What LC_NUMERIC writes instead is read as
   well, where that leaves no doubt.  */
enum dg_quantity {
  DG_QUANTITY_COUNT = 0,   /* instructions, accesses, rows; addresses */
  DG_QUANTITY_BYTES,
  DG_QUANTITY_NS           /* needs a unit: ns, us, ms, s, min */
};
/* False, with *number as it was, if the text is none or is too large.  */
DG_API bool dg_number_parse (const char *text, enum dg_quantity quantity,
                             uint64_t *number);
/* "0.01", "5", "1e-3": what has no unit, decimal sign '.'; finite.  */
DG_API bool dg_number_parse_real (const char *text, double *real);
/* "A..B" with A < B, where either may be missing, but not both: then its value
   stays.  */
DG_API bool dg_number_parse_span (const char *text, enum dg_quantity quantity,
                                  uint64_t *start, uint64_t *end);
/* A count into *instructions, or a time into *ns; the other becomes 0.  Not
   0 of either.  */
DG_API bool dg_number_parse_interval (const char *text,
                                      uint64_t *instructions, uint64_t *ns);

/* What people read.  Groups of digits and the decimal sign are those of
   LC_NUMERIC, "12.345,6" if it is German; a locale without groups has ','
   beside a decimal '.', else a narrow blank.  So a program that sets no locale
   writes English numbers.  What programs read is never written by these.
   `size` bytes hold what fits; DG_NUMBER_TEXT are enough but for reals.  */
#define DG_NUMBER_TEXT 48
/* "12,345,678"  */
DG_API void dg_number_text (char *text, size_t size, uint64_t number);
/* "1,234.50"; "-" if it is not a number.  */
DG_API void dg_number_text_real (char *text, size_t size, double real,
                                 unsigned decimals);
/* A share of 1: "73.9 %", "<0.1 %"; "-" if it is not a number.  */
DG_API void dg_number_text_percent (char *text, size_t size, double share);
/* To three digits: "920 B", "2.50 KiB", "150 MiB".  */
DG_API void dg_number_text_bytes (char *text, size_t size, uint64_t bytes);
/* To three digits: "920 ns", "2.50 us", "1,234 s".  */
DG_API void dg_number_text_ns (char *text, size_t size, uint64_t ns);
/* A count, exact to a multiple of `step` (1: fully), with the unit that suits
   it: "12.5 M".  */
DG_API void dg_number_text_count (char *text, size_t size, uint64_t count,
                                  uint64_t step);
/* The same to three digits: "12.5 M".  */
DG_API void dg_number_text_about (char *text, size_t size, uint64_t count);

/* ---- 12  Near names -------------------------------------------------- */

/* Gets all names that there are, and keeps the few that come next to the
   one that was asked for: parts of it, or some characters away; of C++ names
   the last part counts as well.  Any number of names, the same as often as
   one likes; some us each.  */
struct dg_nearest;
DG_API struct dg_nearest *dg_nearest_new (const char *asked,
                                          struct dg_error *err);
DG_API void dg_nearest_free (struct dg_nearest *nearest);
DG_API void dg_nearest_add (struct dg_nearest *nearest, const char *name);
/* For the end of a message: "; did you mean 'sort' or 'sorted'?", or, if none
   is near but there are few, "; there are 'a' and 'b'"; or "".  To be freed
   with free.  */
DG_API char *dg_nearest_hint (const struct dg_nearest *nearest);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_H */
