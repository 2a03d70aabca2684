/* usage_merge.c: merges the usage of heap blocks of all chunks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "dg_record.h"
#include "base/error.h"
#include "base/progress.h"
#include "usage.h"

struct page {
  uint64_t number; /* address >> DG_USAGE_PAGE_SHIFT */
  uint64_t bits[DG_USAGE_LINES][2];
};

void
dg_usage_carry_init (struct dg_usage_carry *carry)
{
  memset (carry, 0, sizeof *carry);
  dg_shadow_init (&carry->pages, sizeof (struct page));
  carry->stash_of = DG_NONE;
  carry->counts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

void
dg_usage_carry_fini (struct dg_usage_carry *carry)
{
  dg_shadow_fini (&carry->pages);
  dg_table_fini (&carry->live);
  dg_usage_index_fini (&carry->live_of);
  dg_table_fini (&carry->stash);
  g_clear_pointer (&carry->counts, g_hash_table_unref);
}

/* ---- Touched bytes ---------------------------------------------------- */

static int
add_bits (struct dg_usage_carry *carry, uint64_t line, uint64_t read,
          uint64_t written)
{
  struct page *page;

  if ((read | written) == 0)
    return 0;
  page = dg_shadow_get (&carry->pages, line / DG_USAGE_LINES);
  if (page == NULL)
    return DG_ERR_NOMEM;
  page->bits[line % DG_USAGE_LINES][DG_ACC_READ] |= read;
  page->bits[line % DG_USAGE_LINES][DG_ACC_WRITE] |= written;
  return 0;
}

static int
add_lines (struct dg_usage_carry *carry, const struct dg_usage_line *lines,
           size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (add_bits (carry, lines[i].line, lines[i].bits[DG_ACC_READ],
                  lines[i].bits[DG_ACC_WRITE])
        < 0)
      return DG_ERR_NOMEM;
  return 0;
}

/* The touched bytes low .. high - 1, as they are taken.  */
struct taking {
  struct dg_usage_carry *carry;
  uint64_t low, high;
  bool is_stashed;
  uint64_t read, written, touched; /* bytes */
  int code;
};

static void
take_line (struct taking *taking, uint64_t line, uint64_t bits[2])
{
  uint64_t mask = dg_usage_mask (line, taking->low, taking->high);
  uint64_t read = bits[DG_ACC_READ] & mask;
  uint64_t written = bits[DG_ACC_WRITE] & mask;
  struct dg_usage_line *copy;

  if ((read | written) == 0)
    return;
  taking->read += (uint64_t) __builtin_popcountll (read);
  taking->written += (uint64_t) __builtin_popcountll (written);
  taking->touched += (uint64_t) __builtin_popcountll (read | written);
  bits[DG_ACC_READ] &= ~mask;
  bits[DG_ACC_WRITE] &= ~mask;
  if (!taking->is_stashed)
    return;
  copy = dg_table_add (&taking->carry->stash, sizeof *copy);
  if (copy == NULL)
    taking->code = DG_ERR_NOMEM;
  else
    *copy = (struct dg_usage_line){
      line, {[DG_ACC_READ] = read, [DG_ACC_WRITE] = written}};
}

static void
take_page (struct taking *taking, struct page *page)
{
  uint64_t origin = page->number * DG_USAGE_LINES;
  uint64_t first = MAX (taking->low >> DG_USAGE_LINE_SHIFT, origin);
  uint64_t last = MIN ((taking->high - 1) >> DG_USAGE_LINE_SHIFT,
                       origin + DG_USAGE_LINES - 1);

  for (uint64_t line = first; line <= last; line++)
    take_line (taking, line, page->bits[line % DG_USAGE_LINES]);
}

/* Forgets touched bytes, and says how many they were.  */
static struct taking
take_bytes (struct dg_usage_carry *carry, uint64_t low, uint64_t high,
            bool is_stashed)
{
  struct taking taking = {
    .carry = carry, .low = low, .high = high, .is_stashed = is_stashed};
  struct dg_shadow_walk walk;
  struct page *page;

  if (high <= low)
    return taking;
  walk = dg_shadow_range (&carry->pages, low >> DG_USAGE_PAGE_SHIFT,
                          (high - 1) >> DG_USAGE_PAGE_SHIFT);
  while ((page = dg_shadow_next (&walk)) != NULL)
    take_page (&taking, page);
  return taking;
}

/* ---- Blocks ----------------------------------------------------------- */

/* A block as nobody has touched it.  */
static struct dg_usage_block
untouched (const struct dg_usage_pass *pass, uint32_t block)
{
  const struct dg_block_extent at = dg_log_block_extent (pass->log, block);
  uint64_t size = dg_usage_end (at) - at.address;

  return (struct dg_usage_block){.unread = size,
                                 .unwritten = size,
                                 .untouched = size,
                                 .first_icount = DG_NEVER,
                                 .last_icount = DG_NEVER,
                                 .last_context = DG_NONE,
                                 .previous = DG_NONE};
}

/* What is known of a block that is alive; NULL: no memory.  Good until another
   one is asked for.  */
static struct dg_usage_block *
live_use (struct dg_usage_pass *pass, uint32_t block)
{
  struct dg_usage_carry *carry = &pass->carry;
  bool is_new;
  struct dg_usage_block *use = dg_usage_index_item (
    &carry->live_of, &carry->live, sizeof *use, block, &is_new);

  if (use != NULL && is_new)
    *use = untouched (pass, block);
  return use;
}

/* Likewise, when it has ended: this is forgotten.  */
static struct dg_usage_block
last_use (struct dg_usage_pass *pass, uint32_t block)
{
  struct dg_usage_carry *carry = &pass->carry;
  const struct dg_usage_block *live = carry->live.items;
  uint32_t number = dg_usage_index_remove (&carry->live_of, block);

  return number != 0 ? live[number - 1] : untouched (pass, block);
}

/* All about a block is known.  */
static void
deliver (struct dg_usage_pass *pass, uint32_t block,
         struct dg_usage_block *use)
{
  const struct dg_usage_options *options = &pass->options;

  if (options->ended == NULL
      || (options->only != NULL && options->only[block] == 0))
    return;
  if ((pass->of.marks[block] & DG_USAGE_IS_HOLDER) != 0)
    use->flags |= DG_USAGE_HAS_PIECES;
  if ((use->flags & DG_USAGE_HAS_PIECES) != 0 || !options->want_bytes)
    use->unread = use->unwritten = use->untouched = 0;
  if (dg_log_blocks_pass (pass->log))
    use->previous = DG_NONE;
  options->ended (options->ended_user, block, use);
}

/* What a block has kept of the one that it replaces.  */
static int
apply_stash (struct dg_usage_pass *pass, struct dg_block_extent old,
             struct dg_block_extent new)
{
  struct dg_usage_carry *carry = &pass->carry;
  const struct dg_usage_line *lines = carry->stash.items;
  uint64_t kept =
    MIN (dg_usage_end (old) - old.address, dg_usage_end (new) - new.address);

  for (size_t i = 0; i < carry->stash.n; i++) {
    uint64_t mask =
      dg_usage_mask (lines[i].line, old.address, old.address + kept);
    uint64_t read = lines[i].bits[DG_ACC_READ] & mask;
    uint64_t written = lines[i].bits[DG_ACC_WRITE] & mask;
    uint64_t there =
      (lines[i].line << DG_USAGE_LINE_SHIFT) - old.address + new.address;
    unsigned shift = there & 63;
    int code = add_bits (carry, there >> DG_USAGE_LINE_SHIFT, read << shift,
                         written << shift);

    if (code == 0 && shift != 0)
      code = add_bits (carry, (there >> DG_USAGE_LINE_SHIFT) + 1,
                       read >> (64 - shift), written >> (64 - shift));
    if (code < 0)
      return code;
  }
  return 0;
}

static int
begin_block (struct dg_usage_pass *pass, uint32_t block, uint32_t previous)
{
  const struct dg_block_extent at = dg_log_block_extent (pass->log, block);
  struct dg_usage_block *use;
  int code = 0;

  if (previous != DG_NONE) {
    use = live_use (pass, block);
    if (use == NULL)
      return DG_ERR_NOMEM;
    use->previous = previous;
    if (pass->options.replaced != NULL)
      pass->options.replaced (pass->options.ended_user, block, previous);
  }
  take_bytes (&pass->carry, at.address, dg_usage_end (at), false);
  if (previous != DG_NONE && previous == pass->carry.stash_of)
    code = apply_stash (pass, dg_log_block_extent (pass->log, previous), at);
  pass->carry.stash.n = 0;
  pass->carry.stash_of = DG_NONE;
  return code;
}

/* The block has ended, or the log has: all about its bytes is known.  */
static int
tell_bytes (struct dg_usage_pass *pass, uint32_t block,
            struct dg_usage_block *use, bool is_stashed)
{
  const struct dg_block_extent at = dg_log_block_extent (pass->log, block);
  struct taking taking;

  pass->carry.stash.n = 0;
  pass->carry.stash_of = is_stashed ? block : DG_NONE;
  taking =
    take_bytes (&pass->carry, at.address, dg_usage_end (at), is_stashed);
  use->unread -= taking.read;
  use->unwritten -= taking.written;
  use->untouched -= taking.touched;
  return taking.code;
}

static void
tell_counts (struct dg_usage_pass *pass, uint32_t block)
{
  gpointer key = GUINT_TO_POINTER (block);
  const uint16_t *counts = g_hash_table_lookup (pass->carry.counts, key);
  const struct dg_block_extent b = dg_log_block_extent (pass->log, block);

  if (counts == NULL)
    return;
  pass->options.counts (pass->options.counts_user, block, counts,
                        dg_usage_end (b) - b.address);
  g_hash_table_remove (pass->carry.counts, key);
}

/* Adds the counts of a block's bytes to those that it has.  */
static int
add_counts (struct dg_usage_pass *pass, uint32_t block, const uint16_t *counts)
{
  gpointer key = GUINT_TO_POINTER (block);
  uint16_t *all = g_hash_table_lookup (pass->carry.counts, key);
  const struct dg_block_extent b = dg_log_block_extent (pass->log, block);
  size_t n = dg_usage_end (b) - b.address;

  if (all == NULL) {
    all = g_try_new0 (uint16_t, n);
    if (all == NULL)
      return DG_ERR_NOMEM;
    g_hash_table_insert (pass->carry.counts, key, all);
  }
  for (size_t i = 0; i < n; i++)
    all[i] = MIN ((unsigned) all[i] + counts[i], UINT16_MAX);
  return 0;
}

static void
add_part (struct dg_usage_block *use, const struct dg_usage_part *part)
{
  use->reads += part->n[DG_ACC_READ];
  use->writes += part->n[DG_ACC_WRITE];
  use->read_bytes += part->bytes[DG_ACC_READ];
  use->written_bytes += part->bytes[DG_ACC_WRITE];
  if (use->first_icount == DG_NEVER)
    use->first_icount = part->first_icount;
  use->last_icount = part->last_icount;
  use->last_instruction = part->last_instruction;
  use->last_context = part->last_context;
  use->last_thread = part->last_thread;
}

static int
add_parts (struct dg_usage_pass *pass, const struct dg_table *parts)
{
  const struct dg_usage_part *part = parts->items;

  for (size_t i = 0; i < parts->n; i++) {
    struct dg_usage_block *use;

    if (pass->options.only != NULL && pass->options.only[part[i].block] == 0)
      continue;
    use = live_use (pass, part[i].block);
    if (use == NULL)
      return DG_ERR_NOMEM;
    add_part (use, &part[i]);
  }
  return 0;
}

static void
tell_finished (struct dg_usage_pass *pass,
               const struct dg_usage_finished *finished, size_t n)
{
  for (; n > 0; n--, finished++) {
    const struct dg_usage_part *part = &finished->part;
    struct dg_usage_block use = untouched (pass, part->block);

    if ((part->n[0] | part->n[1]) != 0)
      add_part (&use, part);
    use.unread -= finished->read;
    use.unwritten -= finished->written;
    use.untouched -= finished->touched;
    deliver (pass, part->block, &use);
  }
}

/* What of a chunk's result comes next.  */
struct merging {
  struct dg_usage_pass *pass;
  const struct dg_usage_finished *finished;
  const struct dg_usage_line *closed;
  const struct dg_usage_span *span;
  const uint16_t *counts;
};

static int
end_block (struct merging *merging, const struct dg_usage_change *change)
{
  struct dg_usage_pass *pass = merging->pass;
  uint32_t block = change->block;
  struct dg_usage_block use = last_use (pass, block);
  int code = 0;

  if (change->kind == DG_USAGE_ENDS) {
    code = add_lines (&pass->carry, merging->closed, change->n_lines);
    merging->closed += change->n_lines;
    if (code == 0)
      code = tell_bytes (pass, block, &use,
                         pass->of.marks[block] & DG_USAGE_HAS_NEXT);
  } else {
    pass->carry.stash_of = DG_NONE;
    for (size_t k = 0; k < change->n_spans; k++, merging->span++)
      take_bytes (&pass->carry, merging->span->low, merging->span->high,
                  false);
  }
  tell_counts (pass, block);
  deliver (pass, block, &use);
  return code;
}

static int
take_change (struct merging *merging, const struct dg_usage_change *change)
{
  struct dg_usage_pass *pass = merging->pass;
  struct dg_usage_block *use;

  if (change->has_counts) {
    const struct dg_block_extent block =
      dg_log_block_extent (pass->log, change->block);

    if (add_counts (pass, change->block, merging->counts) < 0)
      return DG_ERR_NOMEM;
    merging->counts += dg_usage_end (block) - block.address;
  }
  switch (change->kind) {
  case DG_USAGE_BEGINS:
    pass->has_overlaps |= change->previous == DG_NONE;
    return begin_block (pass, change->block, change->previous);
  case DG_USAGE_HOLDS:
    pass->has_overlaps = true;
    use = live_use (pass, change->block);
    if (use == NULL)
      return DG_ERR_NOMEM;
    use->flags |= DG_USAGE_HAS_PIECES;
    return 0;
  case DG_USAGE_ENDS:
  case DG_USAGE_ENDS_HELD:
    pass->has_overlaps |= change->kind == DG_USAGE_ENDS_HELD;
    return end_block (merging, change);
  case DG_USAGE_FINISHED:
    tell_finished (pass, merging->finished, change->n_lines);
    merging->finished += change->n_lines;
    return 0;
  case DG_USAGE_COUNTS:
    break;
  }
  return 0;
}

int
dg_usage_merge (struct dg_usage_pass *pass,
                const struct dg_usage_result *result, struct dg_error *err)
{
  struct merging merging = {pass, result->finished.items, result->closed.items,
                            result->spans.items, result->counts.items};
  const struct dg_usage_change *change = result->changes.items;
  int code = add_parts (pass, &result->parts);

  for (size_t i = 0; i < result->changes.n && code == 0; i++) {
    if (i % DG_USAGE_PACE == 0 && !dg_usage_goes_on (pass))
      return dg_progress_cancelled (err);
    code = take_change (&merging, &change[i]);
  }
  if (code == 0)
    code = add_lines (&pass->carry, result->lines.items, result->lines.n);
  return code < 0 ? dg_error_nomem (err) : 0;
}

int
dg_usage_merge_last (struct dg_usage_pass *pass, struct dg_error *err)
{
  /* Blocks that began in others come first, whose bytes these are.  */
  for (size_t i = pass->of.n; i > 0; i--) {
    uint32_t block = (uint32_t) i - 1;
    struct dg_usage_block use;

    if (dg_log_block_extent (pass->log, block).free_icount != DG_NEVER
        || (pass->of.marks[block] & DG_USAGE_IS_LEFT_OUT) != 0)
      continue;
    use = last_use (pass, block);
    if (tell_bytes (pass, block, &use, false) < 0)
      return dg_error_nomem (err);
    tell_counts (pass, block);
    deliver (pass, block, &use);
  }
  return 0;
}
