/* far-fields-pair.c: two fields that are used together, 184 bytes apart

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define N 600

struct row {
  long first;
#ifndef REPAIRED
  long between[22];
#endif
  long second;
#ifdef REPAIRED
  long between[22];
#endif
};

/* In no order: a walk along the rows would fetch all of their lines.  What was
   read chooses the next row, so that no two visits overlap.  */
static unsigned
next (unsigned *state)
{
  return (*state = *state * 1664525 + 1013904223) >> 8;
}

int
main (void)
{
  struct row *rows = aligned_alloc (64, (N * sizeof *rows + 63) / 64 * 64);
  unsigned state = 1;
  long sum = 0;

  for (int i = 0; i < N; i++)
    rows[i] = (struct row) {.first = i, .second = 2 * i};
  for (int i = 0; i < 100000; i++) {
    const struct row *row = &rows[next (&state) % N];

    sum += row->first * row->second; /* FLAW */
    state ^= (unsigned) sum;
  }
  sum += rows[7].between[3];
  printf ("%ld\n", sum);
  free (rows);
  return 0;
}
