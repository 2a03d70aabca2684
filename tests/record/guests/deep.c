/* deep.c: recursion DEPTH deep (argument), in two functions.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

static volatile long work;
static long ping (long n);

__attribute__ ((noinline, noclone)) static long
pong (long n)
{
  return n == 0 ? 1 : ping (n - 1) + (work & 1);
}

__attribute__ ((noinline, noclone)) static long
ping (long n)
{
  long r = n == 0 ? 0 : pong (n - 1);
  work++;
  return r + 1;
}

int
main (int argc, char **argv)
{
  long depth = argc > 1 ? atol (argv[1]) : 1000;
  printf ("%d\n", ping (depth) > 0);
  return 0;
}
