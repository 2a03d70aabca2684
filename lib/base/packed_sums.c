/* packed_sums.c: sums of accesses by a key of four numbers, sorted and packed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "packed_sums.h"

#include <stdlib.h>
#include <string.h>

#include "bisect.h"
#include "compare.h"
#include "libdatagrind.h"
#include "table.h"
#include "varint.h"

#define BLOCK_SIZE 2048
#define SLAB_BLOCKS 256
/* A sum: which of its numbers are there, and those.  */
#define SUM_BYTES (1 + (DG_SUM_KEYS + 3) * DG_VARINT_MAX)

/* The first byte of a sum: a bit for each number that is not zero.  */
#define HAS_KEY    0x01    /* to 0x08 */
#define HAS_READS  0x10
#define HAS_WRITES 0x20
#define HAS_LEAST  0x40
#define HAS_FLAG   0x80

/* The first sum of a block is stored as the difference from zeros, so that a
   reader can begin at any block.  */
struct block {
  uint64_t first;          /* of the first key */
  uint32_t n_bytes;
  uint8_t bytes[BLOCK_SIZE - 12];
};

G_STATIC_ASSERT (sizeof (struct block) == BLOCK_SIZE);

static inline struct block *
block_at (const struct dg_sums_run *run, uint32_t i)
{
  uint8_t *slab = run->slabs[i / SLAB_BLOCKS];

  return (struct block *) (void *) slab + i % SLAB_BLOCKS;
}

static void
run_fini (struct dg_sums_run *run)
{
  for (uint32_t i = 0; i < run->n_slabs; i++)
    g_free (run->slabs[i]);
  g_free (run->slabs);
  memset (run, 0, sizeof *run);
}

void
dg_packed_sums_fini (struct dg_packed_sums *sums)
{
  for (unsigned i = 0; i < sums->n_runs; i++)
    run_fini (&sums->runs[i]);
  sums->n_runs = 0;
}

int
dg_sum_compare (const struct dg_sum *a, const struct dg_sum *b)
{
  return DG_COMPARE (a->key[0], b->key[0])
         ?: DG_COMPARE (a->key[1], b->key[1])
         ?: DG_COMPARE (a->key[2], b->key[2])
         ?: DG_COMPARE (a->key[3], b->key[3]);
}

static int
compare_sums (const void *a, const void *b)
{
  return dg_sum_compare (a, b);
}

static void
add_to (struct dg_sum *to, const struct dg_sum *from)
{
  to->reads += from->reads;
  to->writes += from->writes;
  to->least = MIN (to->least, from->least);
  to->flag = to->flag || from->flag;
}

/* ---- Writing ------------------------------------------------------------ */

/* A run that is being written.  The latest sum waits for others of its
   key.  */
struct writer {
  struct dg_sums_run run;
  struct block *block;       /* the last one; NULL: none has room */
  struct dg_sum latest;
  bool has_latest;
  struct dg_sum before;    /* what is in the block before it */
};

static bool
add_block (struct writer *writer, uint64_t first)
{
  struct dg_sums_run *run = &writer->run;
  struct block *block;

  if (run->n_blocks % SLAB_BLOCKS == 0) {
    if (!DG_ARRAY_ROOM (run->slabs, run->room, run->n_slabs))
      return false;
    run->slabs[run->n_slabs] = g_try_malloc (SLAB_BLOCKS * BLOCK_SIZE);
    if (run->slabs[run->n_slabs] == NULL)
      return false;
    run->n_slabs++;
  }
  block = block_at (run, run->n_blocks++);
  block->first = first;
  block->n_bytes = 0;
  writer->block = block;
  memset (&writer->before, 0, sizeof writer->before);
  return true;
}

