/* dump_accesses.c: instructions and accesses as lackey's --trace-mem writes
   them: "I  ADDRESS,SIZE", " L ADDRESS,SIZE", " S ADDRESS,SIZE".

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "dump.h"

#include "dg_record.h"

static void
put_line (struct output *out, const char kind[3], uint64_t address,
          uint64_t size)
{
  char *at;

  output_reserve (out);
  at = out->at;
  memcpy (at, kind, 3);
  at = output_put_hex (at + 3, address, 8);
  *at++ = ',';
  at = output_put_decimal (at, size);
  *at++ = '\n';
  out->at = at;
}

static void
put_slot (struct output *out, const struct dg_slot *slot, uint64_t address)
{
  put_line (out, slot->kind == DG_ACC_READ ? " L " : " S ", address,
            slot->size);
}

static void
dump_run (const struct dg_run *run, struct output *out)
{
  const struct dg_slot *slot = run->bbdef->slots;
  const struct dg_slot *end = slot + run->n_slots;

  for (unsigned i = 0; i < run->n_instrs; i++) {
    const struct dg_instr *instr = &run->bbdef->instrs[i];

    put_line (out, "I  ", instr->address, instr->size);
    for (; slot < end && slot->iseq == i; slot++)
      if (run->addresses[slot->entry] != 0)
        put_slot (out, slot, run->addresses[slot->entry]);
  }
}

/* The same, but only what passes, and instructions that have some of it.  */
static void
dump_filtered_run (const struct dg_run *run, const struct dg_filter *filter,
                   struct output *out)
{
  const struct dg_bbdef *bbdef = run->bbdef;
  int shown = -1;

  if (!dg_filter_run (filter, run->context, run->icount))
    return;
  for (unsigned i = 0; i < run->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];
    const struct dg_instr *instr = &bbdef->instrs[slot->iseq];
    struct dg_access access = {.icount = run->icount + slot->iseq,
                               .address = run->addresses[slot->entry],
                               .instruction = instr->address,
                               .size = slot->size,
                               .context = run->context,
                               .thread = run->thread,
                               .kind = slot->kind};

    if (access.address == 0 || !dg_filter_access (filter, &access))
      continue;
    if (shown != slot->iseq)
      put_line (out, "I  ", instr->address, instr->size);
    shown = slot->iseq;
    put_slot (out, slot, access.address);
  }
}

int
dump_accesses (const struct dg_log *log, const struct dg_filter *filter,
               struct output *out, struct dg_error *err)
{
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, err);
  struct dg_run run;
  int more;

  if (reader == NULL)
    return -1;
  while ((more = dg_reader_run (reader, &run, err)) > 0
         && !output_failed (out)) {
    if (filter == NULL)
      dump_run (&run, out);
    else
      dump_filtered_run (&run, filter, out);
  }
  dg_reader_free (reader);
  return more < 0 ? more : 0;
}
