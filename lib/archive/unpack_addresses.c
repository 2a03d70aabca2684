/* unpack_addresses.c: the addresses of a packed chunk's runs, without their
   words between.

   The words of a block stand beside each other: their last values, then their
   strides.  A run moves them on, four at a time, most often by the strides
   alone; its addresses are then made of what stands there.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "base/error.h"
#include "base/varint.h"
#include "unpack_state.h"

#define GROUP DG_FORM_WORDS

typedef uint64_t two __attribute__ ((vector_size (16)));

/* ---- Words ---- */

/* What the loops over runs change.  */
struct making {
  const uint32_t *numbers, *end; /* of heads */
  const uint8_t *codes;          /* of words: number 0 of `sums` */
  uint64_t sums;                 /* as those of struct dg_unpack_form */
  uint64_t mask, *out, *full;
  const uint8_t *bytes, *pairs;  /* of streams 1 and 2 */
};

/* Which of a group's words a run has, by their number.  */
static const two has_words[GROUP + 1][2]
  __attribute__ ((aligned (32)))
  = { { { 0, 0 }, { 0, 0 } },
      { { UINT64_MAX, 0 }, { 0, 0 } },
      { { UINT64_MAX, UINT64_MAX }, { 0, 0 } },
      { { UINT64_MAX, UINT64_MAX }, { UINT64_MAX, 0 } },
      { { UINT64_MAX, UINT64_MAX }, { UINT64_MAX, UINT64_MAX } } };
static const uint8_t has_codes[GROUP + 1] = { 0, 3, 15, 63, 255 };

/* The codes of words from number `first` on: 28 at least.  */
static inline uint64_t
load_codes (const uint8_t *codes, uint32_t first)
{
  uint64_t x;

  memcpy (&x, codes + first / 4, sizeof x);
  return GUINT64_FROM_LE (x) >> first % 4 * 2;
}

/* By what the next word differs from what was foreseen; code: not 3.  */
static inline uint64_t
take_small (unsigned code, const uint8_t **bytes, const uint8_t **pairs)
{
  static const uint16_t masks[] = { 0, UINT8_MAX, 0, 0 };
  uint16_t pair, small;

  memcpy (&pair, *pairs, sizeof pair);
  small = (**bytes & masks[code])
          | (GUINT16_FROM_LE (pair) & -(uint16_t) (code >> 1));
  *bytes += code & 1;
  *pairs += code & 2;
  return dg_unzigzag (small);
}

/* Moves a group on that differs by no more than two bytes a word.  */
typedef void move_fn (struct making *m, uint64_t *last, uint64_t *stride,
                      unsigned n, unsigned codes);

/* Moves a group on, of which the run has n words that differ by no more than
   two bytes; codes: 0 behind them.  */
static inline __attribute__ ((always_inline)) void
move_small (struct making *m, uint64_t *last, uint64_t *stride, unsigned n,
            unsigned codes)
{
  two *to = (two *) last, *by = (two *) stride;
  uint64_t a, b;

  if (codes == 0) {
    to[0] += by[0] & has_words[n][0];
    to[1] += by[1] & has_words[n][1];
    return;
  }
  a = take_small (codes & 3, &m->bytes, &m->pairs);
  b = take_small (codes >> 2 & 3, &m->bytes, &m->pairs);
  by[0] += (two){ a, b };
  to[0] += by[0] & has_words[n][0];
  a = take_small (codes >> 4 & 3, &m->bytes, &m->pairs);
  b = take_small (codes >> 6, &m->bytes, &m->pairs);
  by[1] += (two){ a, b };
  to[1] += by[1] & has_words[n][1];
}

