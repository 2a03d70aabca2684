/* curve_source.c: the changes of a log's heap, in order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "curve.h"

#include "dg_record.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/sized.h"
#include "space/blocks_by_end.h"
#include "symbols/sites.h"

#include <string.h>

/* Bytes alive stay below this.  */
#define MOST_TOTAL ((uint64_t) 1 << 62)

/* Steps that are told: origins, frees sorted, changes, marks.  */
enum { STEPS = 4 };

static int
step (dg_progress_fn progress, void *user, unsigned done,
      struct dg_error *err)
{
  const struct dg_progress whom = { progress, user, 0 };

  return dg_progress_tell (&whom, done, STEPS, err);
}

static struct dg_block_extent
extent_of (const struct dg_curve_source *source, size_t block)
{
  return dg_log_block_extent (source->log, block);
}

/* ---- Origins ---------------------------------------------------------- */

static bool
counts (const struct dg_block *block)
{
  return block->allocator != DG_ALLOC_POOL
         && block->free_icount > block->alloc_icount;
}

/* Stacks are kept once each, so that they are at an address of their own.
   Allocator and number share the first word of a pair.  */
static uint64_t
maker_key (uint32_t stack, uint8_t allocator)
{
  return (uint64_t) stack << 8 | allocator;
}

static uint32_t
find_origin (const struct dg_curve_source *source,
             const struct dg_block *block)
{
  uint32_t stack = dg_pairs_find (
    &source->stacks, (uint64_t) (uintptr_t) block->alloc_stack.sites, 0);

  if (stack == UINT32_MAX)
    return DG_NONE;
  return dg_pairs_find (&source->makers, maker_key (stack, block->allocator),
                        block->alloc_thread);
}

uint32_t
dg_curve_origin_of (const struct dg_curve_source *source,
                    const struct dg_block *block)
{
  const struct dg_curve_origin *origins = source->origins.items;
  uint32_t origin = counts (block) ? find_origin (source, block) : DG_NONE;

  return origin != DG_NONE && origins[origin].is_ignored ? DG_NONE : origin;
}

/* The origin of a block, which may be new.  */
static int
take_origin (struct dg_curve_source *source, const struct dg_block *block,
             uint32_t *number)
{
  uint64_t key = (uint64_t) (uintptr_t) block->alloc_stack.sites;
  uint32_t stack = dg_pairs_find (&source->stacks, key, 0);
  struct dg_curve_origin *origin;

  if (stack == UINT32_MAX) {
    stack = source->n_stacks++;
    if (dg_pairs_add (&source->stacks, key, 0, stack) < 0)
      return DG_ERR_NOMEM;
  }
  *number = dg_pairs_find (&source->makers,
                           maker_key (stack, block->allocator),
                           block->alloc_thread);
  if (*number != UINT32_MAX)
    return 0;
  origin = dg_table_add (&source->origins, sizeof *origin);
  *number = (uint32_t) source->origins.n - 1;
  if (origin == NULL || *number >= UINT32_MAX / 4
      || dg_pairs_add (&source->makers, maker_key (stack, block->allocator),
                       block->alloc_thread, *number) < 0)
    return DG_ERR_NOMEM;
  origin->stack = block->alloc_stack;
  origin->icount = block->alloc_icount;
  origin->thread = block->alloc_thread;
  origin->allocator = block->allocator;
  return 0;
}

/* By block; DG_NONE of those that do not count.  */
static int
list_origins (struct dg_curve_source *source, uint32_t *of,
              struct dg_error *err)
{
  struct dg_block last = { .allocator = 0 };
  uint32_t of_last = DG_NONE;

  for (size_t i = 0; i < source->n_blocks; i++) {
    const struct dg_block block = dg_log_block (source->log, i);

    of[i] = DG_NONE;
    if (!counts (&block))
      continue;
    if (of_last != DG_NONE
        && last.alloc_stack.sites == block.alloc_stack.sites
        && last.alloc_thread == block.alloc_thread
        && last.allocator == block.allocator)
      of[i] = of_last;
    else if (take_origin (source, &block, &of[i]) < 0)
      return dg_error_nomem (err);
    of_last = of[i];
    last = block;
  }
  return 0;
}

