/* arrow_run_numbers.c: the number of the run of each access.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "arrow_run_numbers.h"

#include <glib.h>
#include <inttypes.h>

#include "base/error.h"

struct dg_arrow_run_numbers {
  const struct dg_log *log;
  size_t chunk;            /* SIZE_MAX: none */
  struct dg_reader *reader;
  uint64_t number, end_icount;     /* of the latest run */
};

struct dg_arrow_run_numbers *
dg_arrow_run_numbers_new (const struct dg_log *log, struct dg_error *err)
{
  struct dg_arrow_run_numbers *numbers
    = g_try_new0 (struct dg_arrow_run_numbers, 1);

  if (!numbers) {
    dg_error_nomem (err);
    return NULL;
  }
  numbers->log = log;
  numbers->chunk = SIZE_MAX;
  return numbers;
}

void
dg_arrow_run_numbers_free (struct dg_arrow_run_numbers *numbers)
{
  if (!numbers)
    return;
  dg_reader_free (numbers->reader);
  g_free (numbers);
}

static int
go_to (struct dg_arrow_run_numbers *numbers, size_t chunk,
       struct dg_error *err)
{
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (numbers->log, &n);

  dg_reader_free (numbers->reader);
  numbers->chunk = SIZE_MAX;
  numbers->reader = dg_reader_new (numbers->log, chunk, chunk + 1, err);
  if (!numbers->reader)
    return DG_ERR_NOMEM;
  numbers->chunk = chunk;
  /* That of the run before the first one.  */
  numbers->number = chunks[chunk].runs - 1;
  numbers->end_icount = 0;
  return 0;
}

int
dg_arrow_run_numbers_fill (struct dg_arrow_run_numbers *numbers, size_t chunk,
                           const uint64_t *icount, size_t n, uint64_t *out,
                           struct dg_error *err)
{
  struct dg_run run;

  if (numbers->chunk != chunk && go_to (numbers, chunk, err) < 0)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++) {
    while (icount[i] >= numbers->end_icount) {
      int code = dg_reader_run (numbers->reader, &run, err);

      if (code < 0)
        return code;
      if (code == 0)
        return dg_error_set (err, DG_ERR_DAMAGED,
                             "chunk %zu has no run at instruction %" PRIu64,
                             chunk, icount[i]);
      numbers->number++;
      numbers->end_icount = run.icount + run.n_instrs;
    }
    out[i] = numbers->number;
  }
  return 0;
}
