/* bare-int.c: integer work of several kinds: a sieve, a sort, a table-driven
   checksum, a hash table, 64-bit and narrow arithmetic.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bare.h"

#define N 1500

static uint8_t sieve[N];
static uint32_t numbers[N], crc_table[256];
static uint16_t slots[1024];
static int64_t wide[64];

static uint32_t
next (uint32_t *seed)
{
  *seed = *seed * 1103515245 + 12345;
  return *seed >> 8;
}

static unsigned
primes (void)
{
  unsigned count = 0;
  for (unsigned i = 2; i < N; i++) {
    if (sieve[i])
      continue;
    count++;
    for (unsigned j = i * i; j < N; j += i)
      sieve[j] = 1;
  }
  return count;
}

static void
shell_sort (uint32_t *a, unsigned n)
{
  for (unsigned gap = n / 2; gap > 0; gap /= 2)
    for (unsigned i = gap; i < n; i++) {
      uint32_t x = a[i];
      unsigned j = i;
      for (; j >= gap && a[j - gap] > x; j -= gap)
        a[j] = a[j - gap];
      a[j] = x;
    }
}

static uint32_t
checksum (const void *data, size_t n)
{
  const uint8_t *p = data;
  uint32_t c = ~0u;
  for (size_t i = 0; i < n; i++)
    c = crc_table[(c ^ p[i]) & 255] ^ (c >> 8);
  return ~c;
}

static int
bare_main (void)
{
  uint32_t seed = 7, sum = primes ();
  for (unsigned i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? 0xedb88320 ^ (c >> 1) : c >> 1;
    crc_table[i] = c;
  }
  for (unsigned i = 0; i < N; i++)
    numbers[i] = next (&seed);
  shell_sort (numbers, N);
  for (unsigned i = 1; i < N; i++)
    if (numbers[i - 1] > numbers[i])
      return 1;
  sum ^= checksum (numbers, sizeof numbers);
  for (unsigned i = 0; i < 700; i++) {
    unsigned h = numbers[i] % 1024;
    while (slots[h])
      h = (h + 1) % 1024;
    slots[h] = (uint16_t) (i + 1);
  }
  for (unsigned i = 0; i < 64; i++) {
    wide[i] += (int64_t) numbers[i] * numbers[i + 1];
    wide[63 - i] ^= wide[i] << (i & 31);
    sum += (uint32_t) wide[i] / (i + 1);
  }
  bare_sink = sum;
  return 0;
}
