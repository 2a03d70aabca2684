/* rewalk-passes.c: four passes over more than the last level holds

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* options: --LL=8388608,16,64 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than the caches have, and little work for each line: what passes wait
   for is the memory.  */
#define N (1u << 21)

typedef long vector __attribute__ ((vector_size (16)));

int
main (void)
{
  vector *data = aligned_alloc (64, N * sizeof *data), sum = { 0 };

  memset (data, 1, N * sizeof *data);

#ifdef REPAIRED
  for (unsigned i = 0; i < N; i++)
    for (int pass = 0; pass < 4; pass++)
      sum += data[i] ^ pass;
#else
  for (int pass = 0; pass < 4; pass++)
    for (unsigned i = 0; i < N; i++)
      sum += data[i] ^ pass; /* FLAW */
#endif
  printf ("%ld\n", sum[0] + sum[1]);
  free (data);
  return 0;
}
