/* A large table is cleared for each small job; repaired: what was used.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <string.h>

#define N 65536
#define JOBS 1000

static unsigned
dice (void)
{
  static unsigned x = 1;

  return (x = x * 1103515245 + 12345) >> 8;
}

int
main (void)
{
  static int table[N], used[64];
  long sum = 0;

  for (int job = 0; job < JOBS; job++) {
#ifndef REPAIRED
    memset (table, 0, sizeof table);
#endif
    for (int i = 0; i < 64; i++) {
      used[i] = (int) (dice () % N);
      sum += ++table[used[i]];
    }
#ifdef REPAIRED
    for (int i = 0; i < 64; i++)
      table[used[i]] = 0;
#endif
  }
  printf ("%ld\n", sum);
}
