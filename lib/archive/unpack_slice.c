/* unpack_slice.c: the loops that unpack runs, slice by slice.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "unpack_state.h"

#include <string.h>

#include "base/varint.h"

static inline uint64_t
take_bytes (struct dg_pack_stream *stream, size_t n)
{
  uint64_t value = 0;

  memcpy (&value, stream->at, n);
  stream->at += n;
  return GUINT64_FROM_LE (value);
}

/* ---- Heads ---- */

/* What the loop over runs counts.  */
struct taking {
  unsigned n_runs;
  uint32_t n_out, n_places;
  dg_four sums;
};

/* Puts heads of up to n runs into `out` and notes where their words go, until
   the slice is full or behind a wide run.  There are no calls, so that all can
   stay in registers.  */
static void __attribute__ ((noinline))
place_heads (struct dg_unpacker *unpacker, const uint32_t *numbers, unsigned n,
             uint64_t *out, struct taking *taking)
{
  const struct dg_unpack_head *const heads = unpacker->heads;
  struct taking t = *taking;
  const dg_four count = {0, 1, 2, 3};

  while (t.n_runs < n && t.n_places < DG_TAKE_WORDS) {
    const struct dg_unpack_head *head = &heads[numbers[t.n_runs++]];
    dg_four from, to;

    out[t.n_out++] = head->head;
    t.sums += *(const dg_four *) head->sums;
    if (G_UNLIKELY (head->n_words > DG_TAKE_RUN))
      break;
    from = count + head->place;
    to = count + t.n_out;
    memcpy (unpacker->places + t.n_places, &from, sizeof from);
    memcpy (unpacker->outputs + t.n_places, &to, sizeof to);
    for (unsigned i = DG_TAKE_COPY; G_UNLIKELY (i < head->n_words); i++) {
      unpacker->places[t.n_places + i] = head->place + i;
      unpacker->outputs[t.n_places + i] = t.n_out + i;
    }
    t.n_places += head->n_words;
    t.n_out += head->n_words;
  }
  *taking = t;
}

int
dg_unpacker_take_ahead (struct dg_unpacker *unpacker, struct dg_error *err)
{
  uint64_t left = unpacker->totals.runs - unpacker->heads_taken;
  unsigned n = MIN (left, DG_TAKE_RUNS);
  int code = dg_unpacker_take_numbers (unpacker, unpacker->numbers, n, err);

  unpacker->ahead = 0;
  unpacker->n_ahead = code < 0 ? 0 : n;
  return code;
}

/* ---- Words ---- */

/* Words of the slice from number i on, up to the n-th or one that differs by
   more than two bytes; where it ended.  No calls here, either.  */
static unsigned __attribute__ ((noinline))
take_small_words (struct dg_unpacker *unpacker, const uint8_t *codes,
                  uint64_t *out, unsigned i, unsigned n)
{
  static const uint16_t masks[] = {0, UINT8_MAX, 0, 0};
  struct dg_pack_word *words = unpacker->words.items;
  const uint32_t *places = unpacker->places, *outputs = unpacker->outputs;
  uint8_t *bytes = unpacker->streams[DG_STREAM_1].at;
  uint8_t *pairs = unpacker->streams[DG_STREAM_2].at;

  for (; i < n; i++) {
    struct dg_pack_word *word = &words[places[i]];
    unsigned code = codes[i];
    uint16_t pair, small;
    uint64_t stride;

    if (G_UNLIKELY (code == 3))
      break;
    memcpy (&pair, pairs, sizeof pair);
    small = (*bytes & masks[code])
            | (GUINT16_FROM_LE (pair) & -(uint16_t) (code >> 1));
    bytes += code & 1;
    pairs += code & 2;
    stride = word->stride + dg_unzigzag (small);
    word->stride = stride;
    stride += word->last;
    word->last = stride;
    out[outputs[i]] = stride;
  }
  unpacker->streams[DG_STREAM_1].at = bytes;
  unpacker->streams[DG_STREAM_2].at = pairs;
  return i;
}

