/* cache_part_data.c: the first level for data, or some of its sets.

   Most accesses lie in one line that is first in its set, which changes
   nothing: that is looked at first.  Reads and writes of a run are counted by
   its block, and what was not made, and modifies, taken off again.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cache_part.h"
#include "dg_record.h"

/* Line 0 by another name with the same set, so that it is never first in its
   set by its own: the address 0 stands for accesses that were not made, and
   must not be taken for a hit.  */
#define LINE_ZERO DG_CACHE_LINE_ZERO

static inline bool
is_mine (const struct dg_cache_part *part, uint64_t line)
{
  return (line & (part->plan->data_parts - 1)) == part->index - 1;
}

/* One of the parts counts what each of them sees.  */
static inline bool
is_counting (const struct dg_cache_part *part)
{
  return part->index == 1;
}

static inline unsigned
miss_kind (const struct dg_slot *slot)
{
  return slot->kind == DG_ACC_READ ? DG_MISS_READ : DG_MISS_WRITE;
}

static inline bool
touch (struct dg_cache_part *part, uint64_t line)
{
  return dg_cache_touch (part->cache, line != 0 ? line : LINE_ZERO);
}

/* An access of more than one line, or of one that is not first in its set:
   touches what of it is this part's.  */
static void
access_lines (struct dg_cache_part *part, const struct dg_run *run,
              unsigned slot, uint64_t address, uint32_t width, uint64_t *row)
{
  const struct dg_slot *def = &run->bbdef->slots[slot];
  unsigned bits = part->cache->line_bits, kind = miss_kind (def);
  uint64_t end = address + width, line = address >> bits;
  uint64_t last = (end < address ? UINT64_MAX : end) >> bits;
  uint64_t order = dg_miss_order_access (part->run, def->iseq, slot);
  bool is_hit = true, is_half = false;

  if (part->out != NULL) {
    dg_cache_part_touch (part, order, kind, address, width, LINE_ZERO,
                         dg_cache_part_key (part, run), def->iseq);
    return;
  }
  /* Of a sample, whose data are one part.  */
  if (part->plan->is_windowed) {
    dg_cache_part_note (part, order, kind, address, width,
                        dg_cache_known_access (
                          part->cache, address, width, LINE_ZERO, true,
                          dg_cache_part_depths (part, kind)), row);
    return;
  }
  if (line == last || part->plan->data_parts == 1) {
    if (line == last && !is_mine (part, line))
      return;
    for (; line <= last; line++)
      is_hit = touch (part, line) && is_hit;
  } else {
    /* Two lines, of different parts.  */
    if (!is_mine (part, line) && !is_mine (part, last))
      return;
    is_half = true;
    is_hit = touch (part, is_mine (part, line) ? line : last);
  }
  if (is_hit)
    return;
  if (!is_half) {
    part->totals[dg_miss_event (kind) + 1]++;
    if (row != NULL)
      dg_miss_count (&row[dg_miss_event (kind) + 1]);
  }
  dg_cache_part_miss (part, order, kind, address, width, row)->is_half
    = is_half;
}

/* ---- Quickly ---------------------------------------------------------- */

/* By code: the row of an instruction of the run; else that of the thread, or
   NULL.  */
static inline uint64_t *
row_of (struct dg_cache_part *part, const struct dg_run *run, unsigned iseq,
        struct dg_cache_part_block *counts)
{
  return counts == NULL
           ? part->row
           : dg_cache_part_row (part, counts, run->bbdef->n_instrs, iseq);
}

/* One read or write more (n 1) or less (n -1).  Threads' rows get theirs at
   the end of the batch.  */
static inline void
count (struct dg_cache_part *part, const struct dg_run *run,
       const struct dg_slot *slot, struct dg_cache_part_block *counts,
       uint64_t n)
{
  if (!is_counting (part))
    return;
  part->counted[slot->kind == DG_ACC_READ ? 0 : 1] += n;
  if (counts != NULL)
    row_of (part, run, slot->iseq, counts)[dg_miss_event (miss_kind (slot))]
      += n;
}

