/* fuzz_light_log.c: any bytes as a log, as quickly as it goes (fuzz_light.c).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define FUZZ_TARGET light_log

#include "fuzz_target.h"
#include "mutate.h"

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n)
{
  dg_fuzz_light (bytes, n);
  return 0;
}

size_t
LLVMFuzzerCustomMutator (uint8_t *bytes, size_t n, size_t max,
                         unsigned int seed)
{
  struct dg_fuzz_random random = {seed};

  return dg_mutate_log (bytes, n, max, &random);
}

void
dg_fuzz_seed (GByteArray *bytes)
{
  (void) bytes;
}
