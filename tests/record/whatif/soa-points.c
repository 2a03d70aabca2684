/* soa-points.c: one field of an array of structures is summed

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --soa=point */

#include <stdio.h>
#include <stdlib.h>

#define N 50000

#ifdef REPAIRED
static struct { double *x, *y, *z, *vx, *vy, *vz, *mass; long *id; } p;
#define AT(i, f) (p.f[i])
#define NEW(f) (p.f = malloc (N * sizeof *p.f))
#else
struct point { double x, y, z, vx, vy, vz, mass; long id; };
static struct point *p;
#define AT(i, f) (p[i].f)
#endif

int
main (void)
{
  double sum = 0;

#ifdef REPAIRED
  NEW (x), NEW (y), NEW (z), NEW (vx), NEW (vy), NEW (vz), NEW (mass);
  NEW (id);
#else
  p = malloc (N * sizeof *p);
#endif
  for (int i = 0; i < N; i++) {
    AT (i, x) = i;
    AT (i, mass) = 1;
    AT (i, id) = i;
  }
  for (int round = 0; round < 10; round++)
    for (int i = 0; i < N; i++)
      sum += AT (i, x);
  printf ("%g\n", sum);
  return 0;
}
