/* numbers.h: numbers by key that can run out of memory without ending the
   process, as GHashTable does.

   For what may be as large as the log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_NUMBERS_H
#define DV_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* What a number is known by; what a use does not need is 0.  */
struct dv_numbers_key {
  uint64_t a, b, c;
};

/* All zero is empty.  */
struct dv_numbers {
  struct dv_numbers_slot *slots;
  uint32_t n, mask;
  uint64_t seed;
};

/* The number of a key, DV_NUMBERS_NONE if it has none.  */
#define DV_NUMBERS_NONE UINT32_MAX
uint32_t dv_numbers_find (const struct dv_numbers *keys,
                          const struct dv_numbers_key *key);
/* Gives a key that has none a number; false: there is no memory.  */
bool dv_numbers_add (struct dv_numbers *keys, const struct dv_numbers_key *key,
                     uint32_t number);
void dv_numbers_fini (struct dv_numbers *keys);

#endif /* DV_NUMBERS_H */
