/* cut_out.c: writes the log that a cut makes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <string.h>

#include "cut.h"
#include "format/encode.h"
#include "base/error.h"
#include "base/replace.h"

#define FLUSH_BYTES ((size_t) 256 << 10)

int
dg_cut_out_init (struct dg_cut_out *out, const struct dg_log *log, int fd,
                 struct dg_error *err)
{
  const struct dg_defs *defs = &log->contents.defs;

  memset (out, 0, sizeof *out);
  out->log = log;
  out->fd = fd;
  out->now.thread = 1;
  out->now.recording = 1;
  out->flows = dg_block_notes_index_new (&log->contents.flows);
  out->codes = dg_block_notes_index_new (&log->contents.codes);
  out->bbdefs = g_try_new (uint32_t, defs->bbdefs.n + 1);
  out->contexts = g_try_new (uint32_t, defs->contexts.n + 1);
  if (!out->bbdefs || !out->contexts
      || !dg_encode_room (&out->bytes, DG_HEADER_SIZE)) {
    dg_cut_out_fini (out);
    return dg_error_nomem (err);
  }
  /* Every byte of DG_NONE is the same.  */
  memset (out->bbdefs, 0xff, defs->bbdefs.n * sizeof *out->bbdefs);
  memset (out->contexts, 0xff, defs->contexts.n * sizeof *out->contexts);
  dg_encode_header (&log->format, out->bytes.items);
  out->bytes.n = DG_HEADER_SIZE;
  return 0;
}

void
dg_cut_out_fini (struct dg_cut_out *out)
{
  dg_table_fini (&out->bytes);
  g_free (out->bbdefs);
  g_free (out->contexts);
  dg_block_notes_index_free (out->flows);
  dg_block_notes_index_free (out->codes);
  memset (out, 0, sizeof *out);
}

static int
flush (struct dg_cut_out *out, struct dg_error *err)
{
  int code = dg_replace_write (out->fd, out->bytes.items, out->bytes.n, err);

  if (code < 0)
    return code;
  out->offset += out->bytes.n;
  out->bytes.n = 0;
  return 0;
}

/* After a record; `code` is what making it gave.  */
static int
finish (struct dg_cut_out *out, int code, struct dg_error *err)
{
  if (code < 0)
    return dg_error_nomem (err);
  return out->bytes.n >= FLUSH_BYTES ? flush (out, err) : 0;
}

/* ---- Time ---- */

static int
add_window (struct dg_cut_out *out, bool on, uint64_t icount,
            struct dg_error *err)
{
  const uint8_t first[] = { on, DG_WINDOW_CUT };

  out->now.recording = on;
  out->now.icount = icount;
  return finish (out, dg_encode_quads (&out->bytes, &out->log->format,
                                       DG_R_WINDOW, first, 2, &icount, 1),
                 err);
}

int
dg_cut_out_pause (struct dg_cut_out *out, struct dg_error *err)
{
  return out->now.recording ? add_window (out, false, out->now.icount, err)
                            : 0;
}

/* Where runs are left out as a whole, that is told there.  */
int
dg_cut_out_sieve (struct dg_cut_out *out, struct dg_error *err)
{
  return out->now.recording ? add_window (out, true, out->now.icount, err)
                            : 0;
}

/* What follows is at `icount`; records: a run is.  */
static int
move_to (struct dg_cut_out *out, uint64_t icount, bool records,
         struct dg_error *err)
{
  int code = 0;

  if (out->now.icount == icount && (out->now.recording || !records))
    return 0;
  if (out->now.icount != icount)
    code = dg_cut_out_pause (out, err);
  return code < 0 ? code : add_window (out, records, icount, err);
}

int
dg_cut_out_thread (struct dg_cut_out *out, uint32_t thread,
                   struct dg_error *err)
{
  uint64_t number = thread;
  const struct dg_fields fields = { .words = &number, .n_words = 1 };

  if (out->now.thread == thread)
    return 0;
  out->now.thread = thread;
  return finish (out, dg_encode_fields (&out->bytes, &out->log->format,
                                        DG_R_THREAD_SWITCH, &fields), err);
}

/* ---- Records ---- */

int
dg_cut_out_record (struct dg_cut_out *out, uint8_t type,
                   const struct dg_fields *fields, uint64_t icount,
                   struct dg_error *err)
{
  int code = 0;

  if (type != DG_R_WINDOW)
    code = move_to (out, icount, false, err);
  else if (icount != out->now.icount)
    code = dg_cut_out_pause (out, err);
  if (code < 0)
    return code;
  switch (type) {
  case DG_R_WINDOW:
    out->now.recording = fields->words[0];
    out->now.icount = icount;
    break;
  case DG_R_MALLOC_BLOCK: out->heap_allocs++; break;
  case DG_R_FREE_BLOCK: out->heap_frees++; break;
  case DG_R_THREAD_START: out->threads++; break;
  default: break;
  }
  return finish (out, dg_encode_fields (&out->bytes, &out->log->format, type,
                                        fields), err);
}

