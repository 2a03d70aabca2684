/* healthy-window.c: each result is computed from five bytes

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define N 100000

static unsigned char from[N + 4], to[N];

static void
blur (const int *weights)
{
  for (unsigned i = 0; i < N; i++)
    to[i] = (unsigned char) ((from[i] * weights[0] + from[i + 1] * weights[1]
                              + from[i + 2] * weights[2]
                              + from[i + 3] * weights[1]
                              + from[i + 4] * weights[0] + 8)
                             >> 4);
}

int
main (void)
{
  static const int weights[] = { 1, 4, 6 };
  unsigned state = 1, sum = 0;

  for (unsigned i = 0; i < sizeof from; i++) {
    state = state * 1103515245 + 12345;
    from[i] = (unsigned char) (state >> 16);
  }
  for (int i = 0; i < 20; i++) {
    from[i]++;
    blur (weights);
  }
  for (unsigned i = 0; i < N; i++)
    sum += to[i];
  printf ("%u\n", sum);
  return 0;
}
