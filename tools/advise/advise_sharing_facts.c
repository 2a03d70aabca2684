/* advise_sharing_facts.c: which cache lines and variables several threads use.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_facts.h"

#include "advise_table.h"

#include <string.h>

GHashTable *
advise_moves_new (void)
{
  return g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

void
advise_moves_add (GHashTable *moves, const struct dg_pair *accesses, size_t n,
                  double transfers)
{
  double all = 0;

  for (size_t i = 0; i < n; i++)
    all += (double) accesses[i].count;
  for (size_t i = 0; i < n; i++) {
    gpointer thread = GSIZE_TO_POINTER (accesses[i].key);
    double *sum = g_hash_table_lookup (moves, thread);

    if (sum == NULL) {
      sum = g_new0 (double, 1);
      g_hash_table_insert (moves, thread, sum);
    }
    *sum += transfers * (double) accesses[i].count / all;
  }
}

/* Where most of each line's writes are.  */
static void
read_contents (struct advise_facts *facts, const struct dg_report *report)
{
  GHashTable *by_address = g_hash_table_new (dg_hash_uint64, g_int64_equal);
  struct advise_table table;

  for (guint i = 0; i < facts->shared->len; i++) {
    struct advise_shared *shared =
      &g_array_index (facts->shared, struct advise_shared, i);

    g_hash_table_insert (by_address, &shared->address, shared);
  }
  advise_table_init (&table, report, "sharing", "contents");
  while (advise_table_next (&table)) {
    uint64_t address = advise_table_number (&table, "address");
    uint64_t writes = advise_table_number (&table, "writes");
    struct advise_shared *shared = g_hash_table_lookup (by_address, &address);

    if (shared == NULL || writes < shared->writes)
      continue;
    shared->writes = writes;
    shared->file = advise_table_text (&table, "file");
    shared->line = (uint32_t) advise_table_number (&table, "line");
  }
  g_hash_table_unref (by_address);
}

/* Memory that an allocator hands out which the log does not know, as those of
   Go and Java: what one thread had there was something else when another had
   it.  */
static bool
is_of_unknown (const char *variable)
{
  return strstr (variable, "pages from ") != NULL;
}

static void
read_shared (struct advise_facts *facts, const struct dg_report *report)
{
  struct advise_table table;

  advise_table_init (&table, report, "sharing", "line_list");
  while (advise_table_next (&table)) {
    struct advise_shared shared = {
      .variables = advise_table_text (&table, "variable"),
      .advice = advise_table_text (&table, "advice"),
      .address = advise_table_number (&table, "address"),
      .accesses = advise_table_number (&table, "accesses"),
      .transfers = advise_table_number (&table, "estimated_transfers"),
      .false_transfers = advise_table_number (&table, "estimated_false")};

    shared.by_thread =
      advise_table_pairs (&table, "accesses_by_thread", &shared.n_threads);

    if (shared.false_transfers == 0
        || (shared.variables != NULL && is_of_unknown (shared.variables)))
      continue;
    if (shared.variables == NULL)
      shared.variables = "unknown memory";
    g_array_append_val (facts->shared, shared);
  }
  read_contents (facts, report);
}

/* Variables with fewer accesses by several threads cost nothing that is
   seen.  */
#define FEWEST_ACCESSES 100

/* What a variable is called: a lock as a whole.  */
static const char *
contended_name (const char *variable, bool *is_lock)
{
  const char *data = variable != NULL ? strstr (variable, ".__data.") : NULL;
  const char *name = variable;
  char *whole;

  *is_lock = data != NULL;
  if (data == NULL)
    return name;
  whole = g_strndup (variable, (gsize) (data - variable));
  name = g_intern_string (whole);
  g_free (whole);
  return name;
}

/* Threads with at least one of fifty accesses of the row.  */
static uint64_t
row_threads (const struct advise_table *table, uint64_t accesses)
{
  uint64_t threads = 0;
  size_t n;
  const struct dg_pair *pairs =
    advise_table_pairs (table, "accesses_by_thread", &n);

  for (size_t i = 0; i < n; i++)
    if (pairs[i].count * 50 >= accesses)
      threads |= UINT64_C (1) << MIN (pairs[i].key, UINT64_C (63));
  return threads;
}

