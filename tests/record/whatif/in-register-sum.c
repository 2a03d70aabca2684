/* in-register-sum.c: a sum is kept in memory

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --in-register=in-register-sum.c:23 */

#include <stdio.h>

#define N 500000

#ifdef REPAIRED
#define KEPT
#else
#define KEPT volatile
#endif

int
main (void)
{
  KEPT long sum = 1;

  for (int i = 0; i < N; i++) {
    sum = sum * 3 + i;
    __asm__ volatile ("" ::: "cc");
  }
  printf ("%ld\n", sum);
}