static bool
write_latest (struct writer *writer)
{
  const struct dg_sum *sum = &writer->latest, *before = &writer->before;
  uint8_t *start, *at, has = 0;

  if (writer->block == NULL
      || writer->block->n_bytes + SUM_BYTES > sizeof writer->block->bytes) {
    if (!add_block (writer, sum->key[0]))
      return false;
  }
  start = writer->block->bytes + writer->block->n_bytes;
  at = start + 1;
  for (unsigned i = 0; i < DG_SUM_KEYS; i++)
    if (sum->key[i] != before->key[i]) {
      has |= HAS_KEY << i;
      at = dg_varint_put (at, dg_zigzag ((int64_t) (sum->key[i]
                                                    - before->key[i])));
    }
  if (sum->reads != 0) {
    has |= HAS_READS;
    at = dg_varint_put (at, sum->reads);
  }
  if (sum->writes != 0) {
    has |= HAS_WRITES;
    at = dg_varint_put (at, sum->writes);
  }
  if (sum->least != before->least) {
    has |= HAS_LEAST;
    at = dg_varint_put (at, dg_zigzag ((int64_t) (sum->least
                                                  - before->least)));
  }
  *start = has | (sum->flag ? HAS_FLAG : 0);
  writer->block->n_bytes = (uint32_t) (at - writer->block->bytes);
  writer->before = *sum;
  writer->run.n++;
  return true;
}

/* The next sum, whose key is not below that of the latest one.  */
static bool
write_sum (struct writer *writer, const struct dg_sum *sum)
{
  if (writer->has_latest && dg_sum_compare (&writer->latest, sum) == 0) {
    add_to (&writer->latest, sum);
    return true;
  }
  if (writer->has_latest && !write_latest (writer))
    return false;
  writer->latest = *sum;
  writer->has_latest = true;
  return true;
}

/* The run, which is empty without memory: 0 or DG_ERR_NOMEM.  */
static int
finish (struct writer *writer, bool is_whole, struct dg_sums_run *out)
{
  struct dg_sums_run *run = &writer->run;
  uint8_t *slab;
  uint32_t n;

  memset (out, 0, sizeof *out);
  if (!is_whole || (writer->has_latest && !write_latest (writer))) {
    run_fini (run);
    return DG_ERR_NOMEM;
  }
  /* Many runs are short.  */
  n = run->n_blocks % SLAB_BLOCKS;
  slab = n > 0 ? g_try_realloc (run->slabs[run->n_slabs - 1], n * BLOCK_SIZE)
               : NULL;
  if (slab != NULL)
    run->slabs[run->n_slabs - 1] = slab;
  *out = *run;
  return 0;
}

/* ---- Reading ------------------------------------------------------------ */

struct dg_sums_cursor
dg_sums_begin (struct dg_packed_sums *sums, bool frees)
{
  g_assert (sums->n_runs <= 1);
  return dg_sums_begin_run (&sums->runs[0], frees);
}

/* False: there is no other.  */
static bool
next_block (struct dg_sums_cursor *cursor)
{
  struct dg_sums_run *run = cursor->run;
  const struct block *block;

  if (cursor->frees && cursor->block > 0
      && (cursor->block % SLAB_BLOCKS == 0 || cursor->block == run->n_blocks))
    g_clear_pointer (&run->slabs[(cursor->block - 1) / SLAB_BLOCKS], g_free);
  if (cursor->block >= run->n_blocks)
    return false;
  block = block_at (run, cursor->block);
  cursor->at = block->bytes;
  cursor->end = block->bytes + block->n_bytes;
  cursor->block++;
  memset (&cursor->sum, 0, sizeof cursor->sum);
  return true;
}

static inline uint64_t
get (const uint8_t **at)
{
  uint64_t value = **at & 0x7f;
  unsigned shift = 0;

  while (*(*at)++ >= 0x80)
    value |= (uint64_t) (**at & 0x7f) << (shift += 7);
  return value;
}

const struct dg_sum *
dg_sums_next (struct dg_sums_cursor *cursor)
{
  struct dg_sum *sum = &cursor->sum;
  const uint8_t *at;
  uint8_t has;

  if (cursor->is_held) {
    cursor->is_held = false;
    return sum;
  }
  if (cursor->at == cursor->end && !next_block (cursor))
    return NULL;
  at = cursor->at;
  has = *at++;
  for (unsigned i = 0; i < DG_SUM_KEYS; i++)
    if (has & HAS_KEY << i)
      sum->key[i] += (uint64_t) dg_unzigzag (get (&at));
  sum->reads = has & HAS_READS ? get (&at) : 0;
  sum->writes = has & HAS_WRITES ? get (&at) : 0;
  if (has & HAS_LEAST)
    sum->least += (uint64_t) dg_unzigzag (get (&at));
  sum->flag = (has & HAS_FLAG) != 0;
  cursor->at = at;
  return sum;
}

