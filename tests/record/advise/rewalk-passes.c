/* rewalk-passes.c: four passes over more than the last level holds

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* options: --LL=524288,16,64 */

#include <stdio.h>
#include <stdlib.h>

#define N (1u << 18)

int
main (void)
{
  long *data = calloc (N, sizeof *data), sum = 0;

#ifdef REPAIRED
  for (unsigned i = 0; i < N; i++)
    for (int pass = 0; pass < 4; pass++)
      sum += data[i] ^ pass;
#else
  for (int pass = 0; pass < 4; pass++)
    for (unsigned i = 0; i < N; i++)
      sum += data[i] ^ pass; /* FLAW */
#endif
  printf ("%ld\n", sum);
  free (data);
  return 0;
}
