/* symbols_number.h: numbers in files, in the byte order of these.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SYMBOLS_NUMBER_H
#define DG_SYMBOLS_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Of `size` bytes, at most 8, at any address.  */
static inline uint64_t
dg_symbols_number (const uint8_t *bytes, unsigned size, bool is_big_endian)
{
  uint64_t number = 0;

  for (unsigned i = 0; i < size; i++)
    number = number << 8 | bytes[is_big_endian ? i : size - 1 - i];
  return number;
}

#endif /* DG_SYMBOLS_NUMBER_H */
