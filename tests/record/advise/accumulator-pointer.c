/* accumulator-pointer.c: a sum through a pointer that may alias

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* Some processors keep such a sum in a register; this one does not.  */
/* options: --machine=skylake */

#include <stdio.h>
#include <stdlib.h>

#define N 4000

__attribute__ ((noinline)) static void
add (long *sum, const long *values)
{
#ifdef REPAIRED
  long local = *sum;

  for (int i = 0; i < N; i++)
    local += values[i];
  *sum = local;
#else
  for (int i = 0; i < N; i++)
    *sum += values[i]; /* FLAW */
#endif
}

int
main (void)
{
  long *values = calloc (N, sizeof *values), *sum = calloc (1, sizeof *sum);

  for (int round = 0; round < 200; round++)
    add (sum, values);
  printf ("%ld\n", *sum);
  free (values);
  free (sum);
  return 0;
}
