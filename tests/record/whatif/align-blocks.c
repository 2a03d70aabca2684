/* align-blocks.c: objects of a line each lie in two

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --align=object:64 */

#include <stdio.h>
#include <stdlib.h>

#define N 20000

struct object { long first, rest[6], last; };
static struct object *objects;

int
main (void)
{
  unsigned at = 1;
  long sum = 0;

#ifdef REPAIRED
  objects = aligned_alloc (64, N * sizeof *objects);
#else
  objects = malloc (N * sizeof *objects);
#endif
  for (int i = 0; i < N; i++)
    objects[i].first = objects[i].last = i;
  for (int round = 0; round < 300000; round++) {
    at = at * 1664525 + 1013904223;
    sum += objects[(at >> 8) % N].first + objects[(at >> 8) % N].last;
  }
  printf ("%ld\n", sum);
  return 0;
}
