/* dg_archive.h: pack, unpack, cut and import logs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef LIBDATAGRIND_ARCHIVE_H
#define LIBDATAGRIND_ARCHIVE_H

#include "dg_filter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An archive holds a log in packed chunks that can be decoded alone, with an
   index (docs/archive.md).  Logs of both forms are opened and read alike.  */

struct dg_pack_options {
  size_t size;      /* sizeof (struct dg_pack_options) */
  int level;        /* of zstd, 1 to 19; 0: the default */
  unsigned workers; /* threads; 0: one per processor */
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
  size_t size; /* sizeof (struct dg_cut_options) */
  /* Instructions from `start_icount` up to, but not with, `end_icount`; 0: to
     the end.  */
  uint64_t start_icount, end_icount;
  /* Accesses that touch a byte of low .. high - 1; high 0: no bound.  */
  uint64_t low, high;
  const struct dg_filter *filter;     /* NULL: all accesses */
  const struct dg_pack_options *pack; /* NULL: a raw log, else an archive */
  unsigned workers; /* threads that read; 0: one per processor */
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

#ifdef __cplusplus
}
#endif

#endif /* LIBDATAGRIND_ARCHIVE_H */
