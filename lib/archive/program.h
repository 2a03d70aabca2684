/* program.h: what runs name: blocks, how far they were run, and call paths.

   The numbers are those of a ring (dg_ring.h); a raw log that is packed gets
   such numbers too.  A run's head is

     node << 32 | variant << 5 | (words of the run with its head, or 0)

   and its words follow, 64 bits each whatever the program's word size.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PROGRAM_H
#define DG_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "libdatagrind.h"
#include "base/table.h"

#define DG_RUN_LENGTH_BITS 5
#define DG_RUN_LENGTH_MASK ((1u << DG_RUN_LENGTH_BITS) - 1)

static inline uint32_t
dg_run_variant (uint64_t head)
{
  return (uint32_t) head >> DG_RUN_LENGTH_BITS;
}
static inline uint32_t
dg_run_node (uint64_t head)
{
  return head >> 32;
}

#define DG_PROGRAM_NO_WORD 0xffff

struct dg_program_instr {
  uint64_t address;
  uint8_t size; /* bytes */
};

/* Entry i of a run is at words[word] + disp, modulo 2^(8 * word size); 0 when
   it is guarded and that word is 0.  An access at 0 was not made.  A size of
   255 says that the access goes on in the next entry.  One of kind DG_ACC_SP
   is not an access; its size is 0.  */
struct dg_program_entry {
  int64_t disp;
  uint16_t word; /* or DG_PROGRAM_NO_WORD: the address is disp */
  uint8_t kind, size, iseq, guarded;
};

/* Where the value of an access is found: the bytes that the access reads or
   writes, in ascending order of addresses.  Only an access of 1 to
   DG_VALUE_MAX bytes in one entry has one.  The low bytes of a number are the
   last ones in memory if the program is big-endian.  */
enum dg_program_value_kind {
  DG_VALUE_UNKNOWN = 0,
  DG_VALUE_CONSTANT = 1, /* the low bytes of disp, behind which are copies of
                            its sign */
  DG_VALUE_WORD = 2,     /* the low bytes of words[from] + disp; no more than a
                            word of the program has */
  DG_VALUE_ENTRY = 3,    /* the low bytes of the value of the earlier entry
                            `from`, which has at least as many, plus disp; that
                            is 0 if they are more than 8 */
  DG_VALUE_BYTES = 4     /* they come with the run */
};
#define DG_VALUE_MAX 64
/* Behind bytes of values so many may be touched, and stay as they are.  */
#define DG_VALUE_SLACK 8
/* In place of where a value is: it is not known.  */
#define DG_VALUE_NONE UINT32_MAX
struct dg_program_value {
  int64_t disp;
  uint16_t from; /* word or entry */
  uint8_t kind;  /* enum dg_program_value_kind */
};

/* The address of an entry; mask: 2^(8 * word size) - 1.  */
static inline uint64_t
dg_program_address (const struct dg_program_entry *entry,
                    const uint64_t *words, uint64_t mask)
{
  uint64_t word = entry->word == DG_PROGRAM_NO_WORD ? 0 : words[entry->word];

  if (entry->guarded && word == 0 && entry->word != DG_PROGRAM_NO_WORD)
    return 0;
  return (word + (uint64_t) entry->disp) & mask;
}

struct dg_program_block {
  uint32_t n_instrs, n_entries, n_words;
  const struct dg_program_instr *instrs;
  const struct dg_program_entry *entries;
  const struct dg_program_value *values; /* of each entry; NULL: none is
                                            known */
};

struct dg_program_variant {
  uint32_t block;
  uint16_t n_instrs, n_entries, n_words;
  uint32_t value_bytes; /* that come with a run: of entries of the kind
                           DG_VALUE_BYTES */
  bool is_plain; /* entries are whole accesses, none is known to
                    be 0 or guarded with a disp */
  bool has_values; /* the block has `values` */
  /* Whole accesses of a run; those at 0 were not made.  */
  uint16_t reads, writes;
};

/* A call path: that of `parent`, then a call from `site`; or, for contexts of
   foreign logs whose stack does not begin with their block, a stack of its
   own, whose sites are those of `parent`.  */
struct dg_program_node {
  uint64_t site;
  uint32_t parent;
  uint32_t n_stack;      /* of `stack`, which includes the block */
  const uint64_t *stack; /* NULL: by parent and site */
};

