/* narrow-index.c: an index needs four bytes only

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --narrow='edge.from:4;edge.to:4' */

#include <stdio.h>
#include <stdlib.h>

#define N 100000

#ifdef REPAIRED
typedef int number;
#else
typedef long number;
#endif
struct edge { number from, to; };

int
main (void)
{
  struct edge *edges = malloc (N * sizeof *edges);
  long sum = 0;

  for (int i = 0; i < N; i++) {
    edges[i].from = i;
    edges[i].to = i * 7 % N;
  }
  for (int round = 0; round < 8; round++)
    for (int i = 0; i < N; i++)
      sum += edges[i].from ^ edges[i].to;
  printf ("%ld\n", sum);
  return 0;
}
