/* fuzz_archive.c: any bytes as an archive.

   Checksums would keep nearly everything out that a fuzzer makes; so, before
   the bytes are used, they are made right wherever a part stands.  What a
   seed's parts hold is stored as it is, so that it can be reached, too.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define FUZZ_TARGET archive

#include "fuzz_target.h"
#include "mutate.h"

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n)
{
  /* Of its exact size, so that reading beyond is seen.  */
  uint8_t *copy = g_memdup2 (bytes, n);

  if (n > 0)
    dg_fuzz_seal (copy, n);
  dg_fuzz_check (copy, n);
  g_free (copy);
  return 0;
}

size_t
LLVMFuzzerCustomMutator (uint8_t *bytes, size_t n, size_t max,
                         unsigned int seed)
{
  struct dg_fuzz_random random = {seed};

  return dg_mutate_archive (bytes, n, max, &random);
}

void
dg_fuzz_seed (GByteArray *bytes)
{
  dg_fuzz_seed_archive (bytes);
}