/* The same, as it is kept: there may be millions.  The parent is UINT32_MAX
   if that has other sites than the node's own stack.  */
struct dg_program_path {
  uint64_t site;
  uint32_t parent;
  uint32_t own;          /* number of its stack plus 1; 0: it has none */
};
/* Part k has 2^(k + 6) of them, so none has to move when more are added, which
   would leave twice as much memory behind as they need.  */
#define DG_PATH_PARTS 27
struct dg_program_paths {
  struct dg_program_path *parts[DG_PATH_PARTS];
};
static inline struct dg_program_path *
dg_program_path (const struct dg_program_paths *paths, uint32_t number)
{
  uint64_t at = (uint64_t) number + 64;
  unsigned top = 63 - (unsigned) __builtin_clzll (at);

  return &paths->parts[top - 6][at - (UINT64_C (1) << top)];
}

/* All zero, then dg_program_init: variant 0 and node 0 are there (no variant;
   the empty path).  Adding is for one thread; items that were there before
   do not move, so others may use them meanwhile (see dg_program_view).  */
struct dg_program {
  struct dg_arena arena;
  struct dg_table blocks;   /* struct dg_program_block * */
  struct dg_table variants; /* struct dg_program_variant */
  struct dg_program_paths nodes;
  uint32_t n_nodes;
  struct dg_table stacks;   /* struct dg_stack, with the block */
  struct dg_table depths;   /* uint8_t: call sites of each node's path */
  bool has_values;          /* blocks may have values, also as bytes */
};

/* The most call sites of a path, which no recorder exceeds: who goes through
   those of each of a million paths must be done in time.  */
#define DG_PATH_DEPTH (DG_STACK_MAX - 1)

int dg_program_init (struct dg_program *program, struct dg_error *err);
void dg_program_fini (struct dg_program *program);

/* Check and add; arrays are copied.  0, DG_ERR_DAMAGED (what is wrong is in
   the message; the caller adds where) or DG_ERR_NOMEM.  */
int dg_program_add_block (struct dg_program *program,
                          const struct dg_program_block *block,
                          struct dg_error *err);
int dg_program_add_variant (struct dg_program *program, uint32_t block,
                            uint32_t n_instrs, uint32_t n_entries,
                            uint32_t n_words, struct dg_error *err);
int dg_program_add_node (struct dg_program *program,
                         const struct dg_program_node *node,
                         struct dg_error *err);

/* How many of each there are.  */
struct dg_program_counts {
  uint32_t blocks, variants, nodes;
};
struct dg_program_counts dg_program_counts (const struct dg_program *program);

/* The definitions from `from` up to now as bytes (docs/archive.md, part
   DEFINITIONS), appended to *out; and back: adds what the bytes define, no
   bytes nothing.  When that fails, some of it may have been added.  */
int dg_program_write (const struct dg_program *program,
                      struct dg_program_counts from, struct dg_table *out,
                      struct dg_error *err);
int dg_program_read (struct dg_program *program, const uint8_t *bytes,
                     size_t n, struct dg_error *err);

/* For readers in other threads while more is added: the tables as they stood
   when it was made.  (Adding moves tables in memory; the old ones are kept
   until dg_program_fini.)  */
struct dg_program_view {
  const struct dg_program_block *const *blocks;
  const struct dg_program_variant *variants;
  struct dg_program_paths nodes;
  const struct dg_stack *stacks;   /* of nodes */
  struct dg_program_counts n;
};
struct dg_program_view dg_program_view (const struct dg_program *program);

/* One of the nodes.  */
struct dg_program_node dg_program_node (const struct dg_program_view *view,
                                        uint32_t number);

/* The path that a node stands for.  */
static inline uint32_t
dg_program_told (const struct dg_program_paths *paths, uint32_t node)
{
  const struct dg_program_path *path = dg_program_path (paths, node);

  return path->own > 0 && path->parent != UINT32_MAX ? path->parent : node;
}

/* The call sites of a node, innermost first, `max` at most: their number.
   Where a stack is its own, those behind the block.  */
unsigned dg_program_sites (const struct dg_program_view *view, uint32_t node,
                           uint64_t *sites, unsigned max);

#endif /* DG_PROGRAM_H */
