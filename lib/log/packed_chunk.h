/* packed_chunk.h: the runs of an archive, chunk by chunk, unpacked some
   hundred at a time; and what their heads stand for.

   A batch never goes beyond a run where the thread or the icount changes, so
   that nothing of that kind is asked for each run.  A chunk's bytes were
   checked when the log was loaded; they are checked again, since the file may
   have changed, and what they decode to is checked against what the archive
   tells of the chunk.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACKED_CHUNK_H
#define DG_PACKED_CHUNK_H

#include "archive/archive_part.h"
#include "log.h"
#include "packed.h"

/* How many runs ahead what they need is called for.  */
#define DG_PACKED_AHEAD 8

struct dg_packed_chunk {
  const struct dg_log *log;
  struct dg_packed *packed;
  bool has_contexts;
  size_t batch; /* runs that are unpacked at a time */
  struct dg_unpacker *unpacker;
  struct dg_table bytes;              /* of its RUNS, if they are not mapped */
  struct dg_archive_lent lent;           /* bytes NULL: to be lent again */
  const struct dg_chunk_entry *entry; /* NULL: no chunk */
  uint64_t run, end_run; /* of the log: decoded so far, and at its end */
  /* What changes at runs to come.  */
  size_t move; /* index of the next one */
  uint64_t icount;
  uint32_t thread;
  uint64_t *words;     /* of a batch */
  uint64_t *at, *stop; /* of its runs to come */
  /* Their heads; those of DG_PACKED_AHEAD more are valid, but say nothing.  */
  uint32_t *numbers;
  size_t numbers_room;
  const uint32_t *number; /* of the next run */
};

/* For batches of so many runs.  */
int dg_packed_chunk_init (struct dg_packed_chunk *chunk,
                          const struct dg_log *log, bool has_contexts,
                          size_t batch, struct dg_error *err);
void dg_packed_chunk_fini (struct dg_packed_chunk *chunk);

/* Goes to a chunk of the log, whose runs are there, but not unpacked.  */
int dg_packed_chunk_open (struct dg_packed_chunk *chunk, size_t index,
                          struct dg_error *err);
/* Begins to unpack its runs, batch by batch.  */
int dg_packed_chunk_begin (struct dg_packed_chunk *chunk,
                           struct dg_error *err);
/* The same for dg_packed_chunk_addresses.  */
int dg_packed_chunk_begin_addresses (struct dg_packed_chunk *chunk,
                                     struct dg_error *err);
/* In place of that: only the heads of all of its runs.  1; 0 if they do not
   say all, since some access was not made.  */
int dg_packed_chunk_begin_heads (struct dg_packed_chunk *chunk,
                                 struct dg_error *err);
/* The same, but only how many runs there are of each head, or without
   contexts, of each variant (dg_unpacker_count).  */
int dg_packed_chunk_begin_counts (struct dg_packed_chunk *chunk,
                                  struct dg_error *err);
/* Compares how often the chunk says that each head is there with its runs: 0,
   DG_ERR_DAMAGED, or another error.  Ends what was begun.  */
int dg_packed_chunk_check_counts (struct dg_packed_chunk *chunk,
                                  struct dg_error *err);
/* Puts thread and icount to those of the next run.  Returns how many runs
   there are before one of them changes.  */
uint64_t dg_packed_chunk_left (struct dg_packed_chunk *chunk);
/* Unpacks a batch, of at most `max` runs: 1, 0 at the end, < 0.  */
int dg_packed_chunk_unpack (struct dg_packed_chunk *chunk, uint64_t max,
                            struct dg_error *err);
/* The same, but makes the addresses of so many runs instead of their words
   (dg_unpacker_addresses): their number, 0 at the end, < 0.  */
ptrdiff_t dg_packed_chunk_addresses (struct dg_packed_chunk *chunk,
                                     uint64_t max, uint64_t *addresses,
                                     size_t enough, struct dg_error *err);

/* Calls for what heads stand for, which is all over the tables: for some of
   first, ... up to n.  Returns the end of those.  */
size_t dg_packed_chunk_call (const struct dg_packed_chunk *chunk, size_t first,
                             size_t n);
/* What a head stands for, and its context; NULL: nothing.  */
const struct dg_packed_variant *
dg_packed_chunk_head (const struct dg_packed_chunk *chunk, size_t i,
                      uint32_t *context);

/* The error of what was found in the chunk.  */
int dg_packed_chunk_damaged (const struct dg_packed_chunk *chunk,
                             const char *what, struct dg_error *err);
/* ... of a run whose head stands for nothing.  */
int dg_packed_chunk_no_context (const struct dg_packed_chunk *chunk,
                                struct dg_error *err) __attribute__ ((cold));

#endif /* DG_PACKED_CHUNK_H */
