/* A large structure is passed by value; repaired: by pointer.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

struct big { long values[40]; };

#ifdef REPAIRED
__attribute__ ((noinline)) static long
pick (const struct big *big, int i)
{
  return big->values[i];
}
#define PICK(big, i) pick (&(big), i)
#else
__attribute__ ((noinline)) static long
pick (struct big big, int i)
{
  return big.values[i];
}
#define PICK(big, i) pick (big, i)
#endif

int
main (void)
{
  static struct big all[100];
  long sum = 0;

  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 40; j++)
      all[i].values[j] = i * j;
  for (int k = 0; k < 600000; k++)
    sum += PICK (all[k % 100], k % 40);
  printf ("%ld\n", sum);
}
