/* twins.c: a program of which a test makes others that differ in one thing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>
#include <string.h>

#define N 4096

static volatile int table[N];
static volatile int sum;

__attribute__ ((noinline)) static void
add_up (void)
{
  /* here: a line more */
  for (int i = 0; i < N; i++)
    sum += table[i];
  sum++;
}

__attribute__ ((noinline)) static void
clear (char *block, size_t n)
{
  for (size_t i = 0; i < n; i++)
    ((volatile char *) block)[i] = 0;
}

int
main (void)
{
  char *block = malloc (BYTES);

  for (int i = 0; i < PASSES; i++)
    add_up ();
  clear (block, BYTES);
  free (block);
  return 0;
}
