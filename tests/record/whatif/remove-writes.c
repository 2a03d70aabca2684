/* remove-writes.c: results are written that nobody reads

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --remove-writes=remove-writes.c:25 */

#include <stdio.h>
#include <stdlib.h>

#define N 100000

#ifdef REPAIRED
#define KEEP(to, value) __asm__ volatile ("" : : "r" (value))
#else
#define KEEP(to, value) (to) = (value)
#endif

static volatile long *kept;

static long
walk (const long *values, long sum)
{
  for (int i = 0; i < N; i++) {
    sum += values[i];
    KEEP (kept[i], sum);
  }
  return sum;
}

int
main (void)
{
  long *values = malloc (N * sizeof *values), sum = 0;

  kept = malloc (N * sizeof *kept);
  for (int i = 0; i < N; i++)
    values[i] = i;
  for (int round = 0; round < 5; round++)
    sum = walk (values, sum);
  printf ("%ld\n", sum);
  return 0;
}
