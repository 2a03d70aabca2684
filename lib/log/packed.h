/* packed.h: what is known of a loaded archive beside what is known of any
   log: its parts, what its runs name, and where its threads change.

   Filled by packed_load.c, read by packed_read.c and others.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACKED_H
#define DG_PACKED_H

#include <glib.h>

#include "archive/archive.h"
#include "archive/program.h"
#include "defs.h"
#include "format/decode.h"

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
  uint64_t places_factor;          /* odd, random */
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
int dg_packed_finish (struct dg_packed *packed, const struct dg_defs *defs,
                      struct dg_error *err);

#endif /* DG_PACKED_H */
