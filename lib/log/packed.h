/* packed.h: what is known of a loaded archive beside what is known of any
   log: its parts, what its runs name, and where its threads change.

   Filled by packed_load.c, read by packed_read.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACKED_H
#define DG_PACKED_H

#include <glib.h>

#include "archive/archive.h"
#include "format/decode.h"
#include "archive/program.h"

/* A slot of a block, as reading an archive's accesses wants it: its address
   is the word of the run at `word` (0: the head, which counts as 0) + disp;
   guarded: 0 if that word is 0.  */
struct dg_packed_slot {
  uint64_t disp, instruction;
  uint16_t word, size;
  uint8_t kind, iseq;
  bool guarded;
};

/* A block that is defined, with its slots behind it, so that one place in
   memory has all that reading its runs needs.  */
struct dg_packed_block {
  const struct dg_bbdef *bbdef;
  const struct dg_program_entry *entries;
  struct dg_packed_slot slots[];
};

/* A variant of the program.  of NULL: of a block that is not defined.  */
struct dg_packed_variant {
  const struct dg_packed_block *of;
  uint32_t block;
  uint16_t n_slots, n_sps, n_entries, n_words;
  uint8_t n_instrs;
};

/* From this run of the log on, thread and icount are these.  */
struct dg_packed_move {
  uint64_t run, icount;
  uint32_t thread;
};

struct dg_packed {
  struct dg_archive *archive;
  struct dg_program program;
  struct dg_program_view view;     /* of all of it, when it is loaded */
  struct dg_table definitions;     /* uint32_t: of each block, or DG_NONE */
  struct dg_table blocks;          /* uint32_t: of each definition */
  struct dg_table moves;           /* struct dg_packed_move */
  /* (block, node) -> context: open addressing, at most three quarters full, as
     there may be many millions; places that are looked at one after the other
     share a cache line.  A place has the context's number plus 1 in its low
     bits, below places_mark, and above them bits of the hash: what is another
     context's is passed by without a look at it, which would seldom be in the
     cache.  0: free.  NULL: given back (dg_packed_spare).  */
  uint32_t *places;
  uint32_t n_places;
  uint32_t places_mark;            /* a power of two, above n_places */
  uint64_t places_factor;          /* odd, drawn by lot */
  const struct dg_context *contexts;   /* of the log, when it is loaded */
  size_t n_contexts;
  GMutex lock;                     /* guards what follows, and `places` while
                                      there are no users */
  unsigned users;                  /* who look contexts up */
  struct dg_packed_variant *variants;
  uint64_t *memory;                /* of struct dg_packed_block */
  /* Up to where the log is good: whole chunks, unless the last one has a bad
     record, before which it ends.  */
  size_t n_chunks;
  uint64_t end_run;                /* of the log */
  uint64_t end_entries;            /* of the RECORDS of the last chunk */
};

struct dg_packed *dg_packed_new (struct dg_archive *archive,
                                 struct dg_error *err);
void dg_packed_free (struct dg_packed *packed);
/* The same numbers, without the program and without what dg_packed_finish
   makes, for the archive when it has grown; it has none yet.  */
struct dg_packed *dg_packed_copy (struct dg_packed *packed,
                                  struct dg_error *err);

/* The log's next definition is this block; its next context, this pair, which
   goes into the table.  DG_ERR_DAMAGED or DG_ERR_NOMEM.  */
int dg_packed_add_definition (struct dg_packed *packed, uint32_t block,
                              struct dg_error *err);
int dg_packed_add_context (struct dg_packed *packed,
                           struct dg_table *contexts, uint32_t definition,
                           uint32_t node, struct dg_error *err);

static inline uint64_t
dg_packed_hash (const struct dg_packed *packed, uint32_t block, uint32_t node)
{
  return ((uint64_t) block << 32 | node) * packed->places_factor;
}

/* Where a context would be first, in the upper half; its bits of the hash in
   the lower one.  */
static inline uint64_t
dg_packed_first (const struct dg_packed *packed, uint32_t block,
                 uint32_t node)
{
  return (dg_packed_hash (packed, block, node) >> 32) * packed->n_places;
}

static inline void
dg_packed_prefetch (const struct dg_packed *packed, uint32_t block,
                    uint32_t node)
{
  uint64_t first = dg_packed_first (packed, block, node);

  __builtin_prefetch (&packed->places[first >> 32]);
}

/* The same a moment later, when the place has come: calls for the context.  */
void dg_packed_prefetch_context (const struct dg_packed *packed,
                                 uint32_t block, uint32_t node);

/* Room for so many contexts, if there is as much memory: it is only taken as
   they come.  */
void dg_packed_expect (struct dg_packed *packed, struct dg_table *contexts,
                       uint64_t n);

