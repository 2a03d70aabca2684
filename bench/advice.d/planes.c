/* planes.c: a sum reads one field of large pixels

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* rules: sparse-walk unused-fields */

#include <stdio.h>
#include <stdlib.h>

struct pixel { float red, green, blue, alpha, depth, normal[11]; };

#define N 60000

int
main (void)
{
  float sum = 0;
#ifdef REPAIRED
  float *depths = malloc (N * sizeof *depths);

  for (int i = 0; i < N; i++)
    depths[i] = i & 255;
#else
  struct pixel *pixels = calloc (N, sizeof *pixels);

  for (int i = 0; i < N; i++)
    pixels[i].depth = i & 255;
#endif
  for (int round = 0; round < 8; round++)
    for (int i = 0; i < N; i++)
#ifdef REPAIRED
      sum += depths[i];
#else
      sum += pixels[i].depth; /* FLAW */
#endif
  printf ("%g\n", sum);
  return 0;
}
