/* aliasing-copy.c: what is read lies where something else was just written,
   but for a multiple of 4096 bytes

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* options: --machine=skylake */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 1000
#define PAGE 4096

#ifdef REPAIRED
#define APART (2 * PAGE + 2048)
#else
#define APART (2 * PAGE + 4)
#endif

static void
add_one (int *restrict to, const int *from)
{
  for (int i = 0; i < N; i++)
    to[i] = from[i] + 1; /* FLAW */
}

int
main (void)
{
  char *memory = aligned_alloc (PAGE, 8 * PAGE);
  long sum = 0;

  memset (memory, 0, 8 * PAGE);
  for (int round = 0; round < 200; round++) {
    int *from = (int *) memory, *to = (int *) (memory + APART);

    from[round] = round;
    add_one (to, from);
    sum += to[round];
  }
  printf ("%ld\n", sum);
  free (memory);
  return 0;
}
