/* heap_print.c: `dg heap --print`: what ms_print, Massif's printer, would
   print of the file that `dg heap` writes: where it comes from, a graph, the
   snapshots as a table, and below those that have one their trees.

   Everything is as ms_print has it, to the byte; so what follows a "#" in a
   command or a name is left out, which is a comment to ms_print.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_print.h"

#include "heap_parts.h"
#include "base/printable.h"

#include <inttypes.h>

#define PAGE_WIDTH 80

static void
print_rule (struct output *out)
{
  for (unsigned i = 0; i < PAGE_WIDTH; i++)
    output_text (out, "-");
  output_text (out, "\n");
}

/* A line of the file, as far as ms_print reads it.  */
static void
print_line (struct output *out, const char *text)
{
  output_bytes (out, text, strcspn (text, "#"));
  output_text (out, "\n");
}

static void
print_preamble (struct output *out, const struct heap_input *input,
                const struct dg_massif *massif)
{
  const struct heap_options *options = input->options;
  const char *command = dg_massif_command (massif);

  print_rule (out);
  output_text (out, "Command:            ");
  print_line (out, command + strspn (command, " \t\r\v\f"));
  output_text (out, "Massif arguments:   ");
  print_line (out, options->desc != NULL ? options->desc : "(none)");
  output_format (out, "ms_print arguments: --x=%d --y=%d --threshold=%g ",
                 options->x, options->y, options->massif.threshold);
  output_name (out, input->log->path);
  output_text (out, "\n");
  print_rule (out);
  output_text (out, "\n\n");
}

static void
print_list (struct output *out, const struct dg_massif_snapshot *snapshots,
            size_t n, size_t peak)
{
  const char *separator = "";

  output_format (out, "\nNumber of snapshots: %zu\n Detailed snapshots: [", n);
  for (size_t i = 0; i < n; i++) {
    if (snapshots[i].kind == DG_MASSIF_NORMAL)
      continue;
    output_format (out, "%s%zu%s", separator, i, i == peak ? " (peak)" : "");
    separator = ", ";
  }
  output_text (out, "]\n\n");
}

/* ---- Trees -------------------------------------------------------------- */

struct walk {
  struct output *out;
  GString *prefix;   /* of the children of the node at hand */
  uint64_t total;    /* of the snapshot: 100 % */
  double threshold;
};

static double
percent_of (const struct walk *walk, uint64_t bytes)
{
  if (walk->total == 0)
    return 0;
  return 100 * (double) bytes / (double) walk->total;
}

static bool
is_significant (const struct walk *walk, const struct dg_massif_node *node)
{
  return percent_of (walk, node->bytes) >= walk->threshold;
}

/* "12.34% (5,678B) " */
static void
print_share (const struct walk *walk, uint64_t bytes)
{
  char *grouped = printable_number (bytes);

  output_format (walk->out, "%05.2f%% (%sB) ", percent_of (walk, bytes),
                 grouped);
  g_free (grouped);
}

/* An empty line but for the lines that go through it to nodes below.  */
static void
print_gap (const struct walk *walk)
{
  output_bytes (walk->out, walk->prefix->str, walk->prefix->len);
  output_text (walk->out, "\n");
}

static void
print_small (const struct walk *walk, uint32_t n, uint64_t bytes)
{
  output_bytes (walk->out, walk->prefix->str, walk->prefix->len);
  output_text (walk->out, "->");
  print_share (walk, bytes);
  output_format (walk->out,
                 "in %" PRIu32 "+ places, all below ms_print's threshold "
                 "(%05.2f%%)\n",
                 n, walk->threshold);
  print_gap (walk);
}

