/* filter.c: the --events and --ranges language, applied to accesses.

   All that takes time is done when a filter is made.  The events side
   becomes one byte per context and a list of moments; the ranges side
   becomes covers of address and time (see space_cover.c).  The text is
   parsed in filter_parse.c, accesses are judged in filter_access.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "filter.h"
#include "filter_state.h"

#include "base/compare.h"
#include "base/error.h"
#include "base/progress.h"
#include "filter_problems.h"
#include "space/space.h"

#include <stdlib.h>
#include <string.h>

/* Reports how far making a filter has come.  */
struct pace {
  struct dg_progress progress;
  uint64_t done, total;
};

static int
step (struct pace *pace, struct dg_error *err)
{
  return (pace->done++ & 63) == 0
           ? dg_progress_pace (&pace->progress, pace->done, pace->total, err)
           : 0;
}

static const struct dg_filter_condition *
condition_at (const GArray *conditions, guint i)
{
  return &g_array_index (conditions, struct dg_filter_condition, i);
}

static bool
has_kind (const GArray *conditions, enum dg_filter_condition_kind kind)
{
  for (guint i = 0; i < conditions->len; i++)
    if (condition_at (conditions, i)->kind == kind)
      return true;
  return false;
}

static bool
has_stack_condition (const GArray *conditions)
{
  for (guint i = 0; i < conditions->len; i++)
    if (dg_filter_condition_has_stack (condition_at (conditions, i)))
      return true;
  return false;
}

static bool
has_label (const GArray *conditions, const char *label)
{
  for (guint i = 0; i < conditions->len; i++) {
    const struct dg_filter_condition *c = condition_at (conditions, i);

    if (c->kind == DG_COND_USER && strcmp (c->name, label) == 0)
      return true;
  }
  return false;
}

/* ---- The events side -------------------------------------------------- */

DG_COMPARE_BY (compare_spans, struct dg_filter_span, start)

/* The moments at which an event with one of the labels is active.  */
static int
collect_spans (struct dg_filter *filter, struct dg_error *err)
{
  size_t n, kept = 0;
  const struct dg_event *events = dg_log_events (filter->log, &n);
  struct dg_table *all = &filter->spans;
  struct dg_filter_span *spans;

  for (size_t i = 0; i < n; i++) {
    if (has_label (filter->conditions[DG_SIDE_EVENTS], events[i].label)) {
      struct dg_filter_span *span = dg_table_add (all, sizeof *span);

      if (span == NULL)
        return dg_error_nomem (err);
      *span =
        (struct dg_filter_span){events[i].start_icount, events[i].end_icount};
    }
  }
  spans = all->items;
  if (all->n > 0)
    qsort (spans, all->n, sizeof *spans, compare_spans);
  for (size_t i = 0; i < all->n; i++) {
    struct dg_filter_span *last = kept > 0 ? &spans[kept - 1] : NULL;

    if (last != NULL && spans[i].start <= last->end)
      last->end = MAX (last->end, spans[i].end);
    else
      spans[kept++] = spans[i];
  }
  all->n = kept;
  return 0;
}

/* The moment of each context's first run.  Only needed when a module takes
   another's place; then the log has to be read once.  */
static uint64_t *
read_first_moments (const struct dg_filter *filter, size_t n,
                    struct pace *pace, struct dg_error *err)
{
  uint64_t *moments = g_try_new0 (uint64_t, n + 1);
  uint8_t *seen = g_try_new0 (uint8_t, n + 1);
  struct dg_reader *reader = NULL;
  struct dg_run run;
  int more = -1;

  if (moments == NULL || seen == NULL) {
    dg_error_nomem (err);
    goto out;
  }
  reader = dg_reader_new (filter->log, 0, SIZE_MAX, err);
  if (reader == NULL)
    goto out;
  pace->total += dg_log_summary (filter->log)->runs;
  while ((more = dg_reader_run (reader, &run, err)) > 0) {
    if (!seen[run.context]) {
      seen[run.context] = 1;
      moments[run.context] = run.icount;
    }
    if (step (pace, err) < 0) {
      more = -1;
      break;
    }
  }
out:
  dg_reader_free (reader);
  g_free (seen);
  if (more < 0)
    g_clear_pointer (&moments, g_free);
  return moments;
}

/* What the block's own instructions say: a function that is inlined there
   has some of them only.  */
static enum dg_filter_verdict
judge_block (struct dg_filter *filter, const struct dg_bbdef *bbdef,
             uint64_t icount)
{
  unsigned n_meet = 0;

  for (unsigned i = 0; i < bbdef->n_instrs; i++)
    if (dg_filter_sites_meet (filter->sites, DG_SIDE_EVENTS,
                              bbdef->instrs[i].address, icount))
      n_meet++;
  if (n_meet == 0)
    return VERDICT_NONE;
  return n_meet == bbdef->n_instrs ? VERDICT_ALL : VERDICT_SOME;
}