/* Whether a function is one of the names, with or without the list of
   parameters of a demangled one.  */
static bool
is_named (const char *function, const char *const *names, size_t n)
{
  size_t bare = strcspn (function, "(");

  for (size_t i = 0; i < n; i++)
    if (strcmp (function, names[i]) == 0
        || (strlen (names[i]) == bare
            && memcmp (function, names[i], bare) == 0))
      return true;
  return false;
}

/* Blocks of origins that are to be ignored do not count.  */
static void
ignore (struct dg_curve_source *source,
        const struct dg_curve_source_options *options, uint32_t *of)
{
  const struct dg_site_options how = {.size = sizeof how,
                                      .allocators = source->allocators,
                                      .symbols = source->symbols};
  struct dg_curve_origin *origins = source->origins.items;

  if (options->n_ignore_fns == 0 || source->symbols == NULL)
    return;
  for (size_t i = 0; i < source->origins.n; i++) {
    struct dg_site_frame site;

    dg_sites_find (&how, &origins[i].stack, origins[i].icount,
                   dg_site_is_call (origins[i].allocator), &site);
    origins[i].is_ignored =
      site.frame.function != NULL
      && is_named (site.frame.function, options->ignore_fns,
                   options->n_ignore_fns);
  }
  for (size_t i = 0; i < source->n_blocks; i++)
    if (of[i] != DG_NONE && origins[of[i]].is_ignored)
      of[i] = DG_NONE;
}

/* ---- Changes ---------------------------------------------------------- */

/* The ends of lives, in their order.  */
struct ends {
  uint32_t *blocks;
  size_t n;
};

static int
list_ends (const struct dg_curve_source *source, const uint32_t *of,
           struct ends *ends)
{
  ends->blocks = g_try_new (uint32_t, source->n_blocks + 1);
  if (ends->blocks == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < source->n_blocks; i++)
    if (of[i] != DG_NONE && extent_of (source, i).free_icount != DG_NEVER)
      ends->blocks[ends->n++] = (uint32_t) i;
  return dg_blocks_by_end (source->log, ends->blocks, ends->n);
}

/* Fills the states; false if there are more bytes alive than a sum holds.  */
static bool
merge (struct dg_curve_source *source, const uint32_t *of,
       const struct ends *ends)
{
  struct dg_block_extent at;
  size_t begin = 0, end = 0, state = 0;
  uint64_t total = 0;

  source->icounts[0] = source->totals[0] = 0;
  source->changes[0] = 0;
  for (;;) {
    bool is_end;
    size_t i;

    while (begin < source->n_blocks && of[begin] == DG_NONE)
      begin++;
    if (begin == source->n_blocks && end == ends->n)
      break;
    is_end = begin == source->n_blocks
             || (end < ends->n
                 && extent_of (source, ends->blocks[end]).free_icount
                      <= extent_of (source, begin).alloc_icount);
    i = is_end ? ends->blocks[end++] : begin++;
    at = extent_of (source, i);
    total += is_end ? -MIN (at.size, source->limit)
                    : MIN (at.size, source->limit);
    if (!is_end && total > MOST_TOTAL)
      return false;
    state++;
    source->icounts[state] = is_end ? at.free_icount : at.alloc_icount;
    source->totals[state] = total;
    source->changes[state] = 2 * of[i] + is_end;
  }
  return true;
}

