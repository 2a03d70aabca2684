/* unpack_avx2.c: the addresses of a packed chunk's runs, without their words
   between, on processors that have AVX2.

   The words of a block stand beside each other: their last values, then their
   strides.  A run moves them on, four at a time, without a branch on whether
   they are as foreseen.  The first addresses are made of the values while they
   are in a register: waiting until they can be loaded again takes a third of
   the time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "unpack_state.h"

#ifdef __x86_64__
#include <immintrin.h>

#define GROUP DG_FORM_WORDS
#define RUNS_INLINE \
  static inline __attribute__ ((always_inline, target ("avx2")))

bool
dg_unpack_has_avx2 (void)
{
  return __builtin_cpu_supports ("avx2");
}

void
dg_unpack_fill_picks (struct dg_unpack_picks *picks)
{
  for (unsigned codes = 0; codes < 256; codes++) {
    unsigned byte = 0, pair = 0;

    for (unsigned i = 0; i < GROUP; i++) {
      unsigned code = codes >> 2 * i & 3;
      uint8_t *from = &picks->from[codes][2 * i];

      from[0] = code == 1 ? byte : code == 2 ? 4 + pair : 0x80;
      from[1] = code == 2 ? 5 + pair : 0x80;
      byte += code == 1;
      pair += code == 2 ? 2 : 0;
    }
    picks->bytes[codes] = byte;
    picks->pairs[codes] = pair;
  }
}

/* ---- Words ---- */

/* Which of a group's words a run has, by their number.  */
static const uint64_t has_words[GROUP + 1][GROUP]
  __attribute__ ((aligned (32)))
  = {{0, 0, 0, 0},
     {UINT64_MAX, 0, 0, 0},
     {UINT64_MAX, UINT64_MAX, 0, 0},
     {UINT64_MAX, UINT64_MAX, UINT64_MAX, 0},
     {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};

/* What a group's n words become, which differ by no more than two bytes each
   from what was foreseen; codes: 0 behind them.  */
RUNS_INLINE __m256i
move_small (const struct dg_unpack_picks *picks, struct dg_unpack_making *m,
            uint64_t *last, uint64_t *stride, unsigned n, unsigned codes)
{
  const __m256i rest = _mm256_set1_epi64x (0x8080808080800000);
  const __m256i one = _mm256_set1_epi64x (1);
  __m256i from, x, by, to;
  uint64_t pairs;
  uint32_t bytes;

  memcpy (&bytes, m->bytes, sizeof bytes);
  memcpy (&pairs, m->pairs, sizeof pairs);
  m->bytes += picks->bytes[codes];
  m->pairs += picks->pairs[codes];
  x = _mm256_broadcastsi128_si256 (
    _mm_or_si128 (_mm_cvtsi32_si128 (bytes),
                  _mm_slli_si128 (_mm_cvtsi64_si128 (pairs), 4)));
  from = _mm256_cvtepu16_epi64 (
    _mm_loadl_epi64 ((const __m128i *) picks->from[codes]));
  x = _mm256_shuffle_epi8 (x, _mm256_or_si256 (from, rest));
  x = _mm256_xor_si256 (
    _mm256_srli_epi64 (x, 1),
    _mm256_sub_epi64 (_mm256_setzero_si256 (), _mm256_and_si256 (x, one)));
  by = _mm256_add_epi64 (_mm256_load_si256 ((const __m256i *) stride), x);
  _mm256_store_si256 ((__m256i *) stride, by);
  by = _mm256_and_si256 (by, *(const __m256i *) has_words[n]);
  to = _mm256_add_epi64 (_mm256_load_si256 ((const __m256i *) last), by);
  _mm256_store_si256 ((__m256i *) last, to);
  return to;
}

/* The same if any words may differ by more.  */
RUNS_INLINE __m256i
move_group (struct dg_unpacker *unpacker, struct dg_unpack_making *m,
            uint64_t *last, uint64_t *stride, unsigned n, unsigned codes)
{
  if (G_LIKELY (!dg_unpack_is_large (codes)))
    return move_small (&unpacker->picks, m, last, stride, n, codes);
  dg_unpack_move_large (unpacker->streams, m, last, stride, n, codes);
  return _mm256_load_si256 ((const __m256i *) last);
}

/* ---- Runs ---- */

RUNS_INLINE void
move_first (struct dg_unpacker *unpacker, struct dg_unpack_making *m,
            const struct dg_unpack_form *form, uint64_t *last,
            uint64_t *stride, unsigned codes, uint64_t mask)
{
  __m256i values = move_group (unpacker, m, last, stride, form->group, codes);
  __m256i pick = _mm256_cvtepu8_epi32 (
    _mm_loadl_epi64 ((const __m128i *) form->pick));
  __m256i x = _mm256_permutevar8x32_epi32 (values, pick);

  x = _mm256_add_epi64 (x, *(const __m256i *) form->disp);
  x = _mm256_and_si256 (x, _mm256_set1_epi64x (mask));
  _mm256_storeu_si256 ((__m256i *) m->out, x);
}

#include "unpack_runs.h"

void __attribute__ ((target ("avx2")))
dg_unpack_make_avx2 (struct dg_unpacker *unpacker,
                     struct dg_unpack_making *making, uint64_t mask)
{
  if (mask == UINT64_MAX)
    make_runs (unpacker, making, UINT64_MAX);
  else
    make_runs (unpacker, making, mask);
}

#else

bool
dg_unpack_has_avx2 (void)
{
  return false;
}

void
dg_unpack_fill_picks (struct dg_unpack_picks *picks)
{
}

void
dg_unpack_make_avx2 (struct dg_unpacker *unpacker,
                     struct dg_unpack_making *making, uint64_t mask)
{
  g_assert_not_reached ();
}

#endif
