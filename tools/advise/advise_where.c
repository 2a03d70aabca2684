/* advise_where.c: where the time of a run is, whether a rule applies or not.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_where.h"

#include "advise_finding.h"

#include <string.h>

/* Rows of each table.  */
#define FUNCTIONS 5
#define LINES     5
#define MEMORIES  3

/* Something that costs, and what of that are waits for memory.  */
struct cost {
  const char *name;        /* not owned */
  const struct advise_code *code;
  double cycles, waits;
  uint64_t instructions;
  bool is_own;
};

static int
compare_costs (const void *a, const void *b)
{
  const struct cost *x = a, *y = b;

  /* The program's own code before that of libraries.  */
  if (x->is_own != y->is_own)
    return x->is_own ? -1 : 1;
  if (x->cycles != y->cycles)
    return x->cycles > y->cycles ? -1 : 1;
  return g_strcmp0 (x->name, y->name);
}

static void
add_line (struct cost *cost, const struct advise_line *line)
{
  cost->cycles += (double) line->cycles;
  cost->waits += (double) line->memory_cycles;
  cost->instructions += line->instructions;
}

static GArray *
list_lines (const struct advise_facts *facts)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct cost));

  for (guint i = 0; i < facts->lines->len; i++) {
    const struct advise_line *line = facts->lines->pdata[i];
    struct cost cost = {.name = line->code.function, .code = &line->code,
                        .is_own = line->is_own};

    add_line (&cost, line);
    g_array_append_val (all, cost);
  }
  g_array_sort (all, compare_costs);
  return all;
}

/* The cost of a name; known: name -> index + 1.  */
static struct cost *
cost_of (GArray *all, GHashTable *known, const char *name,
         const struct advise_code *code, bool is_own)
{
  gpointer index = g_hash_table_lookup (known, name);
  const struct cost cost = {.name = name, .code = code, .is_own = is_own};

  if (index == NULL) {
    g_array_append_val (all, cost);
    index = GUINT_TO_POINTER (all->len);
    g_hash_table_insert (known, (gpointer) name, index);
  }
  return &g_array_index (all, struct cost, GPOINTER_TO_UINT (index) - 1);
}

static GArray *
list_functions (const struct advise_facts *facts)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct cost));
  GHashTable *known = g_hash_table_new (dg_hash_text, g_str_equal);

  for (guint i = 0; i < facts->lines->len; i++) {
    const struct advise_line *line = facts->lines->pdata[i];
    const char *name =
      line->code.function != NULL ? line->code.function : "???";

    add_line (cost_of (all, known, name, &line->code, line->is_own), line);
  }
  g_hash_table_unref (known);
  g_array_sort (all, compare_costs);
  return all;
}

/* Blocks of an allocation site, or a variable, with the cost of misses.  */
static GArray *
list_memories (const struct advise_facts *facts)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct cost));
  GHashTable *known = g_hash_table_new (dg_hash_text, g_str_equal);

  for (guint i = 0; i < facts->streams->len; i++) {
    const struct advise_stream *stream =
      &g_array_index (facts->streams, struct advise_stream, i);

    if (stream->memory != NULL && stream->cycles > 0)
      cost_of (all, known, stream->memory, &stream->line->code, true)->cycles
        += stream->cycles;
  }
  g_hash_table_unref (known);
  g_array_sort (all, compare_costs);
  return all;
}

/* ---- Tables ------------------------------------------------------------- */

static const struct dg_column code_columns[] = {
  {"share", "Share", DG_UNIT_PERCENT, 0},
  {"instructions", "Instructions", DG_UNIT_COUNT, 0},
  {"memory_cycles_share", "Memory", DG_UNIT_PERCENT, 0},
  {"name", "Where", DG_UNIT_TEXT, DG_COLUMN_LAST}};

static const struct dg_column memory_columns[] = {
  {"share", "Share", DG_UNIT_PERCENT, 0},
  {"name", "Memory", DG_UNIT_TEXT, DG_COLUMN_LAST}};

/* What is less is not where the time is.  */
#define LEAST_SHARE 0.01

