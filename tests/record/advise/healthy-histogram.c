/* healthy-histogram.c: bytes that are looked up in a table on the stack

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <string.h>

static unsigned char bytes[100000];

static unsigned
most (void)
{
  unsigned count[256], top = 0;

  memset (count, 0, sizeof count);
  for (unsigned i = 0; i < sizeof bytes; i++)
    count[bytes[i]]++;
  for (unsigned i = 0; i < 256; i++)
    top = count[i] > count[top] ? i : top;
  return top;
}

int
main (void)
{
  unsigned state = 1, sum = 0;

  for (unsigned i = 0; i < sizeof bytes; i++) {
    state = state * 1103515245 + 12345;
    bytes[i] = (unsigned char) ((state >> 16 & 63) + (state >> 24 & 63)
                                + (state >> 8) % 5);
  }
  for (int i = 0; i < 20; i++) {
    bytes[i]++;
    sum += most ();
  }
  printf ("%u\n", sum);
  return 0;
}
