/* untouched-buffer.c: a megabyte, of which a few pages are used

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define NEEDED 4096
#ifdef REPAIRED
#define ALLOCATED NEEDED
#else
#define ALLOCATED (1 << 16)
#endif

int
main (void)
{
  long sum = 0;

  for (int i = 0; i < 16; i++) {
    long *buffer = malloc (ALLOCATED); /* FLAW */

    for (int k = 0; k < NEEDED / 8; k++)
      buffer[k] = k;
    for (int k = 0; k < NEEDED / 8; k++)
      sum += buffer[k];
    free (buffer);
  }
  printf ("%ld\n", sum);
  return 0;
}
