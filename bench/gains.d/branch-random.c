/* Branches on data in no order; repaired: without branches.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define N 400000

static unsigned
dice (void)
{
  static unsigned x = 1;

  return (x = x * 1103515245 + 12345) >> 8;
}

int
main (void)
{
  static unsigned char data[N];
  long sum = 0;

  for (int i = 0; i < N; i++)
    data[i] = dice ();
  for (int k = 0; k < 10; k++)
    for (int i = 0; i < N; i++) {
#ifdef REPAIRED
      sum += data[i] & -(data[i] > 127);
#else
      if (data[i] > 127) {
        sum += data[i];
        __asm__ volatile ("" : "+r" (sum));
      }
#endif
    }
  printf ("%ld\n", sum);
}
