/* index_levels.c: the coarser levels of an index, made while its chunks come
   one after the other.

   A level merges the lists of the level below as they come, and keeps one or a
   few lists, packed.  A list that is finished is written as bytes, given away,
   and goes to the level above.  So there is no more memory than for the lines
   that the program uses, a few bytes each, at each level.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "index_levels.h"

#include <glib.h>

#include "base/error.h"
#include "lines.h"
#include "lines_packed.h"

/* Two lists of the same number of chunks are merged at once, so that each line
   is merged three times.  When a level has more lines than this, which are
   several megabytes, all its lists are: lines are merged up to seven times,
   but those that they have in common are kept once.  */
#define MANY_LINES ((uint64_t) 4 << 20)

struct pending {
  struct dg_lines_packed lines;
  unsigned weight;         /* lists of the level below in it */
};

struct level {
  struct dg_table waiting; /* struct dg_lines_packed: of the level below */
  struct pending pending[DG_INDEX_FAN_SHIFT + 1];  /* no two of one weight,
                                                      but for a moment */
  unsigned n_pending;
  uint64_t lists;          /* finished: they went to emit */
};

/* Who is given the lists.  */
struct sink {
  dg_index_levels_fn emit;
  void *user;
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
  struct dg_lines_packed *waiting = level->waiting.items;

  for (size_t i = 0; i < level->waiting.n; i++)
    dg_lines_packed_fini (&waiting[i]);
  dg_table_fini (&level->waiting);
  for (unsigned i = 0; i < level->n_pending; i++)
    dg_lines_packed_fini (&level->pending[i].lines);
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

/* A list for level k, of the level below, which is taken over.  */
static int
wait_for (struct dg_index_levels *levels, unsigned k,
          struct dg_lines_packed *lines, struct dg_error *err)
{
  struct dg_lines_packed *to =
    dg_table_add (&levels->levels[k].waiting, sizeof *to);

  if (!to) {
    dg_lines_packed_fini (lines);
    return dg_error_nomem (err);
  }
  *to = *lines;
  return 0;
}

int
dg_index_levels_add (struct dg_index_levels *levels, const void *bytes,
                     size_t n, struct dg_error *err)
{
  struct dg_lines_packed lines = { 0 };
  struct dg_table counts = { 0 };
  int code = n > 0 ? dg_lines_read (bytes, n, &counts, err) : 0;

  if (code == 0)
    code = dg_lines_packed_add (&lines, counts.items, counts.n, err);
  dg_table_fini (&counts);
  if (code < 0) {
    dg_lines_packed_fini (&lines);
    return code;
  }
  levels->chunks++;
  return wait_for (levels, 1, &lines, err);
}

/* ---- Merging ---- */

/* The last two pending lists become one.  */
static int
merge_last (struct level *level, struct dg_error *err)
{
  struct pending *a = &level->pending[level->n_pending - 2], *b = a + 1;
  struct dg_lines_packed merged = { 0 };
  int code = dg_lines_packed_merge (&a->lines, &b->lines, &merged, err);

  a->lines = merged;
  a->weight += b->weight;
  level->n_pending--;
  return code;
}

/* The last two, when there are.  */
static bool
must_merge (const struct level *level)
{
  const struct pending *last = &level->pending[level->n_pending - 1];
  unsigned weight = 0;
  uint64_t lines = 0;

  if (level->n_pending < 2)
    return false;
  for (unsigned i = 0; i < level->n_pending; i++) {
    weight += level->pending[i].weight;
    lines += level->pending[i].lines.n;
  }
  return last[-1].weight == last->weight || weight == DG_INDEX_FAN
         || lines > MANY_LINES;
}

/* The one pending list of level k is finished.  is_last: no level needs
   it.  */
static int
finish_list (struct dg_index_levels *levels, unsigned k, bool is_last,
             const struct sink *sink, struct dg_error *err)
{
  struct level *level = &levels->levels[k];
  struct dg_lines_packed *lines = &level->pending[0].lines;
  struct dg_table bytes = { 0 };
  int code = 0;

  if (lines->n > 0) {
    code = dg_lines_packed_write (lines, is_last, &bytes, err);
    if (code == 0)
      code = sink->emit (sink->user, k,
                         level->lists << (DG_INDEX_FAN_SHIFT * k),
                         bytes.items, bytes.n, err);
    dg_table_fini (&bytes);
  }
  if (code < 0)
    return code;
  level->lists++;
  level->n_pending = 0;
  if (!is_last && k < DG_INDEX_MAX_LEVELS)
    return wait_for (levels, k + 1, lines, err);
  dg_lines_packed_fini (lines);
  return 0;
}

/* Merges what waits for level k.  Nobody waits then.  */
static int
take_waiting (struct dg_index_levels *levels, unsigned k,
              const struct sink *sink, struct dg_error *err)
{
  struct level *level = &levels->levels[k];
  struct dg_lines_packed *waiting = level->waiting.items;
  int code = 0;

  for (size_t i = 0; i < level->waiting.n && code == 0; i++) {
    level->pending[level->n_pending++] = (struct pending) { waiting[i], 1 };
    waiting[i] = (struct dg_lines_packed) { 0 };
    while (code == 0 && must_merge (level))
      code = merge_last (level, err);
    if (code == 0 && level->pending[0].weight == DG_INDEX_FAN)
      code = finish_list (levels, k, false, sink, err);
  }
  if (code == 0)
    level->waiting.n = 0;
  return code;
}

/* Whatever is pending on level k makes its last list.  */
static int
flush (struct dg_index_levels *levels, unsigned k, const struct sink *sink,
       struct dg_error *err)
{
  struct level *level = &levels->levels[k];
  int code = 0;

  while (code == 0 && level->n_pending > 1)
    code = merge_last (level, err);
  return code < 0 || level->n_pending == 0
           ? code : finish_list (levels, k, level->lists == 0, sink, err);
}

int
dg_index_levels_emit (struct dg_index_levels *levels, dg_index_levels_fn emit,
                      void *user, struct dg_error *err)
{
  const struct sink sink = { emit, user };
  int code = 0;

  for (unsigned k = 1; code == 0 && k <= DG_INDEX_MAX_LEVELS
                       && levels->levels[k].waiting.n > 0; k++)
    code = take_waiting (levels, k, &sink, err);
  return code;
}

int
dg_index_levels_finish (struct dg_index_levels *levels,
                        dg_index_levels_fn emit, void *user,
                        struct dg_error *err)
{
  const struct sink sink = { emit, user };
  uint64_t below = levels->chunks;
  int code = 0;

  for (unsigned k = 1; code == 0 && below > 1 && k <= DG_INDEX_MAX_LEVELS;
       k++) {
    code = take_waiting (levels, k, &sink, err);
    if (code == 0)
      code = flush (levels, k, &sink, err);
    below = levels->levels[k].lists;
  }
  return code;
}
