/* unpack_state.h: what unpacks the runs of a chunk, slice by slice, as
   pack_slice.c packs them.

   The bytes may be anything.  What a run refers to is checked before it is
   used; streams have as much room behind their bytes as a slice can take from
   them, so that it is enough to compare once after each whether one was
   passed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_UNPACK_STATE_H
#define DG_UNPACK_STATE_H

#include <glib.h>
#include <string.h>

#include "pack.h"
#include "pack_code.h"
#include "base/varint.h"

#define DG_TAKE_RUNS 256
#define DG_TAKE_WORDS 1024
/* Lists are written by so many items, whatever there are.  */
#define DG_TAKE_COPY 4
/* Words of a run; wide ones have more.  */
#define DG_TAKE_RUN (DG_RUN_LENGTH_MASK - 1)
/* Words that a slice may put out, a wide run at its end included.  */
#define DG_TAKE_ROOM \
  (DG_TAKE_RUNS + DG_TAKE_WORDS + DG_TAKE_RUN + DG_TAKE_COPY + UINT16_MAX)
/* What they can take from a stream, short runs of addresses included.  */
#define DG_TAKE_SLACK \
  ((DG_TAKE_ROOM + DG_FORM_WORDS * DG_TAKE_RUNS) * (size_t) 8)

_Static_assert(DG_TAKE_ROOM <= DG_UNPACK_ROOM, "room");

typedef uint32_t dg_four __attribute__ ((vector_size (16)));

/* A head of the chunk: half a cache line, since in a large program nearly
   every second run has one of its own.  They are numbered from 1 in the order
   in which they come; number 0 stands before the first run.  */
struct dg_unpack_head {
  uint32_t sums[4]; /* instructions, entries, words with the head, accesses,
                       made or not */
  uint64_t head;
  uint32_t place; /* of the first word of its block; the others follow.
                     Without words: the instructions before its first run,
                     if runs are only counted */
  uint16_t n_words;
} __attribute__ ((aligned (32)));

enum dg_unpack_kind {
  DG_FORM_SHORT,  /* only the first addresses, of one group of words */
  DG_FORM_LONG,   /* more of them */
  DG_FORM_LISTED, /* all addresses are made from the entries */
  DG_FORM_GUARDED /* the same, and some may not be made */
};

/* Of a head, where addresses are made without words between: how those of its
   runs follow from the values of its block's words.  The first ones are
   disp[i] and one of the first values: halves pick[2 * i] and the next.  */
#define DG_FORM_ADDRESSES 4
#define DG_FORM_WORDS 4 /* moved on at a time */
struct dg_unpack_form {
  uint64_t disp[DG_FORM_ADDRESSES];
  uint8_t pick[2 * DG_FORM_ADDRESSES];
  uint64_t sums;    /* words, and << 32 instructions */
  uint32_t block;
  uint32_t place;   /* of the block's values */
  uint16_t strides; /* so many groups of words behind them */
  uint16_t n_entries;
  uint8_t group;    /* words that it has of the first group */
  uint8_t kind;     /* enum dg_unpack_kind */
} __attribute__ ((aligned (64)));

_Static_assert(sizeof (struct dg_unpack_form) == 64, "a cache line");
/* The short runs of a slice, and any run behind them.  */
_Static_assert(DG_FORM_ADDRESSES * (DG_TAKE_RUNS + 1) + UINT16_MAX
                 <= DG_UNPACK_ADDRESSES_ROOM, "room");

/* Where, of 4 bytes and 4 pairs, what each word of a group differs by is, two
   bytes each; by their codes.  And what is taken of both.  */
struct dg_unpack_picks {
  uint8_t from[256][2 * DG_FORM_WORDS];
  uint8_t bytes[256], pairs[256];
};

/* What followed a head: the last time, and before that.  */
struct dg_unpack_follow {
  uint32_t next[2]; /* numbers */
};

/* What is made of a chunk.  */
enum dg_unpack_aim {
  DG_UNPACK_COUNTS, /* heads, with how often each is there */
  DG_UNPACK_HEADS,
  DG_UNPACK_WORDS,
  DG_UNPACK_ADDRESSES
};

