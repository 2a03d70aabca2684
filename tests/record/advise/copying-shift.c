/* copying-shift.c: the first element of an array is removed

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <string.h>

#define N 3000

static long queue[N];

int
main (void)
{
  long sum = 0;

  for (int left = N, first = 0; left > 0; left--) {
#ifdef REPAIRED
    sum += queue[first++];
#else
    sum += queue[first];
    memmove (queue, queue + 1, (size_t) (left - 1) * sizeof *queue); /* FLAW */
#endif
  }
  printf ("%ld\n", sum);
  return 0;
}
