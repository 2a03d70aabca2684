/* dg_log.h: a log: open, load; its totals, process and gaps.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_LOG_H
#define LIBDATAGRIND_LOG_H

#include "dg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Open and load --------------------------------------------------- */

struct dg_log;

/* Opens the log or archive at `path` and checks its header, in constant time.
   DG_ERR_IO, DG_ERR_NOT_A_LOG, DG_ERR_VERSION, DG_ERR_NOMEM, and
   DG_ERR_DAMAGED for the header of an archive.  On failure *log is NULL. Close
   with dg_log_close.  */
DG_API int dg_log_open (const char *path, struct dg_log **log,
                        struct dg_error *err);

/* Reads every record once, checks it, and collects definitions, timelines and
   totals.  In an archive, only the checksums of runs are checked;
   dg_log_verify and readers decode them.  All functions below except
   dg_log_header need a loaded log.
   workers: number of threads, 0 for one per processor. progress may be NULL.
   Returns 0; or DG_ERR_TRUNCATED or DG_ERR_DAMAGED: everything before
   err->offset is loaded and usable like a shorter log; or DG_ERR_IO,
   DG_ERR_NOMEM, DG_ERR_CANCELLED: nothing is loaded.  A log without an end
   record is DG_ERR_TRUNCATED if its recorder writes them (it has a PROCESS
   record), and not an error otherwise.  Call once.  */
DG_API int dg_log_load (struct dg_log *log, unsigned workers,
                        dg_progress_fn progress, void *user,
                        struct dg_error *err);

/* How instructions that repeat themselves (x86: rep movs, rep stos ...) count
   in all figures that are made from the log.  Moments and totals of the log
   (struct dg_summary, dg_thread, dg_chunk) have each repetition in any case.
   */
enum dg_repetitions {
  DG_REPETITIONS_ONCE = 0, /* as one instruction, as processors count */
  DG_REPETITIONS_EACH = 1  /* each repetition, as Valgrind's tools count */
};
/* A log that is opened takes it from this variable of the environment, "once"
   or "each".  */
#define DG_REPETITIONS "DATAGRIND_REPETITIONS"
/* In place of that from the environment.  Before the log is loaded; otherwise
   DG_ERR_INVALID.  */
DG_API int dg_log_set_repetitions (struct dg_log *log,
                                   enum dg_repetitions repetitions,
                                   struct dg_error *err);

/* Which heap blocks of a log are kept when it is loaded.  To keep none saves
   most of the memory if a program allocates for hours.  The summary counts all
   blocks in any case.  */
enum dg_blocks {
  DG_BLOCKS_ALL = 0,
  /* dg_log_block, dg_space and what is made of them cannot be used.  Other
     timelines are complete, but orders do not count blocks, and a
     dg_thread_local begins at its record.  */
  DG_BLOCKS_NONE = 1,
  /* Those that live at a moment, in the order of their allocation: only
     dg_log_n_blocks, dg_log_block and dg_log_block_extent can be used.  All
     else is as with DG_BLOCKS_ALL.  */
  DG_BLOCKS_LIVE = 2,
  /* For dg_analyse, where dg_analyse_blocks says so: of an archive with many
     blocks, those that live in the part of the log that is analysed, as long
     as it is.  Takes memory for the blocks that live at one time, and about as
     many again; reads the records of blocks once more.  Nothing else can be
     asked about blocks.  Of other logs it is DG_BLOCKS_ALL.  */
  DG_BLOCKS_PASSING = 3
};
/* In place of DG_BLOCKS_ALL.  Before the log is loaded; otherwise
   DG_ERR_INVALID.  */
DG_API int dg_log_set_blocks (struct dg_log *log, enum dg_blocks blocks,
                              struct dg_error *err);
/* Whether the blocks of a loaded log pass.  */
DG_API bool dg_log_blocks_pass (const struct dg_log *log);
/* DG_BLOCKS_LIVE at this moment; DG_NEVER: at the end of the log, as with
   dg_log_set_blocks.  Takes memory for the blocks that live at one time.  Such
   a log cannot grow.  */
DG_API int dg_log_set_live_blocks (struct dg_log *log, uint64_t icount,
                                   struct dg_error *err);

/* Like dg_log_load, for a log that is still being written, and so usually
   DG_ERR_TRUNCATED: dg_log_grow can continue from there.  A raw log is read by
   one thread.  */
DG_API int dg_log_load_growing (struct dg_log *log, unsigned workers,
                                dg_progress_fn progress, void *user,
                                struct dg_error *err);