/* Is any call of a path one of those that are wanted?  */
static bool
path_meets (struct dg_filter *filter, uint32_t path, uint64_t icount)
{
  uint64_t sites[DG_STACK_MAX];
  uint32_t n = dg_log_path_sites (filter->log, path, sites, DG_STACK_MAX);

  for (uint32_t i = 0; i < n; i++)
    if (dg_filter_sites_meet (filter->sites, DG_SIDE_EVENTS, sites[i], icount))
      return true;
  return false;
}

/* The same for all paths, each of which goes on from one before it.  */
static uint8_t *
judge_paths (struct dg_filter *filter)
{
  uint32_t n = dg_log_n_call_paths (filter->log);
  uint8_t *meet = g_try_new0 (uint8_t, (size_t) n + 1);

  for (uint32_t i = 1; meet != NULL && i < n; i++) {
    struct dg_call_path path = dg_log_call_path (filter->log, i);

    if (path.parent == DG_NONE)
      meet[i] = path_meets (filter, i, 0);
    else
      meet[i] =
        meet[path.parent]
        || dg_filter_sites_meet (filter->sites, DG_SIDE_EVENTS, path.site, 0);
  }
  return meet;
}

static enum dg_filter_verdict
judge_context (struct dg_filter *filter, struct dg_context context,
               bool path_is_met, uint8_t *of_block, uint64_t icount)
{
  if (path_is_met)
    return VERDICT_ALL;
  if (*of_block == VERDICT_UNKNOWN)
    *of_block =
      judge_block (filter, dg_log_bbdef (filter->log, context.bbdef), icount);
  return *of_block;
}

static int
judge_contexts (struct dg_filter *filter, struct pace *pace,
                struct dg_error *err)
{
  const struct dg_summary *summary = dg_log_summary (filter->log);
  size_t n = summary->contexts;
  uint8_t *blocks = g_try_malloc (summary->bbdefs + 1);
  uint8_t *paths = NULL;
  uint64_t *moments = NULL;
  int code = 0;

  filter->contexts = g_try_malloc (n + 1);
  if (blocks == NULL || filter->contexts == NULL) {
    code = dg_error_nomem (err);
    goto out;
  }
  memset (blocks, VERDICT_UNKNOWN, summary->bbdefs);
  if (dg_filter_sites_need_moment (filter->sites)) {
    moments = read_first_moments (filter, n, pace, err);
    if (moments == NULL) {
      code = err != NULL && err->code < 0 ? err->code : DG_ERR_IO;
      goto out;
    }
  }
  if (moments == NULL) {
    paths = judge_paths (filter);
    if (paths == NULL) {
      code = dg_error_nomem (err);
      goto out;
    }
  }
  for (size_t i = 0; i < n && code == 0; i++) {
    struct dg_context context = dg_log_context (filter->log, (uint32_t) i);
    uint64_t icount = moments != NULL ? moments[i] : 0;
    bool is_met = paths != NULL ? paths[context.path]
                                : path_meets (filter, context.path, icount);

    filter->contexts[i] = (uint8_t) judge_context (
      filter, context, is_met, &blocks[context.bbdef], icount);
    code = step (pace, err);
  }
out:
  g_free (paths);
  g_free (blocks);
  g_free (moments);
  return code;
}

/* ---- The ranges side -------------------------------------------------- */

static bool
block_meets (struct dg_filter *filter, size_t index)
{
  const struct dg_block block = dg_log_block (filter->log, index);

  for (uint32_t i = 0; i < block.alloc_stack.n; i++)
    if (dg_filter_sites_meet (filter->sites, DG_SIDE_RANGES,
                              block.alloc_stack.sites[i], block.alloc_icount))
      return true;
  return false;
}

static int
add_rect (struct dg_table *rects, struct dg_rect rect, struct dg_error *err)
{
  struct dg_rect *to = dg_table_add (rects, sizeof *to);

  if (to == NULL)
    return dg_error_nomem (err);
  *to = rect;
  return 0;
}

static int
collect_blocks (struct dg_filter *filter, bool all, struct dg_table *rects,
                struct pace *pace, struct dg_error *err)
{
  size_t n = dg_log_n_blocks (filter->log);

  for (size_t i = 0; i < n; i++) {
    if (all || block_meets (filter, i)) {
      struct dg_block_extent at = dg_log_block_extent (filter->log, i);
      struct dg_rect rect = dg_rect_make (at.address, at.size,
                                          at.alloc_icount, at.free_icount,
                                          (uint32_t) i);

      if (add_rect (rects, rect, err) < 0)
        return DG_ERR_NOMEM;
    }
    if (step (pace, err) < 0)
      return DG_ERR_CANCELLED;
  }
  return 0;
}

static int
collect_ranges (struct dg_filter *filter, bool all, struct dg_table *rects,
                struct dg_error *err)
{
  size_t n;
  const struct dg_range *ranges = dg_log_ranges (filter->log, &n);

  for (size_t i = 0; i < n; i++) {
    if (all
        || has_label (filter->conditions[DG_SIDE_RANGES], ranges[i].label)) {
      struct dg_rect rect = dg_rect_make (ranges[i].address, ranges[i].size,
                                          ranges[i].start_icount,
                                          ranges[i].end_icount, (uint32_t) i);

      if (add_rect (rects, rect, err) < 0)
        return DG_ERR_NOMEM;
    }
  }
  return 0;
}

