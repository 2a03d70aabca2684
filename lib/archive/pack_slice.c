/* pack_slice.c: the loops that pack runs, slice by slice.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pack_state.h"

#include <glib.h>
#include <string.h>

#include "base/error.h"
#include "base/varint.h"

typedef uint32_t four __attribute__ ((vector_size (16)));
typedef uint64_t two __attribute__ ((vector_size (16)));

/* Where a step's word is when it is taken for one number.  */
#define STEP_WORD_SHIFT (G_BYTE_ORDER == G_LITTLE_ENDIAN ? 32 : 16)

/* Words of a wide run that are packed at once.  */
#define WIDE_PART 1024

/* ---- Codes ---- */

/* Packs the codes in whole groups of eight, two bits each, and moves the rest
   to the front.  */
static unsigned
put_codes (struct dg_pack_stream *stream, uint8_t *codes, unsigned n)
{
  unsigned whole = n & ~7u;

  for (unsigned i = 0; i < whole; i += 8) {
    uint64_t x;
    uint16_t packed;

    memcpy (&x, codes + i, 8);
    x = GUINT64_FROM_LE (x);
    x = (x | x >> 6) & UINT64_C (0x000f000f000f000f);
    x = (x | x >> 12) & UINT64_C (0x000000ff000000ff);
    packed = GUINT16_TO_LE ((uint16_t) (x | x >> 24));
    memcpy (stream->at, &packed, 2);
    stream->at += 2;
  }
  memmove (codes, codes + whole, 8);
  return n - whole;
}

void
dg_packer_finish_codes (struct dg_packer *packer)
{
  struct dg_slice *slice = &packer->slice;
  struct {
    enum dg_pack_stream_name name;
    uint8_t *codes;
    unsigned *n;
  } rest[] = {
    {DG_STREAM_HEAD_CODES, slice->head_codes, &slice->n_head_codes},
    {DG_STREAM_WORD_CODES, slice->word_codes, &slice->n_word_codes},
  };

  for (unsigned i = 0; i < 2; i++) {
    struct dg_pack_stream *stream = &packer->streams[rest[i].name];
    unsigned n = *rest[i].n;

    if (n == 0)
      continue;
    memset (rest[i].codes + n, 0, 8 - n);
    put_codes (stream, rest[i].codes, 8);
    stream->at -= n <= 4;
    *rest[i].n = 0;
  }
}

/* ---- Heads ---- */

static inline void
put_bytes (struct dg_pack_stream *stream, const void *bytes, size_t n)
{
  memcpy (stream->at, bytes, n);
  stream->at += n;
}

/* Notes a head that is not one of the two that were expected, after so many
   instructions; its code.  */
static unsigned __attribute__ ((noinline))
put_head (struct dg_packer *packer, uint64_t head, uint32_t number,
          uint64_t instructions)
{
  struct dg_pack_stream *streams = packer->streams;
  uint16_t place = GUINT16_TO_LE ((uint16_t) MIN (number, DG_PLACE_ESCAPE));

  if (number == packer->told) {
    uint32_t variant = dg_run_variant (head), node = dg_run_node (head);
    uint8_t *at = streams[DG_STREAM_HEADS].at;

    packer->told++;
    at =
      dg_varint_put (at, dg_zigzag ((int64_t) variant - packer->last_variant));
    at = dg_varint_put (at, dg_zigzag ((int64_t) node - packer->last_node));
    streams[DG_STREAM_HEADS].at = at;
    streams[DG_STREAM_FIRSTS].at =
      dg_varint_put (streams[DG_STREAM_FIRSTS].at,
                     instructions - packer->last_first);
    packer->last_first = instructions;
    packer->last_variant = variant;
    packer->last_node = node;
    return DG_HEAD_NEW;
  }
  put_bytes (&streams[DG_STREAM_PLACES], &place, sizeof place);
  if (number >= DG_PLACE_ESCAPE) {
    number = GUINT32_TO_LE (number);
    put_bytes (&streams[DG_STREAM_LARGE_PLACES], &number, sizeof number);
  }
  return DG_HEAD_PLACE;
}