/* The same where some may differ by more.  */
static void __attribute__ ((noinline))
move_large (struct dg_pack_stream *streams, uint64_t *last, uint64_t *stride,
            unsigned n, unsigned codes)
{
  const uint8_t *bytes = streams[DG_STREAM_1].at;
  const uint8_t *pairs = streams[DG_STREAM_2].at;

  for (unsigned i = 0; i < n; i++, codes >>= 2) {
    uint64_t differs;

    if ((codes & 3) < 3) {
      differs = take_small (codes & 3, &bytes, &pairs);
    } else {
      uint32_t four;

      memcpy (&four, streams[DG_STREAM_4].at, 4);
      streams[DG_STREAM_4].at += 4;
      differs = GUINT32_FROM_LE (four);
      if (differs == DG_WORD_ESCAPE) {
        memcpy (&differs, streams[DG_STREAM_8].at, 8);
        streams[DG_STREAM_8].at += 8;
        differs = GUINT64_FROM_LE (differs);
      }
      differs = dg_unzigzag (differs);
    }
    stride[i] += differs;
    last[i] += stride[i];
  }
  streams[DG_STREAM_1].at = (uint8_t *) bytes;
  streams[DG_STREAM_2].at = (uint8_t *) pairs;
}


/* ---- Runs ---- */

/* The first addresses of a run.  */
typedef void first_fn (const struct dg_unpack_form *form, const uint64_t *last,
                       uint64_t mask, uint64_t *out);

static inline __attribute__ ((always_inline)) void
first_plain (const struct dg_unpack_form *form, const uint64_t *last,
             uint64_t mask, uint64_t *out)
{
#pragma GCC unroll 4
  for (unsigned i = 0; i < DG_FORM_ADDRESSES; i++)
    out[i] = (last[form->pick[2 * i] / 2] + form->disp[i]) & mask;
}

#ifdef __x86_64__
/* Where, of 4 bytes and 4 pairs, what each word of a group differs by is, two
   bytes each; by their codes.  And what is taken of both.  */
static struct {
  uint8_t from[256][8];
  uint8_t bytes[256], pairs[256];
} picks;

static void
fill_picks (void)
{
  for (unsigned codes = 0; codes < 256; codes++) {
    unsigned byte = 0, pair = 0;

    for (unsigned i = 0; i < GROUP; i++) {
      unsigned code = codes >> 2 * i & 3;
      uint8_t *from = &picks.from[codes][2 * i];

      from[0] = code == 1 ? byte : code == 2 ? 4 + pair : 0x80;
      from[1] = code == 2 ? 5 + pair : 0x80;
      byte += code == 1;
      pair += code == 2 ? 2 : 0;
    }
    picks.bytes[codes] = byte;
    picks.pairs[codes] = pair;
  }
}

static inline __attribute__ ((always_inline, target ("avx2"))) void
move_avx2 (struct making *m, uint64_t *last, uint64_t *stride, unsigned n,
           unsigned codes)
{
  const __m256i rest = _mm256_set1_epi64x (0x8080808080800000);
  const __m256i one = _mm256_set1_epi64x (1);
  __m256i from, x, by, to;
  uint64_t pairs;
  uint32_t bytes;

  memcpy (&bytes, m->bytes, sizeof bytes);
  memcpy (&pairs, m->pairs, sizeof pairs);
  m->bytes += picks.bytes[codes];
  m->pairs += picks.pairs[codes];
  x = _mm256_broadcastsi128_si256 (
    _mm_or_si128 (_mm_cvtsi32_si128 (bytes),
                  _mm_slli_si128 (_mm_cvtsi64_si128 (pairs), 4)));
  from = _mm256_cvtepu16_epi64 (
    _mm_loadl_epi64 ((const __m128i *) picks.from[codes]));
  x = _mm256_shuffle_epi8 (x, _mm256_or_si256 (from, rest));
  x = _mm256_xor_si256 (
    _mm256_srli_epi64 (x, 1),
    _mm256_sub_epi64 (_mm256_setzero_si256 (), _mm256_and_si256 (x, one)));
  by = _mm256_add_epi64 (_mm256_load_si256 ((const __m256i *) stride), x);
  _mm256_store_si256 ((__m256i *) stride, by);
  by = _mm256_and_si256 (by, *(const __m256i *) has_words[n]);
  to = _mm256_add_epi64 (_mm256_load_si256 ((const __m256i *) last), by);
  _mm256_store_si256 ((__m256i *) last, to);
}

