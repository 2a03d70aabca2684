/* flags.c: the order of the fields of a structure makes padding necessary

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* rules: padding */

#include <stdio.h>
#include <stdlib.h>

struct entry {
#ifdef REPAIRED
  double value, weight;
  char is_new, is_old, is_odd;
#else
  char is_new;
  double value;
  char is_old;
  double weight;
  char is_odd;
#endif
};

#define N 4000

int
main (void)
{
  struct entry *entries = calloc (N, sizeof *entries); /* FLAW */
  double sum = 0;

  for (int i = 0; i < N; i++) {
    struct entry *entry = &entries[i];

    entry->is_new = i & 1;
    entry->is_old = i & 2;
    entry->is_odd = i & 4;
    entry->value = i;
    entry->weight = 1;
  }
  for (int i = 0; i < N; i++)
    sum += entries[i].value * entries[i].weight + entries[i].is_new
           + entries[i].is_old + entries[i].is_odd;
  printf ("%g\n", sum);
  free (entries);
  return 0;
}