/* Whether the slot is the write of a modify.  Where it was a quick hit nothing
   had to be known of that: it changed nothing.  */
static bool
is_modify (const struct dg_run *run, unsigned slot, uint64_t address)
{
  const struct dg_slot *write = &run->bbdef->slots[slot], *read = write - 1;

  return slot > 0 && write->kind == DG_ACC_WRITE && read->kind == DG_ACC_READ
         && read->iseq == write->iseq && read->size == write->size
         && run->addresses[read->entry] == address;
}

/* An access that is not a quick hit.  */
static G_GNUC_NO_INLINE void
access_slowly (struct dg_cache_part *part, const struct dg_run *run,
               unsigned slot, uint64_t address, uint32_t width,
               struct dg_cache_part_block *counts)
{
  const struct dg_slot *def = &run->bbdef->slots[slot];

  if (address == 0)
    count (part, run, def, counts, -(uint64_t) 1);
  else if (is_modify (run, slot, address))
    return;
  else if (part->out != NULL)
    access_lines (part, run, slot, address, width, NULL);
  else
    access_lines (part, run, slot, address, width,
                  row_of (part, run, def->iseq, counts));
}

/* What the quick look needs.  */
struct quick {
  const uint64_t *lines;
  uint64_t set_mask, part, part_mask;
  unsigned bits, assoc;
};

/* What is not 0 if an access is not a quick hit.  What is not made is none in
   the part that counts, since line 0 is that part's, and never the first of
   its set.  */
static inline uint64_t
is_unlike_first (const struct quick *quick, uint64_t address, uint64_t width,
                 bool is_split)
{
  uint64_t line = address >> quick->bits;
  uint64_t unlike
    = quick->lines[(line & quick->set_mask) * quick->assoc] ^ line;

  if (is_split)
    unlike &= -(uint64_t) ((line & quick->part_mask) == quick->part);
  return unlike | ((address + width) >> quick->bits ^ line);
}

/* Accesses two at a time, the last one perhaps twice: mostly all of a run are
   quick hits, and how many there are cannot be foreseen.  */
static inline __attribute__ ((always_inline)) void
access_run (struct dg_cache_part *part, const struct dg_run *run,
            const struct dg_cache_data *data, unsigned first,
            struct dg_cache_part_block *counts, const struct quick *quick,
            bool is_split, bool is_dense)
{
  const struct dg_slot *slots = run->bbdef->slots;
  const uint16_t *widths = data->widths;
  unsigned n = run->n_slots, i, j, end;

  for (i = first; i < n; i += 2) {
    unsigned next = i + 1 < n ? i + 1 : i;
    uint64_t one = run->addresses[is_dense ? i : slots[i].entry];
    uint64_t two = run->addresses[is_dense ? next : slots[next].entry];
    if (G_LIKELY ((is_unlike_first (quick, one, widths[i], is_split)
                   | is_unlike_first (quick, two, widths[next], is_split))
                  == 0))
      continue;
    end = MIN (i + 2, n);
    for (j = i; j < end; j++) {
      uint64_t address = run->addresses[is_dense ? j : slots[j].entry];
      if (is_unlike_first (quick, address, widths[j], is_split) != 0)
        access_slowly (part, run, j, address, widths[j], counts);
    }
  }
}

/* Modifies count as reads only.  */
static void
take_off_modifies (struct dg_cache_part *part, const struct dg_run *run,
                   struct dg_cache_part_block *counts)
{
  const struct dg_cache_code *code = &part->plan->code;
  const struct dg_cache_block *block
    = &code->blocks[run->bbdef->number];
  unsigned i;

  for (i = 0; i < block->n_pairs && block->pairs[i].slot < run->n_slots; i++) {
    const struct dg_cache_pair *pair = &block->pairs[i];
    const struct dg_slot *slot = &run->bbdef->slots[pair->slot];
    uint64_t address = run->addresses[pair->read];
    if (address != 0 && address == run->addresses[pair->write]
        && slot->iseq >= run->first_instr)
      count (part, run, slot, counts, -(uint64_t) 1);
  }
}

/* Counts the slots of a run, which is a part of its block or has rows, as
   made; returns the first one.  */
