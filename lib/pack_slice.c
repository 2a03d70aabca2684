/* pack_slice.c: the loops that pack runs, slice by slice.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pack_slice.h"

#include <glib.h>
#include <string.h>

#include "error.h"
#include "varint.h"

typedef uint32_t four __attribute__ ((vector_size (16)));
typedef uint64_t two __attribute__ ((vector_size (16)));

/* Where a step's word is when it is taken for one number.  */
#define STEP_WORD_SHIFT (G_BYTE_ORDER == G_LITTLE_ENDIAN ? 32 : 16)

/* ---- Codes ---- */

/* Packs the codes in whole groups of eight, two bits each, and moves the rest
   to the front.  */
static unsigned
put_codes (struct dg_stream *stream, uint8_t *codes, unsigned n)
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
    enum dg_stream_name name;
    uint8_t *codes;
    unsigned *n;
  } rest[] = {
    { DG_STREAM_HEAD_CODES, slice->head_codes, &slice->n_head_codes },
    { DG_STREAM_WORD_CODES, slice->word_codes, &slice->n_word_codes },
  };

  for (unsigned i = 0; i < 2; i++) {
    struct dg_stream *stream = &packer->streams[rest[i].name];
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
put_bytes (struct dg_stream *stream, const void *bytes, size_t n)
{
  memcpy (stream->at, bytes, n);
  stream->at += n;
}

/* Notes a head that is not one of the two that were expected; its code.  */
static unsigned __attribute__ ((noinline))
put_head (struct dg_packer *packer, uint64_t head, uint32_t number)
{
  struct dg_stream *streams = packer->streams;
  uint16_t place = GUINT16_TO_LE ((uint16_t) MIN (number, DG_PLACE_ESCAPE));

  if (number == packer->told) {
    packer->told++;
    head = GUINT64_TO_LE (head);
    put_bytes (&streams[DG_STREAM_HEADS], &head, sizeof head);
    return DG_HEAD_NEW;
  }
  put_bytes (&streams[DG_STREAM_PLACES], &place, sizeof place);
  if (number >= DG_PLACE_ESCAPE) {
    number = GUINT32_TO_LE (number);
    put_bytes (&streams[DG_STREAM_LARGE_PLACES], &number, sizeof number);
  }
  return DG_HEAD_PLACE;
}

/* What the head is called after the one that stood before it.  */
static inline unsigned
tell_head (struct dg_packer *packer, struct dg_pack_next *next, uint64_t head,
           uint32_t number)
{
  struct dg_pack_next before = *next;
  unsigned code = before.first != number;

  /* One branch that is seldom taken, not two.  */
  if (G_UNLIKELY (code & (before.second != number)))
    code = put_head (packer, head, number);
  next->second = code ? before.first : before.second;
  next->first = number;
  return code;
}

/* ---- Taking apart ---- */

/* Copies a run's words, their places and its steps to the slice, by as many
   as are copied at once.  */
static inline void
copy_run (struct dg_slice *slice, const struct dg_pack_recent *recent,
          const uint64_t *words, unsigned n_words, uint32_t to,
          const struct dg_step *steps, uint32_t steps_to)
{
  uint64_t *words_out = slice->words + to;
  uint32_t *places = slice->places + to;
  struct dg_step *steps_out = slice->steps + steps_to;
  uint64_t base = (uint64_t) to << STEP_WORD_SHIFT;
  unsigned n_steps = recent->n_steps;
  two a, b;

  memcpy (words_out, words, DG_COPY * sizeof *words);
  memcpy (places, recent->places, sizeof recent->places);
  if (G_UNLIKELY (n_words > DG_COPY))
    for (unsigned i = DG_COPY; i < n_words; i++) {
      words_out[i] = words[i];
      places[i] = recent->places[0] + i;
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
  unsigned n_runs;
  uint32_t n_words, n_steps, last;
  four sums;
};

/* Puts runs into the slice, which has room for them.  Up to `end` they may
   begin, and DG_RUN_ROOM words behind it may be read; `stop` is where the
   words are over.  Ends before a wide run, which is then in *wide.  How far it
   came.  */
static const uint64_t *
fill (struct dg_packer *packer, const uint64_t *at, const uint64_t *end,
      const uint64_t *stop, struct filling *filling,
      struct dg_pack_recent *wide, int *result, struct dg_error *err)
{
  struct dg_slice *slice = &packer->slice;
  const struct dg_step *steps = packer->steps.items;
  struct dg_pack_next *next = packer->next.items;
  struct filling f = *filling;
  uint8_t *codes = slice->head_codes + slice->n_head_codes;

  while (at < end && f.n_runs < DG_SLICE_RUNS) {
    uint64_t head = *at;
    struct dg_pack_recent *recent
      = &packer->recent[dg_pack_recent_place (head)];
    unsigned length = head & DG_RUN_LENGTH_MASK;

    if (G_UNLIKELY (recent->head != head
                    || (end == stop && length > (size_t) (stop - at)))) {
      recent = dg_packer_find (packer, head, stop - at,
                               packer->totals.runs + f.n_runs, wide, result,
                               err);
      steps = packer->steps.items;
      next = packer->next.items;
      if (!recent || recent == wide)
        break;
    }
    f.sums += *(const four *) recent->sums;
    recent->runs++;
    codes[f.n_runs] = tell_head (packer, &next[f.last], head, recent->number);
    f.last = recent->number;
    copy_run (slice, recent, at + 1, length - 1, f.n_words,
              steps + recent->steps, f.n_steps);
    if (G_UNLIKELY (recent->is_slow)) {
      slice->slow[slice->n_slow].info = recent->info;
      slice->slow[slice->n_slow++].words = f.n_words;
    }
    f.n_words += length - 1;
    f.n_steps += recent->n_steps;
    f.n_runs++;
    at += length;
  }
  *filling = f;
  return at;
}

/* Fills the slice.  How far it came.  */
static const uint64_t *
fill_slice (struct dg_packer *packer, const uint64_t *at,
            const uint64_t *stop, struct dg_pack_recent *wide, int *result,
            struct dg_error *err)
{
  struct dg_slice *slice = &packer->slice;
  struct filling f = { .last = packer->last };

  slice->n_slow = 0;
  if (stop - at > DG_RUN_ROOM) {
    at = fill (packer, at, stop - DG_RUN_ROOM, stop, &f, wide, result, err);
  } else {
    /* The last few words, with room behind them.  */
    uint64_t words[2 * DG_RUN_ROOM] = { 0 };
    size_t n = stop - at;

    memcpy (words, at, n * sizeof *words);
    at += fill (packer, words, words + n, words + n, &f, wide, result, err)
          - words;
  }
  slice->n_words = f.n_words;
  slice->n_steps = f.n_steps;
  packer->last = f.last;
  packer->totals.runs += f.n_runs;
  packer->totals.instructions += f.sums[0];
  packer->totals.entries += f.sums[1];
  packer->totals.reads += f.sums[2];
  packer->totals.writes += f.sums[3];
  slice->n_head_codes
    = put_codes (&packer->streams[DG_STREAM_HEAD_CODES], slice->head_codes,
                 slice->n_head_codes + f.n_runs);
  return at;
}

/* ---- Words ---- */

/* What differs by more than two bytes; its code.  */
static unsigned __attribute__ ((noinline))
put_large (struct dg_packer *packer, uint64_t z)
{
  struct dg_stream *streams = packer->streams;
  uint32_t small = GUINT32_TO_LE ((uint32_t) MIN (z, DG_WORD_ESCAPE));

  put_bytes (&streams[DG_STREAM_4], &small, sizeof small);
  if (z >= DG_WORD_ESCAPE) {
    z = GUINT64_TO_LE (z);
    put_bytes (&streams[DG_STREAM_8], &z, sizeof z);
  }
  return 3;
}

/* Packs the n words of the slice, or of a wide run.  */
static void
put_words (struct dg_packer *packer, const uint64_t *values,
           const uint32_t *places, unsigned n)
{
  struct dg_slice *slice = &packer->slice;
  struct dg_pack_word *words = packer->words.items;
  uint8_t *codes = slice->word_codes + slice->n_word_codes;
  uint8_t *bytes = packer->streams[DG_STREAM_1].at;
  uint8_t *pairs = packer->streams[DG_STREAM_2].at;

  for (unsigned i = 0; i < n; i++) {
    struct dg_pack_word *word = &words[places[i]];
    uint64_t value = values[i];
    uint64_t stride = value - word->last;
    uint64_t z = dg_zigzag (stride - word->stride);
    unsigned code = (z != 0) + (z > UINT8_MAX);
    uint16_t pair = GUINT16_TO_LE ((uint16_t) z);

    word->last = value;
    word->stride = stride;
    if (G_UNLIKELY (z > UINT16_MAX)) {
      codes[i] = put_large (packer, z);
      continue;
    }
    codes[i] = code;
    *bytes = z;
    bytes += code & 1;
    memcpy (pairs, &pair, sizeof pair);
    pairs += code & 2;
  }
  packer->streams[DG_STREAM_1].at = bytes;
  packer->streams[DG_STREAM_2].at = pairs;
  slice->n_word_codes
    = put_codes (&packer->streams[DG_STREAM_WORD_CODES], slice->word_codes,
                 slice->n_word_codes + n);
}

/* ---- Slices ---- */

/* A run with more words than slices take; its words with the head.  */
static size_t
put_wide_run (struct dg_packer *packer, const struct dg_pack_recent *wide,
              const uint64_t *at)
{
  struct dg_slice *slice = &packer->slice;
  struct dg_pack_info *info
    = (struct dg_pack_info *) packer->infos.items + wide->info;
  struct dg_pack_next *next = packer->next.items;
  unsigned n = packer->program.variants[info->variant].n_words;

  slice->head_codes[slice->n_head_codes]
    = tell_head (packer, &next[packer->last], wide->head, wide->number);
  packer->last = wide->number;
  slice->n_head_codes
    = put_codes (&packer->streams[DG_STREAM_HEAD_CODES], slice->head_codes,
                 slice->n_head_codes + 1);
  for (unsigned done = 0; done < n; done += DG_SLICE_WORDS) {
    unsigned part = MIN (n - done, DG_SLICE_WORDS);

    for (unsigned i = 0; i < part; i++)
      slice->places[i] = wide->places[0] + done + i;
    put_words (packer, at + 1 + done, slice->places, part);
  }
  dg_pack_lines_count_run (packer, info->variant, at + 1);
  packer->totals.runs++;
  packer->totals.instructions += info->sums[0];
  packer->totals.entries += info->sums[1];
  packer->totals.reads += info->sums[2];
  packer->totals.writes += info->sums[3];
  info->runs++;
  return n + 1;
}

size_t
dg_packer_slices (struct dg_packer *packer, const uint64_t *words, size_t n,
                  int *result, struct dg_error *err)
{
  const uint64_t *at = words, *end = words + n;
  const uint64_t unmade[2]
    = { packer->lines->unmade[0], packer->lines->unmade[1] };

  while (at < end && *result == 0) {
    struct dg_pack_recent wide = { 0 };

    at = fill_slice (packer, at, end, &wide, result, err);
    put_words (packer, packer->slice.words, packer->slice.places,
               packer->slice.n_words);
    dg_pack_lines_count (packer);
    if (wide.number != 0)
      at += put_wide_run (packer, &wide, at);
  }
  packer->totals.reads -= packer->lines->unmade[0] - unmade[0];
  packer->totals.writes -= packer->lines->unmade[1] - unmade[1];
  return at - words;
}