static struct advise_contended *
contended_of (struct advise_facts *facts, const char *variable)
{
  for (guint i = 0; i < facts->contended->len; i++) {
    struct advise_contended *known =
      &g_array_index (facts->contended, struct advise_contended, i);

    if (strcmp (known->variable, variable) == 0)
      return known;
  }
  return NULL;
}

/* What the lines of variables cost: line's address -> transfers for each
   access.  */
static GHashTable *
read_moves (const struct dg_report *report)
{
  GHashTable *moves =
    g_hash_table_new_full (dg_hash_uint64, g_int64_equal, g_free, g_free);
  struct advise_table table;

  advise_table_init (&table, report, "sharing", "moves");
  while (advise_table_next (&table)) {
    uint64_t address = advise_table_number (&table, "address");
    uint64_t accesses = advise_table_number (&table, "accesses");
    uint64_t all = advise_table_number (&table, "estimated_transfers");
    uint64_t falsely = advise_table_number (&table, "estimated_false");
    double each = (double) (all - MIN (all, falsely))
                  / (double) MAX (accesses, 1);

    g_hash_table_insert (moves, g_memdup2 (&address, sizeof address),
                         g_memdup2 (&each, sizeof each));
  }
  return moves;
}

/* One row for each address: those of a variable are added up.  */
static void
read_contended (struct advise_facts *facts, const struct dg_report *report)
{
  GHashTable *moves = read_moves (report);
  struct advise_table table;

  advise_table_init (&table, report, "sharing", "rows");
  while (advise_table_next (&table)) {
    uint64_t accesses = advise_table_number (&table, "accesses");
    uint64_t line = advise_table_number (&table, "address")
                    & ~(uint64_t) (MAX (facts->line_size, 1) - 1);
    const double *each = g_hash_table_lookup (moves, &line);
    double busiest = advise_table_real (&table, "busiest_share");
    struct advise_contended new = {.variable = NULL}, *known;

    new.variable = contended_name (advise_table_text (&table, "variable"),
                                   &new.is_lock);
    if (accesses < FEWEST_ACCESSES || new.variable == NULL
        || is_of_unknown (new.variable)
        || advise_table_number (&table, "writes") < FEWEST_ACCESSES / 10)
      continue;
    known = contended_of (facts, new.variable);
    if (known == NULL) {
      new.moves = advise_moves_new ();
      g_array_append_val (facts->contended, new);
      known = contended_of (facts, new.variable);
    }
    known->accesses += accesses;
    known->writes += advise_table_number (&table, "writes");
    known->others += (uint64_t) ((1 - busiest) * (double) accesses + 0.5);
    if (each != NULL) {
      size_t n;
      const struct dg_pair *pairs =
        advise_table_pairs (&table, "accesses_by_thread", &n);

      known->transfers += *each * (double) accesses;
      advise_moves_add (known->moves, pairs, n, *each * (double) accesses);
    }
  }
  g_hash_table_unref (moves);
  advise_table_init (&table, report, "sharing", "code_lines");
  while (advise_table_next (&table)) {
    bool is_lock;
    const char *variable = contended_name (
      advise_table_text (&table, "variable"), &is_lock);
    struct advise_contended *known =
      variable != NULL ? contended_of (facts, variable) : NULL;
    uint64_t accesses = advise_table_number (&table, "accesses");

    if (known != NULL && advise_table_number (&table, "writes") > 0)
      known->writers |= row_threads (&table, accesses);
    if (known == NULL || accesses <= known->most)
      continue;
    known->most = accesses;
    known->code = advise_facts_code (&table);
  }
}

void
advise_facts_add_sharing (struct advise_facts *facts,
                          const struct dg_report *report)
{
  read_shared (facts, report);
  read_contended (facts, report);
}
