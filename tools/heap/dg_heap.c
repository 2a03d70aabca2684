/* dg_heap.c: `dg heap`: the heap over time.  Here: its options, and which part
   they ask for.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/commands.h"
#include "base/follow.h"
#include "base/interrupt.h"
#include "base/output.h"
#include "base/partial.h"
#include "base/printable.h"
#include "heap_parts.h"

#include <errno.h>
#include <string.h>

/* ---- Massif's file ---------------------------------------------------- */

static ssize_t
write_to (void *cookie, const char *bytes, size_t n)
{
  struct output *out = cookie;

  output_bytes (out, bytes, n);
  if (output_failed (out)) {
    errno = out->error;
    return 0;
  }
  return (ssize_t) n;
}

/* One line about the written file.  */
static void
print_peak_line (const struct dg_massif *massif, const char *path,
                 const struct cli_log *log)
{
  const struct dg_massif_snapshot *s;
  struct output out;
  size_t n, most = 0;
  uint64_t total;

  s = dg_massif_snapshots (massif, &n);
  for (size_t i = 1; i < n; i++)
    if (s[i].heap + s[i].extra + s[i].stacks
        > s[most].heap + s[most].extra + s[most].stacks)
      most = i;
  if (dg_massif_peak (massif) < n)
    most = dg_massif_peak (massif);
  total = s[most].heap + s[most].extra + s[most].stacks;
  output_init (&out);
  output_name (&out, path);
  output_format (&out, ": %zu snapshot%s", n, n == 1 ? "" : "s");
  if (total > 0) {
    char *bytes = printable_number (total);
    char *icount = printable_number (s[most].icount);

    output_format (&out, ", %s %s bytes after %s instructions",
                   dg_massif_peak (massif) < n ? "peak" : "at most", bytes,
                   icount);
    g_free (bytes);
    g_free (icount);
  } else {
    output_text (&out, ": nothing was allocated");
  }
  output_text (&out, "\n");
  if (total == 0)
    partial_put (&out, log->log);
  output_finish (&out);
}

static int
write_file (const struct heap_input *input, const struct dg_massif *massif)
{
  const struct heap_options *options = input->options;
  char *path = heap_options_file (options->output, input->log->log);
  cookie_io_functions_t functions = {.write = write_to};
  struct output out;
  struct dg_error error;
  FILE *file;
  int code = DG_ERR_IO, status;

  status = output_open (&out, path, input->log->path);
  if (status != CLI_OK)
    goto out;
  file = fopencookie (&out, "w", functions);
  g_strlcpy (error.message, g_strerror (errno), sizeof error.message);
  if (file != NULL) {
    code = dg_massif_write (massif, options->desc, file, &error);
    fclose (file);
  }
  /* output_finish reports errors of writing.  */
  if (code == 0 || output_failed (&out)) {
    status = output_finish (&out);
  } else {
    output_drop (&out);
    status = cli_fail ("%s: %s", path, error.message);
  }
  if (status == CLI_OK && strcmp (path, "-") != 0)
    print_peak_line (massif, path, input->log);
out:
  g_free (path);
  return status;
}

static int
run_massif (const struct heap_input *input)
{
  struct interrupt interrupt;
  struct dg_massif *massif;
  struct dg_error error;
  const char *text;
  int status;

  interrupt_begin (&interrupt, input->log->progress, "heap", 1);
  dg_massif_run (input->log->log, input->symbols, &input->options->massif,
                 interrupt_progress_fn, &interrupt, &massif, &error);
  interrupt_end (&interrupt);
  if (massif == NULL)
    return cli_fail ("%s: %s", input->log->path, error.message);
  for (size_t i = 0; (text = dg_massif_note (massif, i)) != NULL; i++)
    cli_warn ("%s: %s", input->log->path, text);
  status = input->options->print ? heap_print (input, massif)
                                 : write_file (input, massif);
  dg_massif_free (massif);
  cli_warn_of_symbols (input->symbols);
  return status;
}

/* ---- The command ------------------------------------------------------ */

static bool
wants_tables (const struct heap_options *options)
{
  return options->sites || options->blocks || options->untouched
         || options->late;
}

