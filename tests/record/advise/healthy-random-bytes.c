/* healthy-random-bytes.c: bytes that cost a computation each

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

static unsigned char bytes[60000];

int
main (void)
{
  unsigned long state = 1;
  unsigned sum = 0;

  for (int round = 0; round < 10; round++)
    for (unsigned i = 0; i < sizeof bytes; i++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      bytes[i]
        = (unsigned char) ((state >> 33) % 251 + (state >> 40) % 5);
    }
  for (unsigned i = 0; i < sizeof bytes; i += 97)
    sum += bytes[i];
  printf ("%u\n", sum);
  return 0;
}
