/* sparse-walk-structs.c: two fields of a large structure are summed

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* also: unused-fields */

#include <stdio.h>
#include <stdlib.h>

#define N 20000

#ifdef REPAIRED
static struct { double *x, *y; } points;
#else
struct point { double x, y, vx, vy, vz, mass; long id; char *name; };
static struct point *points;
#endif

int
main (void)
{
  double sum = 0;

#ifdef REPAIRED
  points.x = calloc (N, sizeof (double));
  points.y = calloc (N, sizeof (double));
  for (int round = 0; round < 10; round++)
    for (int i = 0; i < N; i++)
      sum += points.x[i] * points.y[i];
  free (points.x);
  free (points.y);
#else
  points = calloc (N, sizeof *points);
  for (int round = 0; round < 10; round++)
    for (int i = 0; i < N; i++)
      sum += points[i].x * points[i].y; /* FLAW */
  free (points);
#endif
  printf ("%g\n", sum);
  return 0;
}
