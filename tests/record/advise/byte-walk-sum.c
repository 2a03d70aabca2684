/* byte-walk-sum.c: a sum over bytes, against one over words

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <string.h>

#define N 16384

unsigned char data[N];

int
main (void)
{
  unsigned long sum = 0;

  for (int round = 0; round < 40; round++) {
#ifdef REPAIRED
    for (int i = 0; i < N; i += 8) {
      unsigned long word;

      memcpy (&word, data + i, sizeof word);
      sum ^= word;
    }
#else
    for (int i = 0; i < N; i++)
      sum ^= (unsigned long) data[i] << 8 * (i % 8); /* FLAW */
#endif
  }
  printf ("%lu\n", sum);
  return 0;
}