static G_GNUC_NO_INLINE unsigned
count_slots (struct dg_cache_part *part, const struct dg_run *run,
             const struct dg_cache_data *data,
             struct dg_cache_part_block *counts)
{
  const struct dg_slot *slots = run->bbdef->slots;
  unsigned first = 0, i;

  if (run->first_instr == 0 && run->n_slots == data->n_slots
      && is_counting (part)) {
    part->counted[0] += data->n_reads;
    part->counted[1] += data->n_slots - data->n_reads;
    counts->runs++;
    return 0;
  }
  while (first < run->n_slots && slots[first].iseq < run->first_instr)
    first++;
  for (i = first; i < run->n_slots; i++)
    count (part, run, &slots[i], counts, 1);
  return first;
}

static inline __attribute__ ((always_inline)) void
access_quickly (struct dg_cache_part *part, const struct dg_batch *batch,
                bool is_split)
{
  const struct dg_cache_code *code = &part->plan->code;
  const struct dg_cache *cache = part->cache;
  const struct quick quick = {
    .lines = cache->lines,
    .set_mask = cache->set_mask,
    .part = part->index - 1,
    .part_mask = part->plan->data_parts - 1,
    .bits = cache->line_bits,
    .assoc = cache->assoc
  };
  uint64_t reads = 0, slots = 0;
  size_t i;

  for (i = 0; i < batch->n_runs; i++, part->run++) {
    const struct dg_run *run = &batch->runs[i];
    const struct dg_cache_data *data
      = &code->data[run->bbdef->number];
    struct dg_cache_part_block *counts
      = part->is_by_code ? dg_cache_part_block (part, run) : NULL;
    unsigned first = 0;
    if (G_LIKELY (run->first_instr == 0 && run->n_slots == data->n_slots
                  && counts == NULL)) {
      reads += data->n_reads;
      slots += data->n_slots;
    } else
      first = count_slots (part, run, data, counts);
    if (G_LIKELY (data->is_dense))
      access_run (part, run, data, first, counts, &quick, is_split, true);
    else
      access_run (part, run, data, first, counts, &quick, is_split, false);
    if (data->has_pairs && is_counting (part))
      take_off_modifies (part, run, counts);
  }
  part->counted[0] += reads;
  part->counted[1] += slots - reads;
}

/* ---- One by one ------------------------------------------------------- */

/* The counters of an access, whatever they are by; NULL: none.  */
static uint64_t *
find_row (struct dg_cache_part *part, const struct dg_run *run, unsigned iseq,
          const struct dg_access *access)
{
  if (part->is_by_code)
    return row_of (part, run, iseq, dg_cache_part_block (part, run));
  if (part->row != NULL || part->sums == NULL)
    return part->row;
  part->number = part->plan->by == DG_BY_SITE
                   ? dg_finder_site (part->sums->finder, access)
                   : dg_finder_variable (part->sums->finder, access);
  return dg_sums_number (part->sums, part->number);
}

/* An access that missed, or may have.  */
static void
miss_private (struct dg_cache_part *part, const struct dg_access *access,
              uint64_t order, uint32_t width, uint64_t *row,
              const struct dg_cache_private_result *result)
{
  unsigned kind
    = access->kind == DG_ACC_READ ? DG_MISS_READ : DG_MISS_WRITE;

  part->totals[DG_EV_COHERENCE] += result->is_coherence;
  if (row != NULL)
    row[DG_EV_COHERENCE] += result->is_coherence;
  dg_cache_part_note (part, order, kind, access->address, width,
                      part->plan->is_windowed && result->is_unknown
                        ? DG_CACHE_UNKNOWN : DG_CACHE_MISS, row);
}

/* Data caches that know each other, or fetch ahead.  */
static void
access_private (struct dg_cache_part *part, const struct dg_access *access,
                uint64_t order, uint32_t width, uint64_t *row, bool is_modify)
{
  struct dg_cache_private_result result;
  unsigned i;

  dg_cache_private_access (part->private_caches, part->core, access, width,
                           &result);
  part->totals[DG_EV_INVALIDATIONS] += result.invalidated;
  if (row != NULL)
    row[DG_EV_INVALIDATIONS] += result.invalidated;
  if (result.is_miss && !is_modify)
    miss_private (part, access, order, width, row, &result);
  for (i = 0; i < result.n_prefetches; i++)
    dg_cache_part_miss (part, order, DG_MISS_PREFETCH, result.prefetches[i],
                        0, NULL)->is_miss = !result.is_unknown;
}

