/* small-calls-callback.c: a function that is called for each element

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

#define N 1000

static long sum, values[N];

#ifdef REPAIRED
static void
add_all (const long *from, int n)
{
  long local = 0;

  for (int i = 0; i < n; i++)
    local += from[i];
  sum += local;
}
#else
static void
add (long value)
{
  sum ^= value; /* FLAW */
}

__attribute__ ((noinline, noclone)) static void
for_each (const long *from, int n, void (*call) (long))
{
  for (int i = 0; i < n; i++)
    call (from[i]);
}
#endif

int
main (void)
{
  for (int round = 0; round < 200; round++)
#ifdef REPAIRED
    add_all (values, N);
#else
    for_each (values, N, add);
#endif
  printf ("%ld\n", sum);
  return 0;
}