static int
list_changes (struct dg_curve_source *source, const uint32_t *of,
              const struct ends *ends)
{
  size_t n = ends->n;

  for (size_t i = 0; i < source->n_blocks; i++)
    n += of[i] != DG_NONE;
  source->n = n;
  source->icounts = g_try_new (uint64_t, n + 1);
  source->totals = g_try_new (uint64_t, n + 1);
  source->changes = g_try_new (uint32_t, n + 1);
  if (source->icounts == NULL || source->totals == NULL
      || source->changes == NULL)
    return DG_ERR_NOMEM;
  source->limit = MOST_TOTAL;
  if (!merge (source, of, ends)) {
    source->limit = MOST_TOTAL / source->n_blocks;
    merge (source, of, ends);
  }
  return 0;
}

/* ---- The clock -------------------------------------------------------- */

static int
copy_clock (struct dg_curve_source *source)
{
  size_t n;
  const struct dg_clock *clock = dg_log_clock (source->log, &n);

  source->clock = g_try_new (struct dg_clock, n + 1);
  if (source->clock == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < n; i++) {
    struct dg_clock *to = source->clock + i;

    *to = clock[i];
    if (i > 0) {
      to->icount = MAX (to->icount, to[-1].icount);
      to->ns = MAX (to->ns, to[-1].ns);
    }
  }
  source->n_clock = n;
  return 0;
}

/* ---- All of it -------------------------------------------------------- */

static int
fill (struct dg_curve_source *source,
      const struct dg_curve_source_options *options, uint32_t *of,
      dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct ends ends = {NULL, 0};
  int code = list_origins (source, of, err);

  if (code < 0 || (code = step (progress, user, 1, err)) < 0)
    return code;
  ignore (source, options, of);
  if (list_ends (source, of, &ends) < 0)
    code = dg_error_nomem (err);
  if (code == 0)
    code = step (progress, user, 2, err);
  if (code == 0 && list_changes (source, of, &ends) < 0)
    code = dg_error_nomem (err);
  g_free (ends.blocks);
  if (code < 0 || (code = step (progress, user, 3, err)) < 0)
    return code;
  if (dg_curve_make_marks (source) < 0 || copy_clock (source) < 0)
    return dg_error_nomem (err);
  return 0;
}

struct dg_curve_source *
dg_curve_source_new (const struct dg_log *log, struct dg_symbols *symbols,
                     const struct dg_curve_source_options *options,
                     dg_progress_fn progress, void *user,
                     struct dg_error *err)
{
  struct dg_curve_source_options own;
  struct dg_curve_source *source;
  uint32_t *of;
  int code;

  if (DG_SIZED_TAKE (&own, n_ignore_fns, options, err) < 0)
    return NULL;
  options = &own;
  source = g_new0 (struct dg_curve_source, 1);
  g_mutex_init (&source->lock);
  source->log = log;
  source->symbols = symbols;
  source->log = log;
  source->n_blocks = dg_log_n_blocks (log);
  source->lines = dg_site_lines_new (log, 1);
  source->allocators = dg_allocators_new (NULL, err);
  of = g_try_new (uint32_t, source->n_blocks + 1);
  for (size_t i = 0; i < options->n_alloc_fns; i++)
    dg_allocators_add (source->allocators, options->alloc_fns[i]);
  code = of == NULL ? dg_error_nomem (err)
                    : fill (source, options, of, progress, user, err);
  g_free (of);
  if (code < 0) {
    dg_curve_source_free (source);
    return NULL;
  }
  return source;
}

void
dg_curve_source_free (struct dg_curve_source *source)
{
  if (source == NULL)
    return;
  for (size_t i = 0; i < DG_CURVE_BYS; i++)
    dg_curve_groups_free (source->groups[i]);
  dg_allocators_free (source->allocators);
  dg_site_lines_free (source->lines);
  dg_pairs_fini (&source->stacks);
  dg_pairs_fini (&source->makers);
  dg_table_fini (&source->origins);
  g_free (source->icounts);
  g_free (source->totals);
  g_free (source->changes);
  g_free (source->mark_bytes);
  g_free (source->mark_blocks);
  g_free (source->turnover);
  g_free (source->high);
  g_free (source->low);
  g_free (source->clock);
  g_mutex_clear (&source->lock);
  g_free (source);
}
