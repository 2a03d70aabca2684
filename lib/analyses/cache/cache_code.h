/* cache_code.h: what each block of code does to caches whatever the moment:
   the lines that it is fetched from, and the sizes of its accesses.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CACHE_CODE_H
#define DG_CACHE_CODE_H

#include "base/arena.h"
#include "libdatagrind.h"

/* An instruction that may miss: others lie in the line that the one before
   was the last to touch, and hit.  */
struct dg_cache_fetch {
  uint64_t line;           /* its first one */
  uint8_t instr;
  uint8_t more;            /* lines that follow */
};

/* A write behind a read of the same instruction and size: if the addresses
   are equal, too, the two are a modify, which counts as one read.  */
struct dg_cache_pair {
  uint16_t read, write;    /* entries */
  uint16_t slot;           /* of the write */
};

struct dg_cache_block {
  const struct dg_cache_fetch *fetches;
  const struct dg_cache_pair *pairs;
  uint16_t n_fetches;
  uint16_t n_pairs;
  /* All of its lines are in different sets: if each is the first of its set,
     a run changes nothing.  */
  bool is_simple;
};

/* What is needed of each run: of instructions, */
struct dg_cache_lines {
  uint64_t line;           /* the first one */
  uint16_t n_instrs;       /* of the whole block */
  uint8_t more;            /* 1 if there is another one, right behind it */
  bool is_short;           /* there are no others, it is simple, and does not
                              repeat itself */
  bool repeats;            /* dg_bbdef.repeats is set */
};
/* and of data.  */
struct dg_cache_data {
  const uint16_t *widths;  /* of each slot: bytes - 1, at most a line */
  uint16_t n_slots;        /* of the whole block */
  uint16_t n_reads;
  bool is_dense;           /* entry i is slot i */
  bool has_pairs;
};

/* Of all blocks of a log; read by any number of threads.  */
struct dg_cache_code {
  const struct dg_log *log;
  struct dg_cache_block *blocks;
  struct dg_cache_lines *lines;
  struct dg_cache_data *data;
  struct dg_arena arena;
};

/* line_bits, set_mask: of the cache for instructions.  data_max: bytes that an
   access counts as at most: the smallest line of all caches, so that none
   touches more than two (as cachegrind does).  0 or DG_ERR_NOMEM; fini is
   needed in both cases.  */
int dg_cache_code_init (struct dg_cache_code *code, const struct dg_log *log,
                        unsigned line_bits, uint64_t set_mask,
                        uint32_t data_max, struct dg_error *err);
void dg_cache_code_fini (struct dg_cache_code *code);

#endif /* DG_CACHE_CODE_H */