/* "malloc" and "range" are what a space already has; all others share one
   cover of what they select.  */
static int
make_covers (struct dg_filter *filter, const struct dg_space *space,
             struct pace *pace, struct dg_error *err)
{
  const GArray *conditions = filter->conditions[DG_SIDE_RANGES];
  bool malloc_all = has_kind (conditions, DG_COND_MALLOC);
  bool range_all = has_kind (conditions, DG_COND_RANGE);
  struct dg_table rects = {0};
  int code = 0;

  if (malloc_all && space != NULL)
    filter->covers[filter->n_covers++] = dg_space_borrow_blocks (space);
  else if (malloc_all || has_stack_condition (conditions))
    code = collect_blocks (filter, malloc_all, &rects, pace, err);
  if (range_all && space != NULL)
    filter->covers[filter->n_covers++] = dg_space_borrow_ranges (space);
  else if (code == 0)
    code = collect_ranges (filter, range_all, &rects, err);
  if (code == 0 && rects.n > 0) {
    code = dg_cover_new (rects.items, rects.n, &filter->own_cover);
    if (code < 0)
      dg_error_nomem (err);
    else
      filter->covers[filter->n_covers++] = filter->own_cover;
  }
  dg_table_fini (&rects);
  return code;
}

/* ---- Both ------------------------------------------------------------- */

static int
parse_both (struct dg_filter *filter, const char *events, const char *ranges,
            struct dg_error *err)
{
  filter->conditions[DG_SIDE_EVENTS] =
    dg_filter_parse (DG_SIDE_EVENTS, events, err);
  if (filter->conditions[DG_SIDE_EVENTS] == NULL)
    return DG_ERR_FILTER;
  filter->conditions[DG_SIDE_RANGES] =
    dg_filter_parse (DG_SIDE_RANGES, ranges, err);
  return filter->conditions[DG_SIDE_RANGES] == NULL ? DG_ERR_FILTER : 0;
}

int
dg_filter_check (const char *events, const char *ranges, struct dg_error *err)
{
  GArray *first = dg_filter_parse (DG_SIDE_EVENTS, events, err);
  GArray *second =
    first != NULL ? dg_filter_parse (DG_SIDE_RANGES, ranges, err) : NULL;
  int code = second != NULL ? 0 : DG_ERR_FILTER;

  if (first != NULL)
    g_array_unref (first);
  if (second != NULL)
    g_array_unref (second);
  return code;
}

static int
prepare (struct dg_filter *filter, struct dg_symbols *symbols,
         const struct dg_space *space, struct pace *pace, struct dg_error *err)
{
  bool events_stack = has_stack_condition (filter->conditions[0]);
  bool ranges_stack = has_stack_condition (filter->conditions[1]);

  if (events_stack || ranges_stack) {
    if (symbols == NULL)
      return dg_error_set (err, DG_ERR_INVALID,
                           "fn, file and dso need symbols");
    filter->sites =
      dg_filter_sites_new (filter->log, symbols, filter->conditions);
  }
  pace->total = (events_stack ? dg_log_summary (filter->log)->contexts : 0)
                + (ranges_stack ? dg_log_n_blocks (filter->log) : 0);
  if (collect_spans (filter, err) < 0)
    return -1;
  if (events_stack && judge_contexts (filter, pace, err) < 0)
    return -1;
  if (filter->conditions[DG_SIDE_RANGES]->len > 0)
    return make_covers (filter, space, pace, err);
  return 0;
}

struct dg_filter *
dg_filter_new (const struct dg_log *log, struct dg_symbols *symbols,
               const struct dg_space *space, const char *events,
               const char *ranges, dg_progress_fn progress, void *user,
               struct dg_error *err)
{
  struct dg_filter *filter = g_try_new0 (struct dg_filter, 1);
  struct pace pace = {.progress = {progress, user, 0}};

  if (filter == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  filter->log = log;
  filter->symbols = symbols;
  filter->problems = g_new0 (GPtrArray *, 1);
  if (parse_both (filter, events, ranges, err) < 0
      || prepare (filter, symbols, space, &pace, err) < 0) {
    dg_filter_free (filter);
    return NULL;
  }
  return filter;
}

void
dg_filter_free (struct dg_filter *filter)
{
  if (filter == NULL)
    return;
  for (int side = 0; side < 2; side++)
    if (filter->conditions[side] != NULL)
      g_array_unref (filter->conditions[side]);
  dg_table_fini (&filter->spans);
  dg_filter_sites_free (filter->sites);
  dg_cover_free (filter->own_cover);
  if (*filter->problems != NULL)
    g_ptr_array_unref (*filter->problems);
  g_free (filter->problems);
  g_free (filter->contexts);
  g_free (filter);
}

const char *
dg_filter_problem (const struct dg_filter *filter, size_t i)
{
  if (*filter->problems == NULL)
    *filter->problems = dg_filter_find_problems (filter->log, filter->symbols,
                                                 filter->conditions);
  return i < (*filter->problems)->len ? (*filter->problems)->pdata[i] : NULL;
}
