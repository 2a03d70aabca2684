/* tailcall.c: sibling calls, which leave by a jump; also in a ring, through
   pointers, and with a real call in between.  Compile with -O2.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

static volatile long work;
typedef long step (long, long);

#define FAR __attribute__ ((noinline, noclone))

FAR static long
leaf (long a, long b)
{
  work += a;
  return a + b;
}

FAR static long third (long a, long b);

FAR static long
first (long a, long b)
{
  work += 1;
  return a <= 0 ? leaf (a, b) : third (a - 1, b + 2);
}

FAR static long
second (long a, long b)
{
  work += leaf (a, b) & 1;
  return first (a, b);
}

FAR static long
third (long a, long b)
{
  static step *const way[] = {first, second, leaf};
  work += 3;
  return way[a % 3](a - 1, b);
}

FAR static long
outer (long k)
{
  return second (k % 40, k) + work % 2;
}

int
main (void)
{
  long sum = 0;
  for (long k = 0; k < 3000; k++)
    sum += outer (k);
  printf ("%ld\n", sum > 0);
  return 0;
}
