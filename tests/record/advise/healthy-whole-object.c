/* healthy-whole-object.c: objects of which each visit uses all, in order

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define N 2000

struct entry { long key; long parts[25]; long value; };

int
main (void)
{
  struct entry *entries = malloc (N * sizeof *entries);
  long sum = 0;

  for (int i = 0; i < N; i++) {
    entries[i].key = i;
    for (int k = 0; k < 25; k++)
      entries[i].parts[k] = i * k;
    entries[i].value = 3 * i;
  }
  for (int round = 0; round < 12; round++)
    for (int i = 0; i < N; i++) {
      long part = 0;

      for (int k = 0; k < 25; k++)
        part += entries[i].parts[k];
      sum += entries[i].key * part + entries[i].value;
    }
  printf ("%ld\n", sum);
  free (entries);
  return 0;
}
