/* contention_judge.c: decides whether a line is truly or falsely shared.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "contention.h"

#include <stdlib.h>

#include "base/compare.h"
#include "base/error.h"
#include "base/table.h"

/* Writers of a line that are looked at: a thread and phase each.  */
#define MOST_WRITERS 64
/* One part in so many makes a line mixed.  */
#define PARTS 20

/* A thread in a phase.  */
struct user {
  uint32_t thread, phase;
  uint32_t first, n;       /* spots of the line */
  uint64_t reads, writes;
};

struct line {
  const struct dg_phases *phases;
  const struct dg_spot *spots;
  const struct user *users;
  size_t n_users;
  const struct user *writers[MOST_WRITERS];
  size_t n_writers;
};

static int
compare_writers (const void *a, const void *b)
{
  const struct user *x = *(const struct user *const *) a;
  const struct user *y = *(const struct user *const *) b;

  return DG_COMPARE (y->writes, x->writes)
         ?: DG_COMPARE (x->thread, y->thread)
         ?: DG_COMPARE (x->phase, y->phase);
}

/* ---- One line ----------------------------------------------------------- */

/* Those who write most, the first of them at first.  */
static int
list_writers (struct line *line)
{
  const struct user **all = g_try_new (const struct user *, line->n_users);
  size_t n = 0;

  if (all == NULL)
    return DG_ERR_NOMEM;
  for (size_t i = 0; i < line->n_users; i++)
    if (line->users[i].writes > 0)
      all[n++] = &line->users[i];
  qsort (all, n, sizeof *all, compare_writers);
  line->n_writers = MIN (n, MOST_WRITERS);
  for (size_t i = 0; i < line->n_writers; i++)
    line->writers[i] = all[i];
  g_free (all);
  return 0;
}

/* Whether two may run at the same time.  */
static bool
are_beside (const struct line *line, const struct user *a,
            const struct user *b)
{
  return a->thread != b->thread
         && !dg_phases_are_ordered (line->phases, a->thread, a->phase,
                                    b->thread, b->phase)
         && !dg_phases_are_ordered (line->phases, b->thread, b->phase,
                                    a->thread, a->phase);
}

/* Reads and writes of a user of the bytes of a spot.  */
static void
uses_of (const struct line *line, const struct user *user,
         const struct dg_spot *spot, double *reads, double *writes)
{
  for (uint32_t i = user->first; i < user->first + user->n; i++) {
    if (line->spots[i].first > spot->last
        || line->spots[i].last < spot->first)
      continue;
    *reads += (double) line->spots[i].reads;
    *writes += (double) line->spots[i].writes;
  }
}

/* What a user loses by the writes of others.  */
static void
judge_user (const struct line *line, const struct user *user,
            struct dg_line_verdict *verdict)
{
  const struct user *beside[MOST_WRITERS];
  double own = (double) user->reads + (double) user->writes, others = 0;
  size_t n = 0;

  for (size_t i = 0; i < line->n_writers; i++) {
    if (!are_beside (line, user, line->writers[i]))
      continue;
    beside[n++] = line->writers[i];
    others += (double) line->writers[i]->writes;
  }
  if (n == 0 || own <= 0)
    return;
  for (uint32_t i = user->first; i < user->first + user->n; i++) {
    const struct dg_spot *spot = &line->spots[i];
    double accesses = (double) spot->reads + (double) spot->writes;
    double taken = others / (own + others), needed;
    double common = 0, reads = 0, own_reads = 0, own_writes = 0;

    for (size_t k = 0; k < n; k++)
      uses_of (line, beside[k], spot, &reads, &common);
    uses_of (line, user, spot, &own_reads, &own_writes);
    needed = common / (own_reads + own_writes + common);
    needed = MIN (needed, taken);
    verdict->transfers += accesses * taken;
    verdict->false_transfers += accesses * (taken - needed);
    verdict->true_accesses += accesses * (needed / taken);
    verdict->false_accesses += accesses * (1 - needed / taken);
  }
}

static enum dg_line_kind
kind_of (const struct dg_line_verdict *verdict)
{
  double all = verdict->false_accesses + verdict->true_accesses;

  if (all <= 0)
    return DG_LINE_QUIET;
  if (verdict->true_accesses * PARTS < all)
    return DG_LINE_FALSE;
  return verdict->false_accesses * PARTS < all ? DG_LINE_TRUE : DG_LINE_MIXED;
}