static inline __attribute__ ((always_inline, target ("avx2"))) void
first_avx2 (const struct dg_unpack_form *form, const uint64_t *last,
            uint64_t mask, uint64_t *out)
{
  __m256i pick = _mm256_cvtepu8_epi32 (
    _mm_loadl_epi64 ((const __m128i *) form->pick));
  __m256i x = _mm256_load_si256 ((const __m256i *) last);

  x = _mm256_permutevar8x32_epi32 (x, pick);
  x = _mm256_add_epi64 (x, *(const __m256i *) form->disp);
  x = _mm256_and_si256 (x, _mm256_set1_epi64x (mask));
  _mm256_storeu_si256 ((__m256i *) out, x);
}
#endif

/* Moves a group on; codes: of its words and what follows.  */
static inline __attribute__ ((always_inline)) void
move_group (struct dg_pack_stream *streams, struct making *m, uint64_t *last,
            uint64_t *stride, unsigned n, unsigned codes, move_fn *move)
{
  codes &= has_codes[n];
  if (G_LIKELY ((codes & codes >> 1 & 0x55) == 0)) {
    move (m, last, stride, n, codes);
  } else {
    streams[DG_STREAM_1].at = (uint8_t *) m->bytes;
    streams[DG_STREAM_2].at = (uint8_t *) m->pairs;
    move_large (streams, last, stride, n, codes);
    m->bytes = streams[DG_STREAM_1].at;
    m->pairs = streams[DG_STREAM_2].at;
  }
}

/* Addresses that are made from the entries.  */
static inline __attribute__ ((always_inline)) void
make_listed (const struct dg_program_block *const *blocks,
             const struct dg_unpack_form *form, const uint64_t *values,
             uint64_t mask, uint64_t *out)
{
  const struct dg_program_entry *entry = blocks[form->block]->entries;
  unsigned n = form->n_entries, zero = GROUP * form->strides - 1u;

  if (G_UNLIKELY (form->kind == DG_FORM_GUARDED)) {
    for (unsigned i = 0; i < n; i++)
      out[i] = dg_program_address (&entry[i], values, mask);
    return;
  }
  for (unsigned i = form->kind == DG_FORM_LONG ? DG_FORM_ADDRESSES : 0; i < n;
       i++)
    out[i] = (values[dg_unpack_value (&entry[i], zero)]
              + (uint64_t) entry[i].disp)
             & mask;
}

/* Runs up to `end`, until the slice is full or there are enough addresses.
   Only behind runs that are not short is it asked whether that is so: a slice
   has no more than DG_TAKE_RUNS of these.  */
static inline __attribute__ ((always_inline)) void
make_runs (struct dg_unpacker *unpacker, struct making *making, uint64_t mask,
           move_fn *move, first_fn *make_first)
{
  struct making m = *making;
  struct dg_pack_stream *streams = unpacker->streams;
  const struct dg_unpack_form *const forms = unpacker->forms;
  uint64_t *const values = unpacker->values;

  do {
    const struct dg_unpack_form *form = &forms[*m.numbers];
    uint64_t *last = values + form->place;
    uint64_t *stride = last + GROUP * (size_t) form->strides;
    uint32_t first = m.sums;

    __builtin_prefetch (&forms[m.numbers[DG_TAKE_AHEAD]]);
    __builtin_prefetch (values + forms[m.numbers[DG_TAKE_AHEAD / 2]].place);
    m.numbers++;
    move_group (streams, &m, last, stride, form->group,
                load_codes (m.codes, first), move);
    m.sums += form->sums;
    if (form->kind != DG_FORM_SHORT) {
      uint32_t n = (uint32_t) form->sums;

      for (uint32_t i = GROUP; i < n; i += GROUP)
        move_group (streams, &m, last + i, stride + i, MIN (n - i, GROUP),
                    load_codes (m.codes, first + i), move);
      make_listed (unpacker->program.blocks, form, last, mask, m.out);
      if ((uint32_t) m.sums >= DG_TAKE_WORDS || m.out >= m.full)
        m.end = m.numbers;
    }
    if (form->kind <= DG_FORM_LONG)
      make_first (form, last, mask, m.out);
    m.out += form->n_entries;
  } while (m.numbers < m.end);
  *making = m;
}

