/* order-fields.c: two fields that are used together are far from each other

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --order=unit:state,power */

#include <stdio.h>
#include <stdlib.h>

#define N 20000

#ifdef REPAIRED
struct unit { long state, power; char name[112]; };
#else
struct unit { long state; char name[112]; long power; };
#endif

int
main (void)
{
  struct unit *units = malloc (N * sizeof *units);
  unsigned at = 1;
  long sum = 0;

  for (int i = 0; i < N; i++) {
    units[i].state = i;
    units[i].power = 1;
    units[i].name[0] = 'a';
  }
  for (int round = 0; round < 300000; round++) {
    at = at * 1664525 + 1013904223;
    sum += units[(at >> 8) % N].state * units[(at >> 8) % N].power;
  }
  printf ("%ld\n", sum);
  return 0;
}
