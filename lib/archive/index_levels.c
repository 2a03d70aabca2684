/* index_levels.c: the coarser levels of an index, made while its chunks come
   one after the other.

   Only what is not finished is kept as lists, at most three a level: lists
   are merged two by two as soon as both have the same number of chunks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "index_levels.h"

#include <glib.h>

#include "base/error.h"
#include "lines.h"

struct pending {
  struct dg_table counts;  /* struct dg_line_count */
  unsigned weight;         /* lists of the level below in it */
};

struct level {
  struct pending pending[DG_INDEX_FAN_SHIFT + 1];  /* weights falling */
  unsigned n_pending;
  uint64_t lists, given;   /* finished; the first ones went to emit */
  struct dg_table bytes;   /* of the others, one behind the other */
  struct dg_table ends;    /* uint64_t: where each one ends */
};

struct dg_index_levels {
  uint64_t chunks;
  struct level levels[DG_INDEX_MAX_LEVELS + 1];  /* from 1 on */
};

struct dg_index_levels *
dg_index_levels_new (struct dg_error *err)
{
  struct dg_index_levels *levels = g_try_new0 (struct dg_index_levels, 1);

  if (!levels)
    dg_error_nomem (err);
  return levels;
}

static void
level_fini (struct level *level)
{
  for (unsigned i = 0; i < level->n_pending; i++)
    dg_table_fini (&level->pending[i].counts);
  dg_table_fini (&level->bytes);
  dg_table_fini (&level->ends);
}

void
dg_index_levels_free (struct dg_index_levels *levels)
{
  if (!levels)
    return;
  for (unsigned k = 1; k <= DG_INDEX_MAX_LEVELS; k++)
    level_fini (&levels->levels[k]);
  g_free (levels);
}

/* The last two pending lists become one.  */
static int
merge_last (struct level *level, struct dg_error *err)
{
  struct pending *a = &level->pending[level->n_pending - 2], *b = a + 1;
  const struct dg_line_count *lists[2] = { a->counts.items, b->counts.items };
  const size_t lengths[2] = { a->counts.n, b->counts.n };
  struct dg_table merged = { 0 };
  int code = dg_lines_merge (lists, lengths, 2, &merged, err);

  if (code < 0) {
    dg_table_fini (&merged);
    return code;
  }
  dg_table_fini (&a->counts);
  dg_table_fini (&b->counts);
  a->counts = merged;
  a->weight += b->weight;
  level->n_pending--;
  return 0;
}

/* The one pending list is finished: its bytes are kept.  */
static int
keep (struct level *level, struct dg_error *err)
{
  const struct dg_table *counts = &level->pending[0].counts;
  uint64_t *end;
  int code = 0;

  if (counts->n > 0)
    code = dg_lines_write (counts->items, counts->n, &level->bytes, err);
  if (code < 0)
    return code;
  end = dg_table_add (&level->ends, sizeof *end);
  if (!end)
    return dg_error_nomem (err);
  *end = level->bytes.n;
  level->lists++;
  return 0;
}

/* A list for level k and those above.  The table is taken over.  */
static int
add_list (struct dg_index_levels *levels, unsigned k, struct dg_table counts,
          struct dg_error *err)
{
  int code = 0;

  for (; k <= DG_INDEX_MAX_LEVELS; k++) {
    struct level *level = &levels->levels[k];

    level->pending[level->n_pending++] = (struct pending) { counts, 1 };
    while (code == 0 && level->n_pending > 1
           && level->pending[level->n_pending - 2].weight
                == level->pending[level->n_pending - 1].weight)
      code = merge_last (level, err);
    if (code < 0 || level->pending[0].weight < DG_INDEX_FAN)
      return code;
    code = keep (level, err);
    if (code < 0)
      return code;
    counts = level->pending[0].counts;
    level->n_pending = 0;
  }
  dg_table_fini (&counts);
  return 0;
}

int
dg_index_levels_add (struct dg_index_levels *levels, const void *bytes,
                     size_t n, struct dg_error *err)
{
  struct dg_table counts = { 0 };
  int code = n > 0 ? dg_lines_read (bytes, n, &counts, err) : 0;

  if (code < 0) {
    dg_table_fini (&counts);
    return code;
  }
  levels->chunks++;
  return add_list (levels, 1, counts, err);
}

/* Whatever is pending on level k makes its last list.  */
static int
flush (struct dg_index_levels *levels, unsigned k, struct dg_error *err)
{
  struct level *level = &levels->levels[k];
  struct dg_table counts;
  int code = 0;

  while (code == 0 && level->n_pending > 1)
    code = merge_last (level, err);
  if (code < 0 || level->n_pending == 0)
    return code;
  code = keep (level, err);
  if (code < 0)
    return code;
  counts = level->pending[0].counts;
  level->n_pending = 0;
  if (k < DG_INDEX_MAX_LEVELS)
    return add_list (levels, k + 1, counts, err);
  dg_table_fini (&counts);
  return 0;
}

static int
emit_level (struct level *level, unsigned k, dg_index_levels_fn emit,
            void *user, struct dg_error *err)
{
  const uint64_t *ends = level->ends.items;
  const uint8_t *bytes = level->bytes.items;
  uint64_t start = 0;

  for (uint64_t i = 0; i < level->lists - level->given; i++) {
    int code = 0;

    if (ends[i] > start)
      code = emit (user, k, (level->given + i) << (DG_INDEX_FAN_SHIFT * k),
                   bytes + start, ends[i] - start, err);
    if (code < 0)
      return code;
    start = ends[i];
  }
  level->given = level->lists;
  level->bytes.n = level->ends.n = 0;
  return 0;
}

int
dg_index_levels_emit (struct dg_index_levels *levels, dg_index_levels_fn emit,
                      void *user, struct dg_error *err)
{
  int code = 0;

  for (unsigned k = 1; code == 0 && k <= DG_INDEX_MAX_LEVELS
                       && levels->levels[k].lists > 0; k++)
    code = emit_level (&levels->levels[k], k, emit, user, err);
  return code;
}

int
dg_index_levels_finish (struct dg_index_levels *levels,
                        dg_index_levels_fn emit, void *user,
                        struct dg_error *err)
{
  uint64_t below = levels->chunks;
  int code = 0;

  for (unsigned k = 1; code == 0 && below > 1 && k <= DG_INDEX_MAX_LEVELS;
       k++) {
    code = flush (levels, k, err);
    below = levels->levels[k].lists;
  }
  return code == 0 ? dg_index_levels_emit (levels, emit, user, err) : code;
}
