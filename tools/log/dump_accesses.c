/* dump_accesses.c: instructions and accesses as lackey's --trace-mem writes
   them: "I  ADDRESS,SIZE", " L ADDRESS,SIZE", " S ADDRESS,SIZE".

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "dump.h"

#include "dg_record.h"

/* What the accesses of a log are shown with.  */
struct dump {
  const struct dg_filter *filter;  /* NULL: all */
  bool is_big_endian;
  struct dg_run_values values;     /* of the run; at NULL: not shown */
  struct output *out;
};

static void
put_line (struct output *out, const char kind[3], uint64_t address,
          uint64_t size, char end)
{
  char *at;

  output_reserve (out);
  at = out->at;
  memcpy (at, kind, 3);
  at = output_put_hex (at + 3, address, 8);
  *at++ = ',';
  at = output_put_decimal (at, size);
  *at++ = end;
  out->at = at;
}

/* A value of up to 8 bytes is a number; of a longer one, the bytes follow one
   another, and "?" is one that the log does not know.  */
static void
put_value (struct dump *dump, const struct dg_slot *slot, uint32_t at)
{
  const uint8_t *bytes;
  unsigned size = slot->size;
  bool is_number = size <= 8;
  struct output *out = dump->out;

  if (at == DG_NO_VALUE) {
    output_text (out, "?\n");
    return;
  }
  bytes = dump->values.bytes + at;
  if (is_number)
    output_text (out, "0x");
  for (unsigned i = 0; i < size; i++) {
    bool from_end = is_number && !dump->is_big_endian;

    output_reserve (out);
    out->at =
      output_put_hex (out->at, bytes[from_end ? size - 1 - i : i], 2);
  }
  output_text (out, "\n");
}

static void
put_slot (struct dump *dump, const struct dg_run *run, unsigned i)
{
  const struct dg_slot *slot = &run->bbdef->slots[i];
  bool has_value = dump->values.at != NULL;

  put_line (dump->out, slot->kind == DG_ACC_READ ? " L " : " S ",
            run->addresses[slot->entry], slot->size, has_value ? ' ' : '\n');
  if (has_value)
    put_value (dump, slot, dump->values.at[i]);
}

static void
dump_run (const struct dg_run *run, struct dump *dump)
{
  const struct dg_slot *slots = run->bbdef->slots;
  unsigned slot = 0;

  for (unsigned i = 0; i < run->n_instrs; i++) {
    const struct dg_instr *instr = &run->bbdef->instrs[i];

    put_line (dump->out, "I  ", instr->address, instr->size, '\n');
    for (; slot < run->n_slots && slots[slot].iseq == i; slot++)
      if (run->addresses[slots[slot].entry] != 0)
        put_slot (dump, run, slot);
  }
}

/* The same, but only what passes, and instructions that have some of it.  */
static void
dump_filtered_run (const struct dg_run *run, struct dump *dump)
{
  const struct dg_bbdef *bbdef = run->bbdef;
  int shown = -1;

  if (!dg_filter_run (dump->filter, run->context, run->icount))
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

    if (access.address == 0 || !dg_filter_access (dump->filter, &access))
      continue;
    if (shown != slot->iseq)
      put_line (dump->out, "I  ", instr->address, instr->size, '\n');
    shown = slot->iseq;
    put_slot (dump, run, i);
  }
}

static int
dump_runs (struct dg_reader *reader, bool with_values, struct dump *dump,
           struct dg_error *err)
{
  struct dg_run run;
  int more;

  while ((more = dg_reader_run (reader, &run, err)) > 0
         && !output_failed (dump->out)) {
    if (with_values) {
      int code = dg_reader_values (reader, &dump->values, err);

      if (code < 0)
        return code;
    }
    if (dump->filter == NULL)
      dump_run (&run, dump);
    else
      dump_filtered_run (&run, dump);
  }
  return more < 0 ? more : 0;
}

int
dump_accesses (const struct dg_log *log, const struct dg_filter *filter,
               bool with_values, struct output *out, struct dg_error *err)
{
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, err);
  struct dump dump = {.filter = filter,
                      .is_big_endian = dg_log_header (log)->big_endian,
                      .out = out};
  int code = 0;

  if (reader == NULL)
    return -1;
  if (with_values)
    code = dg_reader_want_values (reader, err);
  if (code == 0)
    code = dump_runs (reader, with_values, &dump, err);
  dg_reader_free (reader);
  return code;
}
