/* pack_state.h: what packs the runs of a chunk, slice by slice.

   A slice of runs is taken apart into flat lists first, so that the loops over
   words and over accesses do not depend on where a run ends: what the
   processor cannot foresee (which block comes next, how many words it has,
   which words were predicted) costs no branch that it could guess wrong.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACK_STATE_H
#define DG_PACK_STATE_H

#include "lines_table.h"
#include "pack_code.h"
#include "program.h"

#define DG_SLICE_RUNS 256
/* What a run adds at most; one that may add more is done by itself.  */
#define DG_RUN_WORDS (DG_RUN_LENGTH_MASK - 1)
#define DG_RUN_STEPS 252
/* Lists are copied by so many items, whatever there are.  */
#define DG_COPY 4
#define DG_RUN_ROOM (DG_RUN_WORDS + DG_COPY)
/* Room in lists for any slice, of which little is used.  */
#define DG_SLICE_WORDS (DG_SLICE_RUNS * DG_RUN_WORDS + DG_COPY)
#define DG_SLICE_STEPS (DG_SLICE_RUNS * DG_RUN_STEPS + DG_COPY)

/* An access of a run: at words[word] + disp.  */
struct dg_step {
  int32_t disp;
  uint16_t word;
  uint8_t kind;
  uint8_t beyond; /* as in dg_lines_count */
};

/* What each run of a variant adds, for one chunk.  */
struct dg_pack_info {
  uint32_t sums[4]; /* instructions, entries, reads, writes */
  uint32_t steps;   /* index of its first step */
  uint16_t n_steps;
  bool is_slow;       /* its accesses are not in steps */
  bool has_constants; /* some are at constant addresses */
};

/* A head of the chunk, with all that the loop needs to know of it: a cache
   line.  They are numbered in the order in which they were first met, from 1;
   number 0 stands before the first run.  */
struct dg_pack_head {
  uint32_t sums[4];         /* of its variant */
  uint32_t places[DG_COPY]; /* of the first words of its block */
  uint64_t head;
  uint32_t first, second; /* what followed the last time, before that */
  uint32_t steps;
  uint16_t n_steps;
  bool is_slow, has_constants;
  uint32_t runs;
  uint32_t variant;
} __attribute__ ((aligned (64)));

struct dg_slice {
  /* Of the slice.  */
  uint32_t n_words, n_steps, n_slow;
  uint64_t words[DG_SLICE_WORDS];
  uint32_t places[DG_SLICE_WORDS];
  struct dg_step steps[DG_SLICE_STEPS];
  struct {
    uint32_t variant, words;
  } slow[DG_SLICE_RUNS];
  /* Codes that do not yet fill eight, then those of the slice.  */
  unsigned n_head_codes, n_word_codes;
  uint8_t head_codes[8 + DG_SLICE_RUNS + 8];
  uint8_t word_codes[8 + DG_SLICE_WORDS + 8];
};

/* Where something is in this chunk.  */
struct dg_pack_known {
  uint32_t chunk; /* valid if that of the packer */
  uint32_t index;
};

struct dg_packer {
  struct dg_program_view program;
  uint64_t mask; /* of addresses */
  struct dg_pack_stream streams[DG_STREAMS];
  struct dg_streams_coder *coder;
  struct dg_lines *lines;

  struct dg_pack_head *heads;
  uint32_t n_heads, heads_room;
  struct dg_table infos; /* struct dg_pack_info */
  struct dg_table steps; /* struct dg_step */
  struct dg_table words; /* struct dg_pack_word */
  uint32_t *slots;       /* of heads: see pack_heads.c */
  uint32_t slots_mask;
  uint64_t seed; /* of their hashes */
  struct dg_pack_known *blocks, *variants;
  size_t blocks_room, variants_room;
  uint32_t chunk;

  uint32_t last; /* number of the last run's head */
  uint32_t told; /* heads that the streams know, with number 0 */
  uint32_t last_variant, last_node; /* of the last new head */
  uint64_t last_first; /* instructions before it */
  uint64_t n_words;                 /* taken, with heads */
  size_t room;                      /* for so many more there is, in streams */
  struct dg_pack_totals totals;
  struct dg_table new_contexts; /* struct dg_pack_new_context */
  struct dg_table wide;         /* room for the words of a wide run */
  struct dg_slice slice;
};

/* Of pack_heads.c: of all heads there is number 0 only; false: no memory.  */
bool dg_packer_begin_heads (struct dg_packer *packer);
/* The number of a head of which `left` words are there, its own
   included; run: its number in the chunk.  0: an error, in *result.  */
uint32_t dg_packer_find (struct dg_packer *packer, uint64_t head, size_t left,
                         uint64_t run, int *result, struct dg_error *err);

/* Of pack_slice.c: packs the runs of n words; room for them must be in the
   streams.  Stops at a bad run: how many words were packed.  */
size_t dg_packer_slices (struct dg_packer *packer, const uint64_t *words,
                         size_t n, int *result, struct dg_error *err);
/* Puts the codes that are left.  */
void dg_packer_finish_codes (struct dg_packer *packer);

/* Of pack_lines.c: what runs of a variant add, and its steps.  */
int dg_pack_info_fill (struct dg_packer *packer, struct dg_pack_info *info,
                       uint32_t number, struct dg_error *err);
/* Counts the slice's accesses.  */
void dg_pack_lines_count (struct dg_packer *packer);
/* Counts a run whose accesses are not in steps.  */
void dg_pack_lines_count_run (struct dg_packer *packer, uint32_t number,
                              const uint64_t *words);
/* At the end: what is the same in all runs of a variant.  */
void dg_pack_lines_finish (struct dg_packer *packer);

#endif /* DG_PACK_STATE_H */
