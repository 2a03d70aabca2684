/* callbacks.c: the C library calls back: qsort, bsearch, and on_exit's kind.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

static volatile long work;
#define NUMBERS 600

static int numbers[NUMBERS];

__attribute__ ((noinline)) static int
difference (int a, int b)
{
  work++;
  return (a > b) - (a < b);
}

static int
compare (const void *a, const void *b)
{
  int d = difference (*(const int *) a, *(const int *) b);
  work += d;
  return d;
}

static void
bye (void)
{
  work += compare (numbers, numbers + 1);
}

int
main (void)
{
  atexit (bye);
  for (int i = 0; i < NUMBERS; i++)
    numbers[i] = (int) (i * 7919L % (NUMBERS + 1));
  qsort (numbers, NUMBERS, sizeof *numbers, compare);
  int found = 0;
  for (int i = 0; i < 60; i++)
    found += bsearch (&i, numbers, NUMBERS, sizeof *numbers, compare) != NULL;
  printf ("%d\n", found);
  return 0;
}
