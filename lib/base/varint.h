/* varint.h: numbers of one to ten bytes: seven bits each, the lowest first;
   the top bit says that another byte follows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_VARINT_H
#define DG_VARINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DG_VARINT_MAX 10

/* Writes up to DG_VARINT_MAX bytes and returns where they end.  */
static inline uint8_t *
dg_varint_put (uint8_t *at, uint64_t value)
{
  while (value >= 0x80) {
    *at++ = (uint8_t) value | 0x80;
    value >>= 7;
  }
  *at++ = (uint8_t) value;
  return at;
}

/* Reads the number at *at and moves *at behind it; false if it does not end
   before `end` or does not fit in 64 bits: *at is then where it was.  */
static inline bool
dg_varint_get (const uint8_t **at, const uint8_t *end, uint64_t *value)
{
  const uint8_t *p = *at;
  uint64_t result = 0;

  for (unsigned shift = 0; p < end && shift < 64; shift += 7) {
    uint8_t byte = *p++;

    if (shift == 63 && byte > 1)
      return false;
    result |= (uint64_t) (byte & 0x7f) << shift;
    if (byte < 0x80) {
      *value = result;
      *at = p;
      return true;
    }
  }
  return false;
}

/* Signed numbers near 0 as unsigned ones near 0, and back.  */
static inline uint64_t
dg_zigzag (int64_t value)
{
  return (uint64_t) value << 1 ^ (uint64_t) (value >> 63);
}
static inline int64_t
dg_unzigzag (uint64_t value)
{
  return (int64_t) (value >> 1 ^ -(value & 1));
}

#endif /* DG_VARINT_H */
