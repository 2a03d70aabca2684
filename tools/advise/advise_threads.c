/* advise_threads.c: rules about cache lines of several threads.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_rules.h"

#include <inttypes.h>
#include <string.h>

/* The line of code as the facts know it, with its function.  */
static struct advise_code
find_code (const struct advise_facts *facts, const char *file, uint32_t line)
{
  if (file == NULL || line == 0)
    return (struct advise_code) {.file = file};
  for (guint i = 0; i < facts->lines->len; i++) {
    const struct advise_line *known = facts->lines->pdata[i];

    if (known->code.line == line && g_strcmp0 (known->code.file, file) == 0)
      return known->code;
  }
  return (struct advise_code) {.file = file, .line = line};
}

/* Transfers that each thread but the main one waits for, in the mean.  */
static double
mean_moves (GHashTable *moves)
{
  GHashTableIter iter;
  gpointer thread, count;
  double sum = 0, n = 0;

  g_hash_table_iter_init (&iter, moves);
  while (g_hash_table_iter_next (&iter, &thread, &count))
    if (GPOINTER_TO_SIZE (thread) != 1) {
      sum += *(double *) count;
      n++;
    }
  return n > 0 ? sum / n : 0;
}

/* The share of the run time that the threads save without transfers of cache
   lines.  The run ends with the slowest thread; the time in which the main
   thread works alone is added.  The main thread works beside the
   others if it has half as many transfers as they.  As in Liu and Liu,
   Cheetah, CGO 2016, with the times of the model.  */
static double
gain_without (const struct advise_facts *facts, GHashTable *moves)
{
  double mean = mean_moves (moves), alone = 0, before = 0, after = 0;
  GHashTableIter iter;
  gpointer thread, count;

  g_hash_table_iter_init (&iter, moves);
  while (g_hash_table_iter_next (&iter, &thread, &count)) {
    const double *cycles = g_hash_table_lookup (facts->thread_cycles, thread);
    double moved = *(double *) count;

    if (cycles == NULL || (GPOINTER_TO_SIZE (thread) == 1 && moved * 2 < mean))
      continue;
    before = MAX (before, *cycles + moved * ADVISE_TRANSFER_CYCLES);
    after = MAX (after, *cycles);
  }
  count = g_hash_table_lookup (moves, GSIZE_TO_POINTER (1));
  if (count == NULL || *(double *) count * 2 < mean) {
    const double *cycles =
      g_hash_table_lookup (facts->thread_cycles, GSIZE_TO_POINTER (1));

    alone = cycles != NULL ? *cycles : 0;
  }
  return before > 0 ? (before - after) / (alone + before) : 0;
}

static const char without_transfers[] =
  "less time if the line does not move; the slowest thread counts";

/* ---- False sharing ---------------------------------------------------- */

/* Cache lines of the same variables are one finding.  */
struct lines {
  const struct advise_shared *top;
  uint64_t n, transfers;
  GHashTable *moves;       /* the same by thread */
};

static void
lines_clear (void *data)
{
  struct lines *lines = data;

  g_hash_table_unref (lines->moves);
}

/* struct lines, in the order of the report.  Where most transfers are due to
   variables that threads share, a line of its own is of no use.  */
static GArray *
gather (const struct advise_facts *facts)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct lines));
  GHashTable *by_variables = g_hash_table_new (dg_hash_text, g_str_equal);

  g_array_set_clear_func (all, lines_clear);
  for (guint i = 0; i < facts->shared->len; i++) {
    const struct advise_shared *shared =
      &g_array_index (facts->shared, struct advise_shared, i);
    struct lines lines = {.top = shared}, *known;
    gpointer index;

    if (shared->false_transfers * 2 < shared->transfers)
      continue;
    index = g_hash_table_lookup (by_variables, shared->variables);
    if (index == NULL) {
      lines.moves = advise_moves_new ();
      g_array_append_val (all, lines);
      index = GUINT_TO_POINTER (all->len);
      g_hash_table_insert (by_variables, (gpointer) shared->variables, index);
    }
    known = &g_array_index (all, struct lines, GPOINTER_TO_UINT (index) - 1);
    known->n++;
    advise_moves_add (known->moves, shared->by_thread, shared->n_threads,
                      (double) shared->false_transfers);
    known->transfers += shared->false_transfers;
  }
  g_hash_table_unref (by_variables);
  return all;
}

