/* lines.c: touches cache lines at random, each twice on average.

   Usage: lines NUMBER

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

int
main (int argc, char **argv)
{
  size_t n = argc > 1 ? strtoull (argv[1], NULL, 0) : 1000;
  unsigned long state = 88172645463325252ul;
  char *memory = mmap (NULL, n * 64, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  if (memory == MAP_FAILED)
    return 1;
  for (size_t i = 0; i < 2 * n; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    memory[state % n * 64]++;
  }
  return printf ("%d\n", memory[0]) < 0;
}
