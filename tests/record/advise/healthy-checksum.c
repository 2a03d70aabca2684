/* healthy-checksum.c: a checksum, for which each byte is looked up in a table

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

static unsigned table[256];
static unsigned char data[16384];

int
main (void)
{
  unsigned sum = ~0u;

  for (unsigned i = 0; i < 256; i++)
    for (unsigned bit = 0, n = i; bit < 8; bit++)
      table[i] = n = n & 1 ? n >> 1 ^ 0xedb88320u : n >> 1;
  for (unsigned i = 0; i < sizeof data; i++)
    data[i] = (unsigned char) (i * 7);
  for (int round = 0; round < 40; round++)
    for (unsigned i = 0; i < sizeof data; i++)
      sum = table[(sum ^ data[i]) & 255] ^ sum >> 8;
  printf ("%u\n", sum);
  return 0;
}
