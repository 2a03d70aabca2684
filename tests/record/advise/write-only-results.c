/* write-only-results.c: results that nobody reads

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define N 20000

int
main (void)
{
  int *results = malloc (N * sizeof *results), best = 0; /* FLAW */

  for (int i = 0; i < N; i++) {
    results[i] = i % 977;
    best = i % 977 > best ? i % 977 : best;
  }
#ifdef REPAIRED
  for (int i = 0; i < N; i++)
    best ^= results[i];
#endif
  printf ("%d\n", best);
  free (results);
  return 0;
}
