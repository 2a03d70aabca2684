/* time_skip.c: chunks of a log that have no part of a sample, and are not
   decoded.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time_skip.h"

#include "base/error.h"
#include "dg_record.h"

static bool
has_index (const struct dg_log *log)
{
  struct dg_error ignored;
  struct dg_index *index;
  size_t n, n_lists;

  if (dg_index_open (log, &index, &ignored) < 0)
    return false;
  n_lists = dg_index_lists (index, 0);
  dg_index_close (index);
  dg_log_chunks (log, &n);
  return n_lists == n;
}

void
dg_time_skip_plan (uint64_t one_in, uint64_t length,
                   const struct dg_time_machine *machine,
                   const struct dg_setup *setup, struct dg_plan *plan)
{
  if (one_in <= 1 || machine->nodes > 1 || dg_setup_is_filtered (setup)
      || dg_setup_is_sampled (setup) || dg_setup_has_intervals (setup)
      || !has_index (dg_setup_log (setup)))
    return;
  plan->stretch = length;
  plan->one_in = one_in;
}

int
dg_time_skip_init (struct dg_time_skip *skip, const struct dg_log *log,
                   struct dg_error *err)
{
  size_t n;
  const struct dg_chunk *chunks = dg_log_chunks (log, &n);

  skip->log = log;
  skip->chunk = 0;
  skip->end = n > 1 ? chunks[1].icount : DG_NEVER;
  return dg_index_open (log, &skip->index, err);
}

void
dg_time_skip_fini (struct dg_time_skip *skip)
{
  if (skip->index != NULL)
    dg_index_close (skip->index);
}

static int
touch_lines (struct dg_time_skip *skip, struct dg_time_model *model,
             size_t chunk, struct dg_error *err)
{
  const struct dg_line_list *list
    = dg_index_borrow (skip->index, 0, chunk, err);

  if (list == NULL)
    return err->code;
  for (size_t i = 0; i < list->n; i++)
    dg_time_model_pass_data (model, list->counts[i].line * DG_LINE_BYTES);
  dg_index_return (skip->index, list);
  return 0;
}

/* Blocks of code are defined when they first run, or before: all that are
   defined up to the end of the chunk have run, from any instruction on.  */
static void
touch_code (struct dg_time_skip *skip, struct dg_time_model *model,
            const struct dg_chunk *chunk)
{
  for (; skip->n_blocks < chunk[1].bbdefs; skip->n_blocks++) {
    const struct dg_bbdef *block = dg_log_bbdef (skip->log, skip->n_blocks);

    for (size_t i = 0; i < block->n_instrs; i++)
      dg_time_model_pass_code (model, block->instrs[i].address);
  }
}

int
dg_time_skip_pass (struct dg_time_skip *skip, struct dg_time_sample *sample,
                   struct dg_time_model *model, uint64_t icount,
                   struct dg_error *err)
{
  size_t n, i = skip->chunk + 1;
  const struct dg_chunk *chunks = dg_log_chunks (skip->log, &n);
  int code = 0;

  for (; i + 1 < n && chunks[i + 1].icount <= icount && code == 0; i++) {
    sample->fed += chunks[i + 1].instructions - chunks[i].instructions;
    code = touch_lines (skip, model, i, err);
    touch_code (skip, model, &chunks[i]);
  }
  skip->chunk = i;
  skip->end = i + 1 < n ? chunks[i + 1].icount : DG_NEVER;
  return code;
}
