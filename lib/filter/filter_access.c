/* filter_access.c: what of a log a filter keeps: accesses, instructions, runs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "filter.h"
#include "filter_state.h"
#include "base/bisect.h"

/* The span that a moment is in; else false, and *span is the next one, or
   begins and ends at DG_NEVER.  */
static bool
find_span (const struct dg_filter_code *code, uint64_t icount,
           struct dg_filter_span *span)
{
  const struct dg_filter_span *spans = code->spans.items;
  size_t low = DG_BISECT (0, code->spans.n, i, spans[i].start <= icount);

  if (low > 0 && icount < spans[low - 1].end) {
    *span = spans[low - 1];
    return true;
  }
  *span = low < code->spans.n ? spans[low]
                              : (struct dg_filter_span){DG_NEVER, DG_NEVER};
  return false;
}

static enum dg_filter_verdict
verdict_of (const struct dg_filter_code *code, uint32_t context)
{
  return code->contexts != NULL ? code->contexts[context] : VERDICT_NONE;
}

static bool
keeps_thread (const struct dg_filter *filter, uint32_t thread)
{
  const struct dg_filter_threads *threads = &filter->threads;
  const uint32_t *numbers = threads->numbers.items;
  size_t low;

  if (!threads->is_asked)
    return true;
  low = DG_BISECT (0, threads->numbers.n, i, numbers[i] < thread);
  return (low < threads->numbers.n && numbers[low] == thread)
         == threads->are_kept;
}

static bool
is_covered (const struct dg_filter_places *places,
            const struct dg_access *access)
{
  for (int i = 0; i < places->n_covers; i++)
    if (dg_cover_overlaps (places->covers[i], access->address, access->size,
                           access->icount))
      return true;
  return false;
}

static bool
keeps_place (const struct dg_filter *filter, const struct dg_access *access)
{
  return (!filter->places[0].is_asked
          || is_covered (&filter->places[0], access))
         && (!filter->places[1].is_asked
             || !is_covered (&filter->places[1], access));
}

bool
dg_filter_run (const struct dg_filter *filter, uint32_t context,
               uint64_t icount)
{
  const struct dg_filter_code *code = filter->code;
  struct dg_filter_span span;

  if (verdict_of (&code[1], context) == VERDICT_ALL
      || (code[1].is_asked && find_span (&code[1], icount, &span)))
    return false;
  return !code[0].is_asked || verdict_of (&code[0], context) != VERDICT_NONE
         || find_span (&code[0], icount, &span);
}

/* How many of n instructions meet these conditions.  */
static enum dg_filter_share
share_of (const struct dg_filter_code *code, uint32_t context, uint64_t icount,
          unsigned n)
{
  enum dg_filter_verdict verdict = verdict_of (code, context);
  struct dg_filter_span span = {0, 0};

  if (verdict == VERDICT_ALL)
    return DG_FILTER_ALL;
  /* Events most often begin and end between runs.  */
  if (find_span (code, icount, &span) && icount + n <= span.end)
    return DG_FILTER_ALL;
  if (verdict == VERDICT_SOME || span.start < icount + n)
    return DG_FILTER_SOME;
  return DG_FILTER_NONE;
}

/* What is left of those that meet what is wanted, without those that meet what
   is not.  */
static enum dg_filter_share
both_shares (enum dg_filter_share wanted, enum dg_filter_share unwanted)
{
  if (wanted == DG_FILTER_NONE || unwanted == DG_FILTER_ALL)
    return DG_FILTER_NONE;
  return unwanted == DG_FILTER_NONE ? wanted : DG_FILTER_SOME;
}

enum dg_filter_share
dg_filter_share (const struct dg_filter *filter, uint32_t context,
                 uint32_t thread, uint64_t icount, unsigned n)
{
  const struct dg_filter_code *code = filter->code;

  if (!keeps_thread (filter, thread))
    return DG_FILTER_NONE;
  return both_shares (
    code[0].is_asked ? share_of (&code[0], context, icount, n)
                     : DG_FILTER_ALL,
    code[1].is_asked ? share_of (&code[1], context, icount, n)
                     : DG_FILTER_NONE);
}

static bool
instruction_meets (const struct dg_filter *filter, int is_not,
                   uint32_t context, uint64_t instruction, uint64_t icount)
{
  const struct dg_filter_code *code = &filter->code[is_not];
  enum dg_filter_verdict verdict = verdict_of (code, context);
  struct dg_filter_span span;

  return verdict == VERDICT_ALL
         || (verdict == VERDICT_SOME
             && dg_filter_sites_recall (
               filter->sites, dg_filter_group_of (DG_SIDE_EVENTS, is_not),
               instruction, icount))
         || find_span (code, icount, &span);
}

bool
dg_filter_instruction (const struct dg_filter *filter, uint32_t context,
                       uint64_t instruction, uint64_t icount)
{
  return (!filter->code[0].is_asked
          || instruction_meets (filter, 0, context, instruction, icount))
         && (!filter->code[1].is_asked
             || !instruction_meets (filter, 1, context, instruction, icount));
}

bool
dg_filter_has_ranges (const struct dg_filter *filter)
{
  return filter->places[0].is_asked || filter->places[1].is_asked;
}

/* ---- Accesses, one after the other ------------------------------------ */

/* What conditions say of a context at a moment; narrows the cursor to the
   moments for which it holds.  */
static enum dg_filter_share
look_at (const struct dg_filter_code *code, uint32_t context, uint64_t icount,
         struct dg_filter_cursor *cursor)
{
  enum dg_filter_verdict verdict = verdict_of (code, context);
  struct dg_filter_span span;
  bool is_active;

  if (verdict == VERDICT_ALL)
    return DG_FILTER_ALL;
  is_active = find_span (code, icount, &span);
  cursor->start = icount;
  cursor->end = MIN (cursor->end, is_active ? span.end : span.start);
  if (is_active)
    return DG_FILTER_ALL;
  return verdict == VERDICT_SOME ? DG_FILTER_SOME : DG_FILTER_NONE;
}

/* What the events side says of a context from a moment on, and until when.
   Most accesses that follow one another are within that.  */
static void
look_up (const struct dg_filter *filter, struct dg_filter_cursor *cursor,
         const struct dg_access *access)
{
  const struct dg_filter_code *code = filter->code;
  enum dg_filter_share wanted = DG_FILTER_ALL, unwanted = DG_FILTER_NONE;

  *cursor = (struct dg_filter_cursor){.is_set = true,
                                      .context = access->context,
                                      .thread = access->thread,
                                      .end = DG_NEVER};
  if (!keeps_thread (filter, access->thread)) {
    cursor->share = DG_FILTER_NONE;
    return;
  }
  if (code[0].is_asked)
    wanted = look_at (&code[0], access->context, access->icount, cursor);
  if (code[1].is_asked)
    unwanted = look_at (&code[1], access->context, access->icount, cursor);
  cursor->share = both_shares (wanted, unwanted);
}

bool
dg_filter_next (const struct dg_filter *filter,
                struct dg_filter_cursor *cursor,
                const struct dg_access *access)
{
  if (!cursor->is_set || cursor->context != access->context
      || cursor->thread != access->thread || access->icount < cursor->start
      || access->icount >= cursor->end)
    look_up (filter, cursor, access);
  if (cursor->share == DG_FILTER_NONE
      || (cursor->share == DG_FILTER_SOME
          && !dg_filter_instruction (filter, access->context,
                                     access->instruction, access->icount)))
    return false;
  return !dg_filter_has_ranges (filter) || keeps_place (filter, access);
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
