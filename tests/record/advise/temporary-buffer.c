/* temporary-buffer.c: a buffer for each iteration

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

int *last;

int
main (void)
{
  long sum = 0;
#ifdef REPAIRED
  int *buffer = malloc (16 * sizeof *buffer);
#endif

  for (int i = 0; i < 20000; i++) {
#ifndef REPAIRED
    int *buffer = malloc (16 * sizeof *buffer); /* FLAW */
#endif

    last = buffer;
    for (int k = 0; k < 16; k++)
      buffer[k] = i ^ k;
    for (int k = 0; k < 16; k += 3)
      sum += buffer[k];
#ifndef REPAIRED
    free (buffer);
#endif
  }
#ifdef REPAIRED
  free (buffer);
#endif
  printf ("%ld\n", sum);
  return 0;
}
