/* longjmp.c: leaves many frames at once, again and again, from different
   depths and to different places.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <setjmp.h>
#include <stdio.h>

static jmp_buf places[4];
static volatile long work;

__attribute__ ((noinline)) static void
touch (int n)
{
  for (int i = 0; i < n; i++)
    work += i;
}

__attribute__ ((noinline)) static void
down (int n, int place)
{
  volatile int here = n;
  touch (3);
  if (n == 0)
    longjmp (places[place], 1);
  down (n - 1, place);
  work += here;
}

__attribute__ ((noinline)) static void
level (int depth, int k)
{
  if (setjmp (places[depth]) == 0) {
    if (depth < 3)
      level (depth + 1, k);
    else
      down (k % 50, k % 4);
  }
  touch (5);
}

int
main (void)
{
  for (int k = 0; k < 400; k++)
    level (0, k);
  printf ("%ld\n", work);
  return 0;
}
