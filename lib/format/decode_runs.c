/* decode_runs.c: runs as they stand in a log, checked and added up: here is
   where reading a log spends its time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "decode.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"

void
dg_shape_fill (uint32_t *shape, const struct dg_bbdef *bbdef)
{
  uint32_t *limits = shape + 1;
  uint32_t *counts = limits + bbdef->n_instrs + 1;
  unsigned slot = 0, sp = 0, entry = 0, before = 0, reads = 0;

  shape[0] = bbdef->n_instrs | (uint32_t) bbdef->n_entries << 16;
  limits[0] = 0;
  for (unsigned i = 0; i < bbdef->n_instrs; i++) {
    for (; slot < bbdef->n_slots && bbdef->slots[slot].iseq == i; slot++)
      entry = dg_slot_end (&bbdef->slots[slot]);
    for (; sp < bbdef->n_sps && bbdef->sps[sp].iseq == i; sp++)
      entry = MAX (entry, bbdef->sps[sp].entry + 1u);
    limits[i + 1] = entry | before << 16;
    before = entry;
  }
  counts[0] = 0;
  slot = 0;
  for (unsigned k = 1; k <= bbdef->n_entries; k++) {
    /* Is entry k - 1 the last one of its slot?  */
    if (slot < bbdef->n_slots && k == dg_slot_end (&bbdef->slots[slot]))
      reads += bbdef->slots[slot++].kind == DG_ACC_READ;
    counts[k] = slot | reads << 16;
  }
}

unsigned
dg_bbdef_entries (const struct dg_bbdef *bbdef, unsigned n)
{
  unsigned end = bbdef->n_entries;

  const struct dg_slot *slot = bbdef->slots + bbdef->n_slots;
  const struct dg_sp_entry *sp = bbdef->sps + bbdef->n_sps;

  while (slot > bbdef->slots && slot[-1].iseq >= n)
    end = (--slot)->entry;
  for (; sp > bbdef->sps && sp[-1].iseq >= n; sp--)
    end = MIN (end, sp[-1].entry);
  return end;
}

/* Notes something of a definition, which other workers may be reading.  */
static inline void
note (const bool *flag)
{
  if (!__atomic_load_n (flag, __ATOMIC_RELAXED))
    __atomic_store_n ((bool *) flag, true, __ATOMIC_RELAXED);
}

/* Takes back the accesses of a run that were not made.  */
static void __attribute__ ((noinline, cold))
drop_unmade (const struct dg_bbdef *bbdef, unsigned n_slots,
             const uint8_t *addresses, unsigned word_size,
             struct dg_totals *totals)
{
  for (unsigned i = 0; i < n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];

    /* Zero is zero in any byte order.  */
    if (dg_load_word (addresses + slot->entry * word_size, word_size, false)
        == 0) {
      totals->slots--;
      totals->reads -= slot->kind == DG_ACC_READ;
    }
  }
}

/* A run as it stands in a log.  */
struct raw_run {
  const struct dg_definition *definition;
  const uint8_t *addresses;
  size_t n_entries;
  uint32_t context;
  uint32_t n_instrs;
  uint32_t counts;         /* slots | reads << 16 */
};

/* Takes in the addresses of a run, but for what the stack pointer became; how
   many are 0.  */
static unsigned __attribute__ ((noinline))
take_addresses (const struct raw_run *run, unsigned word_size, bool swap,
                struct dg_totals *totals)
{
  const struct dg_bbdef *bbdef = &run->definition->bbdef;
  const struct dg_sp_entry *sp = bbdef->sps, *end = sp + bbdef->n_sps;
  unsigned unmade = 0;

  for (size_t i = 0; i < run->n_entries; i++) {
    uint64_t address = dg_load_word (run->addresses + i * word_size, word_size,
                                     swap);

    if (sp < end && sp->entry == i) {
      sp++;
      continue;
    }
    totals->least = MIN (totals->least, address - 1);
    totals->highest = MAX (totals->highest, address);
    unmade += address == 0;
  }
  return unmade;
}

/* The run that begins at p, checked; false if there is no whole, valid one.
   The word size and byte order are constants in each of the copies that the
   compiler makes of this.  Here is where reading a log spends its time.  */
