/* far-fields-pair.c: two fields that are used together, 128 bytes apart

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define N 4000

struct row {
  long first;
#ifndef REPAIRED
  long between[15];
#endif
  long second;
};

int
main (void)
{
  struct row *rows = calloc (N, sizeof *rows);
  long sum = 0;

  for (int round = 0; round < 40; round++)
    for (int i = 0; i < N; i++)
      sum += rows[i].first * rows[i].second; /* FLAW */
#ifndef REPAIRED
  sum += rows[7].between[3];
#endif
  printf ("%ld\n", sum);
  free (rows);
  return 0;
}
