/* bare-float.c: floating point: scalar, SSE and, where compiled for it, AVX
   with masked loads, masked stores and gathers; the x87's 10-byte numbers
   and its environments.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bare.h"
#include <immintrin.h>

#define N 200

static double x[N] __attribute__ ((aligned (32)));
static double y[N] __attribute__ ((aligned (32)));
static float f[N] __attribute__ ((aligned (32)));
static float g[N + 8] __attribute__ ((aligned (32)));
static long double ld[32];
static char environment[512] __attribute__ ((aligned (16)));

static void
sse (void)
{
  for (int i = 0; i < N; i += 4) {
    __m128 a = _mm_load_ps (f + i), b = _mm_loadu_ps (g + i + 1);
    _mm_store_ps (f + i, _mm_add_ps (a, _mm_mul_ps (b, b)));
    _mm_storel_pi ((__m64 *) (g + i), _mm_sqrt_ps (a));
    _mm_store_ss (g + i + 2, b);
  }
  for (int i = 0; i < N; i += 2) {
    __m128d a = _mm_loadh_pd (_mm_load_sd (x + i), y + i);
    _mm_storeu_pd (y + i, _mm_div_pd (a, _mm_set1_pd (3)));
  }
  __m128i mask = _mm_set_epi8 (-1, 0, -1, 0, -1, 0, -1, 0, 0, 0, 0, -1, 0, 0,
                               0, -1);
  _mm_maskmoveu_si128 (_mm_castps_si128 (_mm_load_ps (f)), mask,
                       (char *) g + 5);
  _mm_stream_si128 ((__m128i *) f, mask);
}

#ifdef __AVX2__
static void
avx (void)
{
  __m256i some = _mm256_set_epi32 (0, -1, -1, 0, 0, 0, -1, 0);
  __m256i index = _mm256_set_epi32 (3, 50, 7, 7, 100, 0, 31, 64);
  for (int i = 0; i + 8 <= N; i += 8) {
    __m256 a = _mm256_load_ps (f + i);
    __m256 b = _mm256_maskload_ps (g + i + 1, some);
    _mm256_maskstore_ps (g + i, some, _mm256_add_ps (a, b));
    _mm256_storeu_ps (f + i, _mm256_fmadd_ps (a, b, a));
    __m256 m = _mm256_castsi256_ps (some);
    a = _mm256_mask_i32gather_ps (a, f, index, m, 4);
    _mm256_storeu_ps (g + i, a);
  }
  for (int i = 0; i + 4 <= N; i += 4) {
    __m256d a = _mm256_broadcast_sd (x + i);
    _mm256_stream_pd (y + i, _mm256_hadd_pd (a, _mm256_load_pd (x + i)));
  }
  _mm256_zeroupper ();
}
#else
static void
avx (void)
{
}
#endif

static void
x87 (void)
{
  long double a = 1;
  for (int i = 0; i < 32; i++) {
    a = a * 3 + 1 / (a + i);
    ld[i] = a;
  }
  for (int i = 1; i < 32; i++)
    ld[i] += ld[i - 1] / 7;
  __asm__ volatile ("fnstenv %0" : "=m" (environment));
  __asm__ volatile ("fldenv %0" : : "m" (environment));
  __asm__ volatile ("fnsave %0\n\tfrstor %0" : "+m" (environment));
  __asm__ volatile ("fxsave %0\n\tfxrstor %0" : "+m" (environment));
  uint16_t cw;
  __asm__ volatile ("fnstcw %0\n\tfldcw %0" : "+m" (cw));
  int64_t whole;
  __asm__ volatile ("fildll %1\n\tfadds %2\n\tfistpll %0"
                    : "=m" (whole)
                    : "m" (*(int64_t *) x), "m" (f[3]));
  bare_sink = (uint64_t) whole;
}

static int
bare_main (void)
{
  double sum = 0;
  for (int i = 0; i < N; i++) {
    x[i] = i * 0.5 + 1;
    y[i] = 1 / x[i];
    f[i] = (float) i;
    g[i] = (float) (N - i);
  }
  for (int k = 0; k < 8; k++) {
    for (int i = 0; i < N; i++)
      sum += x[i] * y[N - 1 - i];
    sse ();
    avx ();
  }
  x87 ();
  bare_sink = (uint64_t) (int64_t) sum;
  return 0;
}