/* Reads data appended to the file since `log` was loaded by
   dg_log_load_growing or made by dg_log_grow.  Returns 1: *grown is a loaded
   log with all data, and *flaw has the code (0, DG_ERR_TRUNCATED or
   DG_ERR_DAMAGED) and message of loading it.  Returns 0: nothing was appended.
   `log` can still be used; the two share memory, so only tables are copied.
   Each is closed with dg_log_close, in any order.  Only the newest log can
   grow, until it is complete or found damaged (dg_log_can_grow).  DG_ERR_IO:
   the file is gone, shorter, or another one; the call may be repeated.  After
   DG_ERR_NOMEM and DG_ERR_CANCELLED, the log can no longer grow.  */
DG_API int dg_log_grow (struct dg_log *log, unsigned workers,
                        dg_progress_fn progress, void *user,
                        struct dg_log **grown, struct dg_error *flaw,
                        struct dg_error *err);
DG_API bool dg_log_can_grow (const struct dg_log *log);

/* Whether a loaded log is being written, as far as this machine knows: by the
   lock of an archive, or the process of a raw log.  */
enum dg_writer {
  DG_WRITER_UNKNOWN = 0,
  DG_WRITER_ACTIVE = 1,
  DG_WRITER_NONE = 2 /* nothing will be appended */
};
DG_API enum dg_writer dg_log_writer (const struct dg_log *log);

/* Like dg_log_load, for callers that need only the summary, the process and
   the chunks.  Of a complete archive, only these are read, in almost no time.
   For other logs it is dg_log_load. dg_log_load may follow.  */
DG_API int dg_log_load_summary (struct dg_log *log, unsigned workers,
                                dg_progress_fn progress, void *user,
                                struct dg_error *err);

/* Checks what dg_log_load does not: decodes all runs of an archive that was
   loaded without an error, and compares them with its totals, its counts and
   its index.
   For other logs, it returns 0.  0, DG_ERR_DAMAGED, DG_ERR_IO, DG_ERR_NOMEM,
   DG_ERR_CANCELLED. Progress is in bytes of the log.  */
DG_API int dg_log_verify (const struct dg_log *log, unsigned workers,
                          dg_progress_fn progress, void *user,
                          struct dg_error *err);

/* Frees the log and all that belongs to it.  NULL is allowed.  */
DG_API void dg_log_close (struct dg_log *log);

/* ---- Header, totals, process ----------------------------------------- */

struct dg_header {
  uint8_t version;    /* 1; of an archive 1 or 2 */
  uint8_t big_endian; /* 0 or 1 */
  uint8_t word_size;  /* bytes: 4 or 8 */
  bool is_archive;    /* packed; all functions read both forms */
  uint64_t file_size; /* bytes, when the log was opened */
};
DG_API const struct dg_header *dg_log_header (const struct dg_log *log);
DG_API const char *dg_log_path (const struct dg_log *log);

/* Whether the log is complete.  */
enum dg_complete {
  DG_COMPLETE_NO = 0,     /* cut short or damaged */
  DG_COMPLETE_YES = 1,    /* it has an end record, and nothing is missing */
  DG_COMPLETE_UNKNOWN = 2 /* its recorder did not write end records */
};

struct dg_summary {
  enum dg_complete complete;
  int end_why;            /* enum dg_end of dg_record.h, -1 without one */
  int exit_code;          /* -1 when unknown */
  uint64_t good_bytes;    /* of the file, up to the first bad record */
  uint64_t last_icount;   /* the program's instructions, recorded or not */
  uint64_t instructions;  /* recorded */
  uint64_t accesses;      /* reads + writes */
  uint64_t reads, writes; /* by instructions; only those made */
  uint64_t kernel_reads, kernel_writes; /* records, in system calls */
  uint64_t runs, bbdefs, contexts;
  uint64_t threads; /* that ran or were started; at least 1 */
  uint64_t heap_allocs, heap_frees;
  uint64_t modules;
  uint64_t events_started, events_ended;
  uint64_t ranges_tracked, ranges_untracked;
  uint64_t windows;         /* WINDOW records */
  uint64_t unknown_records; /* of types that this library skips */
  uint64_t lost_calls;      /* from the end record, 0 without one */
  uint64_t min_address, max_address; /* first bytes of accesses that were
                                        made; min > max if none */
  uint64_t pools; /* memory pools that the program created */
};
DG_API const struct dg_summary *dg_log_summary (const struct dg_log *log);

