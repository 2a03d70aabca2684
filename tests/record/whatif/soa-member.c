/* soa-member.c: an array of structures is a member of another one

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --soa=body */

#include <stdio.h>
#include <stdlib.h>

#define N 30000

#ifdef REPAIRED
struct world { long n; struct { double x[N], y[N]; long rest[N][6]; } b; };
#define AT(i, f) b.f[i]
#else
struct body { double x, y; long rest[6]; };
struct world { long n; struct body b[N]; };
#define AT(i, f) b[i].f
#endif

int
main (void)
{
  struct world *world = malloc (sizeof *world);
  double sum = 0;

  world->n = N;
  for (int i = 0; i < world->n; i++) {
    world->AT (i, x) = i;
    world->AT (i, y) = 1;
    world->AT (i, rest)[1] = i;
  }
  for (int round = 0; round < 12; round++)
    for (int i = 0; i < world->n; i++)
      sum += world->AT (i, x);
  printf ("%g\n", sum);
  return 0;
}
