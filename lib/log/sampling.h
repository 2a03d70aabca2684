/* sampling.h: the periods of a log that is a sample of its run: a window of
   each was recorded (--datagrind-window).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SAMPLING_H
#define DG_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libdatagrind.h"

/* Instructions: those that the period stands for, and those of its window.
   What was not to be recorded at all is in neither.  */
struct dg_sampling_period {
  uint64_t start;          /* icount */
  uint64_t executed, recorded;
};

struct dg_sampling_periods {
  struct dg_sampling_period *items;      /* in order; some stand for nothing */
  size_t n;
  /* Where recording goes on, as icounts: what happened just before, in caches
     for example, is not known.  Each period has windows of its own, even if
     nothing is missing between two of them.  */
  uint64_t *windows;
  size_t n_windows;
};

/* The periods from start up to end, as icounts.  There are none if the log is
   not a sample.  0 or DG_ERR_NOMEM.  */
int dg_sampling_periods_init (struct dg_sampling_periods *periods,
                              const struct dg_log *log, uint64_t start,
                              uint64_t end, struct dg_error *err);
void dg_sampling_periods_fini (struct dg_sampling_periods *periods);

#endif /* DG_SAMPLING_H */
