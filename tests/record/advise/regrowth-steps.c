/* regrowth-steps.c: an array that grows by four elements

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
  size_t n = 0, room = 0;
  long *values = NULL, sum = 0;

  for (int i = 0; i < 8000; i++) {
    if (n == room) {
#ifdef REPAIRED
      room = room * 2 + 4;
#else
      room += 4;
#endif
      values = realloc (values, room * sizeof *values); /* FLAW */
    }
    values[n++] = i;
  }
  for (size_t i = 0; i < n; i++)
    sum += values[i];
  printf ("%ld\n", sum);
  free (values);
  return 0;
}
