/* usage_chunk.c: the usage of heap blocks by the accesses of one chunk.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "dg_record.h"
#include "base/error.h"
#include "base/progress.h"
#include "log/log.h"
#include "usage.h"

/* The kernel's accesses of more bytes do not go beyond the block in which they
   begin.  */
#define KERNEL_BYTES 65536u
/* And touch no more than these, whatever a log says.  */
#define KERNEL_BYTES_MOST (UINT64_C (64) << 20)

struct dg_usage_worker {
  struct dg_usage_pass *pass;
  struct dg_usage_map *map;
  struct dg_feeder *feeder;
  size_t event, kernel;           /* the next ones */
  uint64_t when;                  /* of these, the moment of the first */
  uint64_t begins;                /* the chunk, as an icount */
  struct dg_usage_result *result; /* of the chunk */
  struct dg_usage_line *lines;    /* the result's, which may move */
  struct dg_table used; /* uint32_t: slots that were accessed in it */
};

struct dg_usage_worker *
dg_usage_worker_new (struct dg_usage_pass *pass, struct dg_error *err)
{
  struct dg_usage_worker *worker = g_try_new0 (struct dg_usage_worker, 1);

  if (worker == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  worker->pass = pass;
  worker->feeder = dg_feeder_new (&pass->plan, err);
  if (worker->feeder != NULL)
    worker->map = dg_usage_map_new (&pass->of, err);
  if (worker->map == NULL) {
    dg_usage_worker_free (worker);
    return NULL;
  }
  return worker;
}

void
dg_usage_worker_free (struct dg_usage_worker *worker)
{
  if (worker == NULL)
    return;
  dg_feeder_free (worker->feeder);
  dg_usage_map_free (worker->map);
  dg_table_fini (&worker->used);
  g_free (worker);
}

/* ---- Touched bytes ---------------------------------------------------- */

/* The line of an address, which becomes one of the chunk's.  */
static __attribute__ ((noinline)) struct dg_usage_line *
new_line (struct dg_usage_worker *worker, struct dg_usage_page *page,
          uint64_t address)
{
  struct dg_table *lines = &worker->result->lines;
  struct dg_usage_line *line;

  if (!dg_usage_map_lines (worker->map, page))
    return NULL;
  line = dg_table_add (lines, sizeof *line);
  if (line == NULL) {
    worker->map->is_short = true;
    return NULL;
  }
  worker->lines = lines->items;
  line->line = address >> DG_USAGE_LINE_SHIFT;
  page->lines[line->line % DG_USAGE_LINES] = (uint32_t) lines->n;
  return line;
}

/* Bytes of one line.  */
static inline void
touch_line (struct dg_usage_worker *worker, struct dg_usage_page *page,
            uint64_t address, uint64_t bits, unsigned kind)
{
  uint32_t i =
    page->lines[address >> DG_USAGE_LINE_SHIFT & (DG_USAGE_LINES - 1)];
  struct dg_usage_line *line =
    G_LIKELY (i != 0) ? worker->lines + (i - 1)
                      : new_line (worker, page, address);

  if (G_LIKELY (line != NULL))
    line->bits[kind] |= bits << (address & 63);
}

static void
touch_bytes (struct dg_usage_worker *worker, uint64_t address, uint64_t end,
             unsigned kind)
{
  while (address < end) {
    struct dg_usage_page *page = dg_usage_map_page (worker->map, address);
    uint64_t size = MIN (end - address, 64 - (address & 63));

    if (page == NULL)
      return;
    touch_line (worker, page, address, UINT64_MAX >> (64 - size), kind);
    address += size;
  }
}

/* ---- Accesses --------------------------------------------------------- */

/* Who makes them.  */
struct actor {
  uint64_t icount;
  uint32_t context, thread;
  uint8_t iseq, kind;
};

static void
count_bytes (struct dg_usage_map *map, uint32_t slot, uint64_t address,
             uint64_t size)
{
  struct dg_usage_more *more = &map->more[slot];
  const struct dg_usage_slot *at = &map->slots[slot];
  uint64_t low = address - at->address;
  uint64_t high = MIN (size, at->end - address) + low;

  if (more->counts == NULL)
    more->counts = g_try_new0 (uint16_t, at->end - at->address);
  if (more->counts == NULL)
    map->is_short = true;
  else
    for (uint64_t i = low; i < high; i++)
      more->counts[i] += more->counts[i] != UINT16_MAX;
}

static __attribute__ ((noinline)) void
use_slot (struct dg_usage_worker *worker, uint32_t slot, uint64_t icount)
{
  uint32_t *used = dg_table_add (&worker->used, sizeof *used);

  worker->map->more[slot].first_icount = icount;
  if (used == NULL)
    worker->map->is_short = true;
  else
    *used = slot;
}

/* An access that begins in a slot's block.  */
static inline __attribute__ ((always_inline)) void
count (struct dg_usage_worker *worker, uint32_t slot, struct actor actor,
       uint64_t address, uint64_t size)
{
  struct dg_usage_slot *at = &worker->map->slots[slot];

  if (G_UNLIKELY ((at->n[0] | at->n[1]) == 0))
    use_slot (worker, slot, actor.icount);
  at->n[actor.kind]++;
  at->bytes[actor.kind] += size;
  at->last_icount = actor.icount;
  at->last_context = actor.context;
  at->last_thread = actor.thread;
  at->last_iseq = actor.iseq;
  if (G_UNLIKELY (at->is_counted))
    count_bytes (worker->map, slot, address, size);
}

/* Whether a block's bytes are to have counts.  */
static bool
is_wanted (const struct dg_usage_worker *worker, uint32_t block)
{
  const struct dg_usage_options *options = &worker->pass->options;

  return options->counts != NULL && options->wants != NULL
         && options->wants[block] != 0;
}

/* The slot of a block that is accessed, 0: no memory.  */
static uint32_t
wake (struct dg_usage_worker *worker, uint32_t block)
{
  uint32_t slot = dg_usage_map_wake (worker->map, block);

  if (slot != 0)
    worker->map->slots[slot].is_counted = is_wanted (worker, block);
  return slot;
}

/* An access of any size anywhere, of which the first `reach` bytes touch
   something.  */
static __attribute__ ((noinline)) void
access_slowly (struct dg_usage_worker *worker, const struct actor *actor,
               uint64_t address, uint64_t size, uint64_t reach)
{
  uint64_t at = address;
  uint64_t end = reach > UINT64_MAX - address ? UINT64_MAX : address + reach;

  /* Nothing of interest lies outside.  */
  if (end <= worker->pass->of.low)
    return;
  end = MIN (end, worker->pass->of.low + worker->pass->of.span);
  if (at < worker->pass->of.low)
    at = worker->pass->of.low;
  while (at < end) {
    uint64_t next;
    uint32_t block = dg_usage_map_find (worker->map, at, &next);

    if (worker->map->is_short)
      return;
    if (block != DG_NONE) {
      if (at == address) {
        uint32_t slot = wake (worker, block);

        if (slot == 0)
          return;
        count (worker, slot, *actor, address, size);
      }
      if (worker->pass->options.want_bytes)
        touch_bytes (worker, at, MIN (next, end), actor->kind);
    }
    at = next;
  }
}

/* The same of a run's.  */
static __attribute__ ((noinline)) void
access_slowly_in (struct dg_usage_worker *worker, const struct dg_run *run,
                  const struct dg_slot *slot)
{
  const struct actor actor = {.icount = run->icount + slot->iseq,
                              .context = run->context,
                              .thread = run->thread,
                              .iseq = slot->iseq,
                              .kind = slot->kind};

  if (slot->size > 0)
    access_slowly (worker, &actor, run->addresses[slot->entry], slot->size,
                   slot->size);
}

/* An access of 1 to 64 bytes; false: it is for access_slowly.  What a loop
   over accesses has at hand comes as arguments: shift and wants_bytes are the
   pass's.  */
static inline __attribute__ ((always_inline)) bool
access_memory (struct dg_usage_worker *worker, struct actor actor,
               uint64_t address, unsigned size, unsigned shift,
               bool wants_bytes)
{
  struct dg_usage_page *page = dg_usage_map_page (worker->map, address);
  const struct dg_usage_slot *at;
  uint32_t grain;

  if (G_UNLIKELY (page == NULL))
    return true;
  grain = page->grains.grains[address >> shift & page->grains.mask];
  if (grain == DG_USAGE_NOTHING)
    return ((address ^ (address + size - 1)) >> shift) == 0;
  /* A block that has no slot.  */
  if (G_UNLIKELY ((grain & DG_USAGE_IS_IDLE) != 0))
    return false;
  /* All of it is in the block; DG_USAGE_ASK has a slot in which nothing is.
     What is further from the end than half of all memory is found slowly.  */
  at = &worker->map->slots[grain];
  if (G_UNLIKELY (address < at->address
                  || (int64_t) (at->end - address) < (int64_t) size))
    return false;
  count (worker, grain, actor, address, size);
  if (!wants_bytes)
    return true;
  if (G_LIKELY ((address & 63) + size <= 64))
    touch_line (worker, page, address, UINT64_MAX >> (64 - size), actor.kind);
  else
    touch_bytes (worker, address, address + size, actor.kind);
  return true;
}

/* ---- Blocks that begin and end ---------------------------------------- */

/* Puts what a slot has counted into sums.  */
static void
take_counts (const struct dg_usage_worker *worker, uint32_t slot,
             struct dg_usage_part *part)
{
  const struct dg_log *log = worker->pass->log;
  struct dg_usage_slot *at = &worker->map->slots[slot];

  *part = (struct dg_usage_part){.n = {at->n[0], at->n[1]},
                                 .bytes = {at->bytes[0], at->bytes[1]},
                                 .first_icount =
                                   worker->map->more[slot].first_icount,
                                 .last_icount = at->last_icount,
                                 .last_context = at->last_context,
                                 .last_thread = at->last_thread,
                                 .block = at->block};
  if (at->last_context != DG_NONE) {
    const struct dg_context context = dg_log_context (log, at->last_context);

    part->last_instruction =
      dg_log_bbdef (log, context.bbdef)->instrs[at->last_iseq].address;
  }
  at->n[0] = at->n[1] = 0;
  at->bytes[0] = at->bytes[1] = 0;
}

static void
flush_part (struct dg_usage_worker *worker, uint32_t slot)
{
  const struct dg_usage_slot *at = &worker->map->slots[slot];
  struct dg_usage_part *part;

  if ((at->n[0] | at->n[1]) == 0)
    return;
  part = dg_table_add (&worker->result->parts, sizeof *part);
  if (part == NULL)
    worker->map->is_short = true;
  else
    take_counts (worker, slot, part);
}

static struct dg_usage_change *
add_change (struct dg_usage_worker *worker, enum dg_usage_change_kind kind,
            uint32_t block)
{
  struct dg_usage_change *change =
    dg_table_add (&worker->result->changes, sizeof *change);

  if (change == NULL)
    worker->map->is_short = true;
  else
    *change = (struct dg_usage_change){
      .kind = kind, .block = block, .previous = DG_NONE};
  return change;
}

/* The counts of a block's bytes, which go with a change.  */
static void
flush_counts (struct dg_usage_worker *worker, uint32_t slot,
              struct dg_usage_change *change)
{
  struct dg_usage_more *more = &worker->map->more[slot];
  const struct dg_usage_slot *at = &worker->map->slots[slot];
  struct dg_table *counts = &worker->result->counts;
  size_t n = at->end - at->address;

  if (more->counts == NULL || change == NULL)
    return;
  if (dg_table_reserve (counts, sizeof *more->counts, counts->n + n) < 0) {
    worker->map->is_short = true;
    return;
  }
  memcpy ((uint16_t *) counts->items + counts->n, more->counts,
          n * sizeof *more->counts);
  counts->n += n;
  change->has_counts = true;
  g_clear_pointer (&more->counts, g_free);
}

/* The lines of a block that have touched bytes.  */
struct taking {
  struct dg_usage_worker *worker;
  uint64_t low, high;              /* the block's bytes */
  bool is_kept;                    /* for others, in `closed` */
  uint64_t read, written, touched; /* bytes */
  size_t n_lines;
};

static void
take_line (struct taking *taking, struct dg_usage_line *line)
{
  uint64_t mask = dg_usage_mask (line->line, taking->low, taking->high);
  uint64_t read = line->bits[DG_ACC_READ] & mask;
  uint64_t written = line->bits[DG_ACC_WRITE] & mask;
  struct dg_usage_line *copy;

  if ((read | written) == 0)
    return;
  taking->read += (uint64_t) __builtin_popcountll (read);
  taking->written += (uint64_t) __builtin_popcountll (written);
  taking->touched += (uint64_t) __builtin_popcountll (read | written);
  line->bits[DG_ACC_READ] &= ~mask;
  line->bits[DG_ACC_WRITE] &= ~mask;
  if (!taking->is_kept)
    return;
  copy = dg_table_add (&taking->worker->result->closed, sizeof *copy);
  if (copy == NULL) {
    taking->worker->map->is_short = true;
    return;
  }
  *copy = (struct dg_usage_line){
    line->line, {[DG_ACC_READ] = read, [DG_ACC_WRITE] = written}};
  taking->n_lines++;
}

static void
take_page (void *user, struct dg_usage_page *page)
{
  struct taking *taking = user;
  struct dg_usage_line *lines = taking->worker->result->lines.items;
  uint64_t origin = page->grains.page
                    << (DG_USAGE_PAGE_SHIFT - DG_USAGE_LINE_SHIFT);
  uint64_t first = taking->low >> DG_USAGE_LINE_SHIFT;
  uint64_t last = (taking->high - 1) >> DG_USAGE_LINE_SHIFT;

  first = MAX (first, origin);
  last = MIN (last, origin + DG_USAGE_LINES - 1);
  for (uint64_t line = first; line <= last; line++)
    if (page->lines[line % DG_USAGE_LINES] != 0)
      take_line (taking, &lines[page->lines[line % DG_USAGE_LINES] - 1]);
}

/* Takes touched bytes, which are forgotten here.  */
static void
take_span (struct taking *taking, uint64_t low, uint64_t high)
{
  taking->low = low;
  taking->high = high;
  dg_usage_map_each (taking->worker->map, low >> DG_USAGE_PAGE_SHIFT,
                     (high - 1) >> DG_USAGE_PAGE_SHIFT, take_page, taking);
}

/* Those of a block.  */
static struct taking
take_bytes (struct dg_usage_worker *worker, struct dg_block_extent block,
            bool is_kept)
{
  struct taking taking = {.worker = worker, .is_kept = is_kept};

  if (block.size > 0)
    take_span (&taking, block.address, dg_usage_end (block));
  return taking;
}

/* A block that nobody else has to do with: its result is complete.  */
static void
finish_block (struct dg_usage_worker *worker, uint32_t block,
              struct dg_block_extent at)
{
  struct dg_table *changes = &worker->result->changes;
  struct dg_usage_change *change = NULL;
  struct dg_usage_finished *finished =
    dg_table_add (&worker->result->finished, sizeof *finished);
  uint32_t slot = dg_usage_map_slot (worker->map, block);
  struct taking taking;

  if (changes->n > 0)
    change = (struct dg_usage_change *) changes->items + changes->n - 1;
  if (change == NULL || change->kind != DG_USAGE_FINISHED)
    change = add_change (worker, DG_USAGE_FINISHED, block);
  if (change == NULL || finished == NULL) {
    worker->map->is_short = true;
    return;
  }
  change->n_lines++;
  finished->part.block = block;
  if (slot != 0
      && (worker->map->slots[slot].n[0] | worker->map->slots[slot].n[1]) != 0)
    take_counts (worker, slot, &finished->part);
  if (!worker->pass->options.want_bytes)
    return;
  taking = take_bytes (worker, at, false);
  finished->read = taking.read;
  finished->written = taking.written;
  finished->touched = taking.touched;
}

/* The end of a block whose bytes are others', too: what is told of it is how
   often it was accessed.  */
static void
end_holder (struct dg_usage_worker *worker, uint32_t block,
            struct dg_usage_change *change)
{
  struct dg_table *spans = &worker->result->spans;
  struct taking taking = {.worker = worker};
  size_t first = spans->n;

  dg_usage_map_own (worker->map, block, spans);
  for (size_t i = first; i < spans->n; i++) {
    const struct dg_usage_span span =
      ((struct dg_usage_span *) spans->items)[i];

    take_span (&taking, span.low, span.high);
  }
  change->kind = DG_USAGE_ENDS_HELD;
  change->n_spans = spans->n - first;
}

static void
end_block (struct dg_usage_worker *worker, uint32_t block)
{
  struct dg_usage_map *map = worker->map;
  const struct dg_usage_pass *pass = worker->pass;
  const struct dg_block_extent at = dg_log_block_extent (pass->log, block);
  uint32_t slot = dg_usage_map_slot (map, block);
  uint8_t marks = pass->of.marks[block];
  bool is_tied = (marks & (DG_USAGE_HAS_PREVIOUS | DG_USAGE_HAS_NEXT)) != 0;
  bool is_holder = (marks & DG_USAGE_IS_HOLDER) != 0
                   || dg_usage_map_rare (map, block).is_holder;
  struct dg_usage_change *change;
  size_t n_lines = 0;

  if (!is_tied && !is_holder && !is_wanted (worker, block)
      && at.alloc_icount >= worker->begins) {
    finish_block (worker, block, at);
    return;
  }
  if (slot != 0)
    flush_part (worker, slot);
  if (pass->options.want_bytes && !is_holder)
    n_lines = take_bytes (worker, at, true).n_lines;
  change = add_change (worker, DG_USAGE_ENDS, block);
  if (change == NULL)
    return;
  change->n_lines = n_lines;
  if (pass->options.want_bytes && is_holder)
    end_holder (worker, block, change);
  if (slot != 0)
    flush_counts (worker, slot, change);
}

/* A block begins in a chunk of this worker's.  */
static void
begin_block (struct dg_usage_worker *worker, size_t event)
{
  struct dg_usage_map *map = worker->map;
  const struct dg_usage_pass *pass = worker->pass;
  uint32_t block = pass->events[event];
  const struct dg_usage_rare rare = dg_usage_map_rare (map, block);
  bool has_previous = (pass->of.marks[block] & DG_USAGE_HAS_PREVIOUS) != 0;
  struct dg_usage_change *change;

  for (size_t i = 0; i < map->over.n; i++)
    add_change (worker, DG_USAGE_HOLDS, ((uint32_t *) map->over.items)[i]);
  if (!has_previous
      && (!pass->options.want_bytes
          || (rare.under == DG_NONE && !rare.is_odd && !pass->clears)))
    return;
  /* Who lies below, the bytes are now this block's.  */
  if (pass->options.want_bytes)
    take_bytes (worker, dg_log_block_extent (pass->log, block), false);
  change = add_change (worker, DG_USAGE_BEGINS, block);
  if (change != NULL && has_previous)
    change->previous = pass->events[event - 1] & ~DG_USAGE_IS_END;
}

/* Takes the next event; those of other workers' chunks only move blocks.  */
static void
take_event (struct dg_usage_worker *worker, bool is_own)
{
  size_t event = worker->event++;
  uint32_t block = worker->pass->events[event] & ~DG_USAGE_IS_END;

  if ((worker->pass->events[event] & DG_USAGE_IS_END) != 0) {
    if (is_own)
      end_block (worker, block);
    dg_usage_map_end (worker->map, block);
    return;
  }
  dg_usage_map_begin (worker->map, block);
  /* Large ones have a slot already.  */
  if (dg_usage_map_slot (worker->map, block) != 0)
    wake (worker, block);
  if (is_own)
    begin_block (worker, event);
}

static void
take_kernel (struct dg_usage_worker *worker, const struct dg_kernel_access *k)
{
  struct actor actor = {.icount = k->icount,
                        .context = DG_NONE,
                        .thread = k->thread,
                        .kind = k->kind};

  uint64_t next, size = k->size;
  uint32_t block;

  if (size > KERNEL_BYTES) {
    block = k->address - worker->pass->of.low < worker->pass->of.span
              ? dg_usage_map_find (worker->map, k->address, &next)
              : DG_NONE;
    if (block == DG_NONE)
      return;
    size =
      MIN (size, dg_usage_end (dg_log_block_extent (worker->pass->log, block))
                   - k->address);
    size = MIN (size, KERNEL_BYTES_MOST);
  }
  if (size > 0)
    access_slowly (worker, &actor, k->address, k->size, size);
}

static void
set_when (struct dg_usage_worker *worker)
{
  const struct dg_usage_pass *pass = worker->pass;

  worker->when = worker->event < pass->n_events
                   ? dg_usage_when (pass, worker->event)
                   : DG_NEVER;
  if (worker->kernel < pass->n_kernel)
    worker->when = MIN (worker->when, pass->kernel[worker->kernel].icount);
}

/* What happens before `icount`.  */
static __attribute__ ((noinline)) void
happen (struct dg_usage_worker *worker, uint64_t icount)
{
  const struct dg_usage_pass *pass = worker->pass;
  unsigned n = 0;

  while (worker->when < icount) {
    if (++n % DG_USAGE_PACE == 0 && !dg_usage_goes_on (worker->pass))
      return;
    if (worker->event < pass->n_events
        && dg_usage_when (pass, worker->event) == worker->when)
      take_event (worker, true);
    else
      take_kernel (worker, &pass->kernel[worker->kernel++]);
    set_when (worker);
  }
}

/* ---- Chunks ----------------------------------------------------------- */

static inline __attribute__ ((always_inline)) void
take_accesses (struct dg_usage_worker *worker, const struct dg_run *run,
               bool wants_bytes, bool has_events)
{
  const struct dg_slot *slot = run->bbdef->slots, *end = slot + run->n_slots;
  const uint64_t low = worker->pass->of.low, span = worker->pass->of.span;
  const unsigned shift = worker->pass->of.grain_shift;
  const uint64_t *addresses = run->addresses;

  if (G_UNLIKELY (run->first_instr > 0))
    while (slot < end && slot->iseq < run->first_instr)
      slot++;
  for (; slot < end; slot++) {
    const uint64_t address = addresses[slot->entry];
    const struct actor actor = {.icount = run->icount + slot->iseq,
                                .context = run->context,
                                .thread = run->thread,
                                .iseq = slot->iseq,
                                .kind = slot->kind};
    const bool is_inside = address - low < span;

    /* Those that begin before may reach in.  */
    if ((!is_inside && low - address >= slot->size) || address == 0)
      continue;
    if (has_events && worker->when <= actor.icount)
      happen (worker, actor.icount + 1);
    if (G_UNLIKELY (!is_inside || slot->size - 1u >= 64
                    || !access_memory (worker, actor, address, slot->size,
                                       shift, wants_bytes)))
      access_slowly_in (worker, run, slot);
  }
}

static __attribute__ ((noinline)) void
take_run_with_events (struct dg_usage_worker *worker,
                      const struct dg_run *run)
{
  take_accesses (worker, run, worker->pass->options.want_bytes, true);
}

static void
take_runs (struct dg_usage_worker *worker, const struct dg_batch *batch)
{
  const bool wants_bytes = worker->pass->options.want_bytes;

  for (size_t i = 0; i < batch->n_runs; i++) {
    const struct dg_run *run = &batch->runs[i];

    if (G_UNLIKELY (worker->when < run->icount + run->n_instrs))
      take_run_with_events (worker, run);
    else if (wants_bytes)
      take_accesses (worker, run, true, false);
    else
      take_accesses (worker, run, false, false);
  }
}

/* Goes to where a chunk begins, without doing what is others'.  */
static void
go_to (struct dg_usage_worker *worker, size_t chunk)
{
  const struct dg_usage_pass *pass = worker->pass;
  uint64_t icount = chunk > 0 ? pass->chunks[chunk].icount : 0;

  worker->begins = icount;
  while (worker->event < pass->n_events
         && dg_usage_when (pass, worker->event) < icount)
    take_event (worker, false);
  while (worker->kernel < pass->n_kernel
         && pass->kernel[worker->kernel].icount < icount)
    worker->kernel++;
  set_when (worker);
}

/* What goes on behind the chunk.  */
static void
flush (struct dg_usage_worker *worker)
{
  struct dg_usage_map *map = worker->map;
  const uint32_t *used = worker->used.items;

  for (size_t i = 0; i < worker->used.n; i++) {
    const struct dg_usage_slot *at = &map->slots[used[i]];

    /* Its block may have ended, and another have the slot.  */
    if ((at->n[0] | at->n[1]) == 0)
      continue;
    flush_part (worker, used[i]);
    if (map->more[used[i]].counts != NULL)
      flush_counts (worker, used[i],
                    add_change (worker, DG_USAGE_COUNTS, at->block));
    dg_usage_map_rest (map, used[i]);
  }
  worker->used.n = 0;
  dg_usage_map_forget_lines (map);
}

int
dg_usage_worker_run (struct dg_usage_worker *worker, size_t chunk,
                     struct dg_usage_result *result, struct dg_error *err)
{
  const struct dg_usage_pass *pass = worker->pass;
  struct dg_batch batch;
  int code = dg_feeder_open (worker->feeder, chunk, err);

  result->parts.n = result->changes.n = result->finished.n = 0;
  result->closed.n = 0;
  result->spans.n = result->lines.n = result->counts.n = 0;
  worker->result = result;
  worker->lines = result->lines.items;
  if (code < 0)
    return code;
  go_to (worker, chunk);
  while (!worker->map->is_short
         && (code = dg_feeder_next (worker->feeder, &batch, err)) > 0) {
    take_runs (worker, &batch);
    if (!dg_usage_goes_on (worker->pass))
      return dg_progress_cancelled (err);
  }
  happen (worker, chunk + 1 < pass->n_chunks ? pass->chunks[chunk + 1].icount
                                             : DG_NEVER);
  if (!dg_usage_goes_on (worker->pass))
    return dg_progress_cancelled (err);
  flush (worker);
  if (worker->map->is_short)
    return dg_error_nomem (err);
  return code;
}
