/* fuzz_seal.c: checksums that are right, whatever stands in an archive: else
   they would keep nearly everything out that a fuzzer makes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "archive/archive_part.h"
#include "fuzz.h"

/* Longer archives teach nothing more.  */
#define PARTS_MAX 200

static uint64_t
get_quad (const uint8_t *bytes)
{
  uint64_t value;

  memcpy (&value, bytes, 8);
  return GUINT64_FROM_LE (value);
}

static void
put_quad (uint8_t *bytes, uint64_t value)
{
  value = GUINT64_TO_LE (value);
  memcpy (bytes, &value, 8);
}

void
dg_fuzz_seal (uint8_t *bytes, size_t n)
{
  size_t at = DG_ARCHIVE_HEAD_BYTES;

  if (n < DG_ARCHIVE_HEAD_BYTES)
    return;
  put_quad (bytes + 32, dg_archive_checksum (bytes, 32));
  for (unsigned i = 0; i < PARTS_MAX && n - at >= DG_PART_HEAD_BYTES; i++) {
    uint8_t *head = bytes + at;
    uint64_t size = get_quad (head + 16);

    if (memcmp (head, "DGpt", 4) != 0)
      break;
    at += DG_PART_HEAD_BYTES;
    if (size <= n - at) {
      put_quad (head + 32, dg_archive_checksum (bytes + at, size));
      at += size;
    }
    put_quad (head + 40, dg_archive_checksum (head, 40));
  }
  if (n >= DG_ARCHIVE_HEAD_BYTES + DG_ARCHIVE_FOOTER_BYTES
      && memcmp (bytes + n - 8, "DGFOOT\r\n", 8) == 0) {
    put_quad (bytes + n - 24, n);
    put_quad (bytes + n - 16, dg_archive_checksum (bytes + n - 32, 16));
  }
}
