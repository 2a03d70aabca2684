/* lines_packed.c: long lists of lines in memory, packed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "lines_packed.h"

#include <string.h>

#include "base/error.h"
#include "base/varint.h"

/* Lines of a block: unpacked, three of them fit in a second-level cache.  */
#define BLOCK_LINES 8192

static struct dg_lines_block *
block_at (const struct dg_lines_packed *list, size_t i)
{
  return (struct dg_lines_block *) list->blocks.items + i;
}

void
dg_lines_packed_fini (struct dg_lines_packed *list)
{
  for (size_t i = 0; i < list->blocks.n; i++)
    g_free (block_at (list, i)->bytes);
  dg_table_fini (&list->blocks);
  list->n = 0;
}

/* ---- Blocks ---- */

/* The block's bytes are the list's then.  */
static int
append_block (struct dg_lines_packed *list,
              const struct dg_lines_block *block, struct dg_error *err)
{
  struct dg_lines_block *to = dg_table_add (&list->blocks, sizeof *to);

  if (to == NULL)
    return dg_error_nomem (err);
  *to = *block;
  list->n += block->n;
  return 0;
}

/* Packs at most a block of lines.  bytes: a table for this, which is used
   again.  */
static int
pack_block (struct dg_lines_packed *list, const struct dg_line_count *counts,
            size_t n, struct dg_table *bytes, struct dg_error *err)
{
  struct dg_lines_block block = {
    .n = n, .first = counts[0].line, .last = counts[n - 1].line};
  int code;

  bytes->n = 0;
  code = dg_lines_write (counts, n, bytes, err);
  if (code < 0)
    return code;
  block.n_bytes = bytes->n;
  block.bytes = g_try_malloc (bytes->n);
  if (block.bytes == NULL)
    return dg_error_nomem (err);
  memcpy (block.bytes, bytes->items, bytes->n);
  code = append_block (list, &block, err);
  if (code < 0)
    g_free (block.bytes);
  return code;
}

int
dg_lines_packed_add (struct dg_lines_packed *list,
                     const struct dg_line_count *counts, size_t n,
                     struct dg_error *err)
{
  struct dg_table bytes = {0};
  int code = 0;

  for (size_t i = 0; i < n && code == 0; i += BLOCK_LINES)
    code = pack_block (list, counts + i, MIN (n - i, BLOCK_LINES), &bytes,
                       err);
  dg_table_fini (&bytes);
  return code;
}

/* ---- Merging ---- */

/* A list that is unpacked and freed block by block.  */
struct source {
  struct dg_lines_packed *list;
  size_t block;            /* that comes next */
  struct dg_table counts;  /* struct dg_line_count: of the one before it */
  size_t at;
};

struct merging {
  struct source sources[2];
  struct dg_lines_packed *out;
  struct dg_line_count *made;          /* BLOCK_LINES */
  size_t n_made;
  struct dg_table bytes;
};

static const struct dg_line_count *
next_of (const struct source *source)
{
  return (const struct dg_line_count *) source->counts.items + source->at;
}

static size_t
left_of (const struct source *source)
{
  return source->counts.n - source->at;
}

static bool
has_block (const struct source *source)
{
  return source->block < source->list->blocks.n;
}

/* The next block is the list's no more.  */
static struct dg_lines_block
take_block (struct source *source)
{
  struct dg_lines_block *at = block_at (source->list, source->block++);
  struct dg_lines_block block = *at;

  at->bytes = NULL;
  return block;
}

/* 1: there are lines; 0: the list is over; or an error.  */
static int
unpack (struct source *source, struct dg_error *err)
{
  struct dg_lines_block block;
  int code;

  if (left_of (source) > 0)
    return 1;
  if (!has_block (source))
    return 0;
  block = take_block (source);
  source->counts.n = source->at = 0;
  code = dg_lines_read (block.bytes, block.n_bytes, &source->counts, err);
  g_free (block.bytes);
  return code < 0 ? code : 1;
}

static int
flush (struct merging *merging, struct dg_error *err)
{
  int code = merging->n_made == 0
               ? 0 : pack_block (merging->out, merging->made,
                                 merging->n_made, &merging->bytes, err);

  merging->n_made = 0;
  return code;
}

/* Moves the source's next block, if all of it comes before what the other one
   has, and if no small blocks result: 1, 0 or an error.  */
