/* calls_spans.c: the longest calls of a thread, and when they were.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls_spans.h"

#include "base/compare.h"

#include <stdlib.h>
#include <string.h>

void
calls_spans_init (struct calls_spans *spans, size_t limit, uint64_t shortest)
{
  memset (spans, 0, sizeof *spans);
  spans->limit = limit;
  spans->shortest = shortest;
}

void
calls_spans_fini (struct calls_spans *spans)
{
  g_free (spans->spans);
  spans->spans = NULL;
}

static uint64_t
length_of (const struct calls_kept_span *span)
{
  return span->end_icount - span->start_icount;
}

static int
compare_lengths (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

  return DG_COMPARE (y, x);
}

static void
drop_short (struct calls_spans *spans)
{
  size_t kept = 0;

  for (size_t i = 0; i < spans->n; i++)
    if (length_of (&spans->spans[i]) >= spans->shortest)
      spans->spans[kept++] = spans->spans[i];
  spans->n_left_out += spans->n - kept;
  spans->n = kept;
}

void
calls_spans_limit (struct calls_spans *spans)
{
  uint64_t *lengths;

  drop_short (spans);
  if (spans->n <= spans->limit)
    return;
  lengths = g_try_new (uint64_t, spans->n);
  if (lengths == NULL) {
    spans->has_failed = true;
    spans->n = 0;
    return;
  }
  for (size_t i = 0; i < spans->n; i++)
    lengths[i] = length_of (&spans->spans[i]);
  qsort (lengths, spans->n, sizeof *lengths, compare_lengths);
  spans->shortest = lengths[spans->limit] + 1;
  g_free (lengths);
  drop_short (spans);
}

void
calls_spans_add (struct calls_spans *spans, const struct calls_kept_span *span)
{
  if (length_of (span) < spans->shortest) {
    spans->n_left_out++;
    return;
  }
  if (spans->n == spans->room && spans->n >= spans->limit * 2 + 64)
    calls_spans_limit (spans);
  if (length_of (span) < spans->shortest) {
    spans->n_left_out++;
    return;
  }
  if (spans->n == spans->room) {
    size_t room = MIN (spans->room * 2 + 64, spans->limit * 2 + 64);
    struct calls_kept_span *more
      = g_try_renew (struct calls_kept_span, spans->spans, room);
    if (more == NULL) {
      spans->has_failed = true;
      return;
    }
    spans->spans = more;
    spans->room = room;
  }
  spans->spans[spans->n++] = *span;
}

void
calls_spans_join (struct calls_spans *to, const struct calls_spans *from)
{
  to->shortest = MAX (to->shortest, from->shortest);
  to->n_left_out += from->n_left_out;
  to->has_failed |= from->has_failed;
  for (size_t i = 0; i < from->n; i++)
    calls_spans_add (to, &from->spans[i]);
}

static int
compare_spans (const void *a, const void *b)
{
  const struct calls_kept_span *x = a, *y = b;

  return DG_COMPARE (x->thread, y->thread)
         ?: DG_COMPARE (x->start_icount, y->start_icount)
         ?: DG_COMPARE (x->depth, y->depth);
}

void
calls_spans_sort (struct calls_spans *spans)
{
  if (spans->n > 0)
    qsort (spans->spans, spans->n, sizeof *spans->spans, compare_spans);
}