void
dg_sums_seek (struct dg_sums_cursor *cursor, uint64_t first)
{
  struct dg_sums_run *run = cursor->run;
  uint32_t block;

  g_assert (!cursor->frees);
  /* Sums of the number may begin at the end of the block before the first one
     that begins with it.  */
  block = (uint32_t) DG_BISECT (0, run->n_blocks, i,
                                block_at (run, i)->first < first);
  block -= block > 0;
  if (cursor->block != block + 1 || cursor->sum.key[0] >= first) {
    cursor->block = block;
    cursor->at = cursor->end = NULL;
  }
  cursor->is_held = false;
  while (dg_sums_next (cursor) != NULL)
    if (cursor->sum.key[0] >= first) {
      cursor->is_held = true;
      return;
    }
}

/* At the beginning of a block.  */
static struct dg_sums_cursor
begin_block (struct dg_sums_run *run, uint32_t block)
{
  struct dg_sums_cursor cursor = dg_sums_begin_run (run, false);

  cursor.block = block;
  return cursor;
}

static bool
begins_before (struct dg_sums_run *run, uint32_t block,
               const struct dg_sum *sum)
{
  struct dg_sums_cursor cursor = begin_block (run, block);

  return dg_sum_compare (dg_sums_next (&cursor), sum) <= 0;
}

/* Puts the finder at the start of the block in which the sum is, if there is
   one: any number of sums may have the same first number.  */
static void
find_block (struct dg_sums_finder *finder, struct dg_sums_run *run,
            const struct dg_sum *wanted)
{
  uint32_t behind = (uint32_t) DG_BISECT (0, run->n_blocks, i,
                                          begins_before (run, (uint32_t) i,
                                                         wanted));

  finder->cursor = begin_block (run, behind - (behind > 0));
  finder->is_over = dg_sums_next (&finder->cursor) == NULL;
}

/* The finder is at the first sum that is not below what was asked for last, or
   behind all.  From there to a key that is not below is only a step or two,
   where callers ask for most keys of the run in their order.  */
static bool
has_sum (struct dg_sums_finder *finder, struct dg_sums_run *run,
         const struct dg_sum *wanted)
{
  struct dg_sums_cursor *cursor = &finder->cursor;
  int order = -1;

  if (cursor->run == NULL || dg_sum_compare (&finder->asked, wanted) > 0
      || (cursor->block < run->n_blocks
          && begins_before (run, cursor->block, wanted)))
    find_block (finder, run, wanted);
  finder->asked = *wanted;
  while (!finder->is_over
         && (order = dg_sum_compare (&cursor->sum, wanted)) < 0)
    finder->is_over = dg_sums_next (cursor) == NULL;
  return order == 0;
}

bool
dg_packed_sums_has (const struct dg_packed_sums *sums,
                    const uint64_t key[DG_SUM_KEYS],
                    struct dg_sums_finder finders[DG_PACKED_RUNS])
{
  struct dg_sum wanted = { { 0 } };

  memcpy (wanted.key, key, sizeof wanted.key);
  for (unsigned i = 0; i < sums->n_runs; i++)
    if (has_sum (&finders[i], (struct dg_sums_run *) &sums->runs[i],
                 &wanted))
      return true;
  return false;
}

/* ---- Runs --------------------------------------------------------------- */

uint64_t
dg_packed_sums_most (const struct dg_packed_sums *sums)
{
  uint64_t n = 0;

  for (unsigned i = 0; i < sums->n_runs; i++)
    n += sums->runs[i].n;
  return n;
}

/* Merges two runs into one.  */
static int
merge (struct dg_sums_run *a, struct dg_sums_run *b,
       struct dg_sums_run *out)
{
  struct dg_sums_cursor x = dg_sums_begin_run (a, true);
  struct dg_sums_cursor y = dg_sums_begin_run (b, true);
  const struct dg_sum *p = dg_sums_next (&x), *q = dg_sums_next (&y);
  struct writer writer = { .block = NULL };
  bool is_whole = true;
  int code;

