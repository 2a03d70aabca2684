/* copying-buffer.c: a buffer is copied before it is looked at

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <string.h>

#define N 8192

char packet[N];

static long
look (int round)
{
#ifdef REPAIRED
  const char *copy = packet;
#else
  static char copy[N];

  memcpy (copy, packet, (size_t) (N - round % 8)); /* FLAW */
#endif
  return copy[round] + copy[round + 1];
}

int
main (void)
{
  long sum = 0;

  for (int round = 0; round < 3000; round++)
    sum += look (round);
  printf ("%ld\n", sum);
  return 0;
}
