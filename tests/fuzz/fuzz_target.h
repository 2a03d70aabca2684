/* fuzz_target.h: what a fuzz target defines: fuzz_log.c, fuzz_archive.c and so
   on.

   The names are those that libFuzzer and AFL++ look for.  In the program of
   the tests, which has all targets (DG_FUZZ_ALL), they have FUZZ_TARGET in
   them, which each target defines.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FUZZ_TARGET_H
#define DG_FUZZ_TARGET_H

#include "fuzz.h"

#define FUZZ_DECLARE(test, mutate, seed)                                      \
  /* Runs one input.  */                                                      \
  int test (const uint8_t *bytes, size_t n);                                  \
  /* Its mutations, if it has some of its own (mutate.h).  */                 \
  size_t mutate (uint8_t *bytes, size_t n, size_t max, unsigned int seed);    \
  /* Makes of a log's bytes such bytes as the target takes.  */               \
  void seed (GByteArray *bytes)

#if defined DG_FUZZ_ALL && defined FUZZ_TARGET
#define FUZZ_PASTE(target, what) dg_fuzz_##target##_##what
#define FUZZ_NAME(target, what) FUZZ_PASTE (target, what)
#define LLVMFuzzerTestOneInput FUZZ_NAME (FUZZ_TARGET, test)
#define LLVMFuzzerCustomMutator FUZZ_NAME (FUZZ_TARGET, mutate)
#define dg_fuzz_seed FUZZ_NAME (FUZZ_TARGET, seed)
#endif

#if !defined DG_FUZZ_ALL || defined FUZZ_TARGET
FUZZ_DECLARE (LLVMFuzzerTestOneInput, LLVMFuzzerCustomMutator, dg_fuzz_seed);
#endif

#endif /* DG_FUZZ_TARGET_H */