int
dg_cut_out_unknown (struct dg_cut_out *out, uint8_t type, const void *payload,
                    size_t n, uint64_t icount, struct dg_error *err)
{
  int code = move_to (out, icount, false, err);

  if (code < 0)
    return code;
  return finish (out, dg_encode_payload (&out->bytes, &out->log->format, type,
                                         payload, n), err);
}

static uint64_t
offset_of (const struct dg_cut_out *out)
{
  return out->offset + out->bytes.n;
}

/* A place to begin reading, when the last is far.  */
static int
add_marker (struct dg_cut_out *out, struct dg_error *err)
{
  const struct dg_chunk_start *now = &out->now;
  uint64_t here = offset_of (out);
  const uint64_t quads[] = { here - out->last_marker, now->icount,
                             now->instructions, now->entries, now->runs,
                             now->bbdefs, now->contexts, now->thread,
                             now->recording };

  if (here - out->last_marker < DG_CHUNK_BYTES)
    return 0;
  out->last_marker = here;
  return finish (out, dg_encode_quads (&out->bytes, &out->log->format,
                                       DG_R_CHUNK, NULL, 0, quads,
                                       G_N_ELEMENTS (quads)), err);
}

/* ---- Definitions ---- */

static int
define_block (struct dg_cut_out *out, const struct dg_bbdef *bbdef,
              uint32_t *number, struct dg_error *err)
{
  *number = out->now.bbdefs++;
  return finish (out, dg_encode_bbdef (&out->bytes, &out->log->format, bbdef,
                                       false), err);
}

/* What is known about a block besides; note: NULL if that is nothing.  */
static int
define_note (struct dg_cut_out *out, uint8_t type,
             const struct dg_block_note *note, struct dg_error *err)
{
  struct dg_fields fields;
  uint64_t *words;
  int code;

  if (!note)
    return 0;
  words = g_try_new (uint64_t, 4 + note->n);
  if (!words)
    return dg_error_nomem (err);
  words[0] = note->address;
  words[1] = note->n_instrs;
  words[2] = note->n_entries;
  words[3] = note->n;
  for (uint32_t i = 0; i < note->n; i++)
    words[4 + i] = note->bytes[i];
  fields = (struct dg_fields) { .words = words, .n_words = 4 + note->n };
  code = finish (out, dg_encode_fields (&out->bytes, &out->log->format, type,
                                        &fields), err);
  g_free (words);
  return code;
}

/* The code of the rest of a block, of which all is known or nothing.  */
static int
define_rest_code (struct dg_cut_out *out, const struct dg_bbdef *bbdef,
                  const struct dg_bbdef *rest, struct dg_error *err)
{
  const struct dg_block_note *code =
    dg_block_notes_index_find (out->codes, bbdef);
  struct dg_block_note note;
  uint32_t skipped = 0;

  if (!code)
    return 0;
  for (int i = 0; i < bbdef->n_instrs - rest->n_instrs; i++)
    skipped += bbdef->instrs[i].size;
  if (skipped > code->n)
    return 0;
  note = *code;
  note.address = rest->instrs[0].address;
  note.bytes += skipped;
  note.n -= skipped;
  note.n_instrs = rest->n_instrs;
  note.n_entries = rest->n_entries;
  return define_note (out, DG_R_BBCODE, &note, err);
}

static int
define_context (struct dg_cut_out *out, uint32_t block, const uint64_t *stack,
                unsigned n_stack, uint32_t *number, struct dg_error *err)
{
  *number = out->now.contexts++;
  return finish (out, dg_encode_context (&out->bytes, &out->log->format,
                                         block, stack, n_stack, false), err);
}

/* The new number of a context of the log.  */
static int
find_context (struct dg_cut_out *out, uint32_t context, uint32_t *number,
              struct dg_error *err)
{
  uint32_t number_of_block = dg_log_context (out->log, context).bbdef;
  const struct dg_bbdef *bbdef = dg_log_bbdef (out->log, number_of_block);
  uint32_t *block = &out->bbdefs[number_of_block];
  bool is_new = *block == DG_NONE;
  uint64_t stack[DG_STACK_MAX];
  int code = 0;

  if (out->contexts[context] == DG_NONE) {
    if (is_new)
      code = define_block (out, bbdef, block, err);
    if (code == 0 && is_new)
      code = define_note (out, DG_R_BBFLOW,
                          dg_block_notes_index_find (out->flows, bbdef), err);
    if (code == 0 && is_new)
      code = define_note (out, DG_R_BBCODE,
                          dg_block_notes_index_find (out->codes, bbdef), err);
    if (code == 0)
      code = define_context (out, *block, stack,
                             dg_log_context_stack (out->log, context, stack),
                             &out->contexts[context], err);
  }
  *number = out->contexts[context];
  return code;
}

