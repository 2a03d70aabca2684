/* regrowth-hand.c: an array that is moved to slightly larger ones

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define N 4000

int
main (void)
{
  size_t room = 0, n = 0;
  long *all = NULL, sum = 0;

  for (long i = 0; i < N; i++) {
    if (n == room) {
      long *larger;

#ifdef REPAIRED
      room = room > 0 ? 2 * room : 8;
#else
      room += 8;
#endif
      larger = malloc (room * sizeof *larger); /* FLAW */
      for (size_t k = 0; k < n; k++)
        larger[k] = all[k];
      free (all);
      all = larger;
    }
    all[n++] = i;
  }
  for (int round = 0; round < 20; round++)
    for (size_t i = 0; i < n; i++)
      sum += all[i] ^ round;
  printf ("%ld\n", sum);
  free (all);
  return 0;
}
