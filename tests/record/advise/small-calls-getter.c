/* small-calls-getter.c: a getter that is not inlined

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#ifdef REPAIRED
#define CALL inline __attribute__ ((always_inline))
#else
#define CALL __attribute__ ((noinline))
#endif

struct grid { int width; short cells[1000]; };
static struct grid grid = {.width = 10};

static CALL int
cell (const struct grid *from, int x, int y)
{
  return from->cells[x + from->width * y]; /* FLAW */
}

int
main (void)
{
  long sum = 0;

  for (int round = 0; round < 200; round++)
    for (int i = 0; i < 1000; i++)
      sum += cell (&grid, i % 10, i / 10);
  printf ("%ld\n", sum);
  return 0;
}
