/* calls_dot.c: the call graph as Graphviz reads it: the functions that do
   most, callees included, and the calls among them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calls.h"

#include <inttypes.h>

#include "base/compare.h"
#include "base/error.h"
#include "base/shown.h"

/* More cannot be looked at.  */
#define MAX_NODES 60
/* Of a real as text.  */
#define REAL_SIZE G_ASCII_DTOSTR_BUF_SIZE

struct graph_node {
  struct calls_function function;
  const struct calls_of *of;
  uint32_t number;
};

static int
compare_nodes (const void *a, const void *b, void *user)
{
  const struct graph_node *x = a, *y = b;
  const struct calls *calls = user;
  uint64_t p = calls_cost_of (&x->of->inclusive, calls->weight);
  uint64_t q = calls_cost_of (&y->of->inclusive, calls->weight);

  return DG_COMPARE (q, p)
           ?: calls_function_compare (&x->function, &y->function);
}

static void
write_name (FILE *file, const char *name)
{
  while (*name != '\0') {
    const char *from = name;

    if (*name == '"' || *name == '\\')
      putc ('\\', file);
    if (dg_shown_next (&name))
      fwrite (from, 1, (size_t) (name - from), file);
    else
      putc (' ', file);
  }
}

static double
percent (uint64_t part, uint64_t whole)
{
  return whole > 0 ? 100.0 * (double) part / (double) whole : 0;
}

struct graph_edge { const struct calls_edge *edge; uint32_t from, to; };

/* By place among the nodes.  */
static int
compare_edges (const void *a, const void *b)
{
  const struct graph_edge *x = a, *y = b;

  return DG_COMPARE (x->from, y->from) ?: DG_COMPARE (x->to, y->to);
}

static void
write_edges (const struct calls *calls, const uint32_t *places, FILE *file)
{
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (struct graph_edge));

  for (uint32_t i = 0; i < calls->sums.n_edges; i++) {
    struct graph_edge e = { &calls->sums.edges[i],
                            places[calls->sums.edges[i].caller],
                            places[calls->sums.edges[i].callee] };
    if (e.from != DG_NONE && e.to != DG_NONE)
      g_array_append_val (edges, e);
  }
  g_array_sort (edges, compare_edges);
  for (guint i = 0; i < edges->len; i++) {
    const struct graph_edge *e = &g_array_index (edges, struct graph_edge, i);
    double part = percent (calls_cost_of (&e->edge->inclusive, calls->weight),
                           calls_cost_of (&calls->totals, calls->weight));
    char share[REAL_SIZE], pen[REAL_SIZE];

    g_ascii_formatd (share, sizeof share, "%.1f", part);
    g_ascii_formatd (pen, sizeof pen, "%.2f", 0.5 + part / 20);
    fprintf (file,
             "  n%" PRIu32 " -> n%" PRIu32 " [label=\"%" PRIu64
             "\\n%s%%\", penwidth=%s];\n",
             e->from, e->to, e->edge->calls, share, pen);
  }
  g_array_unref (edges);
}

int
calls_write_dot (struct calls *calls, struct dg_report *report,
                 struct dg_error *err)
{
  FILE *file = dg_report_file (report, calls->dot, err);
  uint32_t n = calls->sums.n_functions, n_nodes = 0;
  uint32_t n_places = calls_code_n_functions (calls->code);
  struct graph_node *nodes = g_try_new (struct graph_node, n + 1);
  uint32_t *places = g_try_new (uint32_t, n_places + 1);
  uint64_t total = calls_cost_of (&calls->totals, calls->weight);

  if (file == NULL || nodes == NULL || places == NULL) {
    g_free (nodes);
    g_free (places);
    return file == NULL ? DG_ERR_IO : dg_error_nomem (err);
  }
  for (uint32_t i = 0; i < n_places; i++)
    places[i] = DG_NONE;
  for (uint32_t i = 0; i < n; i++) {
    const struct calls_of *of = &calls->sums.functions[i];

    if (of->inclusive.instructions > 0)
      nodes[n_nodes++] = (struct graph_node){
        calls_code_function (calls->code, of->function), of, of->function
      };
  }
  g_qsort_with_data (nodes, (gint) n_nodes, sizeof *nodes, compare_nodes,
                     calls);
  n_nodes = MIN (n_nodes, MAX_NODES);
  fputs ("digraph calls {\n  node [shape=box, style=filled, "
         "fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", "
         "fontsize=10];\n", file);
  for (uint32_t i = 0; i < n_nodes; i++) {
    const struct calls_of *of = nodes[i].of;
    double self = percent (calls_cost_of (&of->self, calls->weight), total);
    double all = percent (calls_cost_of (&of->inclusive, calls->weight),
                          total);
    char texts[3][REAL_SIZE];

    g_ascii_formatd (texts[0], REAL_SIZE, "%.1f", all);
    g_ascii_formatd (texts[1], REAL_SIZE, "%.1f", self);
    g_ascii_formatd (texts[2], REAL_SIZE, "%.3f", 0.05 + self / 110);
    places[nodes[i].number] = i;
    fprintf (file, "  n%" PRIu32 " [label=\"", i);
    write_name (file, nodes[i].function.label);
    fprintf (file,
             "\\n%s%% (self %s%%)\\n%" PRIu64
             " calls\", fillcolor=\"0.05 %s 1.0\"];\n",
             texts[0], texts[1], of->calls, texts[2]);
  }
  write_edges (calls, places, file);
  fputs ("}\n", file);
  g_free (nodes);
  g_free (places);
  return 0;
}
