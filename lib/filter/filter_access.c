/* filter_access.c: what of a log a filter keeps: accesses, instructions, runs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "filter.h"
#include "filter_state.h"
#include "base/bisect.h"

/* The span that a moment is in; else false, and *span is the next one, or
   begins and ends at DG_NEVER.  */
static bool
find_span (const struct dg_filter *filter, uint64_t icount,
           struct dg_filter_span *span)
{
  const struct dg_filter_span *spans = filter->spans.items;
  size_t low = DG_BISECT (0, filter->spans.n, i, spans[i].start <= icount);

  if (low > 0 && icount < spans[low - 1].end) {
    *span = spans[low - 1];
    return true;
  }
  *span = low < filter->spans.n ? spans[low]
                                : (struct dg_filter_span){DG_NEVER, DG_NEVER};
  return false;
}

static bool
is_event_active (const struct dg_filter *filter, uint64_t icount)
{
  struct dg_filter_span span;

  return find_span (filter, icount, &span);
}

static bool
is_covered (const struct dg_filter *filter, const struct dg_access *access)
{
  for (int i = 0; i < filter->n_covers; i++)
    if (dg_cover_overlaps (filter->covers[i], access->address, access->size,
                           access->icount))
      return true;
  return false;
}

bool
dg_filter_run (const struct dg_filter *filter, uint32_t context,
               uint64_t icount)
{
  if (filter->conditions[DG_SIDE_EVENTS]->len == 0)
    return true;
  if (filter->contexts != NULL && filter->contexts[context] != VERDICT_NONE)
    return true;
  return is_event_active (filter, icount);
}

enum dg_filter_share
dg_filter_share (const struct dg_filter *filter, uint32_t context,
                 uint64_t icount, unsigned n)
{
  enum dg_filter_verdict verdict = VERDICT_NONE;
  struct dg_filter_span span = {0, 0};

  if (filter->conditions[DG_SIDE_EVENTS]->len == 0)
    return DG_FILTER_ALL;
  if (filter->contexts != NULL)
    verdict = filter->contexts[context];
  if (verdict == VERDICT_ALL)
    return DG_FILTER_ALL;
  /* Events most often begin and end between runs.  */
  if (find_span (filter, icount, &span) && icount + n <= span.end)
    return DG_FILTER_ALL;
  if (verdict == VERDICT_SOME || span.start < icount + n)
    return DG_FILTER_SOME;
  return DG_FILTER_NONE;
}

bool
dg_filter_instruction (const struct dg_filter *filter, uint32_t context,
                       uint64_t instruction, uint64_t icount)
{
  if (filter->conditions[DG_SIDE_EVENTS]->len == 0)
    return true;
  if (filter->contexts != NULL) {
    enum dg_filter_verdict verdict = filter->contexts[context];

    if (verdict == VERDICT_ALL
        || (verdict == VERDICT_SOME
            && dg_filter_sites_recall (filter->sites, DG_SIDE_EVENTS,
                                       instruction, icount)))
      return true;
  }
  return is_event_active (filter, icount);
}

bool
dg_filter_has_ranges (const struct dg_filter *filter)
{
  return filter->conditions[DG_SIDE_RANGES]->len > 0;
}

/* ---- Accesses, one after the other ------------------------------------ */

/* What the events side says of a context from a moment on, and until when.
   Most accesses that follow one another are within that.  */
static void
look_up (const struct dg_filter *filter, struct dg_filter_cursor *cursor,
         uint32_t context, uint64_t icount)
{
  enum dg_filter_verdict verdict = VERDICT_NONE;
  struct dg_filter_span span;

  cursor->is_set = true;
  cursor->context = context;
  cursor->start = 0;
  cursor->end = DG_NEVER;
  if (filter->contexts != NULL)
    verdict = filter->contexts[context];
  if (filter->conditions[DG_SIDE_EVENTS]->len == 0 || verdict == VERDICT_ALL) {
    cursor->share = DG_FILTER_ALL;
    return;
  }
  cursor->start = icount;
  if (find_span (filter, icount, &span)) {
    cursor->end = span.end;
    cursor->share = DG_FILTER_ALL;
  } else {
    cursor->end = span.start;
    cursor->share = verdict == VERDICT_SOME ? DG_FILTER_SOME : DG_FILTER_NONE;
  }
}

bool
dg_filter_next (const struct dg_filter *filter,
                struct dg_filter_cursor *cursor,
                const struct dg_access *access)
{
  if (!cursor->is_set || cursor->context != access->context
      || access->icount < cursor->start || access->icount >= cursor->end)
    look_up (filter, cursor, access->context, access->icount);
  if (cursor->share == DG_FILTER_NONE
      || (cursor->share == DG_FILTER_SOME
          && !dg_filter_sites_recall (filter->sites, DG_SIDE_EVENTS,
                               access->instruction, access->icount)))
    return false;
  return !dg_filter_has_ranges (filter) || is_covered (filter, access);
}

bool
dg_filter_access (const struct dg_filter *filter,
                  const struct dg_access *access)
{
  struct dg_filter_cursor cursor = {0};

  return dg_filter_next (filter, &cursor, access);
}

size_t
dg_filter_accesses (const struct dg_filter *filter,
                    const struct dg_access *accesses, size_t n, uint8_t *mask)
{
  struct dg_filter_cursor cursor = {0};
  size_t kept = 0;

  for (size_t i = 0; i < n; i++) {
    mask[i] = dg_filter_next (filter, &cursor, &accesses[i]);
    kept += mask[i];
  }
  return kept;
}