/* What stands in a block from an instruction and its first entry on.  */
static void
fill_rest (const struct dg_bbdef *bbdef, unsigned first, unsigned first_entry,
           struct dg_bbdef *rest, struct dg_slot *slots,
           struct dg_sp_entry *sps)
{
  for (unsigned i = 0; i < bbdef->n_slots; i++) {
    struct dg_slot slot = bbdef->slots[i];

    if (slot.iseq < first)
      continue;
    slot.iseq -= first;
    slot.entry -= first_entry;
    slots[rest->n_slots++] = slot;
  }
  for (unsigned i = 0; i < bbdef->n_sps; i++) {
    struct dg_sp_entry sp = bbdef->sps[i];

    if (sp.iseq < first)
      continue;
    sp.iseq -= first;
    sp.entry -= first_entry;
    sps[rest->n_sps++] = sp;
  }
  rest->n_entries = bbdef->n_entries - first_entry;
}

/* A context of a block that begins within that of `context`, and its entry at
   which that is.  */
static int
define_rest (struct dg_cut_out *out, uint32_t context, unsigned first,
             uint32_t *number, unsigned *first_entry, struct dg_error *err)
{
  const struct dg_bbdef *bbdef
    = dg_log_bbdef (out->log, dg_log_context (out->log, context).bbdef);
  struct dg_slot *slots = g_try_new (struct dg_slot, bbdef->n_slots + 1);
  struct dg_sp_entry *sps = g_try_new (struct dg_sp_entry, bbdef->n_sps + 1);
  struct dg_bbdef rest = { .n_instrs = bbdef->n_instrs - first,
                           .instrs = bbdef->instrs + first, .slots = slots,
                           .sps = sps };
  uint64_t stack[DG_STACK_MAX];
  uint32_t n_stack = dg_log_context_stack (out->log, context, stack), block;
  int code = 0;

  *first_entry = dg_bbdef_entries (bbdef, first);
  if (slots && sps)
    fill_rest (bbdef, first, *first_entry, &rest, slots, sps);
  else
    code = dg_error_nomem (err);
  if (n_stack > 0 && stack[0] == bbdef->instrs[0].address)
    stack[0] = rest.instrs[0].address;
  if (code == 0)
    code = define_block (out, &rest, &block, err);
  if (code == 0)
    code = define_rest_code (out, bbdef, &rest, err);
  if (code == 0)
    code = define_context (out, block, stack, n_stack, number, err);
  g_free (slots);
  g_free (sps);
  return code;
}

/* ---- Runs ---- */

/* Counts what was made in a run's entries from..to.  */
static void
count_accesses (struct dg_cut_out *out, const struct dg_bbdef *bbdef,
                const uint64_t *addresses, unsigned from, unsigned to)
{
  for (unsigned i = 0; i < bbdef->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];

    if (dg_slot_end (slot) > to)
      break;
    if (slot->entry < from || addresses[slot->entry] == 0)
      continue;
    if (slot->kind == DG_ACC_READ)
      out->now.reads++;
    else
      out->now.writes++;
  }
}

int
dg_cut_out_run (struct dg_cut_out *out, const struct dg_cut_run *run,
                struct dg_error *err)
{
  const struct dg_bbdef *bbdef
    = dg_log_bbdef (out->log, dg_log_context (out->log, run->context).bbdef);
  unsigned from = 0, to = MIN (dg_bbdef_entries (bbdef, run->end),
                               run->n_entries);
  unsigned n_instrs = run->end - run->first;
  uint32_t context;
  uint8_t *at;
  int code = run->first > 0
               ? define_rest (out, run->context, run->first, &context, &from,
                              err)
               : find_context (out, run->context, &context, err);

  if (code == 0)
    code = dg_cut_out_thread (out, run->thread, err);
  if (code == 0)
    code = move_to (out, run->icount + run->first, true, err);
  if (code == 0)
    code = add_marker (out, err);
  if (code < 0)
    return code;
  from = MIN (from, to);
  at = dg_encode_room (&out->bytes, dg_encode_run_size (to - from));
  if (!at)
    return dg_error_nomem (err);
  at = dg_encode_run (at, &out->log->format, context, n_instrs,
                      run->addresses + from, to - from, false);
  out->bytes.n = at - (uint8_t *) out->bytes.items;
  count_accesses (out, bbdef, run->addresses, from, to);
  out->now.icount += n_instrs;
  out->now.instructions += n_instrs;
  out->now.entries += to - from;
  out->now.runs++;
  return finish (out, 0, err);
}

/* ---- The end ---- */

int
dg_cut_out_end (struct dg_cut_out *out, uint8_t why, uint8_t exit_code,
                uint64_t icount, uint64_t lost_calls, struct dg_error *err)
{
  const struct dg_chunk_start *now = &out->now;
  int code = icount != now->icount ? dg_cut_out_pause (out, err) : 0;
  uint64_t words[] = { why, exit_code, offset_of (out) - out->last_marker,
                       icount, now->instructions, now->reads, now->writes,
                       now->runs, now->bbdefs, now->contexts,
                       out->heap_allocs, out->heap_frees,
                       MAX (out->threads, 1), lost_calls };
  const struct dg_fields fields = { .words = words,
                                    .n_words = G_N_ELEMENTS (words) };

  if (code < 0)
    return code;
  words[2] = offset_of (out) - out->last_marker;
  if (dg_encode_fields (&out->bytes, &out->log->format, DG_R_END, &fields)
      < 0)
    return dg_error_nomem (err);
  return flush (out, err);
}