/* Options of tables: -1, or the exit status after a message.  */
static int
check_tables (struct heap_options *options)
{
  const struct cli_command *command = options->command;

  if (options->render == NULL && options->by != NULL
      && strcmp (options->by, "site") != 0
      && strcmp (options->by, "stack") != 0)
    return cli_fail_usage (command, "--by: must be site or stack, not '%s'",
                           options->by);
  options->by_stack =
    options->by != NULL && strcmp (options->by, "stack") == 0;
  if (!wants_tables (options)
      && ((options->by != NULL && options->render == NULL) || options->json
          || options->top >= 0 || options->sort != NULL || options->is_wide))
    return cli_fail_usage (command, "--by, --json, --sort, --top and --wide "
                                    "need --sites, --blocks, --untouched or "
                                    "--late");
  if (options->render != NULL
      && (options->dhat_out != NULL || wants_tables (options)
          || options->folded != NULL || options->print
          || options->output != NULL))
    return cli_fail_usage (command, "--render cannot be combined with other "
                                    "outputs");
  if (options->is_follow
      && (options->render != NULL || options->dhat_out != NULL
          || options->folded != NULL || options->print
          || options->output != NULL))
    return cli_fail_usage (command, "--follow shows the heap and its tables; "
                                    "it writes no files");
  if (options->dhat_out != NULL && wants_tables (options))
    return cli_fail_usage (command, "--dhat-out cannot be combined with "
                                    "tables");
  if (options->folded != NULL
      && (options->dhat_out != NULL || wants_tables (options)
          || options->print))
    return cli_fail_usage (command, "--folded cannot be combined with other "
                                    "outputs");
  if (options->top < 0)
    options->top = options->json ? 0 : 30;
  return cli_check_wide (command, options->is_wide, options->json,
                         options->output);
}

/* Of all of them: likewise.  */
static int
check_options (struct heap_options *options, const struct heap_typed *typed)
{
  int status = check_tables (options);

  if (status < 0)
    status = heap_options_effects (options);
  if (status < 0)
    status = heap_options_set (options, typed);
  if (status < 0)
    status = heap_folded_check (options);
  return status < 0 ? heap_render_check (options) : status;
}

static bool
writes_massif (const struct heap_options *options)
{
  return options->render == NULL && options->dhat_out == NULL
         && options->folded == NULL && !wants_tables (options)
         && (options->print || options->output != NULL);
}

static int
run_output (const struct heap_input *input)
{
  if (input->options->render != NULL)
    return heap_render (input);
  if (input->options->dhat_out != NULL)
    return heap_dhat (input);
  if (input->options->folded != NULL)
    return heap_folded (input);
  if (wants_tables (input->options))
    return heap_usage (input);
  return writes_massif (input->options) ? run_massif (input)
                                        : heap_summary (input);
}

struct arguments {
  struct heap_options *options;
  const char *path;
  char **at;
};

/* given: a log that is loaded, or NULL.  */
static int
work (void *user, const struct cli_log *given)
{
  const struct arguments *arguments = user;
  struct heap_options *options = arguments->options;
  const char *path = arguments->path;
  struct heap_input input = {.options = options};
  struct dg_error error;
  struct cli_log log;
  int status;

  if (given != NULL)
    cli_log_borrow (&log, given, 1);
  else if (!cli_log_open (&log, path, options->jobs,
                          writes_massif (options) ? DG_BLOCKS_PASSING
                                                  : DG_BLOCKS_ALL, 1))
    return CLI_FAILURE;
  input.log = &log;
  status = heap_options_moments (options, log.log, arguments->at);
  if (status < 0) {
    input.symbols = dg_symbols_new (log.log, NULL, &error);
    status = input.symbols != NULL ? run_output (&input)
                                   : cli_fail ("%s: %s", path, error.message);
  }
  dg_symbols_free (input.symbols);
  g_free ((gpointer) options->massif.at);
  return cli_log_finish (&log, status);
}

