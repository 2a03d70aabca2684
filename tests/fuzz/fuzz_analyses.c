/* fuzz_analyses.c: any bytes as a log, given to all analyses at once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define FUZZ_TARGET analyses

#include "fuzz_target.h"
#include "log/log.h"
#include "mutate.h"

static void
analyse (const struct dg_log *log)
{
  size_t n;
  const struct dg_analysis *const *all = dg_analyses (&n);
  const struct dg_analyse_options options = { .size = sizeof options,
                                              .workers = 1, .top = 10 };
  struct dg_report *report = dg_report_new (NULL);
  struct dg_error err = { 0 };

  MUST (report != NULL);
  if (dg_analyse (log, all, n, &options, NULL, NULL, report, &err) < 0)
    MUST (err.message[0] != '\0');
  dg_report_free (report);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n)
{
  struct dg_error err;
  struct dg_log *log;

  if (dg_log_open_memory ("fuzz", bytes, n, &log, &err) < 0)
    return 0;
  dg_log_load (log, 1, NULL, NULL, &err);
  /* Names would come from files that the bytes name.  */
  if (dg_log_summary (log)->modules == 0)
    analyse (log);
  dg_log_close (log);
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
