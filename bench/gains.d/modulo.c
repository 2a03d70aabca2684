/* A remainder for each element; repaired: a mask.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define N 3000000

int
main (int argc, char **argv)
{
  unsigned long size = 1000 + 24 * argc, sum = 0, x = 1;

  (void) argv;
  for (long i = 0; i < N; i++) {
    x = x * 6364136223846793005 + 1442695040888963407;
#ifdef REPAIRED
    sum += (x >> 20) & (size - 1);
#else
    sum += (x >> 20) % size;
#endif
  }
  printf ("%lu\n", sum);
}