/* NULL when the log has no PROCESS record.  */
struct dg_process {
  uint64_t pid, ppid, start_ticks, wall_ns;
  uint32_t page_size, line_size; /* bytes */
  uint8_t flags;                 /* enum dg_process_flags */
  uint8_t stack_depth;
  const char *tool_version, *valgrind_version, *arch, *exe, *cwd;
  uint32_t argc;
  const char *const *argv;
};
DG_API const struct dg_process *dg_log_process (const struct dg_log *log);
/* Identifies the recording of a loaded log: the same for a raw log, its
   archive, an unpacked archive, parts that were cut, and while it grows;
   different for each recorded process image, on all machines.  32 hexadecimal
   digits: the first half of the SHA-256 of the PROCESS record (its numbers as
   64 bits, little-endian; each string with a 0 byte).  Imported logs do not
   contain the time of recording, so those with the same program and process
   number have the same ID. False, with id "": the log has no PROCESS
   record.  */
#define DG_LOG_ID_SIZE 33
DG_API bool dg_log_id (const struct dg_log *log, char id[DG_LOG_ID_SIZE]);

/* From the log; without a PROCESS record, 4096 and 64.  */
DG_API uint32_t dg_log_page_size (const struct dg_log *log);
DG_API uint32_t dg_log_line_size (const struct dg_log *log);

/* ---- What is missing ------------------------------------------------- */

/* How a log is incomplete.  Reports that something never happened should also
   show the gaps: it may only be missing from the log.  */
enum dg_gap_kind {
  DG_GAP_GROWING = 0, /* it is still being written */
  DG_GAP_DAMAGED,     /* everything after a bad record is lost */
  DG_GAP_TRUNCATED,   /* it was cut short */
  DG_GAP_OUTPUT,      /* it could not be written any further */
  DG_GAP_MAX_SIZE,    /* it reached its maximum size */
  DG_GAP_KILLED,      /* the program was killed before it ended */
  DG_GAP_UNDECODED,   /* by an instruction that Valgrind does not know */
  DG_GAP_NO_END,      /* its recorder did not write end records */
  DG_GAP_CUT_END,     /* dg_log_cut omitted everything after its end */
  DG_GAP_FORKED,      /* the parent's log has everything before */
  DG_GAP_CUT,         /* dg_log_cut omitted accesses */
  DG_GAP_SKIP,        /* recording started later */
  DG_GAP_STOP_AFTER,  /* recording stopped earlier */
  DG_GAP_OFF,         /* recording was off at times */
  DG_GAP_PERIODIC,    /* a window of each period was recorded */
  DG_GAP_KINDS        /* number of kinds */
};
/* What a gap lacks.  */
enum dg_lack {
  DG_LACKS_ACCESSES = 1, /* accesses, but nothing else: blocks, threads and
                            the like are always recorded */
  DG_LACKS_LATER = 2,    /* everything after the end of the log */
  DG_LACKS_EARLIER = 4   /* everything before its start; objects that existed
                            then are in the log */
};
struct dg_gap {
  enum dg_gap_kind kind;
  enum dg_lack lacks;
  uint64_t instructions; /* executed but not recorded; 0: unknown */
};
/* The gaps of a loaded log, each kind at most once, in the order of the enum.
   Returns their number; 0: the log is complete.  */
DG_API size_t dg_log_gaps (const struct dg_log *log,
                           struct dg_gap gaps[DG_GAP_KINDS]);
/* The union of enum dg_lack of all gaps.  */
DG_API unsigned dg_log_lacks (const struct dg_log *log);
/* The name of a kind, such as "max-size", and a clause, such as "the log was
   cut short, and what follows is lost".  */
DG_API const char *dg_gap_name (enum dg_gap_kind kind);
DG_API const char *dg_gap_text (enum dg_gap_kind kind);

/* The instruction that Valgrind does not know, and at which the program
   therefore ended.  */
struct dg_undecoded {
  uint64_t address, icount;
  uint32_t thread;
  uint32_t n_code;         /* bytes from the address on; they may be more than
                              the instruction has */
  const uint8_t *code;
  const char *set;         /* the instruction set, such as "AVX-512", or "" */
};
/* The instruction at which the program of a loaded log ended; NULL: the log
   has no gap DG_GAP_UNDECODED.  */
DG_API const struct dg_undecoded *dg_log_undecoded (const struct dg_log *log);

/* Whether what accesses read or wrote was recorded (dg_reader_values).  */
DG_API bool dg_log_has_values (const struct dg_log *log);

/* A log that is a sample of its run (--datagrind-window): what its windows
   stand for.  Time for which nothing was to be recorded does not count.  */
struct dg_sampling {
  uint64_t windows;            /* each of another period */
  uint64_t recorded, executed; /* instructions */
};
/* Of a loaded log: 1, or 0 if it is not a sample, or DG_ERR_NOMEM.  */
DG_API int dg_sampling_of (const struct dg_log *log,
                           struct dg_sampling *sampling,
                           struct dg_error *err);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_LOG_H */
