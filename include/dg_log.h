/* dg_log.h: a log: open, load, and what it says of itself.

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
  DG_WRITER_NONE = 2 /* nothing more will come */
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

/* ---- Header, totals, process ----------------------------------------- */

struct dg_header {
  uint8_t version;    /* 1 */
  uint8_t big_endian; /* 0 or 1 */
  uint8_t word_size;  /* bytes: 4 or 8 */
  bool is_archive;    /* packed; everything below reads both forms */
  uint64_t file_size; /* bytes, when the log was opened */
};
DG_API const struct dg_header *dg_log_header (const struct dg_log *log);
DG_API const char *dg_log_path (const struct dg_log *log);

/* Whether the log is complete.  */
enum dg_complete {
  DG_COMPLETE_NO = 0,     /* cut short or damaged */
  DG_COMPLETE_YES = 1,    /* it has its end record, and nothing is missing */
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
  uint64_t reads, writes; /* by instructions, made ones only */
  uint64_t kernel_reads, kernel_writes; /* records, in system calls */
  uint64_t runs, bbdefs, contexts;
  uint64_t threads; /* that ran, or were started: at least 1 */
  uint64_t heap_allocs, heap_frees;
  uint64_t modules;
  uint64_t events_started, events_ended;
  uint64_t ranges_tracked, ranges_untracked;
  uint64_t windows;         /* WINDOW records */
  uint64_t unknown_records; /* of types that this library skips */
  uint64_t lost_calls;      /* as the end record says, 0 without one */
  uint64_t min_address, max_address; /* first bytes of accesses that were
                                        made; min > max if none */
  uint64_t pools; /* of the program's own memory, that it made */
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
/* Names the recording that a loaded log is of: the same for a raw log, for its
   archive and what is unpacked from that, for what is cut from it, and while
   it grows; another one for each process image that was ever recorded, on
   whatever machine.  32 hexadecimal digits: the first half of the SHA-256 of
   the PROCESS record (its numbers as 64 bits, little-endian; its strings each
   with a 0 byte).  Imported logs do not know when they were recorded, so that
   those of one program and process number have the same.  False, with id "":
   the log has no PROCESS record.  */
#define DG_LOG_ID_SIZE 33
DG_API bool dg_log_id (const struct dg_log *log, char id[DG_LOG_ID_SIZE]);

/* As the log says, else 4096 and 64.  */
DG_API uint32_t dg_log_page_size (const struct dg_log *log);
DG_API uint32_t dg_log_line_size (const struct dg_log *log);

/* ---- What is missing ------------------------------------------------- */

/* In what way a log contains less than its program did.  Those who say that
   something never happened says so if there is a gap: what is not in the log
   need not be what was not.  */
enum dg_gap_kind {
  DG_GAP_GROWING = 0, /* it is still being written */
  DG_GAP_DAMAGED,     /* everything after a bad record is lost */
  DG_GAP_TRUNCATED,   /* it was cut short */
  DG_GAP_OUTPUT,      /* it could not be written any further */
  DG_GAP_MAX_SIZE,    /* it had become as large as it may */
  DG_GAP_KILLED,      /* the program was, before it came to its end */
  DG_GAP_NO_END,      /* its recorder did not write end records */
  DG_GAP_CUT_END,     /* dg_log_cut left out what follows */
  DG_GAP_FORKED,      /* what was before is in the parent's log */
  DG_GAP_CUT,         /* dg_log_cut left out accesses */
  DG_GAP_SKIP,        /* recording began later, */
  DG_GAP_STOP_AFTER,  /* ended earlier, */
  DG_GAP_OFF,         /* or was off now and then */
  DG_GAP_KINDS        /* how many there are */
};
/* What is missing then.  */
enum dg_lack {
  DG_LACKS_ACCESSES = 1, /* accesses, but nothing else: blocks, threads and
                            the like are always recorded */
  DG_LACKS_LATER = 2,    /* everything from the end of the log on */
  DG_LACKS_EARLIER = 4   /* everything but what was there at its start */
};
struct dg_gap {
  enum dg_gap_kind kind;
  enum dg_lack lacks;
  uint64_t instructions; /* that were executed and not recorded; 0: it is
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

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_LOG_H */
