/* fuzz_random.h: random numbers for mutations: fast, and the same for the same
   seed everywhere.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FUZZ_RANDOM_H
#define DG_FUZZ_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dg_fuzz_random {
  uint64_t state;
};

static inline uint64_t
dg_fuzz_bits (struct dg_fuzz_random *random)
{
  uint64_t z = random->state += UINT64_C (0x9e3779b97f4a7c15);

  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* Below n, which is not 0.  */
static inline size_t
dg_fuzz_below (struct dg_fuzz_random *random, size_t n)
{
  return (size_t) (dg_fuzz_bits (random) % n);
}

/* From 1 to n, but no more than `most`.  */
static inline size_t
dg_fuzz_up_to (struct dg_fuzz_random *random, size_t n, size_t most)
{
  size_t made = dg_fuzz_below (random, n) + 1;

  return made < most ? made : most;
}

/* With a chance of one in n.  */
static inline bool
dg_fuzz_chance (struct dg_fuzz_random *random, size_t n)
{
  return dg_fuzz_below (random, n) == 0;
}

/* A number to stand in place of `old`: near it, one on which comparisons turn,
   or any.  */
uint64_t dg_fuzz_number (struct dg_fuzz_random *random, uint64_t old);

#endif /* DG_FUZZ_RANDOM_H */