/* What the head is called after the one that stood before it; then it is the
   first that is expected there.  instructions: so many stand before it.  */
static unsigned
tell_head (struct dg_packer *packer, uint32_t last, uint32_t number,
           uint64_t instructions)
{
  struct dg_pack_head *before = &packer->heads[last];
  unsigned code = DG_HEAD_FIRST;

  if (before->first == number)
    return code;
  code = DG_HEAD_SECOND;
  if (before->second != number)
    code = put_head (packer, packer->heads[number].head, number, instructions);
  before->second = before->first;
  before->first = number;
  return code;
}

/* ---- Taking apart ---- */

/* Copies a run's words, their places and its steps to the slice, by as many
   as are copied at once.  */
static inline void
copy_run (struct dg_slice *slice, const struct dg_pack_head *head,
          const uint64_t *words, unsigned n_words, uint32_t to,
          const struct dg_step *steps, uint32_t steps_to)
{
  uint64_t *words_out = slice->words + to;
  uint32_t *places = slice->places + to;
  struct dg_step *steps_out = slice->steps + steps_to;
  uint64_t base = (uint64_t) to << STEP_WORD_SHIFT;
  unsigned n_steps = head->n_steps;
  two a, b;

  memcpy (words_out, words, DG_COPY * sizeof *words);
  memcpy (places, head->places, sizeof head->places);
  if (G_UNLIKELY (n_words > DG_COPY))
    for (unsigned i = DG_COPY; i < n_words; i++) {
      words_out[i] = words[i];
      places[i] = head->places[0] + i;
    }
  for (;;) {
    memcpy (&a, steps, sizeof a);
    memcpy (&b, steps + 2, sizeof b);
    a += base;
    b += base;
    memcpy (steps_out, &a, sizeof a);
    memcpy (steps_out + 2, &b, sizeof b);
    if (G_LIKELY (n_steps <= DG_COPY))
      break;
    n_steps -= DG_COPY;
    steps += DG_COPY;
    steps_out += DG_COPY;
  }
}

/* What the loop over runs counts.  */
struct filling {
  const uint64_t *at; /* where it is */
  uint64_t value;     /* there, read once: a guest may write to the ring */
  unsigned n_runs;
  uint32_t n_words, n_steps, last;
  four sums;
};

/* Puts runs into the slice, which has room for them.  Up to `end` they may
   begin; `stop` is where the words are over, DG_RUN_ROOM behind `end` or the
   same (then as much may be read behind it).  True: `end` is reached or the
   slice is full; false: the next run's head is not one of the two that are
   expected, or the run is not whole, or wide.  There are no calls, so that all
   can stay in registers.  What follows a run's head is read with it.  */
static bool __attribute__ ((noinline))
fill (struct dg_packer *packer, const uint64_t *end, const uint64_t *stop,
      struct filling *filling)
{
  struct dg_slice *slice = &packer->slice;
  const struct dg_step *steps = packer->steps.items;
  struct dg_pack_head *const heads = packer->heads;
  struct filling f = *filling;
  struct dg_pack_head *last = &heads[f.last];
  uint8_t *codes = slice->head_codes + slice->n_head_codes;

  while (f.at < end && f.n_runs < DG_SLICE_RUNS) {
    uint64_t value = f.value;
    struct dg_pack_head *head = &heads[last->first];
    unsigned length = value & DG_RUN_LENGTH_MASK, code = DG_HEAD_FIRST;

    if (G_UNLIKELY (length - 1 >= (size_t) (stop - f.at)))
      break;
    if (head->head != value) {
      uint32_t second = last->second;

      head = &heads[second];
      if (G_UNLIKELY (head->head != value))
        break;
      code = DG_HEAD_SECOND;
      last->second = last->first;
      last->first = second;
    }
    codes[f.n_runs] = code;
    f.sums += *(const four *) head->sums;
    head->runs++;
    copy_run (slice, head, f.at + 1, length - 1, f.n_words,
              steps + head->steps, f.n_steps);
    if (G_UNLIKELY (head->is_slow)) {
      slice->slow[slice->n_slow].variant = head->variant;
      slice->slow[slice->n_slow++].words = f.n_words;
    }
    f.n_words += length - 1;
    f.n_steps += head->n_steps;
    f.n_runs++;
    f.at += length;
    f.value = *f.at;
    last = head;
  }
  f.last = last - heads;
  *filling = f;
  return f.at >= end || f.n_runs == DG_SLICE_RUNS;
}