static struct dg_access
access_of (const struct dg_run *run, const struct dg_slot *def,
           uint64_t address)
{
  return (struct dg_access) {
    .icount = run->icount + def->iseq,
    .address = address,
    .instruction = run->bbdef->instrs[def->iseq].address,
    .size = def->size,
    .context = run->context,
    .thread = run->thread,
    .kind = def->kind
  };
}

static void
access_one (struct dg_cache_part *part, const struct dg_run *run,
            unsigned slot, uint64_t address, uint32_t width)
{
  const struct dg_slot *def = &run->bbdef->slots[slot];
  uint64_t line = address >> part->plan->data_bits;
  unsigned kind = miss_kind (def);
  uint64_t *row;
  const struct dg_access access = access_of (run, def, address);

  if (is_mine (part, line)) {
    row = find_row (part, run, def->iseq, &access);
    part->totals[dg_miss_event (kind)]++;
    if (row != NULL)
      row[dg_miss_event (kind)]++;
  } else if ((address + width) >> part->plan->data_bits != line)
    row = find_row (part, run, def->iseq, &access);
  else
    return;
  if (part->private_caches != NULL)
    access_private (part, &access,
                    dg_miss_order_access (part->run, def->iseq, slot), width,
                    row, false);
  else
    access_lines (part, run, slot, address, width, row);
}

/* The write of a modify, which only caches that know each other see.  */
static void
modify_one (struct dg_cache_part *part, const struct dg_run *run,
            unsigned slot, uint64_t address, uint32_t width)
{
  const struct dg_slot *def = &run->bbdef->slots[slot];
  const struct dg_access access = access_of (run, def, address);

  if (part->private_caches != NULL)
    access_private (part, &access,
                    dg_miss_order_access (part->run, def->iseq, slot), width,
                    find_row (part, run, def->iseq, &access), true);
}

static void
access_singly (struct dg_cache_part *part, const struct dg_batch *batch)
{
  const struct dg_cache_code *code = &part->plan->code;
  size_t i;
  unsigned j;

  for (i = 0; i < batch->n_runs; i++, part->run++) {
    const struct dg_run *run = &batch->runs[i];
    const struct dg_cache_block *block
      = &code->blocks[run->bbdef->number];
    const uint16_t *widths = code->data[run->bbdef->number].widths;
    const struct dg_slot *slots = run->bbdef->slots;
    unsigned pair = 0;
    for (j = 0; j < run->n_slots; j++) {
      uint64_t address = run->addresses[slots[j].entry];
      bool is_pair = pair < block->n_pairs && block->pairs[pair].slot == j;
      pair += is_pair;
      if (address == 0 || slots[j].iseq < run->first_instr)
        continue;
      if (is_pair && run->addresses[slots[j - 1].entry] == address)
        modify_one (part, run, j, address, widths[j]);
      else
        access_one (part, run, j, address, widths[j]);
    }
  }
}

void
dg_cache_part_access (struct dg_cache_part *part, const struct dg_batch *batch)
{
  uint64_t reads, writes;

  if (part->private_caches != NULL || dg_by_is_data (part->plan->by)) {
    access_singly (part, batch);
    return;
  }
  if (part->plan->data_parts == 1)
    access_quickly (part, batch, false);
  else
    access_quickly (part, batch, true);
  reads = part->counted[0];
  writes = part->counted[1];
  part->counted[0] = part->counted[1] = 0;
  if (!is_counting (part))
    return;
  part->totals[DG_EV_DR] += reads;
  part->totals[DG_EV_DW] += writes;
  if (part->row != NULL) {
    part->row[DG_EV_DR] += reads;
    part->row[DG_EV_DW] += writes;
  }
}
