/* heap_summary.c: `dg heap` without further options: the heap over time as a
   graph of text, its peak, and where what was in use then was allocated.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_parts.h"

#include <inttypes.h>

#include "base/output.h"
#include "base/partial.h"
#include "base/printable.h"
#include "base/report_cells.h"

#define COLUMNS 64
#define ROWS 12
#define SITES 10

static char *
bytes_text (uint64_t bytes)
{
  const struct dg_cell cell = DG_CELL_NUMBER (bytes);

  return report_cell_text (DG_UNIT_BYTES, &cell);
}

static void
put_name (struct output *out, const char *title, const char *name)
{
  output_format (out, "%-10s ", title);
  output_name (out, name);
  output_text (out, "\n");
}

static void
put_head (struct output *out, const struct heap_input *input)
{
  const struct dg_process *process = dg_log_process (input->log->log);

  put_name (out, "Log", input->log->path);
  if (process != NULL) {
    char *line = cli_log_command (process);

    put_name (out, "Command", line);
    g_free (line);
  }
  output_text (out, "\n");
}

/* ---- The graph ---------------------------------------------------------- */

/* Which rows of a column are filled: half a row and more is.  */
static unsigned
height_of (const struct dg_curve *curve, size_t column)
{
  double part = (double) curve->columns[column].total
                / (double) curve->peak_bytes;

  return (unsigned) (part * ROWS + 0.5);
}

/* A row; the first moment of the peak is marked.  */
static void
put_row (struct output *out, const struct dg_curve *curve, unsigned row,
         const char *label)
{
  size_t n = curve->n_columns;

  while (n > 0 && height_of (curve, n - 1) < row)
    n--;
  output_format (out, "%10s |", label);
  for (size_t i = 0; i < n; i++)
    output_text (out, height_of (curve, i) < row ? " "
                      : i == curve->peak_column  ? "#" : ":");
  output_text (out, "\n");
}

static void
put_graph (struct output *out, const struct dg_curve *curve, uint64_t last)
{
  char *peak = bytes_text (curve->peak_bytes),
       *half = bytes_text (curve->peak_bytes / 2),
       *number = printable_number (last),
       *end = g_strdup_printf ("%s instructions", number);

  for (unsigned row = ROWS; row >= 1; row--)
    put_row (out, curve, row,
             row == ROWS ? peak : row == ROWS / 2 ? half : "");
  output_format (out, "%10s +", "0");
  for (size_t i = 0; i < curve->n_columns; i++)
    output_text (out, "-");
  output_format (out, "\n%10s  0 %*s\n\n", "", (int) curve->n_columns - 2,
                 end);
  g_free (peak);
  g_free (half);
  g_free (number);
  g_free (end);
}

/* ---- Figures ------------------------------------------------------------ */

static void
put_moment (struct output *out, const char *what, uint64_t bytes,
            uint64_t blocks, uint64_t icount)
{
  char *size = bytes_text (bytes), *count = printable_number (blocks),
       *moment = printable_number (icount);

  output_format (out, "%-10s %s in %s block%s, after %s instructions\n", what,
                 size, count, blocks == 1 ? "" : "s", moment);
  g_free (size);
  g_free (count);
  g_free (moment);
}

static void
put_site (struct output *out, const struct dg_curve_series *site,
          uint64_t total)
{
  const struct dg_cell part =
    DG_CELL_REAL ((double) site->peak_bytes / (double) total);
  char *share = report_cell_text (DG_UNIT_PERCENT, &part),
       *bytes = bytes_text (site->peak_bytes),
       *blocks = printable_number (site->peak_blocks),
       *name = printable_text (site->name);

  output_format (out, "%7s  %10s  %9s  ", share, bytes, blocks);
  output_text (out, name);
  output_text (out, "\n");
  g_free (share);
  g_free (bytes);
  g_free (blocks);
  g_free (name);
}

static void
put_curve (struct output *out, const struct dg_log *log,
           const struct dg_curve *curve)
{
  uint64_t last = dg_log_summary (log)->last_icount, end = 0, blocks = 0;

  /* Counts the bytes that are live after the last step.  The last column of
     the graph may be higher: it shows the maximum of its time.  */
  for (size_t i = 0; i < dg_log_n_blocks (log); i++) {
    const struct dg_block block = dg_log_block (log, i);

    if (block.free_icount == DG_NEVER
        && dg_curve_series_of (curve, &block) != DG_NONE) {
      end += block.size;
      blocks++;
    }
  }
  put_graph (out, curve, last);
  put_moment (out, "Peak", curve->peak_bytes, curve->peak_blocks,
              curve->peak_icount);
  put_moment (out, "End", end, blocks, last);
  output_text (out, "\nIn use at the peak\n"
                    "  Share       Bytes     Blocks  Allocated by\n");
  for (size_t i = 0; i < curve->n_series; i++)
    if (curve->series[i].peak_bytes > 0)
      put_site (out, &curve->series[i], curve->peak_bytes);
  output_text (out,
               "\nMore: dg heap --sites, how blocks are used;"
               " --render=heap.svg, a picture;\n--print or -o massif.out, as"
               " Massif shows it.\n");
}

int
heap_summary (const struct heap_input *input)
{
  const struct dg_curve_options options = {
    .size = sizeof options, .columns = COLUMNS, .series = SITES};
  struct interrupt interrupt;
  struct dg_curve_source *source;
  struct dg_curve *curve = NULL;
  struct dg_error error;
  struct output out;

  interrupt_begin (&interrupt, input->log->progress, "sites", 0.5);
  source = heap_curve_source (input, &interrupt, &error);
  cli_progress_phase (input->log->progress, "curve", 0.5);
  if (source != NULL)
    dg_curve_build (source, &options, interrupt_progress_fn, &interrupt,
                    &curve, &error);
  interrupt_end (&interrupt);
  if (curve == NULL) {
    dg_curve_source_free (source);
    return cli_fail ("%s: %s", input->log->path, error.message);
  }
  output_init (&out);
  put_head (&out, input);
  if (curve->peak_bytes > 0)
    put_curve (&out, input->log->log, curve);
  else
    output_text (&out, "Nothing was allocated.\n");
  partial_put (&out, input->log->log);
  dg_curve_free (curve);
  dg_curve_source_free (source);
  cli_warn_of_symbols (input->symbols);
  return output_finish (&out);
}