/* Around calls of the function below, of a log that is loaded: 0 or
   DG_ERR_NOMEM.  For any thread.  */
int dg_packed_use (struct dg_packed *packed, struct dg_error *err);
void dg_packed_leave (struct dg_packed *packed);
/* Gives back what looking contexts up takes, which is much, if nobody uses it;
   it is made again when somebody does.  */
void dg_packed_spare (struct dg_packed *packed);

/* The context of a block in a call path, DG_NONE if the log has none.  */
uint32_t dg_packed_context (const struct dg_packed *packed, uint32_t block,
                            uint32_t node);

/* After all definitions: what reading runs needs.  */
struct dg_log;
struct dg_contents;
int dg_packed_finish (struct dg_packed *packed,
                      const struct dg_contents *contents,
                      struct dg_error *err);

/* ---- Loading ---- */

struct dg_timeline;
struct dg_position;
typedef int (*dg_packed_pace_fn) (void *user, uint64_t done,
                                  struct dg_error *err);

/* What dg_log_load does for an archive, from opening it to its last record;
   or, if the log has a `packed` already, from the chunk behind those.
   *position and *moment, where the timeline has come to in its own count,
   then go on from what they were.  0, or as
   dg_log_load; after TRUNCATED and DAMAGED, err->offset is where the file is
   good up to.  */
int dg_packed_load (struct dg_log *log, unsigned workers,
                    struct dg_timeline *timeline,
                    struct dg_position *position, uint64_t *moment,
                    dg_packed_pace_fn pace, void *user, struct dg_error *err);

/* What dg_log_load_summary does for an archive that tells all it wants to
   know: 1, or an error that the log itself has.  0: it has to be loaded.
   Else < 0.  (packed_summary.c)  */
int dg_packed_load_summary (struct dg_log *log, struct dg_error *err);

/* ---- Fetching (packed_fetch.c) ---- */

/* A chunk's parts, decompressed, and its RUNS checked.  */
struct dg_fetched {
  struct dg_table definitions, records;
  struct dg_error err;     /* code 0, or why it cannot be used */
};

/* Chunks in their order, from `first` on, made ready by several threads.  */
struct dg_fetch;
struct dg_fetch *dg_fetch_new (const struct dg_source *source,
                               const struct dg_archive *archive,
                               size_t first, unsigned workers,
                               struct dg_error *err);
/* The next chunk; valid until the next call.  There is one.  */
const struct dg_fetched *dg_fetch_next (struct dg_fetch *fetch);
void dg_fetch_free (struct dg_fetch *fetch);

/* ---- One chunk (packed_chunk.c) ---- */

/* The index of the first move at a run of the log or behind it.  */
size_t dg_packed_find_move (const struct dg_packed *packed, uint64_t run);
/* The bytes of a chunk's RUNS, checked; *bytes is used again.  */
int dg_packed_read_chunk (const struct dg_log *log,
                          const struct dg_chunk_entry *chunk,
                          struct dg_table *bytes, struct dg_error *err);
/* Begins to unpack them, with words or heads only, and checks that their
   totals are those of the archive.  */
int dg_packed_begin_chunk (const struct dg_log *log,
                           const struct dg_chunk_entry *chunk,
                           const struct dg_table *bytes, bool has_words,
                           struct dg_unpacker *unpacker,
                           struct dg_error *err);

/* ---- Reading (packed_read.c) ---- */

/* As the functions of libdatagrind.h, for a log that is loaded.  */
struct dg_packed_reader;
struct dg_packed_reader *dg_packed_reader_new (const struct dg_log *log,
                                               size_t first, size_t end,
                                               struct dg_error *err);
void dg_packed_reader_free (struct dg_packed_reader *reader);
int dg_packed_reader_run (struct dg_packed_reader *reader,
                          struct dg_run *run, struct dg_error *err);
ptrdiff_t dg_packed_reader_accesses (struct dg_packed_reader *reader,
                                     struct dg_access *out, size_t max,
                                     struct dg_error *err);
int dg_packed_reader_record (struct dg_packed_reader *reader,
                             struct dg_record *rec, struct dg_error *err);
/* As dg_reader_payload.  */
const uint8_t *dg_packed_reader_payload (const struct dg_packed_reader *reader,
                                         uint64_t max);

/* Summary, process and chunks of a log by the SUMMARY of its archive, or of
   its sidecar.  0 if they are as dg_log_load would say, else DG_ERR_DAMAGED:
   better look at the log; DG_ERR_NOMEM.  */
int dg_packed_take_summary (struct dg_log *log,
                            const struct dg_archive *archive,
                            struct dg_error *err);

#endif /* DG_PACKED_H */
