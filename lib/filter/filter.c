/* filter.c: the --events and --ranges language, applied to accesses.

   All that takes time is done when a filter is made.  The events side
   becomes one byte per context, a list of moments and a list of threads; the
   ranges side is filter_places.c's.  The text is parsed in filter_parse.c,
   accesses are judged in filter_access.c.

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

static const struct dg_filter_condition *
condition_at (const GArray *conditions, guint i)
{
  return &g_array_index (conditions, struct dg_filter_condition, i);
}

/* ---- The events side -------------------------------------------------- */

DG_COMPARE_BY (compare_spans, struct dg_filter_span, start)

/* The moments at which an event with one of the labels is active.  */
static int
collect_spans (struct dg_filter *filter, int is_not, struct dg_error *err)
{
  const GArray *conditions
    = filter->conditions[dg_filter_group_of (DG_SIDE_EVENTS, is_not)];
  size_t n, kept = 0;
  const struct dg_event *events = dg_log_events (filter->log, &n);
  struct dg_table *all = &filter->code[is_not].spans;
  struct dg_filter_span *spans;

  for (size_t i = 0; i < n; i++) {
    if (dg_filter_has_label (conditions, events[i].label)) {
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
                    struct dg_filter_pace *pace, struct dg_error *err)
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
    if (dg_filter_step (pace, err) < 0) {
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
judge_block (struct dg_filter *filter, enum dg_filter_group group,
             const struct dg_bbdef *bbdef, uint64_t icount)
{
  unsigned n_meet = 0;

  for (unsigned i = 0; i < bbdef->n_instrs; i++)
    if (dg_filter_sites_meet (filter->sites, group,
                              bbdef->instrs[i].address, icount))
      n_meet++;
  if (n_meet == 0)
    return VERDICT_NONE;
  return n_meet == bbdef->n_instrs ? VERDICT_ALL : VERDICT_SOME;
}

/* Is any call of a path one of those that are wanted?  */
static bool
path_meets (struct dg_filter *filter, enum dg_filter_group group,
            uint32_t path, uint64_t icount)
{
  uint64_t sites[DG_STACK_MAX];
  uint32_t n = dg_log_path_sites (filter->log, path, sites, DG_STACK_MAX);

  for (uint32_t i = 0; i < n; i++)
    if (dg_filter_sites_meet (filter->sites, group, sites[i], icount))
      return true;
  return false;
}

/* The same for all paths, each of which goes on from one before it.  */
static uint8_t *
judge_paths (struct dg_filter *filter, enum dg_filter_group group)
{
  uint32_t n = dg_log_n_call_paths (filter->log);
  uint8_t *meet = g_try_new0 (uint8_t, (size_t) n + 1);

  for (uint32_t i = 1; meet != NULL && i < n; i++) {
    struct dg_call_path path = dg_log_call_path (filter->log, i);

    if (path.parent == DG_NONE)
      meet[i] = path_meets (filter, group, i, 0);
    else
      meet[i] =
        meet[path.parent]
        || dg_filter_sites_meet (filter->sites, group, path.site, 0);
  }
  return meet;
}

static enum dg_filter_verdict
judge_context (struct dg_filter *filter, enum dg_filter_group group,
               struct dg_context context, bool path_is_met, uint8_t *of_block,
               uint64_t icount)
{
  if (path_is_met)
    return VERDICT_ALL;
  if (*of_block == VERDICT_UNKNOWN)
    *of_block = judge_block (
      filter, group, dg_log_bbdef (filter->log, context.bbdef), icount);
  return *of_block;
}

static int
judge_contexts (struct dg_filter *filter, int is_not,
                struct dg_filter_pace *pace, struct dg_error *err)
{
  enum dg_filter_group group = dg_filter_group_of (DG_SIDE_EVENTS, is_not);
  uint8_t *verdicts;
  const struct dg_summary *summary = dg_log_summary (filter->log);
  size_t n = summary->contexts;
  uint8_t *blocks = g_try_malloc (summary->bbdefs + 1);
  uint8_t *paths = NULL;
  uint64_t *moments = NULL;
  int code = 0;

  verdicts = filter->code[is_not].contexts = g_try_malloc (n + 1);
  if (blocks == NULL || verdicts == NULL) {
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
    paths = judge_paths (filter, group);
    if (paths == NULL) {
      code = dg_error_nomem (err);
      goto out;
    }
  }
  for (size_t i = 0; i < n && code == 0; i++) {
    struct dg_context context = dg_log_context (filter->log, (uint32_t) i);
    uint64_t icount = moments != NULL ? moments[i] : 0;
    bool is_met = paths != NULL ? paths[context.path]
                                : path_meets (filter, group, context.path,
                                              icount);

    verdicts[i] = (uint8_t) judge_context (
      filter, group, context, is_met, &blocks[context.bbdef], icount);
    code = dg_filter_step (pace, err);
  }
out:
  g_free (paths);
  g_free (blocks);
  g_free (moments);
  return code;
}

static int
judge_code (struct dg_filter *filter, int is_not, struct dg_filter_pace *pace,
            struct dg_error *err)
{
  const GArray *conditions
    = filter->conditions[dg_filter_group_of (DG_SIDE_EVENTS, is_not)];

  for (guint i = 0; i < conditions->len; i++)
    filter->code[is_not].is_asked
      |= condition_at (conditions, i)->kind != DG_COND_THREAD;
  if (collect_spans (filter, is_not, err) < 0)
    return -1;
  return dg_filter_has_stack (conditions)
           ? judge_contexts (filter, is_not, pace, err)
           : 0;
}

/* ---- Threads ---------------------------------------------------------- */

static int
compare_numbers (const void *a, const void *b)
{
  return DG_COMPARE (*(const uint32_t *) a, *(const uint32_t *) b);
}

static bool
meets_thread (GArray *conditions, const struct dg_thread *thread)
{
  bool is_met = false;

  for (guint i = 0; i < conditions->len; i++) {
    struct dg_filter_condition *condition
      = &g_array_index (conditions, struct dg_filter_condition, i);

    if (dg_filter_condition_meets_thread (condition, thread))
      is_met = condition->is_met = true;
  }
  return is_met;
}

static int
judge_threads (struct dg_filter *filter, struct dg_error *err)
{
  GArray *wanted = filter->conditions[DG_GROUP_EVENTS];
  GArray *unwanted = filter->conditions[DG_GROUP_NOT_EVENTS];
  struct dg_filter_threads *threads = &filter->threads;
  size_t n;
  const struct dg_thread *all = dg_log_threads (filter->log, &n);

  threads->are_kept = dg_filter_has_kind (wanted, DG_COND_THREAD);
  threads->is_asked = threads->are_kept
                      || dg_filter_has_kind (unwanted, DG_COND_THREAD);
  for (size_t i = 0; threads->is_asked && i < n; i++) {
    bool is_dropped = meets_thread (unwanted, &all[i]);
    bool is_listed = threads->are_kept
                       ? meets_thread (wanted, &all[i]) && !is_dropped
                       : is_dropped;
    uint32_t *number;

    if (!is_listed)
      continue;
    number = dg_table_add (&threads->numbers, sizeof *number);
    if (number == NULL)
      return dg_error_nomem (err);
    *number = all[i].number;
  }
  if (threads->numbers.n > 0)
    qsort (threads->numbers.items, threads->numbers.n, sizeof (uint32_t),
           compare_numbers);
  return 0;
}

/* ---- All of it -------------------------------------------------------- */

static void
clear_condition (gpointer data)
{
  g_free (((struct dg_filter_condition *) data)->name);
}

/* The conditions of one side, by group.  */
static int
parse_side (struct dg_filter *filter, enum dg_side side, const char *text,
            struct dg_error *err)
{
  GArray *all = dg_filter_parse (side, text, err);

  if (all == NULL)
    return DG_ERR_FILTER;
  for (guint i = 0; i < all->len; i++) {
    struct dg_filter_condition *from
      = &g_array_index (all, struct dg_filter_condition, i);

    g_array_append_val (
      filter->conditions[dg_filter_group_of (side, from->is_not)], *from);
    from->name = NULL;
  }
  g_array_unref (all);
  return 0;
}

static int
parse_both (struct dg_filter *filter, const char *events, const char *ranges,
            struct dg_error *err)
{
  for (int group = 0; group < DG_N_GROUPS; group++) {
    filter->conditions[group]
      = g_array_new (FALSE, FALSE, sizeof (struct dg_filter_condition));
    g_array_set_clear_func (filter->conditions[group], clear_condition);
  }
  if (parse_side (filter, DG_SIDE_EVENTS, events, err) < 0)
    return DG_ERR_FILTER;
  return parse_side (filter, DG_SIDE_RANGES, ranges, err);
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

/* Makes the sites if a condition needs symbols.  */
static int
make_sites (struct dg_filter *filter, struct dg_filter_pace *pace,
            struct dg_error *err)
{
  bool has_stack[DG_N_GROUPS], any = false, any_variable = false;

  for (int group = 0; group < DG_N_GROUPS; group++) {
    const GArray *conditions = filter->conditions[group];

    has_stack[group] = dg_filter_has_stack (conditions);
    any |= has_stack[group];
    any_variable |= dg_filter_has_kind (conditions, DG_COND_VAR);
  }
  if ((any || any_variable) && filter->symbols == NULL)
    return dg_error_set (err, DG_ERR_INVALID,
                         "fn, file, dso and var need symbols");
  if (any)
    filter->sites
      = dg_filter_sites_new (filter->log, filter->symbols, filter->conditions);
  for (int is_not = 0; is_not < 2; is_not++) {
    if (has_stack[dg_filter_group_of (DG_SIDE_EVENTS, is_not)])
      pace->total += dg_log_summary (filter->log)->contexts;
    if (has_stack[dg_filter_group_of (DG_SIDE_RANGES, is_not)])
      pace->total += dg_log_n_blocks (filter->log);
  }
  return 0;
}

static int
prepare (struct dg_filter *filter, const struct dg_space *space,
         struct dg_filter_pace *pace, struct dg_error *err)
{
  if (make_sites (filter, pace, err) < 0 || judge_threads (filter, err) < 0)
    return -1;
  for (int is_not = 0; is_not < 2; is_not++)
    if (judge_code (filter, is_not, pace, err) < 0
        || dg_filter_make_places (filter, is_not, space, pace, err) < 0)
      return -1;
  return 0;
}

struct dg_filter *
dg_filter_new (const struct dg_log *log, struct dg_symbols *symbols,
               const struct dg_space *space, const char *events,
               const char *ranges, dg_progress_fn progress, void *user,
               struct dg_error *err)
{
  struct dg_filter *filter = g_try_new0 (struct dg_filter, 1);
  struct dg_filter_pace pace = {.progress = {progress, user, 0}};

  if (filter == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  filter->log = log;
  filter->symbols = symbols;
  filter->problems = g_new0 (GPtrArray *, 1);
  if (parse_both (filter, events, ranges, err) < 0
      || prepare (filter, space, &pace, err) < 0) {
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
  for (int group = 0; group < DG_N_GROUPS; group++)
    if (filter->conditions[group] != NULL)
      g_array_unref (filter->conditions[group]);
  for (int is_not = 0; is_not < 2; is_not++) {
    g_free (filter->code[is_not].contexts);
    dg_table_fini (&filter->code[is_not].spans);
    dg_cover_free (filter->places[is_not].own_cover);
  }
  dg_table_fini (&filter->threads.numbers);
  dg_filter_sites_free (filter->sites);
  if (*filter->problems != NULL)
    g_ptr_array_unref (*filter->problems);
  g_free (filter->problems);
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
