/* blocks.c: fills and sums blocks from known places: 40 of 64 bytes from
   small (), each written 8 times and read 16 times in use (); one of 4096
   from large (), not touched; 5 that are never freed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>

static volatile long sum;

__attribute__ ((noinline)) static volatile long *
small (void)
{
  volatile long *p = malloc (64);
  __asm__ volatile ("" : "+r" (p));
  return p;
}

__attribute__ ((noinline)) static void *
large (void)
{
  void *p = malloc (4096);
  __asm__ volatile ("" : "+r" (p));
  return p;
}

__attribute__ ((noinline)) static void
use (volatile long *p)
{
  long s = 0;
  for (int i = 0; i < 8; i++)
    p[i] = i;
  for (int i = 0; i < 16; i++)
    s += p[i % 8];
  sum += s;
}

__attribute__ ((noinline)) static void
drop (void *p)
{
  free (p);
  __asm__ volatile ("");
}

int
main (void)
{
  void *big = large ();
  for (int i = 0; i < 40; i++) {
    volatile long *p = small ();
    use (p);
    if (i % 8)
      drop ((void *) p);
  }
  drop (big);
  return sum == 0;
}