static inline __attribute__ ((always_inline)) bool
parse_run (const struct dg_run_contexts *contexts, const uint8_t *p,
           const uint8_t *end, struct raw_run *run, const unsigned word_size,
           const bool swap)
{
  const unsigned fixed = word_size + 1;
  const uint8_t *q = p + 2;
  const uint32_t *shape;
  uint64_t length, index;
  uint32_t shape_head, allowed;
  size_t k;

  if ((size_t) (end - p) < 2 + fixed || p[0] != DG_R_BBRUN)
    return false;
  length = p[1];
  if (G_UNLIKELY (length == DG_LENGTH_EXTENDED)) {
    if (end - p < DG_HEAD_MAX)
      return false;
    length = dg_load_quad (q, swap);
    q += 8;
  }
  if (length > (size_t) (end - q) || length < fixed)
    return false;
  index = dg_load_word (q, word_size, swap);
  run->n_instrs = q[word_size];
  k = (length - fixed) / word_size;
  if (index >= contexts->n || k * word_size + fixed != length)
    return false;
  run->definition = contexts->items[index];
  shape = run->definition->shape;
  shape_head = shape[0];
  if (run->n_instrs > (shape_head & 0xffff))
    return false;
  allowed = shape[1 + run->n_instrs];
  if (k > (allowed & 0xffff) || k < (allowed >> 16))
    return false;
  run->counts = shape[2 + (shape_head & 0xffff) + k];
  run->addresses = q + fixed;
  run->n_entries = k;
  run->context = index;
  return true;
}

/* dg_decode_runs for one word size and byte order.  */
static inline __attribute__ ((always_inline)) size_t
sum_runs (const struct dg_run_contexts *contexts, const uint8_t *bytes,
          size_t n, size_t limit, struct dg_totals *totals,
          const unsigned word_size, const bool swap)
{
  const uint8_t *p = bytes, *end = bytes + n, *stop = bytes + limit;
  struct dg_totals t = *totals;
  struct raw_run run;

  while (p < stop && parse_run (contexts, p, end, &run, word_size, swap)) {
    uint64_t unmade = 0;

    p = run.addresses;
    if (G_UNLIKELY (run.definition->bbdef.n_sps > 0)) {
      unmade = take_addresses (&run, word_size, swap, &t);
      p += run.n_entries * word_size;
    } else {
      for (size_t i = 0; i < run.n_entries; i++, p += word_size) {
        uint64_t address = dg_load_word (p, word_size, swap);

        /* Less one, so that 0 is out of the way of the least.  */
        t.least = MIN (t.least, address - 1);
        t.highest = MAX (t.highest, address);
        unmade += address == 0;
      }
    }
    t.runs++;
    t.instructions += run.n_instrs;
    t.entries += run.n_entries;
    t.slots += run.counts & 0xffff;
    t.reads += run.counts >> 16;
    if (G_UNLIKELY (unmade > 0))
      drop_unmade (&run.definition->bbdef, run.counts & 0xffff,
                   run.addresses, word_size, &t);
    if (G_UNLIKELY ((run.n_instrs | (uint32_t) run.n_entries << 16)
                    != run.definition->shape[0]))
      note (&run.definition->has_part_runs);
  }
  *totals = t;
  return p - bytes;
}

size_t
dg_decode_runs (const struct dg_format *format,
                const struct dg_run_contexts *contexts, const uint8_t *bytes,
                size_t n, size_t limit, struct dg_totals *totals)
{
  if (limit > n)
    limit = n;
  if (format->word_size == 8)
    return format->swap
             ? sum_runs (contexts, bytes, n, limit, totals, 8, true)
             : sum_runs (contexts, bytes, n, limit, totals, 8, false);
  return format->swap
           ? sum_runs (contexts, bytes, n, limit, totals, 4, true)
           : sum_runs (contexts, bytes, n, limit, totals, 4, false);
}

size_t
dg_decode_skip_runs (const struct dg_format *format, const uint8_t *bytes,
                     size_t n)
{
  size_t at = 0;
  struct dg_head head;

  while (n - at >= 2 && bytes[at] == DG_R_BBRUN) {
    size_t size = 2 + (size_t) bytes[at + 1];

    if (bytes[at + 1] == DG_LENGTH_EXTENDED) {
      if (!dg_decode_head (format, bytes + at, n - at, &head)
          || head.length > n - at - DG_HEAD_MAX)
        break;
      size = head.size + head.length;
    }
    if (size > n - at)
      break;
    at += size;
  }
  return at;
}

/* dg_decode_run for one word size and byte order.  */
static inline __attribute__ ((always_inline)) size_t
take_run (const struct dg_run_contexts *contexts, const uint8_t *bytes,
          size_t n, struct dg_run *out, uint64_t *addresses,
          const unsigned word_size, const bool swap)
{
  struct raw_run run;

  if (!parse_run (contexts, bytes, bytes + n, &run, word_size, swap))
    return 0;
  out->context = run.context;
  out->n_instrs = run.n_instrs;
  out->n_slots = run.counts & 0xffff;
  out->first_instr = 0;
  out->n_sps = dg_bbdef_sps (&run.definition->bbdef, run.n_entries);
  out->bbdef = &run.definition->bbdef;
  out->addresses = addresses;
  for (size_t i = 0; i < run.n_entries; i++)
    addresses[i] = dg_load_word (run.addresses + i * word_size, word_size,
                                 swap);
  return run.addresses + run.n_entries * word_size - bytes;
}

