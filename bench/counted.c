/* counted.c: what bench/counted counts the instructions of: a loop over
   memory, or many small calls; as often as the second argument says.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 4096
#define ORDER 14

static uint64_t words[WORDS];
static uint32_t halves[WORDS];

__attribute__ ((noinline)) static uint64_t
loop (void)
{
  uint64_t sum = 0;

  for (int i = 0; i < WORDS; i++) {
    words[i] += halves[(i * 7) % WORDS] + i;
    halves[i] ^= (uint32_t) words[(i * 13) % WORDS];
    if (words[i] & 1)
      sum += words[i];
  }
  return sum;
}

__attribute__ ((noinline)) static uint64_t
leaf (uint64_t n)
{
  return n * 3 + 1;
}

__attribute__ ((noinline)) static uint64_t
calls (unsigned n)
{
  return n < 2 ? leaf (n) : calls (n - 1) + calls (n - 2) + leaf (n);
}

int
main (int argc, char **argv)
{
  long n = argc > 2 ? atol (argv[2]) : 1;
  uint64_t sum = 0;

  while (n-- > 0)
    sum += strcmp (argv[1], "loop") == 0 ? loop () : calls (ORDER);
  return sum == 42;
}