static void
say_false (struct advise_finding *finding, const struct lines *lines)
{
  char *where = advise_code_text (&finding->code);
  char *count = advise_count_text (lines->transfers);
  char *n = advise_count_text (lines->n);

  if (lines->n > 1)
    advise_finding_say (finding, "%s cache lines", n);
  else
    advise_finding_say (finding, "One cache line");
  advise_finding_say (finding, " of %s: threads write different bytes",
                      lines->top->variables);
  if (finding->code.line > 0)
    advise_finding_say (finding, ", mostly in %s", where);
  advise_finding_say (finding,
                      ".  %s move from core to core about %s times if the"
                      " threads ran in parallel.",
                      lines->n > 1 ? "They would" : "It would", count);
  g_free (where);
  g_free (count);
  g_free (n);
}

void
advise_false_sharing (const struct advise_rule *rule,
                      struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;
  GArray *all = gather (facts);

  for (guint i = 0; i < all->len; i++) {
    const struct lines *lines = &g_array_index (all, struct lines, i);
    const struct advise_shared *top = lines->top;
    double cost = (double) lines->transfers * ADVISE_TRANSFER_CYCLES;
    struct advise_finding *finding;
    struct advise_code code;

    if (!advise_search_is_enough (search, rule, cost))
      continue;
    code = find_code (facts, top->file, top->line);
    finding = advise_finding_new (&code, top->variables);
    say_false (finding, lines);
    if (top->advice != NULL && top->advice[0] != '\0')
      advise_finding_do (finding, "Give each thread a line of its own: %s.",
                         top->advice);
    else
      advise_finding_do (finding,
                         "Give what each thread writes a line of its own, or"
                         " keep it in a local variable.");
    advise_finding_predict (
      finding, gain_without (facts, lines->moves), without_transfers);
    advise_search_take (search, rule, finding, cost);
  }
  g_array_unref (all);
}

/* ---- Contention ------------------------------------------------------- */

void
advise_contention (const struct advise_rule *rule,
                   struct advise_search *search)
{
  const struct advise_facts *facts = search->facts;

  for (guint i = 0; i < facts->contended->len; i++) {
    const struct advise_contended *contended =
      &g_array_index (facts->contended, struct advise_contended, i);
    double cost = contended->transfers * ADVISE_TRANSFER_CYCLES;
    struct advise_finding *finding;
    char *where, *memory, *count;

    /* What one thread writes and others read later stays where it is.  */
    if (contended->others * 50 < contended->accesses
        || (contended->writers & (contended->writers - 1)) == 0
        || !advise_search_is_enough (search, rule, cost))
      continue;
    finding = advise_finding_new (&contended->code, contended->variable);
    where = advise_code_text (&contended->code);
    memory = advise_memory_text (contended->variable, NULL);
    count = advise_count_text (contended->writes);
    advise_finding_say (finding,
                        "Several threads access %s, mostly in %s, and write it"
                        " %s times: its line moves from core to core.",
                        memory, where, count);
    advise_finding_do (finding, "%s",
                       contended->is_lock
                         ? "Take the lock less often, for more work at a time,"
                           " or divide what it protects."
                         : "If it is a sum, keep one for each thread and add"
                           " them up at the end; if others only read how far"
                           " one thread is, let them keep what they have read,"
                           " and read again when that does not suffice.");
    /* The gain of a different lock cannot be computed from the log.  */
    if (!contended->is_lock)
      advise_finding_predict (finding,
                              gain_without (facts, contended->moves),
                              without_transfers);
    advise_search_take (search, rule, finding, cost);
    g_free (where);
    g_free (memory);
    g_free (count);
  }
}
