/* blocks.c: heap blocks, one in eight of which lives for a while; of 10,000 at
   a time.

   Usage: blocks NUMBER

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>

#define ALIVE 10000

static char *slots[ALIVE];

int
main (int argc, char **argv)
{
  size_t n = argc > 1 ? strtoull (argv[1], NULL, 0) : 1000;

  for (size_t i = 0; i < n; i++) {
    char **slot = &slots[i % 8 == 0 ? i / 8 % (ALIVE - 1) + 1 : 0];

    free (*slot);
    *slot = malloc (16 + i % 64);
    if (*slot == NULL)
      return 1;
    (*slot)[0] = (char) i;
  }
  return 0;
}
