/* dg_archive.h: pack, unpack, cut and import logs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_ARCHIVE_H
#define LIBDATAGRIND_ARCHIVE_H

#include "dg_filter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An archive contains a log in compressed chunks that can be decoded
   independently, with an index (docs/archive.md).  Logs of both forms are
   opened and read in the same way.  */

struct dg_pack_options {
  size_t size;      /* sizeof (struct dg_pack_options) */
  int level;        /* of zstd, 1 to 19; 0: the default */
  unsigned workers; /* threads; 0: one per processor */
  bool no_index;
};

/* Writes a loaded log to an archive at `path`; an existing file is replaced
   when the archive is complete.  An archive is packed again, at another level.
   A log that ends early is packed up to there, and its last bytes are kept
   unchanged. options may be NULL.  */
DG_API int dg_log_pack (const struct dg_log *log, const char *path,
                        const struct dg_pack_options *options,
                        dg_progress_fn progress, void *user,
                        struct dg_error *err);

/* Writes the raw log of an archive; one that was packed from a raw log is
   restored byte for byte.  DG_ERR_INVALID if the log is not an archive.  */
DG_API int dg_log_unpack (const struct dg_log *log, const char *path,
                          unsigned workers, dg_progress_fn progress,
                          void *user, struct dg_error *err);

struct dg_cut_options {
  size_t size; /* sizeof (struct dg_cut_options) */
  /* Instructions from `start_icount` up to, but not including, `end_icount`;
     0: to the end.  */
  uint64_t start_icount, end_icount;
  /* Accesses that overlap low .. high - 1; high 0: no limit.  */
  uint64_t low, high;
  const struct dg_filter *filter;     /* NULL: all accesses */
  const struct dg_pack_options *pack; /* NULL: a raw log, else an archive */
  unsigned workers; /* threads that read; 0: one per processor */
};

/* Writes a part of a loaded log as a new log: runs, cut at the exact
   instruction, with the selected accesses, and all other records between them.
   icounts, threads, stacks and owners of addresses are unchanged.  A part that
   starts in the middle begins with the objects that existed there.  WINDOW
   records (DG_WINDOW_CUT) mark where runs were omitted.  Before the start,
   signals, forks, stack pointers, accesses by the kernel and records of
   unknown types are omitted.  The log does not depend on the number of
   workers.  Of heap blocks, the log needs those that live at the start
   (dg_log_set_live_blocks).  Progress is in instructions.  */
DG_API int dg_log_cut (const struct dg_log *log, const char *path,
                       const struct dg_cut_options *options,
                       dg_progress_fn progress, void *user,
                       struct dg_error *err);

/* Writes a log with the instructions and accesses of a trace of Valgrind's
   lackey (--trace-mem=yes) to `path`; an existing file is replaced when the
   log is complete. trace: path of a file, or "-" for standard input. pack:
   NULL for a raw log, otherwise an archive.  An M line of lackey becomes a
   read and a write by one instruction.  Progress is in bytes of the trace,
   then of the log; a total of 0 is unknown.  DG_ERR_INVALID: a line is wrong;
   the message begins with its number.  */
DG_API int dg_import_lackey (const char *trace, const char *path,
                             const struct dg_pack_options *pack,
                             dg_progress_fn progress, void *user,
                             struct dg_error *err);

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_ARCHIVE_H */
