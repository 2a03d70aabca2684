/* pages_merge.c: merges chunks, in their order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/error.h"
#include "pages.h"
#include "variables/frames.h"
#include "variables/variables.h"

/* ---- Heap blocks ---- */

/* What became of a block, so far.  */
struct ending {
  const struct dg_block_extent *block;
  const struct pages_closure *closures, *end;    /* of it, by line */
  uint64_t touched;        /* bytes of it */
  uint64_t lines, used;    /* that have some; bytes touched in them */
};

/* A line of a block that ends.  */
static void
end_line (const struct pages *self, struct ending *ending,
          struct pages_sums *leaf, uint64_t line)
{
  const size_t i = line & (PAGES_LEAF - 1);
  const unsigned shift = self->line_shift;
  const uint64_t bits = pages_bits (
    line << shift, 1u << shift, ending->block->address,
    ending->block->address + ending->block->size);
  uint64_t now = leaf->now[i];

  while (ending->closures < ending->end && ending->closures->line < line)
    ending->closures++;
  if (ending->closures < ending->end && ending->closures->line == line)
    now |= ending->closures->now;
  if ((now & bits) == 0)
    return;
  ending->touched += (uint64_t) __builtin_popcountll (now & bits);
  ending->used += (uint64_t) __builtin_popcountll (now);
  ending->lines++;
  leaf->used[i] |= now;
  leaf->now[i] &= ~bits;
}

/* A block ends: of its place of allocation.  */
static int
end_block (struct pages *self, uint32_t index,
           const struct pages_closure *closures,
           const struct pages_closure *end)
{
  const struct dg_block_extent block =
    dg_log_block_extent (self->heap.log, index);
  struct ending ending = { .block = &block, .closures = closures, .end = end };
  struct dg_shadow_walk walk;
  struct pages_sums *leaf;
  uint64_t first, last, low, high, *row;

  if (pages_block_leaves (self, &block, &first, &last)) {
    if (!dg_shadow_ascending (&self->leaves, first, last, &walk))
      return DG_ERR_NOMEM;
    while ((leaf = dg_shadow_next (&walk)) != NULL) {
      pages_block_lines (self, &block, leaf->number, &low, &high);
      for (uint64_t line = low; line <= high; line++)
        end_line (self, &ending, leaf, line);
    }
  }
  row = dg_sums_number (self->site_sums,
                        dg_variables_block_site (self->variables, index));
  row[SITE_BLOCKS]++;
  row[SITE_UNTOUCHED] += ending.touched == 0;
  row[SITE_BYTES] += block.size;
  row[SITE_UNUSED] += block.size - MIN (ending.touched, block.size);
  row[SITE_FETCHED] += ending.lines << self->line_shift;
  row[SITE_USED] += ending.used;
  return 0;
}

/* A block begins: what was touched where it is now was of another.  */
static int
begin_block (struct pages *self, uint32_t index)
{
  const struct dg_block_extent block =
    dg_log_block_extent (self->heap.log, index);
  struct dg_shadow_walk walk;
  struct pages_sums *leaf;
  uint64_t first, last, low, high;

  if (!pages_block_leaves (self, &block, &first, &last))
    return 0;
  walk = dg_shadow_range (&self->leaves, first, last);
  while ((leaf = dg_shadow_next (&walk)) != NULL) {
    pages_block_lines (self, &block, leaf->number, &low, &high);
    for (uint64_t line = low; line <= high; line++) {
      const size_t i = line & (PAGES_LEAF - 1);

      leaf->used[i] |= leaf->now[i];
      leaf->now[i] &= ~pages_bits (line << self->line_shift,
                                   1u << self->line_shift, block.address,
                                   block.address + block.size);
    }
  }
  return 0;
}

