/* One field of eight is read; repaired: fields in arrays.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define N 100000

#ifdef REPAIRED
static double x[N];
static double others[7][N];
#define X(i) x[i]
#else
struct item { double x, others[7]; };
static struct item items[N];
#define X(i) items[i].x
#endif

int
main (void)
{
  double sum = 0;

  for (int i = 0; i < N; i++)
    X (i) = i;
  for (int k = 0; k < 40; k++)
    for (int i = 0; i < N; i++)
      sum += X (i);
  printf ("%g\n", sum);
}
