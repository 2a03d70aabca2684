/* pack.h: the runs of a chunk as few bytes, and back.

   A chunk starts from nothing: no prediction outlives it, so each can be
   decoded alone.  docs/archive.md (part RUNS) has the bytes.  Packing counts
   touched lines as well (lines.h), since it looks at every address anyway.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACK_H
#define DG_PACK_H

#include "pack_totals.h"
#include "program.h"

/* ---- Packing ---- */

/* Reused from chunk to chunk: one for each worker.  */
struct dg_packer;
struct dg_packer *dg_packer_new (int level, struct dg_error *err);
void dg_packer_free (struct dg_packer *packer);

/* Begins a chunk; the view must hold all that its runs name, and stay until
   its end.  address_mask: 2^(8 * word size) - 1.  */
int dg_packer_begin (struct dg_packer *packer,
                     const struct dg_program_view *program,
                     uint64_t address_mask, struct dg_error *err);
/* Whole runs, one behind the other: n words in all.  DG_ERR_DAMAGED when they
   name what there is not, or do not end with the n words: nothing of that
   call is packed from the bad run on, and the chunk is still good.
   DG_ERR_LIMIT: more than DG_PACK_WORDS_MAX; nothing is packed.  */
int dg_packer_runs (struct dg_packer *packer, const uint64_t *words, size_t n,
                    struct dg_error *err);
/* So far: for records that stand between runs, and for ending chunks.  Costs
   nothing.  */
const struct dg_pack_totals *dg_packer_totals (const struct dg_packer *packer);
/* Compresses; appends the bytes to *out (bytes).  The new contexts and totals
   are valid until the next begin.  */
int dg_packer_end (struct dg_packer *packer, struct dg_table *out,
                   const struct dg_pack_new_context **new_contexts,
                   size_t *n_new_contexts, struct dg_error *err);
/* After the end: the lines that the chunk's accesses touch, sorted; valid
   until the next begin.  */
int dg_packer_lines (struct dg_packer *packer,
                     const struct dg_line_count **counts, size_t *n,
                     struct dg_error *err);

/* ---- Unpacking ---- */

/* version: of the archive that the chunks are in.  */
struct dg_unpacker;
struct dg_unpacker *dg_unpacker_new (unsigned version, struct dg_error *err);
void dg_unpacker_free (struct dg_unpacker *unpacker);

/* Begins with a chunk's bytes, which must stay until its end.  Memory is
   bounded by what the chunk's totals, checked here, may need.  */
int dg_unpacker_begin (struct dg_unpacker *unpacker,
                       const struct dg_program_view *program,
                       const uint8_t *bytes, size_t n, struct dg_error *err);
const struct dg_pack_totals *
dg_unpacker_totals (const struct dg_unpacker *unpacker);

/* Decodes up to max_runs runs into `words` as they went into dg_packer_runs
   (heads with lengths, words behind), of which `room` words are there and at
   least DG_UNPACK_ROOM; returns the number of runs, 0 at the end, < 0 an
   error.  *n_words receives the words.  */
#define DG_UNPACK_ROOM 70000
ptrdiff_t dg_unpacker_runs (struct dg_unpacker *unpacker, uint64_t *words,
                            size_t room, size_t max_runs, size_t *n_words,
                            struct dg_error *err);

/* The same; also gives, of each run, which of the chunk's heads it has: they
   are numbered from 1 as the chunk meets them.  Room for max_runs numbers.
   So what is known of a head needs to be looked up once.  */
ptrdiff_t dg_unpacker_numbered (struct dg_unpacker *unpacker, uint64_t *words,
                                size_t room, size_t max_runs, size_t *n_words,
                                uint32_t *numbers, struct dg_error *err);

/* How many numbers there are by now, 0 included, and the head of one of
   them.  */
size_t dg_unpacker_heads (const struct dg_unpacker *unpacker);
uint64_t dg_unpacker_head (const struct dg_unpacker *unpacker, size_t number);

/* As dg_unpacker_begin, for dg_unpacker_addresses only: addresses of runs
   without their words between.  */
int dg_unpacker_begin_addresses (struct dg_unpacker *unpacker,
                                 const struct dg_program_view *program,
                                 const uint8_t *bytes, size_t n,
                                 struct dg_error *err);
/* For tests: as on processors without AVX2, from the next chunk on.  */
void dg_unpacker_avoid_avx2 (struct dg_unpacker *unpacker);
/* Decodes up to max_runs runs, fewer when there are `enough` addresses; room
   is needed for those and DG_UNPACK_ADDRESSES_ROOM.  Those of each run's
   entries follow one another, as a raw log holds them.  mask: 2^(8 * word
   size) - 1.  numbers: of heads, as dg_unpacker_numbered.  Returns the number
   of runs, 0 at the end, < 0 an error.  */
#define DG_UNPACK_ADDRESSES_ROOM 70000
ptrdiff_t dg_unpacker_addresses (struct dg_unpacker *unpacker, uint64_t mask,
                                 size_t max_runs, uint32_t *numbers,
                                 uint64_t *addresses, size_t enough,
                                 struct dg_error *err);

/* As dg_unpacker_begin, for dg_unpacker_numbers only: which heads runs have is
   a small part of a chunk, and nothing else of it is decoded.  */
int dg_unpacker_begin_heads (struct dg_unpacker *unpacker,
                             const struct dg_program_view *program,
                             const uint8_t *bytes, size_t n,
                             struct dg_error *err);
/* The numbers of the heads of all runs of the chunk, of which there are
   totals.runs.  Once.  */
int dg_unpacker_numbers (struct dg_unpacker *unpacker, uint32_t *numbers,
                         struct dg_error *err);
/* As dg_unpacker_begin_heads, for dg_unpacker_count only: where who packed the
   chunk has counted, even less of it is decoded.  */
int dg_unpacker_begin_counts (struct dg_unpacker *unpacker,
                              const struct dg_program_view *program,
                              const uint8_t *bytes, size_t n,
                              struct dg_error *err);
/* Where the order of runs does not matter: only how many there are of each
   head, and the instructions of all runs before the first of them.  After
   dg_unpacker_begin_heads, runs are counted here.  by_variant: heads of the
   same variant become one, the first of them.  Once.  */
int dg_unpacker_count (struct dg_unpacker *unpacker, bool by_variant,
                       struct dg_error *err);
uint32_t dg_unpacker_times (const struct dg_unpacker *unpacker,
                            size_t number);
uint64_t dg_unpacker_first (const struct dg_unpacker *unpacker,
                            size_t number);
/* The accesses of these runs, whether they were made or not.  */
uint64_t dg_unpacker_slots (const struct dg_unpacker *unpacker);

/* The addresses of a run's entries from its words, as a raw log holds them.
   mask: 2^(8 * word size) - 1.  */
void dg_unpack_addresses (const struct dg_program_block *block,
                          const struct dg_program_variant *variant,
                          const uint64_t *words, uint64_t mask,
                          uint64_t *addresses);

#endif /* DG_PACK_H */
