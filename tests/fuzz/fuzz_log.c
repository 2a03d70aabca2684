/* fuzz_log.c: any bytes as a log.

   Built with -fsanitize=fuzzer, or for AFL++, this is their target; with
   fuzz_main.c it is a test of its own.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "fuzz.h"

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n)
{
  dg_fuzz_check (bytes, n);
  return 0;
}

void
dg_fuzz_seed (GByteArray *bytes)
{
}
