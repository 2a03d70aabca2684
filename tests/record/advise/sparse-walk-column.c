/* sparse-walk-column.c: one of eight numbers of each record is read

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define N 30000
#ifdef REPAIRED
#define STEP 1
#else
#define STEP 8
#endif

int
main (void)
{
  long *records = calloc ((size_t) N * STEP, sizeof (long)), sum = 0;

  for (int round = 0; round < 10; round++)
    for (int i = 0; i < N; i++)
      sum += records[i * STEP]; /* FLAW */
  printf ("%ld\n", sum);
  free (records);
  return 0;
}