size_t
dg_decode_run (const struct dg_format *format,
               const struct dg_run_contexts *contexts, const uint8_t *bytes,
               size_t n, struct dg_run *run, uint64_t *addresses)
{
  if (format->word_size == 8)
    return format->swap
             ? take_run (contexts, bytes, n, run, addresses, 8, true)
             : take_run (contexts, bytes, n, run, addresses, 8, false);
  return format->swap
           ? take_run (contexts, bytes, n, run, addresses, 4, true)
           : take_run (contexts, bytes, n, run, addresses, 4, false);
}

/* dg_decode_words for one word size and byte order.  */
static inline __attribute__ ((always_inline)) size_t
take_words (const struct dg_run_word *contexts, uint64_t n_contexts,
            const uint8_t *bytes, size_t n, uint64_t *words, size_t room,
            size_t *n_words, size_t *n_runs, const unsigned word_size,
            const bool swap)
{
  const size_t fixed = 2 + word_size + 1;
  const uint8_t *p = bytes, *end = bytes + n;
  uint64_t *out = words, *stop = words + room - 1 - DG_DECODE_WORDS_EACH;
  size_t runs = 0;

  while ((size_t) (end - p) >= fixed && p[0] == DG_R_BBRUN && out <= stop) {
    const struct dg_run_word *context;
    uint64_t index = dg_load_word (p + 2, word_size, swap);
    size_t k;

    if (index >= n_contexts)
      break;
    context = &contexts[index];
    k = context->whole >> 16;
    if (k > DG_DECODE_WORDS_EACH || p[1] != fixed - 2 + k * word_size
        || p[1] == DG_LENGTH_EXTENDED
        || p[fixed - 1] != (context->whole & 0xffff)
        || (size_t) (end - p) < 2u + p[1])
      break;
    *out++ = context->word;
    p += fixed;
    for (size_t i = 0; i < k; i++, p += word_size)
      *out++ = dg_load_word (p, word_size, swap);
    runs++;
  }
  *n_words = out - words;
  *n_runs = runs;
  return p - bytes;
}

size_t
dg_decode_words (const struct dg_format *format,
                 const struct dg_run_word *contexts, uint64_t n_contexts,
                 const uint8_t *bytes, size_t n, uint64_t *words, size_t room,
                 size_t *n_words, size_t *n_runs)
{
  if (format->word_size == 8)
    return format->swap ? take_words (contexts, n_contexts, bytes, n, words,
                                      room, n_words, n_runs, 8, true)
                        : take_words (contexts, n_contexts, bytes, n, words,
                                      room, n_words, n_runs, 8, false);
  return format->swap ? take_words (contexts, n_contexts, bytes, n, words,
                                    room, n_words, n_runs, 4, true)
                      : take_words (contexts, n_contexts, bytes, n, words,
                                    room, n_words, n_runs, 4, false);
}

int
dg_decode_check_run (const struct dg_format *format,
                     const struct dg_run_contexts *contexts,
                     const uint8_t *payload, uint64_t length, uint64_t offset,
                     struct dg_error *err)
{
  const unsigned word_size = format->word_size;
  const uint32_t *shape;
  uint64_t context, k;
  uint32_t allowed;
  unsigned n_instrs;

  if (length < word_size + 1)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "BBRUN is too short for its fields");
  k = (length - word_size - 1) / word_size;
  if (k * word_size + word_size + 1 != length)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "BBRUN ends within a word");
  context = dg_load_word (payload, word_size, format->swap);
  n_instrs = payload[word_size];
  if (context >= contexts->n)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "BBRUN names context %" PRIu64 ", only %" PRIu64
                        " are defined", context, contexts->n);
  shape = contexts->items[context]->shape;
  if (n_instrs > (shape[0] & 0xffff))
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "BBRUN ran %u instructions, but its block has %u",
                        n_instrs, shape[0] & 0xffff);
  allowed = shape[1 + n_instrs];
  if (k > (allowed & 0xffff) || k < (allowed >> 16))
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "BBRUN has %" PRIu64 " addresses, its %u "
                        "instructions have %u to %u", k, n_instrs,
                        allowed >> 16, allowed & 0xffff);
  return 0;
}