static void
put_code (const struct advise_facts *facts, GArray *costs, guint most,
          bool has_line, struct dg_rows *rows)
{
  for (guint i = 0; i < costs->len && i < most; i++) {
    const struct cost *cost = &g_array_index (costs, struct cost, i);
    double share = facts->cycles > 0 ? cost->cycles / facts->cycles : 0;
    char *name = has_line ? advise_code_text (cost->code)
                          : g_strdup (cost->name);

    if (share >= LEAST_SHARE)
      dg_rows_add (rows, (const struct dg_cell[]) {
                           DG_CELL_REAL (share),
                           DG_CELL_NUMBER (cost->instructions),
                           DG_CELL_REAL (cost->cycles > 0
                                           ? cost->waits / cost->cycles : 0),
                           DG_CELL_TEXT (name)});
    g_free (name);
  }
}

static void
put_memories (const struct advise_facts *facts, GArray *costs,
              struct dg_rows *rows)
{
  for (guint i = 0; i < costs->len && i < MEMORIES; i++) {
    const struct cost *cost = &g_array_index (costs, struct cost, i);
    double share = facts->cycles > 0 ? cost->cycles / facts->cycles : 0;

    if (share >= LEAST_SHARE)
      dg_rows_add (rows, (const struct dg_cell[]) {
                           DG_CELL_REAL (share), DG_CELL_TEXT (cost->name)});
  }
}

/* ---- Words -------------------------------------------------------------- */

/* What the estimate is made of.  */
static void
note_parts (const struct advise_facts *facts, struct dg_report *report)
{
  double all = facts->cycles > 0 ? facts->cycles : 1;
  char *memory = advise_percent_text (facts->memory_cycles / all);
  char *fetch = advise_percent_text (facts->fetch_cycles / all);
  char *branch = advise_percent_text (facts->branch_cycles / all);
  char *forward = advise_percent_text (facts->forward_cycles / all);
  char *pages
    = advise_percent_text (facts->page_cycles / (all + facts->page_cycles));

  dg_report_note (report,
                  "Of the estimated cycles, %s wait for the caches and memory,"
                  " %s for machine code, %s are lost to branches that were"
                  " predicted wrongly, and %s wait for values that were just"
                  " stored.  Besides, the kernel takes %s of the time for"
                  " pages that are touched for the first time.",
                  memory, fetch, branch, forward, pages);
  g_free (memory);
  g_free (fetch);
  g_free (branch);
  g_free (forward);
  g_free (pages);
}

/* What is missing in the log, which a silent rule may be due to.  */
static void
note_unknown (const struct advise_facts *facts, struct dg_report *report)
{
  double known = 0, named = 0, own = 0;

  for (guint i = 0; i < facts->lines->len; i++) {
    const struct advise_line *line = facts->lines->pdata[i];
    double cost = line->is_own ? (double) line->cycles : 0;

    own += cost;
    known += line->code.file != NULL ? cost : 0;
    named += line->code.function != NULL ? cost : 0;
  }
  if (own > 0 && named * 2 < own)
    dg_report_note (report,
                    "Most of the program's code has no names: it was stripped,"
                    " or its debug information is not here.");
  else if (own > 0 && known * 2 < own)
    dg_report_note (report,
                    "Most of the program's code has no line numbers: compiled"
                    " with -g, the lines with most of its time would be"
                    " known, and the names of fields.");
  if (facts->is_partial)
    dg_report_note (report,
                    "The log has a part of the run only: what is never freed"
                    " or never used in it may be later.");
  if (!facts->has_heap)
    dg_report_note (report, "The log has no heap blocks: rules about them"
                            " cannot apply.");
}

void
advise_where_report (const struct advise_facts *facts, bool has_findings,
                     struct dg_report *report)
{
  GArray *functions = list_functions (facts), *lines = list_lines (facts);
  GArray *memories = list_memories (facts);

  note_parts (facts, report);
  put_code (facts, functions, FUNCTIONS, false,
            dg_report_table (report, "top_functions", "Where the time is",
                             code_columns, G_N_ELEMENTS (code_columns)));
  put_code (facts, lines, LINES, true,
            dg_report_table (report, "top_lines",
                             has_findings ? NULL : "Its lines", code_columns,
                             G_N_ELEMENTS (code_columns)));
  put_memories (facts, memories,
                dg_report_table (report, "top_memory",
                                 has_findings ? NULL : "What it misses",
                                 memory_columns,
                                 G_N_ELEMENTS (memory_columns)));
  note_unknown (facts, report);
  g_array_unref (functions);
  g_array_unref (lines);
  g_array_unref (memories);
}
