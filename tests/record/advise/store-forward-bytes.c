/* store-forward-bytes.c: a word is put together from bytes in memory

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 20000

static uint8_t message[N * 4];

int
main (void)
{
  uint32_t sum = 0;

  for (unsigned i = 0; i < sizeof message; i++)
    message[i] = (uint8_t) (i * 7);
  for (int round = 0; round < 5; round++)
    for (unsigned i = 0; i < N; i++) {
      const uint8_t *in = &message[i * 4];
#ifdef REPAIRED
      uint32_t word = (uint32_t) in[3] | (uint32_t) in[2] << 8
                      | (uint32_t) in[1] << 16 | (uint32_t) in[0] << 24;

      sum ^= word + sum;
#else
      volatile union { uint8_t bytes[4]; uint32_t word; } host;

      for (int k = 0; k < 4; k++)
        host.bytes[3 - k] = in[k];
      sum ^= host.word + sum; /* FLAW */
#endif
    }
  printf ("%u\n", (unsigned) sum);
  return 0;
}
