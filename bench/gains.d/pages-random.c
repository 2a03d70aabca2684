/* Pages in no order; repaired: in order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define PAGES 4096

static unsigned
dice (void)
{
  static unsigned x = 1;

  return (x = x * 1103515245 + 12345) >> 8;
}

int
main (void)
{
  static int order[PAGES];
  char *memory = calloc (PAGES, 4096);
  long sum = 0;

  for (int i = 0; i < PAGES; i++)
    order[i] = i;
#ifndef REPAIRED
  for (int i = PAGES - 1; i > 0; i--) {
    int j = dice () % (i + 1), k = order[i];

    order[i] = order[j];
    order[j] = k;
  }
#endif
  for (int k = 0; k < 32; k++)
    for (int i = 0; i < PAGES; i++)
      for (int j = 0; j < 4; j++)
        sum += memory[order[i] * 4096L + (k * 64 + j * 1024) % 4096]++;
  printf ("%ld\n", sum);
}
