/* pad-elements.c: elements of 48 bytes, many of which are in two lines

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --pad=entry:64 --align=entries:64 */

#include <stdio.h>

#define N 20000

struct entry { long key, a, b, c, d, last; }
#ifdef REPAIRED
  __attribute__ ((aligned (64)))
#endif
  ;
static struct entry entries[N] __attribute__ ((aligned (64)));

int
main (void)
{
  unsigned at = 1;
  long sum = 0;

  for (int i = 0; i < N; i++)
    entries[i].key = entries[i].last = i;
  for (int round = 0; round < 300000; round++) {
    at = at * 1664525 + 1013904223;
    sum += entries[(at >> 8) % N].key + entries[(at >> 8) % N].last;
  }
  printf ("%ld\n", sum);
  return 0;
}
