/* whatif_data.c: counts of instructions as those of the variables that they
   access.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "whatif_data.h"

#include "time/time_core.h"

int
dg_whatif_data_init (struct dg_whatif_data *data, const struct dg_log *log)
{
  data->code =
    dg_breakdown_sums_make (log, DG_BY_INSTRUCTION, DG_TIME_COUNTS);
  return data->code != NULL ? 0 : DG_ERR_NOMEM;
}

void
dg_whatif_data_fini (struct dg_whatif_data *data)
{
  dg_breakdown_sums_free (data->code);
}

uint64_t *
dg_whatif_data_rows (struct dg_whatif_data *data, const struct dg_run *run)
{
  return dg_sums_code (data->code, run->bbdef->number, run->context,
                       run->icount);
}

/* Moves the counts of an instruction.  */
static void
move (uint64_t *from, uint64_t *to)
{
  for (unsigned i = 0; i < DG_TIME_COUNTS; i++) {
    to[i] += from[i];
    from[i] = 0;
  }
}

void
dg_whatif_data_give (struct dg_whatif_data *data, const struct dg_run *run,
                     struct dg_breakdown_sums *sums, size_t first)
{
  uint64_t *rows = dg_whatif_data_rows (data, run);
  unsigned slot = 0;

  for (unsigned i = run->first_instr; i < run->n_instrs; i++) {
    struct dg_access access = { .icount = run->icount + i,
                                .instruction
                                = run->bbdef->instrs[i].address,
                                .context = run->context,
                                .thread = run->thread };

    while (slot < run->n_slots
           && (run->bbdef->slots[slot].iseq < i
               || (run->bbdef->slots[slot].iseq == i
                   && run->addresses[run->bbdef->slots[slot].entry] == 0)))
      slot++;
    if (slot < run->n_slots && run->bbdef->slots[slot].iseq == i) {
      access.address = run->addresses[run->bbdef->slots[slot].entry];
      access.size = run->bbdef->slots[slot].size;
      access.kind = run->bbdef->slots[slot].kind;
      move (rows + i * DG_TIME_COUNTS,
            dg_breakdown_sums_access (sums, &access) + first);
    } else {
      move (rows + i * DG_TIME_COUNTS, dg_sums_number (sums, 0) + first);
    }
  }
}

void
dg_whatif_data_end (struct dg_whatif_data *data,
                    struct dg_breakdown_sums *sums, size_t first)
{
  const struct dg_log *log = data->code->log;

  for (uint32_t i = 0; i < data->code->n_blocks; i++) {
    struct dg_breakdown_block *block = data->code->blocks[i];

    for (unsigned k = 0;
         block != NULL && k < dg_log_bbdef (log, i)->n_instrs; k++)
      move (block->sums + k * DG_TIME_COUNTS,
            dg_sums_number (sums, 0) + first);
  }
}
