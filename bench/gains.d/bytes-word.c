/* Bytes are written and read as a word at once; repaired: a word.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 3000000

int
main (void)
{
  volatile union { uint8_t bytes[8]; uint64_t word; } u;
  uint64_t sum = 0;

  u.word = 0;
  for (unsigned i = 0; i < N; i++) {
#ifdef REPAIRED
    u.word = i;
#else
    u.bytes[3] = (uint8_t) i;
#endif
    sum += u.word;
  }
  printf ("%lu\n", (unsigned long) sum);
}