struct dg_unpacker {
  struct dg_program_view program;
  unsigned n_streams; /* of a chunk */
  struct dg_streams_coder *coder;
  struct dg_pack_stream all; /* owns the bytes of these */
  struct dg_pack_stream streams[DG_STREAMS];
  size_t sizes[DG_STREAMS];
  enum dg_unpack_aim aim; /* what it was begun for */
  bool is_bad;    /* nothing more can be taken */
  bool avoids_avx2;
  struct dg_unpack_picks picks; /* with AVX2 */
  struct dg_unpack_head *heads;
  struct dg_unpack_follow *follow; /* of each head */
  uint64_t *counts; /* of each head: its runs, and << 32 the instructions of
                       each; if runs are only counted */
  uint32_t n_heads, heads_room;
  struct dg_table words; /* struct dg_pack_word */
  uint32_t *blocks;      /* of each block, the place of its words + 1 */
  size_t blocks_room;
  struct dg_unpack_form *forms; /* of each head; for addresses */
  size_t n_forms, forms_room;
  uint64_t *values; /* of each block's words, and their strides */
  size_t n_values, values_room;
  uint32_t *variants; /* of each, the first of its heads that are joined; 0
                         otherwise */
  size_t variants_room;
  uint32_t last;                    /* number of the last head taken */
  uint32_t last_variant, last_node; /* of the last new head */
  struct dg_pack_totals totals;
  uint64_t n_words; /* of the chunk */
  /* So far: */
  uint64_t runs, words_taken, instructions, entries, slots;
  /* Heads are taken ahead of the runs: those of runs `heads_taken` - n_ahead
     on are numbers[ahead] and what follows.  */
  uint64_t heads_taken;
  unsigned ahead, n_ahead;
  uint32_t numbers[DG_TAKE_RUNS];
  /* Of the slice: codes; each word's place among words, and in the output.  */
  uint8_t head_codes[DG_TAKE_RUNS + 16];
  uint8_t word_codes[DG_TAKE_WORDS + DG_TAKE_RUN + 16];
  uint32_t places[DG_TAKE_WORDS + DG_TAKE_RUN + DG_TAKE_COPY];
  uint32_t outputs[DG_TAKE_WORDS + DG_TAKE_RUN + DG_TAKE_COPY];
};

/* ---- Heads (unpack_heads.c) ---- */

/* Says where the chunk is damaged.  */
int dg_unpacker_damaged (const struct dg_unpacker *unpacker,
                         struct dg_error *err) __attribute__ ((cold));

/* n codes of a stream from number `first` on, a byte each; seven more may be
   written before and behind them.  Where they are in `codes`.  */
uint8_t *dg_unpack_codes (const struct dg_pack_stream *stream, uint64_t first,
                          unsigned n, uint8_t *codes);

/* Room for one more.  */
bool dg_unpacker_grow_heads (struct dg_unpacker *unpacker);
/* Adds the next head of HEADS; its number, or an error.  */
ptrdiff_t dg_unpacker_add_head (struct dg_unpacker *unpacker,
                                struct dg_error *err);
/* The number of a head that was not expected.  */
ptrdiff_t dg_unpacker_take_other (struct dg_unpacker *unpacker, unsigned code,
                                  struct dg_error *err);
/* Did a stream of heads end before what was taken from it?  */
bool dg_unpacker_heads_passed (const struct dg_unpacker *unpacker);
/* At the end of all heads: are the sums as the totals said, and is nothing
   left over?  */
bool dg_unpacker_is_sum (const struct dg_unpacker *unpacker);

/* Which head follows another one, by a code of those that are expected; it
   will be the first that is.  */
static inline uint32_t
dg_unpack_follow (struct dg_unpack_follow *follow, uint32_t number,
                  unsigned code)
{
  uint32_t *next = follow[number].next;
  uint32_t taken = next[code], other = next[code ^ 1];

  next[0] = taken;
  next[1] = other;
  return taken;
}

/* It was one that was not expected.  */
static inline void
dg_unpack_push (struct dg_unpack_follow *follow, uint32_t number,
                uint32_t taken)
{
  follow[number].next[1] = follow[number].next[0];
  follow[number].next[0] = taken;
}

/* The numbers of the heads of the next n runs, at most DG_TAKE_RUNS, which
   there must be.  */
int dg_unpacker_take_numbers (struct dg_unpacker *unpacker, uint32_t *numbers,
                              unsigned n, struct dg_error *err);

/* ---- Slices (unpack_slice.c) ---- */

/* Makes numbers of heads available; there are more runs.  */
int dg_unpacker_take_ahead (struct dg_unpacker *unpacker,
                            struct dg_error *err);
/* Did a stream end before what was taken from it?  */
bool dg_unpacker_is_passed (const struct dg_unpacker *unpacker);

/* One slice of up to n_runs runs into `out` (DG_TAKE_ROOM), the numbers of
   their heads into `numbers`, unless that is NULL; the words put out, or an
   error.  */
ptrdiff_t dg_unpacker_slice (struct dg_unpacker *unpacker, uint64_t *out,
                             size_t n_runs, uint32_t *numbers,
                             struct dg_error *err);

