/* filter_places.c: the ranges side of a filter: covers of address and time,
   see space_cover.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "filter_state.h"

#include "base/error.h"
#include "space/space.h"

#include <string.h>

static bool
block_meets (struct dg_filter *filter, enum dg_filter_group group,
             size_t index)
{
  const struct dg_block block = dg_log_block (filter->log, index);

  for (uint32_t i = 0; i < block.alloc_stack.n; i++)
    if (dg_filter_sites_meet (filter->sites, group,
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
collect_blocks (struct dg_filter *filter, enum dg_filter_group group, bool all,
                struct dg_table *rects, struct dg_filter_pace *pace,
                struct dg_error *err)
{
  size_t n = dg_log_n_blocks (filter->log);

  for (size_t i = 0; i < n; i++) {
    if (all || block_meets (filter, group, i)) {
      struct dg_block_extent at = dg_log_block_extent (filter->log, i);
      struct dg_rect rect = dg_rect_make (at.address, at.size,
                                          at.alloc_icount, at.free_icount,
                                          (uint32_t) i);

      if (add_rect (rects, rect, err) < 0)
        return DG_ERR_NOMEM;
    }
    if (dg_filter_step (pace, err) < 0)
      return DG_ERR_CANCELLED;
  }
  return 0;
}

static int
collect_ranges (struct dg_filter *filter, enum dg_filter_group group, bool all,
                struct dg_table *rects, struct dg_error *err)
{
  size_t n;
  const struct dg_range *ranges = dg_log_ranges (filter->log, &n);

  for (size_t i = 0; i < n; i++) {
    if (all
        || dg_filter_has_label (filter->conditions[group], ranges[i].label)) {
      struct dg_rect rect = dg_rect_make (ranges[i].address, ranges[i].size,
                                          ranges[i].start_icount,
                                          ranges[i].end_icount, (uint32_t) i);

      if (add_rect (rects, rect, err) < 0)
        return DG_ERR_NOMEM;
    }
  }
  return 0;
}

/* ---- Variables and addresses ------------------------------------------ */

struct finding {
  struct dg_filter_condition *condition;
  struct dg_table *rects;
};

static int
add_variable (void *user, const struct dg_data_symbol *variable)
{
  const struct finding *finding = user;

  finding->condition->is_met = true;
  return add_rect (finding->rects,
                   dg_rect_make (variable->address, variable->size,
                                 variable->start_icount, variable->end_icount,
                                 0),
                   NULL);
}

static int
collect_named (struct dg_filter *filter, enum dg_filter_group group,
               struct dg_table *rects, struct dg_error *err)
{
  GArray *conditions = filter->conditions[group];
  int code = 0;

  for (guint i = 0; i < conditions->len && code == 0; i++) {
    struct dg_filter_condition *c
      = &g_array_index (conditions, struct dg_filter_condition, i);
    struct finding finding = {c, rects};

    if (c->kind == DG_COND_VAR) {
      code = dg_symbols_variables (filter->symbols, c->name, add_variable,
                                   &finding);
      if (code < 0)
        dg_error_nomem (err);
    } else if (c->kind == DG_COND_ADDR) {
      c->is_met = true;
      code = add_rect (rects,
                       (struct dg_rect){c->start, c->end, 0, DG_NEVER, 0},
                       err);
    }
  }
  return code;
}

/* ---- All of them ------------------------------------------------------ */

static int
collect (struct dg_filter *filter, enum dg_filter_group group, bool blocks,
         bool ranges, struct dg_table *rects, struct dg_filter_pace *pace,
         struct dg_error *err)
{
  int code = 0;

  if (blocks || dg_filter_has_stack (filter->conditions[group]))
    code = collect_blocks (filter, group, blocks, rects, pace, err);
  if (code == 0)
    code = collect_ranges (filter, group, ranges, rects, err);
  return code == 0 ? collect_named (filter, group, rects, err) : code;
}

/* "malloc" and "range" are what a space already has; all others share one
   cover of what they select.  */
int
dg_filter_make_places (struct dg_filter *filter, int is_not,
                       const struct dg_space *space,
                       struct dg_filter_pace *pace, struct dg_error *err)
{
  enum dg_filter_group group = dg_filter_group_of (DG_SIDE_RANGES, is_not);
  const GArray *conditions = filter->conditions[group];
  struct dg_filter_places *places = &filter->places[is_not];
  bool blocks = dg_filter_has_kind (conditions, DG_COND_MALLOC);
  bool ranges = dg_filter_has_kind (conditions, DG_COND_RANGE);
  struct dg_table rects = {0};
  int code;

  places->is_asked = conditions->len > 0;
  if (!places->is_asked)
    return 0;
  if (blocks && space != NULL)
    places->covers[places->n_covers++] = dg_space_borrow_blocks (space);
  if (ranges && space != NULL)
    places->covers[places->n_covers++] = dg_space_borrow_ranges (space);
  code = collect (filter, group, blocks && space == NULL,
                  ranges && space == NULL, &rects, pace, err);
  if (code == 0 && rects.n > 0) {
    code = dg_cover_new (rects.items, rects.n, &places->own_cover);
    if (code < 0)
      dg_error_nomem (err);
    else
      places->covers[places->n_covers++] = places->own_cover;
  }
  dg_table_fini (&rects);
  return code;
}
