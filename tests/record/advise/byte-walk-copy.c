/* byte-walk-copy.c: bytes are copied one by one

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <string.h>

#define N 16384

char from[N], to[N];

int
main (void)
{
  for (int round = 0; round < 40; round++) {
#ifdef REPAIRED
    memcpy (to, from, N);
#else
    for (int i = 0; i < N; i++)
      to[i] = from[i]; /* FLAW */
#endif
    from[round] = to[round + 1];
  }
  printf ("%d\n", to[7]);
  return 0;
}