static int
move_block (struct merging *merging, struct source *source,
            const struct source *other, struct dg_error *err)
{
  const struct dg_lines_block *next;
  struct dg_lines_block block;
  int code;

  if (left_of (source) > 0 || !has_block (source)
      || (merging->n_made > 0 && merging->n_made < BLOCK_LINES / 2))
    return 0;
  next = block_at (source->list, source->block);
  if (next->n < BLOCK_LINES / 2
      || (left_of (other) > 0 && next_of (other)->line <= next->last)
      || (left_of (other) == 0 && has_block (other)
          && block_at (other->list, other->block)->first <= next->last))
    return 0;
  code = flush (merging, err);
  if (code < 0)
    return code;
  block = take_block (source);
  code = append_block (merging->out, &block, err);
  if (code < 0)
    g_free (block.bytes);
  return code < 0 ? code : 1;
}

/* Takes lines of a source alone, as far as there is room.  */
static void
copy_lines (struct merging *merging, struct source *source)
{
  size_t n = MIN (left_of (source), BLOCK_LINES - merging->n_made);

  memcpy (merging->made + merging->n_made, next_of (source),
          n * sizeof *merging->made);
  merging->n_made += n;
  source->at += n;
}

/* Until one of them has to be unpacked, or the block is full.  */
static void
merge_lines (struct merging *merging)
{
  struct source *x = &merging->sources[0], *y = &merging->sources[1];
  size_t room = BLOCK_LINES - merging->n_made;
  size_t used_x, used_y;

  merging->n_made += dg_lines_merge_some (next_of (x), left_of (x),
                                          next_of (y), left_of (y),
                                          merging->made + merging->n_made,
                                          room, &used_x, &used_y);
  x->at += used_x;
  y->at += used_y;
}

/* 1: there is more to do.  */
static int
step (struct merging *merging, struct dg_error *err)
{
  struct source *x = &merging->sources[0], *y = &merging->sources[1];
  int code = 0, more_x, more_y;

  if (merging->n_made == BLOCK_LINES)
    code = flush (merging, err);
  if (code == 0)
    code = move_block (merging, x, y, err) ?: move_block (merging, y, x, err);
  if (code != 0)
    return code;
  more_x = unpack (x, err);
  more_y = more_x < 0 ? more_x : unpack (y, err);
  if (more_y < 0)
    return more_y;
  if (more_x && more_y)
    merge_lines (merging);
  else if (more_x || more_y)
    copy_lines (merging, more_x ? x : y);
  return more_x || more_y;
}

int
dg_lines_packed_merge (struct dg_lines_packed *a, struct dg_lines_packed *b,
                       struct dg_lines_packed *out, struct dg_error *err)
{
  struct merging merging = {.sources = {{.list = a}, {.list = b}},
                            .out = out};
  int code = 1;

  merging.made = g_try_new (struct dg_line_count, BLOCK_LINES);
  if (merging.made == NULL)
    code = dg_error_nomem (err);
  while (code > 0)
    code = step (&merging, err);
  if (code == 0)
    code = flush (&merging, err);
  for (unsigned i = 0; i < 2; i++)
    dg_table_fini (&merging.sources[i].counts);
  dg_table_fini (&merging.bytes);
  g_free (merging.made);
  dg_lines_packed_fini (a);
  dg_lines_packed_fini (b);
  return code;
}

/* ---- As one ---- */

static uint64_t
bytes_of (const struct dg_lines_packed *list)
{
  uint64_t n = 0;

  for (size_t i = 0; i < list->blocks.n; i++)
    n += block_at (list, i)->n_bytes;
  return n;
}

int
dg_lines_packed_write (struct dg_lines_packed *list, bool frees,
                       struct dg_table *out, struct dg_error *err)
{
  /* A block has no fewer bytes than its lines among the others have.  */
  size_t room = out->n + DG_VARINT_MAX + bytes_of (list);
  struct dg_lines_writer writer;
  struct dg_table counts = {0};
  int code = 0;

  if (dg_table_reserve (out, 1, room) < 0)
    return dg_error_nomem (err);
  dg_lines_writer_init (&writer, out, list->n);
  for (size_t i = 0; i < list->blocks.n && code == 0; i++) {
    struct dg_lines_block *block = block_at (list, i);

    counts.n = 0;
    code = dg_lines_read (block->bytes, block->n_bytes, &counts, err);
    if (frees)
      g_clear_pointer (&block->bytes, g_free);
    if (code == 0)
      code = dg_lines_writer_add (&writer, counts.items, counts.n, err);
  }
  dg_table_fini (&counts);
  if (frees)
    dg_lines_packed_fini (list);
  return dg_lines_writer_end (&writer, code, err);
}
