/* capture_runs.h: runs of a ring as they are packed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CAPTURE_RUNS_H
#define DG_CAPTURE_RUNS_H

#include "archive/program.h"
#include "base/table.h"
#include "format/decode.h"

struct dg_capture_runs {
  uint64_t *words;         /* whole runs as program.h describes them */
  size_t n_words;
  uint8_t *bytes;          /* of the values that come with them, one behind the
                              other (DG_VALUE_BYTES) */
  size_t n_bytes;
};

int dg_capture_runs_init (struct dg_capture_runs *runs, struct dg_error *err);
void dg_capture_runs_fini (struct dg_capture_runs *runs);

/* Copies the runs of a message (DG_RING_RUNS) of a program of that format,
   whose memory may change meanwhile.  DG_ERR_DAMAGED when they name what there
   is not, or are cut short: `runs` has those before the bad one then.  */
int dg_capture_runs_take (struct dg_capture_runs *runs,
                          const struct dg_program_view *view,
                          const struct dg_format *format,
                          const uint8_t *payload, uint32_t size,
                          struct dg_error *err);

#endif /* DG_CAPTURE_RUNS_H */