/* The cursor is where merging is, whatever blocks have passed.  */
static int
go_on (struct pages *self)
{
  if (!self->has_passed)
    return 0;
  self->has_passed = false;
  if (pages_heap_follow (&self->heap) < 0)
    return DG_ERR_NOMEM;
  self->cursor = pages_heap_seek (&self->heap, self->end_icount);
  return 0;
}

/* All that happens to blocks before icount; closures: of the chunk that is
   merged, in the order in which they happen.  */
static int
events (struct pages *self, uint64_t icount,
        const struct pages_closure *closures,
        const struct pages_closure *end)
{
  while (pages_heap_when (&self->heap, &self->cursor) < icount) {
    bool is_free;
    const uint32_t block = pages_heap_next (&self->heap, &self->cursor,
                                            &is_free);
    const struct pages_closure *of = closures;

    while (is_free && closures < end && closures->block == block)
      closures++;
    if ((is_free ? end_block (self, block, of, closures)
                 : begin_block (self, block)) < 0)
      return DG_ERR_NOMEM;
  }
  return 0;
}

int
pages_pass_blocks (void *data, uint64_t icount, struct dg_error *err)
{
  struct pages *self = data;

  if (!self->is_begun)
    return 0;
  if (pages_heap_follow (&self->heap) < 0
      || go_on (self) < 0 || events (self, icount, NULL, NULL) < 0)
    return dg_error_nomem (err);
  self->end_icount = MAX (self->end_icount, icount);
  self->has_passed = true;
  return 0;
}

int
pages_merge_last (struct pages *self, struct dg_error *err)
{
  const unsigned window = self->heap.window;
  int code;

  if (!self->is_begun)
    return 0;
  /* Another analysis may have been elsewhere.  */
  code = dg_variables_go_to (self->variables, self->end_icount, err);
  if (code < 0)
    return code;
  if (pages_heap_follow (&self->heap) < 0)
    return dg_error_nomem (err);
  self->has_passed |= window != self->heap.window;
  if (go_on (self) < 0)
    return dg_error_nomem (err);
  for (size_t i = 0; i < self->cursor.allocs; i++)
    if (dg_log_block_extent (self->heap.log, i).free_icount
          >= self->end_icount
        && end_block (self, (uint32_t) i, NULL, NULL) < 0)
      return dg_error_nomem (err);
  return 0;
}

/* ---- Visits ---- */

static struct pages_interval *
interval_of (struct pages *self, uint64_t number)
{
  struct pages_interval *interval
    = g_hash_table_lookup (self->intervals, &number);

  if (!interval) {
    interval = g_new0 (struct pages_interval, 1);
    interval->interval = number;
    g_hash_table_insert (self->intervals, &interval->interval, interval);
  }
  return interval;
}

/* A line is touched in an interval.  Its page, too, which may be new.  */
static int
take_visit (struct pages *self, const struct pages_visit *visit,
            struct pages_interval *interval)
{
  struct pages_sums *leaf = dg_shadow_get (&self->leaves,
                                           visit->line >> PAGES_LEAF_SHIFT);
  struct pages_page *page = dg_shadow_get (
    &self->pages, visit->line << self->line_shift >> self->page_shift);
  const size_t i = visit->line & (PAGES_LEAF - 1);

  if (!page)
    return DG_ERR_NOMEM;
  if (leaf->interval[i] == interval->interval + 1)
    return 0;
  interval->lines++;
  if (leaf->interval[i] == 0) {
    uint64_t *row = self->by == DG_BY_THREAD
                      ? dg_sums_number (self->code_sums, visit->thread)
                      : dg_sums_code (
                          self->code_sums,
                          dg_log_context (self->log, visit->context).bbdef,
                          visit->context, visit->icount)
                          + (size_t) visit->iseq * FIRST_N;

    row[FIRST_LINES]++;
    row[FIRST_PAGES] += page->interval == 0;
    interval->new_lines++;
    interval->new_pages += page->interval == 0;
    self->lines++;
  }
  leaf->interval[i] = interval->interval + 1;
  interval->pages += page->interval != interval->interval + 1;
  page->interval = interval->interval + 1;
  return 0;
}