static int
judge_line (struct line *line, struct dg_line_verdict *verdict)
{
  uint32_t thread = 0, writer = 0;

  for (size_t i = 0; i < line->n_users; i++) {
    const struct user *user = &line->users[i];

    verdict->reads += user->reads;
    verdict->writes += user->writes;
    if (i == 0 || user->thread != thread)
      verdict->threads++;
    if (user->writes > 0
        && (verdict->writers == 0 || user->thread != writer)) {
      verdict->writers++;
      writer = user->thread;
    }
    thread = user->thread;
  }
  if (verdict->threads > 1 && verdict->writers > 0) {
    if (list_writers (line) < 0)
      return DG_ERR_NOMEM;
    for (size_t i = 0; i < line->n_users; i++)
      judge_user (line, &line->users[i], verdict);
  }
  verdict->kind = kind_of (verdict);
  return 0;
}

/* ---- All of them -------------------------------------------------------- */

/* Adds the next spot of a line to its users; false: no memory.  */
static bool
add_spot (const struct dg_spot *spot, uint32_t index, struct dg_table *users)
{
  struct user *user =
    users->n > 0 ? (struct user *) users->items + users->n - 1 : NULL;

  if (user == NULL || user->thread != spot->thread
      || user->phase != spot->phase) {
    user = dg_table_add (users, sizeof *user);
    if (user == NULL)
      return false;
    user->thread = spot->thread;
    user->phase = spot->phase;
    user->first = index;
  }
  user->n++;
  user->reads += spot->reads;
  user->writes += spot->writes;
  return true;
}

/* The spots of the next line, and their users; false: no memory.  Without
   spots, there is no other.  */
static bool
next_line (struct dg_sums_cursor *cursor, struct dg_table *spots,
           struct dg_table *users)
{
  const struct dg_sum *sum;

  spots->n = users->n = 0;
  while ((sum = dg_sums_next (cursor)) != NULL) {
    struct dg_spot *spot = spots->items;

    if (spots->n > 0 && spot->line != sum->key[0]) {
      cursor->is_held = true;
      break;
    }
    spot = dg_table_add (spots, sizeof *spot);
    if (spot == NULL)
      return false;
    *spot = dg_contention_spot (sum);
    if (!add_spot (spot, (uint32_t) spots->n - 1, users))
      return false;
  }
  return true;
}

int64_t
dg_contention_judge (struct dg_contention *contention,
                     const struct dg_phases *phases, struct dg_error *err)
{
  struct dg_table spots = { 0 }, users = { 0 }, verdicts = { 0 };
  struct dg_sums_cursor cursor;
  size_t first = 0;
  int code = dg_contention_close (contention);

  if (code == 0)
    code = dg_packed_sums_settle (&contention->sums);
  contention->failed = code < 0;
  cursor = dg_sums_begin_run (&contention->sums.runs[0], false);
  while (code == 0) {
    struct dg_line_verdict *verdict;
    struct line line = { .phases = phases };

    if (!next_line (&cursor, &spots, &users)) {
      code = DG_ERR_NOMEM;
      break;
    }
    if (spots.n == 0)
      break;
    line.spots = spots.items;
    line.users = users.items;
    line.n_users = users.n;
    verdict = dg_table_add (&verdicts, sizeof *verdict);
    if (verdict == NULL) {
      code = DG_ERR_NOMEM;
      break;
    }
    verdict->line = line.spots[0].line;
    verdict->first = first;
    verdict->n = spots.n;
    first += spots.n;
    code = judge_line (&line, verdict);
  }
  dg_table_fini (&users);
  dg_table_fini (&spots);
  if (code < 0) {
    dg_table_fini (&verdicts);
    return dg_error_nomem (err);
  }
  contention->verdicts = verdicts.items;
  contention->n_verdicts = verdicts.n;
  return (int64_t) verdicts.n;
}

const struct dg_spot *
dg_contention_spots (const struct dg_contention *sums)
{
  /* Few want them, so that they are unpacked for who asks first.  */
  struct dg_contention *contention = (struct dg_contention *) sums;
  uint64_t n = dg_packed_sums_most (&contention->sums);
  struct dg_sums_cursor cursor;
  const struct dg_sum *sum;

  if (contention->spots != NULL || n == 0)
    return contention->spots;
  contention->spots = g_try_new (struct dg_spot, n);
  if (contention->spots == NULL)
    return NULL;
  cursor = dg_sums_begin (&contention->sums, false);
  for (uint64_t i = 0; (sum = dg_sums_next (&cursor)) != NULL; i++)
    contention->spots[i] = dg_contention_spot (sum);
  return contention->spots;
}
