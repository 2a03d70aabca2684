/* chunks.c: some chunks of an archive: runs by the million, and between them
   heap blocks, events, ranges, system calls, new code and deeper stacks all
   the time, so that each chunk meets what others have met and what is new.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "datagrind.h"
#include <stdlib.h>
#include <unistd.h>

#define SIZE 4096

static volatile unsigned table[SIZE];
static void *blocks[64];
static unsigned state = 20;

static unsigned
next (void)
{
  state = state * 1103515245 + 12345;
  return state >> 8;
}

__attribute__ ((noinline)) static unsigned
forward (unsigned n)
{
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += table[i % SIZE]++;
  return sum;
}

__attribute__ ((noinline)) static unsigned
scattered (unsigned n)
{
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++) {
    unsigned at = next () % SIZE;
    if (at & 1)
      table[at] = sum;
    else
      sum ^= table[at];
  }
  return sum;
}

/* Copies of functions: code that was not there before.  */
#define WORK(k)                                                         \
  __attribute__ ((noinline)) static unsigned work##k (unsigned n)       \
  {                                                                     \
    return n == 0 ? scattered (900 + k) : work##k (n - 1) + forward (k);\
  }
WORK (1) WORK (2) WORK (3) WORK (4) WORK (5) WORK (6) WORK (7) WORK (8)
static unsigned (*const works[]) (unsigned)
  = { work1, work2, work3, work4, work5, work6, work7, work8 };

/* An argument: so many rounds, at most 400.  */
int
main (int argc, char **argv)
{
  unsigned sum = 0, rounds = argc > 1 ? (unsigned) atoi (argv[1]) : 400;
  DATAGRIND_TRACK_RANGE (table, sizeof table, "unsigned", "table");
  for (unsigned round = 0; round < rounds; round++) {
    unsigned place = next () % 64;
    DATAGRIND_START_EVENT ("round");
    free (blocks[place]);
    blocks[place] = malloc (1 + next () % 500);
    *(volatile char *) blocks[place] = 1;
    sum += works[round / 50] (round % 50);
    sum += forward (next () % 3000);
    if (round % 64 == 0)
      sum += getpid () == 0;
    DATAGRIND_END_EVENT ("round");
  }
  DATAGRIND_UNTRACK_RANGE (table, sizeof table);
  return sum == 1;
}
