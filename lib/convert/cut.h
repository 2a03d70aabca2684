/* cut.h: what the files that cut logs share.

   cut_read.c chooses what stays, on several threads; cut.c puts it together;
   cut_state.c says what was there when a cut begins in the middle; cut_out.c
   writes the new log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CUT_H
#define DG_CUT_H

#include "archive/archive_format.h"
#include "format/decode.h"
#include "log/flow.h"
#include "log/log.h"

/* ---- Reading (cut_read.c) ---- */

/* What is to be read; it stays as it is.  */
struct dg_cut_reading {
  const struct dg_log *log;
  const struct dg_cut_options *options;
  uint64_t end_icount;
  bool chooses;            /* accesses, not just instructions */
  size_t first_chunk;
};

/* Something that stays.  Behind it stand n_words words, unless it is EMPTY,
   and n_bytes bytes.  */
struct dg_cut_item {
  uint64_t icount;
  uint64_t n_bytes;
  uint32_t what;           /* a run's context; else the record's type */
  uint32_t thread;
  uint32_t n_words, n_strings;
  uint8_t first, end;      /* instructions of a run: see struct dg_cut_run */
  enum {
    DG_CUT_RUN,            /* words: its addresses */
    DG_CUT_EMPTY,          /* a run of which no access stays */
    DG_CUT_RECORD,         /* words; bytes: strings with their NULs, and what
                              stood behind all fields */
    DG_CUT_UNKNOWN         /* bytes: the payload of a record */
  } kind;
};
#define DG_CUT_ITEM_WORDS (sizeof (struct dg_cut_item) / sizeof (uint64_t))

/* Words behind an item.  */
static inline size_t
dg_cut_item_rest (const struct dg_cut_item *item)
{
  return (item->kind == DG_CUT_EMPTY ? 0 : item->n_words)
         + (item->n_bytes + 7) / 8;
}

/* What one chunk gives.  */
struct dg_cut_items {
  struct dg_table words;   /* uint64_t: items, one behind the other */
  bool ends;               /* all that follows is behind the end */
};
void dg_cut_items_fini (void *items);

/* For struct dg_ordered: job i is chunk first_chunk + i; user: struct
   dg_cut_reading.  */
void *dg_cut_read_new (void *user, struct dg_error *err);
void dg_cut_read_free (void *state);
int dg_cut_read_work (void *user, void *state, size_t job, void *items,
                      struct dg_error *err);

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
  struct dg_block_notes_index *flows, *codes;
  uint32_t *bbdefs, *contexts; /* by numbers of `log`: new ones, or DG_NONE */
};

/* Begins with the header.  The descriptor stays the caller's.  */
int dg_cut_out_init (struct dg_cut_out *out, const struct dg_log *log, int fd,
                     struct dg_error *err);
void dg_cut_out_fini (struct dg_cut_out *out);

/* A record that is not a definition, run, CHUNK, THREAD_SWITCH or END, at an
   icount that does not fall.  */
int dg_cut_out_record (struct dg_cut_out *out, uint8_t type,
                       const struct dg_fields *fields, uint64_t icount,
                       struct dg_error *err);
/* One of an unknown type, with its payload as it was.  */
int dg_cut_out_unknown (struct dg_cut_out *out, uint8_t type,
                        const void *payload, size_t n, uint64_t icount,
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

/* At the start of what follows: of its runs, accesses are left out.  */
int dg_cut_out_sieve (struct dg_cut_out *out, struct dg_error *err);
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
/* Names of code of no file, which are for all of a log, wherever they
   stand.  */
int dg_cut_codes (struct dg_cut_out *out, struct dg_error *err);
/* What is known of threads as a whole.  */
int dg_cut_threads (struct dg_cut_out *out, uint64_t icount,
                    struct dg_error *err);

#endif /* DG_CUT_H */
