/* cut.h: what the files that cut logs share.

   cut.c chooses what stays; cut_state.c tells what was there when a cut
   begins in the middle; cut_out.c writes the new log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CUT_H
#define DG_CUT_H

#include "archive.h"
#include "decode.h"
#include "log.h"

/* ---- Writing (cut_out.c) ---- */

/* A log being written.  Definitions are written, and numbered, when they are
   first needed; a WINDOW record wherever time passes that no run tells of.  */
struct dg_cut_out {
  const struct dg_log *log;    /* whose definitions the runs have */
  int fd;
  uint64_t offset;             /* bytes in the file */
  struct dg_table bytes;       /* behind them */
  struct dg_chunk_start now;   /* what was written */
  uint64_t last_marker;        /* offset of the last CHUNK; 0: none */
  uint64_t heap_allocs, heap_frees, threads;
  uint32_t *bbdefs, *contexts; /* by numbers of `log`: new ones, or DG_NONE */
};

/* Begins with the header.  The descriptor stays the caller's.  */
int dg_cut_out_init (struct dg_cut_out *out, const struct dg_log *log, int fd,
                     struct dg_error *err);
void dg_cut_out_fini (struct dg_cut_out *out);

/* A record that is no definition, run, CHUNK, THREAD_SWITCH or END, at an
   icount that does not fall.  */
int dg_cut_out_record (struct dg_cut_out *out, uint8_t type,
                       const struct dg_fields *fields, uint64_t icount,
                       struct dg_error *err);
/* What follows is this thread's.  */
int dg_cut_out_thread (struct dg_cut_out *out, uint32_t thread,
                       struct dg_error *err);

/* Instructions first .. end - 1 of a run of a context of the log.  The
   addresses are those of the run's first entries, with 0 for what is to be
   left out.  */
struct dg_cut_run {
  uint64_t icount;             /* before its first instruction, which may be
                                  left out */
  uint32_t context, thread;
  unsigned first, end;
  const uint64_t *addresses;
  unsigned n_entries;
};
int dg_cut_out_run (struct dg_cut_out *out, const struct dg_cut_run *run,
                    struct dg_error *err);

/* Nothing is recorded from where the log is.  */
int dg_cut_out_pause (struct dg_cut_out *out, struct dg_error *err);

/* The end record, with everything written to the file.  */
int dg_cut_out_end (struct dg_cut_out *out, uint8_t why, uint8_t exit_code,
                    uint64_t icount, uint64_t lost_calls,
                    struct dg_error *err);

/* ---- The beginning (cut_state.c) ---- */

/* PROCESS, if the log has it.  */
int dg_cut_process (struct dg_cut_out *out, struct dg_error *err);
/* What was there at an icount, each at the time at which it came: threads,
   modules, mappings, heap blocks, ranges, events, the clock.  */
int dg_cut_state (struct dg_cut_out *out, uint64_t icount,
                  struct dg_error *err);
/* What is known of threads as a whole.  */
int dg_cut_threads (struct dg_cut_out *out, uint64_t icount,
                    struct dg_error *err);

#endif /* DG_CUT_H */