static int
take_visits (struct pages *self, const struct pages_shard *shard)
{
  const struct pages_part *parts = shard->parts.items;
  const struct pages_visit *visits = shard->visits.items;

  for (size_t p = 0; p < shard->parts.n; p++) {
    struct pages_interval *interval = interval_of (self, parts[p].interval);
    const size_t end = p + 1 < shard->parts.n ? parts[p + 1].visits
                                              : shard->visits.n;

    interval->accesses += parts[p].accesses;
    self->accesses += parts[p].accesses;
    for (size_t i = parts[p].visits; i < end; i++)
      if (take_visit (self, &visits[i], interval) < 0)
        return DG_ERR_NOMEM;
  }
  return 0;
}

/* The function of a context's block: equal names are equal pointers.  */
static const char *
function_of (struct pages *self, uint32_t context)
{
  const struct dg_context of = dg_log_context (self->log, context);
  const struct dg_bbdef *block = dg_log_bbdef (self->log, of.bbdef);
  struct dg_frame frames[8];
  size_t n;

  if (self->functions[of.bbdef])
    return self->functions[of.bbdef];
  n = dg_symbols_frames (self->symbols, block->instrs[0].address,
                         self->end_icount, frames, G_N_ELEMENTS (frames));
  self->functions[of.bbdef] = frames[n - 1].function;
  if (!self->functions[of.bbdef])
    self->functions[of.bbdef] = "";
  return self->functions[of.bbdef];
}

/* What the chunk knows of a line.  The leaf is there.  */
static void
take_line (struct pages *self, uint64_t number, const struct pages_line *line)
{
  struct pages_sums *leaf = dg_shadow_get (&self->leaves,
                                           number >> PAGES_LEAF_SHIFT);
  const size_t i = number & (PAGES_LEAF - 1);

  leaf->used[i] |= line->used;
  leaf->now[i] |= line->now;
  leaf->last[i] = line->last;
  leaf->count[i] += line->count;
  if (leaf->lead[i] > 0
      && function_of (self, leaf->context[i])
           == function_of (self, line->context)) {
    leaf->lead[i] += line->count;
  } else if (leaf->lead[i] >= line->count) {
    leaf->lead[i] -= line->count;
  } else {
    leaf->lead[i] = line->count - leaf->lead[i];
    leaf->context[i] = line->context;
    leaf->iseq[i] = line->iseq;
  }
}

int
pages_merge (void *data, void *shard_data, const struct dg_feed *feed,
             struct dg_error *err)
{
  struct pages *self = data;
  const struct pages_shard *shard = shard_data;
  const struct pages_closure *closures = shard->closures.items;
  const struct pages_visit *visits = shard->visits.items;
  const struct pages_line *lines = shard->lines.items;
  size_t n = 0;

  if (go_on (self) < 0)
    return dg_error_nomem (err);
  if (!self->is_begun)
    self->cursor = pages_heap_seek (&self->heap, feed->first_icount);
  self->is_begun = true;
  /* Blocks are looked for in the leaves that there are.  */
  for (size_t i = 0; i < shard->visits.n; i++)
    if (!dg_shadow_get (&self->leaves, visits[i].line >> PAGES_LEAF_SHIFT))
      return dg_error_nomem (err);
  self->end_icount = feed->end_icount;
  if (events (self, feed->first_icount, NULL, NULL) < 0
      || events (self, feed->end_icount, closures,
                 closures + shard->closures.n) < 0
      || take_visits (self, shard) < 0)
    return dg_error_nomem (err);
  for (size_t i = 0; i < shard->visits.n; i++)
    if (visits[i].is_first)
      take_line (self, visits[i].line, &lines[n++]);
  return self->frames
           ? dg_frames_take (self->frames, feed->index, shard->frames, err)
           : 0;
}