/* The next n words of the chunk, of which `first` were before.  */
static void
take_words (struct dg_unpacker *unpacker, uint64_t first, uint64_t *out,
            unsigned n)
{
  struct dg_pack_stream *streams = unpacker->streams;
  const uint8_t *codes = dg_unpack_codes (&streams[DG_STREAM_WORD_CODES],
                                          first, n, unpacker->word_codes);

  for (unsigned i = 0;; i++) {
    struct dg_pack_word *word;
    uint64_t z;

    i = take_small_words (unpacker, codes, out, i, n);
    if (i == n)
      return;
    word = (struct dg_pack_word *) unpacker->words.items + unpacker->places[i];
    z = take_bytes (&streams[DG_STREAM_4], 4);
    if (z == DG_WORD_ESCAPE)
      z = take_bytes (&streams[DG_STREAM_8], 8);
    word->stride += dg_unzigzag (z);
    word->last += word->stride;
    out[unpacker->outputs[i]] = word->last;
  }
}

/* The words of a wide run, whose head is there.  */
static void
take_wide (struct dg_unpacker *unpacker, const struct dg_unpack_head *head,
           uint64_t first, uint64_t *out)
{
  for (unsigned done = 0; done < head->n_words; done += DG_TAKE_WORDS) {
    unsigned part = MIN (head->n_words - done, DG_TAKE_WORDS);

    for (unsigned i = 0; i < part; i++) {
      unpacker->places[i] = head->place + done + i;
      unpacker->outputs[i] = done + i;
    }
    take_words (unpacker, first + done, out, part);
  }
}

/* ---- Words of addresses ---- */

void
dg_unpack_take_large (struct dg_pack_stream *streams,
                      struct dg_unpack_making *making, uint64_t *last,
                      uint64_t *stride, unsigned n, unsigned codes)
{
  for (unsigned i = 0; i < n; i++, codes >>= 2) {
    uint64_t differs;

    if ((codes & 3) < 3) {
      differs = dg_unpack_small (codes & 3, &making->bytes, &making->pairs);
    } else {
      differs = take_bytes (&streams[DG_STREAM_4], 4);
      if (differs == DG_WORD_ESCAPE)
        differs = take_bytes (&streams[DG_STREAM_8], 8);
      differs = dg_unzigzag (differs);
    }
    stride[i] += differs;
    last[i] += stride[i];
  }
}

/* ---- Slices ---- */

bool
dg_unpacker_is_passed (const struct dg_unpacker *unpacker)
{
  for (int i = DG_STREAM_1; i <= DG_STREAM_HEADS; i++)
    if (unpacker->streams[i].at
        > unpacker->streams[i].bytes + unpacker->sizes[i])
      return true;
  return unpacker->words_taken > unpacker->n_words;
}

ptrdiff_t
dg_unpacker_slice (struct dg_unpacker *unpacker, uint64_t *out, size_t n_runs,
                   uint32_t *numbers, struct dg_error *err)
{
  uint64_t first = unpacker->words_taken - unpacker->runs;
  const struct dg_unpack_head *last;
  struct taking t = {0};
  const uint32_t *ahead;

  if (unpacker->ahead == unpacker->n_ahead) {
    int code = dg_unpacker_take_ahead (unpacker, err);

    if (code < 0)
      return code;
  }
  ahead = unpacker->numbers + unpacker->ahead;
  n_runs = MIN (n_runs, unpacker->n_ahead - unpacker->ahead);
  place_heads (unpacker, ahead, n_runs, out, &t);
  if (numbers)
    memcpy (numbers, ahead, t.n_runs * sizeof *numbers);
  unpacker->ahead += t.n_runs;
  unpacker->runs += t.n_runs;
  unpacker->instructions += t.sums[0];
  unpacker->entries += t.sums[1];
  unpacker->words_taken += t.sums[2];
  /* Before words are taken: their codes are where they are counted to be.  */
  if (dg_unpacker_is_passed (unpacker))
    return dg_unpacker_damaged (unpacker, err);
  take_words (unpacker, first, out, t.n_places);
  last = &unpacker->heads[ahead[t.n_runs - 1]];
  if (last->n_words > DG_TAKE_RUN) {
    take_wide (unpacker, last, first + t.n_places, out + t.n_out);
    t.n_out += last->n_words;
  }
  if (dg_unpacker_is_passed (unpacker))
    return dg_unpacker_damaged (unpacker, err);
  return t.n_out;
}