/* A node whose line's beginning stands already, and all below it.  */
static void
print_node (struct walk *walk, const struct dg_massif_node *node)
{
  uint32_t n_small = 0;
  uint64_t small_bytes = 0;
  size_t indent = walk->prefix->len;

  print_share (walk, node->bytes);
  print_line (walk->out, node->label);
  for (uint32_t i = 0; i < node->n_children; i++) {
    const struct dg_massif_node *child = &node->children[i];

    if (!is_significant (walk, child)) {
      n_small++;
      small_bytes += child->bytes;
      continue;
    }
    output_bytes (walk->out, walk->prefix->str, walk->prefix->len);
    output_text (walk->out, "->");
    g_string_append (walk->prefix, i + 1 < node->n_children ? "| " : "  ");
    print_node (walk, child);
    g_string_truncate (walk->prefix, indent);
  }
  if (n_small > 0)
    print_small (walk, n_small, small_bytes);
  if (node->n_children == 0)
    print_gap (walk);
}

static int
print_tree (struct output *out, const struct dg_massif *massif, size_t i,
            uint64_t total)
{
  struct dg_error error;
  struct dg_massif_tree *tree = dg_massif_tree_new (massif, i, &error);
  struct walk walk = {
    .out = out,
    .total = total,
    .threshold = dg_massif_options (massif)->threshold,
  };

  if (tree == NULL)
    return cli_fail ("snapshot %zu: %s", i, error.message);
  walk.prefix = g_string_new (NULL);
  print_node (&walk, dg_massif_tree_top (tree));
  g_string_free (walk.prefix, TRUE);
  dg_massif_tree_free (tree);
  return CLI_OK;
}

/* ---- The table ---------------------------------------------------------- */

static void
print_head (struct output *out, enum dg_massif_time unit)
{
  char *time = g_strdup_printf ("time(%s)", dg_massif_time_name (unit));

  print_rule (out);
  output_format (out, "%3s %14s %16s %16s %13s %12s\n", "n", time, "total(B)",
                 "useful-heap(B)", "extra-heap(B)", "stacks(B)");
  print_rule (out);
  g_free (time);
}

static void
print_row (struct output *out, size_t i,
           const struct dg_massif_snapshot *snapshot)
{
  const struct {
    uint64_t number;
    int width;
  } cells[] = {
    {snapshot->time, 14},  {heap_print_total (snapshot), 16},
    {snapshot->heap, 16},  {snapshot->extra, 13},
    {snapshot->stacks, 12},
  };

  output_format (out, "%3zu", i);
  for (unsigned c = 0; c < G_N_ELEMENTS (cells); c++) {
    char *grouped = printable_number (cells[c].number);

    output_format (out, " %*s", cells[c].width, grouped);
    g_free (grouped);
  }
  output_text (out, "\n");
}

/* The head stands again below each tree that has snapshots behind it.  */
static int
print_table (struct output *out, const struct dg_massif *massif)
{
  size_t n;
  const struct dg_massif_snapshot *snapshots =
    dg_massif_snapshots (massif, &n);
  enum dg_massif_time unit = dg_massif_options (massif)->time_unit;
  int status = CLI_OK;

  print_head (out, unit);
  for (size_t i = 0; i < n && status == CLI_OK && !output_failed (out); i++) {
    print_row (out, i, &snapshots[i]);
    if (snapshots[i].kind == DG_MASSIF_NORMAL)
      continue;
    status = print_tree (out, massif, i, heap_print_total (&snapshots[i]));
    if (i + 1 < n)
      print_head (out, unit);
  }
  return status;
}

int
heap_print (const struct heap_input *input, const struct dg_massif *massif)
{
  const struct heap_options *options = input->options;
  struct output out;
  size_t n;
  const struct dg_massif_snapshot *snapshots =
    dg_massif_snapshots (massif, &n);
  char *path = options->output != NULL
                 ? heap_options_file (options->output, input->log->log)
                 : NULL;
  int status = output_open (&out, path, input->log->path);

  g_free (path);
  if (status != CLI_OK)
    return status;
  print_preamble (&out, input, massif);
  heap_print_graph (&out, massif, (unsigned) options->x,
                    (unsigned) options->y);
  print_list (&out, snapshots, n, dg_massif_peak (massif));
  status = print_table (&out, massif);
  if (status == CLI_OK)
    return output_finish (&out);
  output_drop (&out);
  return status;
}