/* At the end (unpack.c): is all as the totals said, and nothing left over?  */
int dg_unpacker_check_end (const struct dg_unpacker *unpacker,
                           struct dg_error *err);

/* ---- Addresses (unpack_forms.c, unpack_addresses.c) ---- */

/* Of the heads that have none.  */
int dg_unpacker_add_forms (struct dg_unpacker *unpacker,
                           struct dg_error *err);

/* What loops over runs change.  */
struct dg_unpack_making {
  const uint32_t *numbers, *end; /* of heads */
  const uint8_t *codes;          /* of words: number 0 of `sums` */
  uint64_t sums;                 /* as those of struct dg_unpack_form */
  uint64_t *out, *full;
  const uint8_t *bytes, *pairs;  /* of streams 1 and 2 */
};

/* By what the next word differs from what was foreseen; code: not 3.  */
static inline uint64_t
dg_unpack_small (unsigned code, const uint8_t **bytes, const uint8_t **pairs)
{
  static const uint16_t masks[] = {0, UINT8_MAX, 0, 0};
  uint16_t pair, small;

  memcpy (&pair, *pairs, sizeof pair);
  small = (**bytes & masks[code])
          | (GUINT16_FROM_LE (pair) & -(uint16_t) (code >> 1));
  *bytes += code & 1;
  *pairs += code & 2;
  return dg_unzigzag (small);
}

/* Moves a group of n words on that differ by any number of bytes from what is
   foreseen (unpack_slice.c).  */
void dg_unpack_take_large (struct dg_pack_stream *streams,
                           struct dg_unpack_making *making, uint64_t *last,
                           uint64_t *stride, unsigned n, unsigned codes);

/* The same.  What is made can stay in registers if no pointer to it is given
   away.  */
static inline void
dg_unpack_move_large (struct dg_pack_stream *streams,
                      struct dg_unpack_making *making, uint64_t *last,
                      uint64_t *stride, unsigned n, unsigned codes)
{
  struct dg_unpack_making copy = *making;

  dg_unpack_take_large (streams, &copy, last, stride, n, codes);
  making->bytes = copy.bytes;
  making->pairs = copy.pairs;
}

/* The codes of words from number `first` on: 28 at least.  */
static inline uint64_t
dg_unpack_load_codes (const uint8_t *codes, uint32_t first)
{
  uint64_t x;

  memcpy (&x, codes + first / 4, sizeof x);
  return GUINT64_FROM_LE (x) >> first % 4 * 2;
}

/* Of the first n words only.  */
static inline unsigned
dg_unpack_codes_of (uint64_t codes, unsigned n)
{
  static const uint8_t masks[] = {0, 3, 15, 63, 255};

  return codes & masks[n];
}

/* Does a word differ by more than two bytes?  */
static inline bool
dg_unpack_is_large (unsigned codes)
{
  return (codes & codes >> 1 & 0x55) != 0;
}

/* The addresses of a run that are in the entries; values: of its block.  */
static inline __attribute__ ((always_inline)) void
dg_unpack_listed (const struct dg_unpacker *unpacker,
                  const struct dg_unpack_form *form, const uint64_t *values,
                  uint64_t mask, uint64_t *out)
{
  const struct dg_program_entry *entry =
    unpacker->program.blocks[form->block]->entries;
  unsigned n = form->n_entries;
  unsigned zero = DG_FORM_WORDS * form->strides - 1u; /* that is 0 */

  if (G_UNLIKELY (form->kind == DG_FORM_GUARDED)) {
    for (unsigned i = 0; i < n; i++)
      out[i] = dg_program_address (&entry[i], values, mask);
    return;
  }
  for (unsigned i = form->kind == DG_FORM_LONG ? DG_FORM_ADDRESSES : 0; i < n;
       i++) {
    unsigned value = entry[i].word;

    value = value == DG_PROGRAM_NO_WORD ? zero : value;
    out[i] = (values[value] + (uint64_t) entry[i].disp) & mask;
  }
}

/* Runs up to `end`, until the slice is full or there are enough addresses, on
   any processor.  */
void dg_unpack_make_plain (struct dg_unpacker *unpacker,
                           struct dg_unpack_making *making, uint64_t mask);

/* ---- With AVX2 (unpack_avx2.c) ---- */

bool dg_unpack_has_avx2 (void);
void dg_unpack_fill_picks (struct dg_unpack_picks *picks);
/* As dg_unpack_make_plain.  */
void dg_unpack_make_avx2 (struct dg_unpacker *unpacker,
                          struct dg_unpack_making *making, uint64_t mask);

#endif /* DG_UNPACK_STATE_H */
