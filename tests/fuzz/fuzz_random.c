/* fuzz_random.c: mutations of bytes, numbers and text of which no more is
   known.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "fuzz_random.h"

#include <glib.h>
#include <string.h>

#include "base/varint.h"
#include "mutate.h"

uint64_t
dg_fuzz_number (struct dg_fuzz_random *random, uint64_t old)
{
  static const uint64_t edges[] = {
    0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 31, 32, 63, 64, 127, 128, 253, 254, 255,
    256, 4095, 4096, 65534, 65535, 65536, INT32_MAX, (uint64_t) 1 << 31,
    UINT32_MAX - 1, UINT32_MAX, (uint64_t) 1 << 32, (uint64_t) 1 << 47,
    (uint64_t) 1 << 61, (uint64_t) 1 << 62, INT64_MAX, (uint64_t) 1 << 63,
    UINT64_MAX - 1, UINT64_MAX
  };

  switch (dg_fuzz_below (random, 8)) {
  case 0:
    return old + 1;
  case 1:
    return old - 1;
  case 2:
    return old ^ UINT64_C (1) << dg_fuzz_below (random, 64);
  case 3:
    return old + dg_fuzz_below (random, 512) - 256;
  case 4:
    return dg_fuzz_bits (random) >> dg_fuzz_below (random, 64);
  default:
    return edges[dg_fuzz_below (random, G_N_ELEMENTS (edges))];
  }
}

void
dg_mutate_number_at (uint8_t *at, unsigned width,
                     struct dg_fuzz_random *random)
{
  uint64_t value = 0;

  memcpy (&value, at, width);
  value = dg_fuzz_number (random, value);
  if (dg_fuzz_chance (random, 8))
    value = GUINT64_SWAP_LE_BE (value) >> (64 - 8 * width);
  memcpy (at, &value, width);
}

/* Room for n bytes at `at`, in place of `old` ones; false: there is none.  */
static bool
resize (uint8_t *bytes, size_t *n, size_t max, size_t at, size_t old,
        size_t new)
{
  if (*n - old + new > max)
    return false;
  memmove (bytes + at + new, bytes + at + old, *n - at - old);
  *n = *n - old + new;
  return true;
}

size_t
dg_mutate_varint (uint8_t *bytes, size_t n, size_t max,
                  struct dg_fuzz_random *random)
{
  uint8_t room[DG_VARINT_MAX];
  const uint8_t *end;
  uint64_t value;
  size_t at, length;

  if (n == 0)
    return 0;
  at = dg_fuzz_below (random, n);
  /* Where one begins: behind the end of another.  */
  while (at > 0 && bytes[at - 1] >= 0x80)
    at--;
  end = bytes + at;
  if (!dg_varint_get (&end, bytes + n, &value)) {
    bytes[at] ^= 0x80;
    return n;
  }
  length = (size_t) (dg_varint_put (room, dg_fuzz_number (random, value))
                     - room);
  if (resize (bytes, &n, max, at, (size_t) (end - bytes) - at, length))
    memcpy (bytes + at, room, length);
  return n;
}

size_t
dg_mutate_bytes (uint8_t *bytes, size_t n, size_t max,
                 struct dg_fuzz_random *random)
{
  size_t at = n > 0 ? dg_fuzz_below (random, n) : 0, left = n - at;
  size_t length = dg_fuzz_up_to (random, 40, left), from;
  unsigned width = 1u << dg_fuzz_below (random, 4);

  if (n == 0)
    return 0;
  switch (dg_fuzz_below (random, 8)) {
  case 0:
    bytes[at] ^= (uint8_t) (1u << dg_fuzz_below (random, 8));
    break;
  case 1:
    bytes[at] = (uint8_t) dg_fuzz_bits (random);
    break;
  case 2:
    if (width <= left)
      dg_mutate_number_at (bytes + at, width, random);
    break;
  case 3:
    return dg_mutate_varint (bytes, n, max, random);
  case 4:
    from = dg_fuzz_below (random, n - length + 1);
    memmove (bytes + at, bytes + from, length);
    break;
  case 5:
    memmove (bytes + at, bytes + at + length, left - length);
    return n - length;
  case 6:
    /* What stands there, twice.  */
    if (resize (bytes, &n, max, at, 0, length))
      memmove (bytes + at, bytes + at + length, length);
    break;
  default:
    memset (bytes + at, dg_fuzz_chance (random, 2) ? 0xff : 0, length);
    break;
  }
  return n;
}

size_t
dg_mutate_text (uint8_t *bytes, size_t n, size_t max,
                const char *const *dictionary, struct dg_fuzz_random *random)
{
  size_t n_words = 0, length;
  const char *word;

  while (dictionary[n_words] != NULL)
    n_words++;
  for (size_t changes = dg_fuzz_below (random, 4) + 1; changes > 0;
       changes--) {
    size_t at = dg_fuzz_below (random, n + 1);

    if (dg_fuzz_chance (random, 3)) {
      n = dg_mutate_bytes (bytes, n, max, random);
      continue;
    }
    word = dictionary[dg_fuzz_below (random, n_words)];
    length = strlen (word);
    if (resize (bytes, &n, max, at,
                dg_fuzz_chance (random, 2) ? MIN (length, n - at) : 0,
                length))
      memcpy (bytes + at, word, length);
  }
  return n;
}