/* Fills the slice with runs, until one is bad (*result) or wide (*wide is the
   number of its head).  */
static void
fill_all (struct dg_packer *packer, const uint64_t *end, const uint64_t *stop,
          struct filling *f, uint32_t *wide, int *result, struct dg_error *err)
{
  uint8_t *codes = packer->slice.head_codes + packer->slice.n_head_codes;
  bool is_full;

  f->value = *f->at;
  is_full = fill (packer, end, stop, f);
  while (!is_full) {
    uint64_t head = f->value;
    unsigned run = f->n_runs, code;
    uint32_t number = dg_packer_find (packer, head, stop - f->at,
                                      packer->totals.runs + run, result, err);

    if (number == 0)
      return;
    if ((head & DG_RUN_LENGTH_MASK) == 0) {
      *wide = number;
      return;
    }
    /* From now on it is the first that is expected, and filled in like
       others; only its code is not theirs.  */
    code = tell_head (packer, f->last, number,
                      packer->totals.instructions + f->sums[0]);
    is_full = fill (packer, end, stop, f);
    codes[run] = code;
  }
}

/* Fills the slice.  How far it came.  */
static const uint64_t *
fill_slice (struct dg_packer *packer, const uint64_t *at, const uint64_t *stop,
            uint32_t *wide, int *result, struct dg_error *err)
{
  struct dg_slice *slice = &packer->slice;
  struct filling f = {.at = at, .last = packer->last};
  uint64_t rest[2 * DG_RUN_ROOM];
  size_t n = stop - at;

  slice->n_slow = 0;
  if (n > DG_RUN_ROOM) {
    fill_all (packer, stop - DG_RUN_ROOM, stop, &f, wide, result, err);
    at = f.at;
  } else {
    /* The last few words, with room behind them.  */
    memcpy (rest, at, n * sizeof *rest);
    memset (rest + n, 0, DG_RUN_ROOM * sizeof *rest);
    f.at = rest;
    fill_all (packer, rest + n, rest + n, &f, wide, result, err);
    at += f.at - rest;
  }
  slice->n_words = f.n_words;
  slice->n_steps = f.n_steps;
  packer->last = f.last;
  packer->totals.runs += f.n_runs;
  packer->totals.instructions += f.sums[0];
  packer->totals.entries += f.sums[1];
  packer->totals.reads += f.sums[2];
  packer->totals.writes += f.sums[3];
  slice->n_head_codes =
    put_codes (&packer->streams[DG_STREAM_HEAD_CODES], slice->head_codes,
               slice->n_head_codes + f.n_runs);
  return at;
}

/* ---- Words ---- */

/* What differs by more than two bytes; its code.  */
static unsigned
put_large (struct dg_packer *packer, uint64_t z)
{
  struct dg_pack_stream *streams = packer->streams;
  uint32_t small = GUINT32_TO_LE ((uint32_t) MIN (z, DG_WORD_ESCAPE));

  put_bytes (&streams[DG_STREAM_4], &small, sizeof small);
  if (z >= DG_WORD_ESCAPE) {
    z = GUINT64_TO_LE (z);
    put_bytes (&streams[DG_STREAM_8], &z, sizeof z);
  }
  return 3;
}

/* Packs words from number i on, up to the n-th or one that differs by more
   than two bytes, which is done but for its code: *large.  How far it came,
   with that one.  No calls here, either.  */