typedef void make_fn (struct dg_unpacker *, struct making *);

static void
make_plain (struct dg_unpacker *unpacker, struct making *m)
{
  if (m->mask == UINT64_MAX)
    make_runs (unpacker, m, UINT64_MAX, move_small, first_plain);
  else
    make_runs (unpacker, m, m->mask, move_small, first_plain);
}

#ifdef __x86_64__
static void __attribute__ ((target ("avx2")))
make_avx2 (struct dg_unpacker *unpacker, struct making *m)
{
  if (m->mask == UINT64_MAX)
    make_runs (unpacker, m, UINT64_MAX, move_avx2, first_avx2);
  else
    make_runs (unpacker, m, m->mask, move_avx2, first_avx2);
}
#endif

static make_fn *
choose (void)
{
  static gsize chosen;

  if (g_once_init_enter (&chosen)) {
    make_fn *make = make_plain;

#ifdef __x86_64__
    if (__builtin_cpu_supports ("avx2")) {
      fill_picks ();
      make = make_avx2;
    }
#endif
    g_once_init_leave (&chosen, (gsize) make);
  }
  return (make_fn *) chosen;
}

/* Of one slice; there are more runs.  */
static int
make_slice (struct dg_unpacker *unpacker, make_fn *make, struct making *m,
            uint32_t *numbers, uint64_t end, struct dg_error *err)
{
  struct dg_pack_stream *streams = unpacker->streams;
  uint64_t words = unpacker->words_taken - unpacker->runs;
  const uint64_t *out = m->out;
  const uint32_t *ahead;
  unsigned n;

  if (unpacker->ahead == unpacker->n_ahead) {
    int code = dg_unpacker_take_ahead (unpacker, err);

    if (code == 0)
      code = dg_unpacker_add_forms (unpacker, err);
    if (code < 0)
      return code;
  }
  ahead = m->numbers = unpacker->numbers + unpacker->ahead;
  m->end = ahead + MIN (end - unpacker->runs,
                        unpacker->n_ahead - unpacker->ahead);
  m->codes = streams[DG_STREAM_WORD_CODES].bytes + words / 4;
  m->sums = words % 4;
  m->bytes = streams[DG_STREAM_1].at;
  m->pairs = streams[DG_STREAM_2].at;
  make (unpacker, m);
  streams[DG_STREAM_1].at = (uint8_t *) m->bytes;
  streams[DG_STREAM_2].at = (uint8_t *) m->pairs;
  n = m->numbers - ahead;
  memcpy (numbers, ahead, n * sizeof *numbers);
  unpacker->ahead += n;
  unpacker->runs += n;
  unpacker->instructions += m->sums >> 32;
  unpacker->entries += m->out - out;
  unpacker->words_taken += (uint32_t) m->sums - words % 4 + n;
  return dg_unpacker_is_passed (unpacker) ? dg_unpacker_damaged (unpacker, err)
                                          : 0;
}

ptrdiff_t
dg_unpacker_addresses (struct dg_unpacker *unpacker, uint64_t mask,
                       size_t max_runs, uint32_t *numbers,
                       uint64_t *addresses, size_t enough,
                       struct dg_error *err)
{
  uint64_t start = unpacker->runs;
  uint64_t end = MIN (unpacker->totals.runs, start + max_runs);
  make_fn *make = choose ();
  struct making m
    = { .mask = mask, .out = addresses, .full = addresses + enough };

  if (unpacker->is_bad)
    return dg_unpacker_damaged (unpacker, err);
  while (unpacker->runs < end && m.out < m.full) {
    int code = make_slice (unpacker, make, &m,
                           numbers + (unpacker->runs - start), end, err);

    if (code < 0) {
      /* Streams may be taken from beyond their end but once.  */
      unpacker->is_bad = true;
      return code;
    }
  }
  if (unpacker->runs == unpacker->totals.runs
      && dg_unpacker_check_end (unpacker, err) < 0)
    return DG_ERR_DAMAGED;
  return unpacker->runs - start;
}