  while (is_whole && (p != NULL || q != NULL)) {
    if (q == NULL || (p != NULL && dg_sum_compare (p, q) <= 0)) {
      is_whole = write_sum (&writer, p);
      p = dg_sums_next (&x);
    } else {
      is_whole = write_sum (&writer, q);
      q = dg_sums_next (&y);
    }
  }
  code = finish (&writer, is_whole, out);
  run_fini (a);
  run_fini (b);
  return code;
}

/* Merges the last two.  */
static int
merge_last (struct dg_packed_sums *sums)
{
  struct dg_sums_run merged, *last = &sums->runs[sums->n_runs - 1];
  int code = merge (last - 1, last, &merged);

  last[-1] = merged;
  sums->n_runs--;
  return code;
}

/* Adds a run.  */
static int
push (struct dg_packed_sums *sums, struct dg_sums_run *run)
{
  int code = 0;

  if (run->n == 0) {
    run_fini (run);
    return 0;
  }
  g_assert (sums->n_runs < DG_PACKED_RUNS);
  sums->runs[sums->n_runs++] = *run;
  memset (run, 0, sizeof *run);
  while (code == 0 && sums->n_runs > 1
         && sums->runs[sums->n_runs - 2].n
              < 2 * sums->runs[sums->n_runs - 1].n)
    code = merge_last (sums);
  return code;
}

int
dg_packed_sums_add (struct dg_packed_sums *sums, struct dg_sum *items,
                    size_t n)
{
  struct writer writer = { .block = NULL };
  struct dg_sums_run run;
  bool is_whole = true;

  if (n > 1)
    qsort (items, n, sizeof *items, compare_sums);
  for (size_t i = 0; i < n && is_whole; i++)
    is_whole = write_sum (&writer, &items[i]);
  if (finish (&writer, is_whole, &run) < 0)
    return DG_ERR_NOMEM;
  return push (sums, &run);
}

int
dg_packed_sums_take (struct dg_packed_sums *sums, struct dg_packed_sums *from)
{
  int code = 0;

  /* The smallest first, so that those of this size are merged first.  */
  while (from->n_runs > 0 && code == 0)
    code = push (sums, &from->runs[--from->n_runs]);
  dg_packed_sums_fini (from);
  return code;
}

int
dg_packed_sums_settle (struct dg_packed_sums *sums)
{
  int code = 0;

  while (sums->n_runs > 1 && code == 0)
    code = merge_last (sums);
  return code;
}

/* ---- Masks -------------------------------------------------------------- */

/* Those that have the same first number now.  */
static bool
write_group (struct writer *writer, struct dg_table *group)
{
  struct dg_sum *items = group->items;
  bool is_whole = true;

  if (group->n > 1)
    qsort (items, group->n, sizeof *items, compare_sums);
  for (size_t i = 0; i < group->n && is_whole; i++)
    is_whole = write_sum (writer, &items[i]);
  group->n = 0;
  return is_whole;
}

static int
mask_run (struct dg_sums_run *run, uint64_t mask, struct dg_sums_run *out)
{
  struct dg_sums_cursor cursor = dg_sums_begin_run (run, true);
  struct writer writer = { .block = NULL };
  struct dg_table group = { 0 };
  const struct dg_sum *sum;
  bool is_whole = true;
  int code;

  while (is_whole && (sum = dg_sums_next (&cursor)) != NULL) {
    uint64_t first = sum->key[0] & mask;
    struct dg_sum *item;

    if (group.n > 0 && ((struct dg_sum *) group.items)->key[0] != first)
      is_whole = write_group (&writer, &group);
    item = dg_table_add (&group, sizeof *item);
    is_whole = is_whole && item != NULL;
    if (item != NULL) {
      *item = *sum;
      item->key[0] = first;
    }
  }
  is_whole = is_whole && write_group (&writer, &group);
  dg_table_fini (&group);
  code = finish (&writer, is_whole, out);
  run_fini (run);
  return code;
}

int
dg_packed_sums_mask (struct dg_packed_sums *sums, uint64_t mask)
{
  struct dg_packed_sums masked = { .n_runs = 0 };
  struct dg_sums_run run;
  int code = 0;

  for (unsigned i = 0; i < sums->n_runs && code == 0; i++) {
    code = mask_run (&sums->runs[i], mask, &run);
    if (code == 0)
      code = push (&masked, &run);
  }
  dg_packed_sums_fini (sums);
  *sums = masked;
  return code;
}