static int
work_or_follow (struct arguments *arguments)
{
  const struct heap_options *options = arguments->options;
  const struct follow follow = {.path = arguments->path,
                                .jobs = options->jobs,
                                .as_json = options->json,
                                .run = work,
                                .user = arguments};

  return options->is_follow ? follow_run (&follow) : work (arguments, NULL);
}

static void
free_options (struct heap_options *options, struct heap_typed *typed)
{
  char *strings[] = {options->desc, options->output, options->render,
                     options->size, options->theme, options->palette,
                     options->title, options->instructions,
                     options->dhat_out, options->folded, options->weight,
                     options->by, options->sort,
                     typed->heap,
                     typed->stacks, typed->pages_as_heap, typed->threshold,
                     typed->peak_inaccuracy, typed->time_unit};

  for (size_t i = 0; i < G_N_ELEMENTS (strings); i++)
    g_free (strings[i]);
  g_strfreev (typed->alloc_fns);
  g_strfreev (typed->ignore_fns);
  g_strfreev (typed->at);
}

/* The defaults, and what is in the arguments before they are parsed.  */
static void
begin_options (struct heap_options *options, int argc, char **argv)
{
  dg_massif_defaults (&options->massif, sizeof options->massif);
  options->desc = heap_options_typed (argc, argv);
  options->given = heap_options_given (argc, argv);
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  struct heap_options o = {.command = command, .x = 72, .y = 20, .top = -1};
  struct heap_typed t = {.heap_admin = 8, .depth = 30, .detailed_freq = 10,
                         .max_snapshots = 100};
  const GOptionEntry options[] = {
    CLI_OPTION_OUTPUT (&o.output),
    {"print", 0, 0, G_OPTION_ARG_NONE, &o.print,
     "print what ms_print would print of the file", NULL},
    {"x", 0, 0, G_OPTION_ARG_INT, &o.x, "columns of that graph (default: 72)",
     "N"},
    {"y", 0, 0, G_OPTION_ARG_INT, &o.y, "rows of that graph (default: 20)",
     "N"},
    {"exact-peak", 0, 0, G_OPTION_ARG_NONE, &o.exact_peak,
     "find the true peak, exact to the byte", NULL},
    {"at", 0, 0, G_OPTION_ARG_STRING_ARRAY, &t.at,
     "add a detailed snapshot before instruction N, at the start of an event "
     "(event:LABEL), or at the end (end); repeatable", "MOMENT"},
    {"sites", 0, 0, G_OPTION_ARG_NONE, &o.sites,
     "show how blocks were used, by allocation site", NULL},
    {"blocks", 0, 0, G_OPTION_ARG_NONE, &o.blocks,
     "show how each block was used", NULL},
    {"untouched", 0, 0, G_OPTION_ARG_NONE, &o.untouched,
     "show blocks that were never accessed", NULL},
    {"late", 0, 0, G_OPTION_ARG_NONE, &o.late,
     "show blocks that were freed long after their last use", NULL},
    {"by", 0, 0, G_OPTION_ARG_STRING, &o.by,
     "group these by allocating line (site) or by whole call stack (stack); "
     "areas of pictures: site, function, module, allocator or thread "
     "(default: site)", "WHAT"},
    {"top", 0, 0, G_OPTION_ARG_INT, &o.top,
     "show N rows of these, 0: all (default: 30; all with --json)", "N"},
    {"sort", 0, 0, G_OPTION_ARG_STRING, &o.sort,
     "sort these by this column, largest first (-COLUMN: smallest first)",
     "COLUMN"},
    {"wide", 0, 0, G_OPTION_ARG_NONE, &o.is_wide,
     "show all columns and full names, regardless of the terminal's width",
     NULL},
    {"json", 0, 0, G_OPTION_ARG_NONE, &o.json,
     "write these as one JSON object", NULL},
    CLI_OPTION_FOLLOW (&o.is_follow),
    {"render", 0, 0, G_OPTION_ARG_FILENAME, &o.render,
     "draw the heap over time, as PNG, SVG or PDF", "FILE"},
    {"size", 0, 0, G_OPTION_ARG_STRING, &o.size,
     "size of the picture (default: 1200x675)", "WxH"},
    {"theme", 0, 0, G_OPTION_ARG_STRING, &o.theme,
     "theme of the picture (default: light)", "light|dark"},
    {"palette", 0, 0, G_OPTION_ARG_STRING, &o.palette,
     "colours of the picture: classic, safe, contrast or paper", "NAME"},
    {"title", 0, 0, G_OPTION_ARG_STRING, &o.title,
     "title of the picture (default: the program)", "TEXT"},
    {"instructions", 0, 0, G_OPTION_ARG_STRING, &o.instructions,
     "draw or fold these instructions only", "I..J"},
    {"series", 0, 0, G_OPTION_ARG_INT, &o.series,
     "draw N areas, and one for all others (default: 10)", "N"},
    {"dhat-out", 0, 0, G_OPTION_ARG_FILENAME, &o.dhat_out,
     "write the file that DHAT would have written, for dh_view.html", "FILE"},
    {"folded", 0, 0, G_OPTION_ARG_FILENAME, &o.folded,
     "write the call stacks of allocations, folded for flamegraph.pl", "FILE"},
    {"weight", 0, 0, G_OPTION_ARG_STRING, &o.weight,
     "count bytes, blocks, temporary or leaked (default: bytes)", "WHAT"},
    {"heap", 0, 0, G_OPTION_ARG_STRING, &t.heap,
     "count the blocks of the heap (default: yes)", "yes|no"},
    {"heap-admin", 0, 0, G_OPTION_ARG_INT, &t.heap_admin,
     "allocator overhead per block, in bytes (default: 8)", "BYTES"},
    {"stacks", 0, 0, G_OPTION_ARG_STRING, &t.stacks,
     "also count stacks, if the log contains stack pointers (default: no)",
     "yes|no"},
    {"pages-as-heap", 0, 0, G_OPTION_ARG_STRING, &t.pages_as_heap,
     "count mapped pages instead of blocks (default: no)", "yes|no"},
    {"depth", 0, 0, G_OPTION_ARG_INT, &t.depth,
     "maximum number of frames of a call stack (default: 30)", "N"},
    {"alloc-fn", 0, 0, G_OPTION_ARG_STRING_ARRAY, &t.alloc_fns,
     "treat this function as an allocator, like malloc; repeatable", "NAME"},
    {"ignore-fn", 0, 0, G_OPTION_ARG_STRING_ARRAY, &t.ignore_fns,
     "ignore what this function allocates; repeatable", "NAME"},
    {"threshold", 0, 0, G_OPTION_ARG_STRING, &t.threshold,
     "merge entries below this percentage of a snapshot (default: 1.0)",
     "PERCENT"},
    {"peak-inaccuracy", 0, 0, G_OPTION_ARG_STRING, &t.peak_inaccuracy,
     "record a new peak if it exceeds the last by this percentage (default: "
     "1.0)", "PERCENT"},
    {"time-unit", 0, 0, G_OPTION_ARG_STRING, &t.time_unit,
     "unit of time: instructions (i), milliseconds (ms), or bytes allocated "
     "and freed (B) (default: i)", "i|ms|B"},
    {"detailed-freq", 0, 0, G_OPTION_ARG_INT, &t.detailed_freq,
     "every Nth snapshot is detailed (default: 10)", "N"},
    {"max-snapshots", 0, 0, G_OPTION_ARG_INT, &t.max_snapshots,
     "keep fewer than N snapshots (default: 100)", "N"},
    CLI_OPTION_JOBS (&o.jobs),
    {NULL}};
  int status;

  begin_options (&o, argc, argv);
  status = cli_parse (command, options, &argc, argv, 1);
  if (status < 0)
    status = check_options (&o, &t);
  if (status < 0)
    status = work_or_follow (&(struct arguments) {&o, argv[1], t.at});
  free_options (&o, &t);
  return status;
}

const struct cli_command command_heap = {
  .name = "heap",
  .args = "LOG",
  .summary = "Shows the heap over time, by allocation site",
  .details =
    "Without further options, shows the heap over time, its peak, and where "
    "what was in\n"
    "use then was allocated.  With -o, writes the file that Valgrind's Massif "
    "would have\n"
    "written, for ms_print and massif-visualizer.\n",
  .run = run};
