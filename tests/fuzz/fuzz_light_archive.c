/* fuzz_light_archive.c: any bytes as an archive, read once, as quickly as it
   goes (fuzz_light.c).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define FUZZ_TARGET light_archive

#include "fuzz_target.h"
#include "mutate.h"

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n)
{
  /* Of its exact size, so that reading beyond is seen.  */
  uint8_t *copy = g_memdup2 (bytes, n);

  if (n > 0)
    dg_fuzz_seal (copy, n);
  dg_fuzz_light (copy, n);
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
