/* remove-copy.c: blocks are copied before they are read

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --remove=copy */

#include <stdio.h>

#define N 4096
#define ROUNDS 40

static int values[N], copies[N];

__attribute__ ((noinline)) static void
copy (int *to, const int *from)
{
  for (int i = 0; i < N; i++) {
    to[i] = from[i];
    __asm__ volatile ("" ::: "memory");
  }
}

int
main (void)
{
  long sum = 0;

  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < N; i++)
      values[i] += i ^ round;
#ifndef REPAIRED
    copy (copies, values);
#endif
    for (int i = 0; i < N; i++)
      sum += values[i];
  }
  printf ("%ld\n", sum + copies[7]);
}