static unsigned __attribute__ ((noinline))
put_small_words (struct dg_packer *packer, const uint64_t *values,
                 const uint32_t *places, uint8_t *codes, unsigned i,
                 unsigned n, uint64_t *large)
{
  struct dg_pack_word *words = packer->words.items;
  uint8_t *bytes = packer->streams[DG_STREAM_1].at;
  uint8_t *pairs = packer->streams[DG_STREAM_2].at;

  *large = 0;
  while (i < n) {
    struct dg_pack_word *word = &words[places[i]];
    uint64_t value = values[i];
    uint64_t stride = value - word->last;
    uint64_t z = dg_zigzag (stride - word->stride);
    unsigned is_pair = z > UINT8_MAX, code = (z != 0) + is_pair;
    uint16_t pair = GUINT16_TO_LE ((uint16_t) z);

    word->last = value;
    word->stride = stride;
    codes[i++] = code;
    if (G_UNLIKELY (z > UINT16_MAX)) {
      *large = z;
      break;
    }
    *bytes = z;
    bytes += code & 1;
    memcpy (pairs, &pair, sizeof pair);
    pairs += 2 * is_pair;
  }
  packer->streams[DG_STREAM_1].at = bytes;
  packer->streams[DG_STREAM_2].at = pairs;
  return i;
}

/* Packs the n words of the slice, or of a part of a wide run.  */
static void
put_words (struct dg_packer *packer, const uint64_t *values,
           const uint32_t *places, unsigned n)
{
  struct dg_slice *slice = &packer->slice;
  uint8_t *codes = slice->word_codes + slice->n_word_codes;

  for (unsigned i = 0; i < n;) {
    uint64_t large;

    i = put_small_words (packer, values, places, codes, i, n, &large);
    if (large != 0)
      codes[i - 1] = put_large (packer, large);
  }
  slice->n_word_codes = put_codes (&packer->streams[DG_STREAM_WORD_CODES],
                                   slice->word_codes, slice->n_word_codes + n);
}

/* ---- Slices ---- */

/* A run with more words than slices take, at `at`; its words with the head.
   As in slices, they are read once: they are packed and counted, and a guest
   may write to the ring meanwhile.  */
static size_t
put_wide_run (struct dg_packer *packer, uint32_t number, const uint64_t *at)
{
  struct dg_slice *slice = &packer->slice;
  struct dg_pack_head *head = &packer->heads[number];
  unsigned n = packer->program.variants[head->variant].n_words;
  uint64_t *words = packer->wide.items;

  memcpy (words, at + 1, n * sizeof *words);
  slice->head_codes[slice->n_head_codes] =
    tell_head (packer, packer->last, number, packer->totals.instructions);
  packer->last = number;
  slice->n_head_codes = put_codes (&packer->streams[DG_STREAM_HEAD_CODES],
                                   slice->head_codes, slice->n_head_codes + 1);
  for (unsigned done = 0; done < n; done += WIDE_PART) {
    unsigned part = MIN (n - done, WIDE_PART);

    for (unsigned i = 0; i < part; i++)
      slice->places[i] = head->places[0] + done + i;
    put_words (packer, words + done, slice->places, part);
  }
  dg_pack_lines_count_run (packer, head->variant, words);
  packer->totals.runs++;
  packer->totals.instructions += head->sums[0];
  packer->totals.entries += head->sums[1];
  packer->totals.reads += head->sums[2];
  packer->totals.writes += head->sums[3];
  head->runs++;
  return n + 1;
}

size_t
dg_packer_slices (struct dg_packer *packer, const uint64_t *words, size_t n,
                  int *result, struct dg_error *err)
{
  const uint64_t *at = words, *end = words + n;
  const uint64_t unmade[2] = {packer->lines->unmade[0],
                              packer->lines->unmade[1]};

  while (at < end && *result == 0) {
    uint32_t wide = 0;

    at = fill_slice (packer, at, end, &wide, result, err);
    put_words (packer, packer->slice.words, packer->slice.places,
               packer->slice.n_words);
    dg_pack_lines_count (packer);
    if (wide != 0)
      at += put_wide_run (packer, wide, at);
  }
  packer->totals.reads -= packer->lines->unmade[0] - unmade[0];
  packer->totals.writes -= packer->lines->unmade[1] - unmade[1];
  return at - words;
}
