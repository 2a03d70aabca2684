/* code-misses-phases.c: more code than the cache holds is run in turns

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define STEP(x) x = x * 7 + 3; x ^= x >> 5; x += x << 2; x ^= 0x1234567;
#define STEPS(x) STEP (x) STEP (x) STEP (x) STEP (x) STEP (x) STEP (x)
#define FUNCTION(n)                                   \
  __attribute__ ((noinline)) static long f##n (long x) \
  {                                                   \
    STEPS (x) STEPS (x) return x + n;                  \
  }
#define TEN(n)                                                        \
  FUNCTION (n##0) FUNCTION (n##1) FUNCTION (n##2) FUNCTION (n##3)      \
  FUNCTION (n##4) FUNCTION (n##5) FUNCTION (n##6) FUNCTION (n##7)      \
  FUNCTION (n##8) FUNCTION (n##9)
#define NAMES(n)                                                \
  f##n##0, f##n##1, f##n##2, f##n##3, f##n##4, f##n##5, f##n##6, \
  f##n##7, f##n##8, f##n##9,
#define ALL(of)                                                     \
  of (1) of (2) of (3) of (4) of (5) of (6) of (7) of (8) of (9) of (10) \
  of (11) of (12) of (13) of (14) of (15) of (16) of (17) of (18) of (19)

ALL (TEN) /* FLAW */

static long (*const functions[]) (long) = {ALL (NAMES)};
#define N (sizeof functions / sizeof *functions)

int
main (void)
{
  long x = 1;

#ifdef REPAIRED
  for (size_t i = 0; i < N; i++)
    for (int round = 0; round < 100; round++)
      x = functions[i](x);
#else
  for (int round = 0; round < 100; round++)
    for (size_t i = 0; i < N; i++)
      x = functions[i](x);
#endif
  printf ("%ld\n", x);
  return 0;
}
