/* heap_print_graph.c: the graph of `dg heap --print`: a column for each
   moment, as high as the heap was then.

   Which characters stand where is ms_print's choice, also where its numbers
   are rounded.  They are of double precision, which is exact up to 2^53.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_print.h"

/* What is in a cell: of several snapshots in a column, the greatest.  */
enum mark { MARK_NONE = 0, MARK_NORMAL, MARK_DETAILED, MARK_PEAK };

static const char mark_chars[] = {' ', ':', '@', '#'};

/* Column 0 and row 0 are the axes, which are not kept.  One column more than
   is shown: times so large that their quotient rounds to 1 fall there.  */
struct graph {
  unsigned columns, rows;
  uint8_t *marks;
};

static uint8_t *
cell (const struct graph *graph, unsigned column, unsigned row)
{
  return &graph->marks[(size_t) (row - 1) * (graph->columns + 1) + column - 1];
}

/* How many rows are filled by so many bytes, when each stands for `step`.  */
static unsigned
height_of (double step, uint64_t bytes, unsigned rows)
{
  unsigned row = 0;

  while (row < rows && (double) bytes >= step * (row + 1))
    row++;
  return row;
}

static unsigned
column_of (uint64_t time, uint64_t end, unsigned columns)
{
  if (time == end)
    return columns;
  return (unsigned) ((double) time / (double) end * columns) + 1;
}

static enum mark
mark_of (const struct dg_massif_snapshot *snapshots, size_t i, size_t peak)
{
  if (i == peak)
    return MARK_PEAK;
  return snapshots[i].kind == DG_MASSIF_NORMAL ? MARK_NORMAL : MARK_DETAILED;
}

/* Columns between two snapshots have a mark where the first one ends.  */
static void
draw (const struct graph *graph, const struct dg_massif *massif, double step,
      uint64_t end)
{
  size_t n, peak = dg_massif_peak (massif);
  const struct dg_massif_snapshot *snapshots =
    dg_massif_snapshots (massif, &n);
  unsigned column = 0, height = 0;
  enum mark mark = MARK_NONE;

  for (size_t i = 0; i < n; i++) {
    unsigned next = column_of (snapshots[i].time, end, graph->columns);

    for (unsigned gap = column + 1; height > 0 && gap < next; gap++)
      *cell (graph, gap, height) = mark;
    column = next;
    mark = mark_of (snapshots, i, peak);
    height = height_of (step, heap_print_total (&snapshots[i]), graph->rows);
    for (unsigned row = 1; row <= height; row++) {
      uint8_t *there = cell (graph, column, row);

      *there = MAX (*there, mark);
    }
  }
}

/* ---- Axes --------------------------------------------------------------- */

/* A number of five characters, if possible, and the unit that makes it so.  */
struct label {
  char *text; /* to be freed */
  const char *unit;
};

static const char *const byte_units[] = {"B",  "KB", "MB", "GB",
                                         "TB", "PB", "EB"};
static const char *const instruction_units[] = {"i",  "ki", "Mi", "Gi",
                                                "Ti", "Pi", "Ei"};

static struct label
label_of (uint64_t number, double scaled, const char *unit)
{
  struct label label = {.unit = unit};

  int decimals = scaled < 10 ? 3 : scaled < 100 ? 2 : 1;

  if (number < 1000)
    decimals = 0;
  label.text = g_strdup_printf ("%5.*f", decimals, scaled);
  return label;
}

/* units: seven, each of 1024 of the one before it.  */
static struct label
label_1024 (uint64_t number, const char *const *units)
{
  double scaled = (double) number;
  unsigned i = 0;

  for (; scaled >= 1000 && i < G_N_ELEMENTS (byte_units) - 1; i++)
    scaled /= 1024;
  return label_of (number, scaled, units[i]);
}

static struct label
label_ms (uint64_t ms)
{
  double scaled = (double) ms;

  if (ms < 1000)
    return label_of (ms, scaled, "ms");
  scaled /= 1000;
  if (scaled < 3600)
    return label_of (ms, scaled, "s");
  return label_of (ms, scaled / 3600, "h");
}

static struct label
label_time (uint64_t time, enum dg_massif_time unit)
{
  switch (unit) {
  case DG_MASSIF_TIME_MS:
    return label_ms (time);
  case DG_MASSIF_TIME_B:
    return label_1024 (time, byte_units);
  default:
    return label_1024 (time, instruction_units);
  }
}

static void
print_rows (struct output *out, const struct graph *graph,
            const struct label *bytes)
{
  output_format (out, "    %2s\n", bytes->unit);
  for (unsigned row = graph->rows; row >= 1; row--) {
    output_text (out, row == graph->rows ? bytes->text : "     ");
    output_text (out, row == graph->rows ? "^" : "|");
    for (unsigned column = 1; column <= graph->columns; column++)
      output_bytes (out, &mark_chars[*cell (graph, column, row)], 1);
    output_text (out, "\n");
  }
}

static void
print_time (struct output *out, const struct graph *graph,
            const struct label *time)
{
  int space = graph->columns > 5 ? (int) graph->columns - 5 : 0;

  output_text (out, "   0 +");
  for (unsigned column = 1; column < graph->columns; column++)
    output_text (out, "-");
  output_format (out, ">%s\n", time->unit);
  output_format (out, "     0%*s%5s\n", space, "", time->text);
}

void
heap_print_graph (struct output *out, const struct dg_massif *massif,
                  unsigned columns, unsigned rows)
{
  size_t n;
  const struct dg_massif_snapshot *snapshots =
    dg_massif_snapshots (massif, &n);
  struct graph graph = {.columns = columns, .rows = rows};
  /* Where there is nothing, an axis is 1 long.  */
  uint64_t most = 1, end = MAX (snapshots[n - 1].time, 1);
  struct label bytes, time;

  for (size_t i = 0; i < n; i++)
    most = MAX (most, heap_print_total (&snapshots[i]));
  graph.marks = g_malloc0_n (rows, columns + 1);
  draw (&graph, massif, (double) most / rows, end);
  bytes = label_1024 (most, byte_units);
  time = label_time (end, dg_massif_options (massif)->time_unit);
  print_rows (out, &graph, &bytes);
  print_time (out, &graph, &time);
  g_free (bytes.text);
  g_free (time.text);
  g_free (graph.marks);
}
