/* random-access-histogram.c: counts in more cells than the cache holds

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#ifdef REPAIRED
#define BITS 11
#else
#define BITS 18
#endif

static long cells[1 << BITS];

int
main (void)
{
  unsigned random = 1;
  long most = 0;

  for (int i = 0; i < 200000; i++) {
    random = random * 1664525 + 1013904223;
    cells[random >> (32 - BITS)]++; /* FLAW */
  }
  for (int i = 0; i < 1 << BITS; i++)
    most = cells[i] > most ? cells[i] : most;
  printf ("%ld\n", most);
  return 0;
}
