/* dg_export.c: `dg export`: a log in the format of another program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analyse/analysis_work.h"
#include "base/commands.h"
#include "export_calls.h"
#include "export_pipe.h"
#include "export_stream.h"
#include "export_tables.h"
#include "export_text.h"

#include <inttypes.h>
#include <unistd.h>

/* Of --line.  */
#define LINE_LEAST 4
#define LINE_MOST (1u << 20)

struct export_command {
  struct cli_command command;
  struct analysis_options options;
  /* Its own options.  */
  char *format_name, *line_text;
  gboolean has_fetches, has_kernel;
  gboolean is_csv, is_jsonl;             /* --csv, --jsonl */
  char **with;
  struct export_tables tables;

  const struct export_format *format;    /* NULL: tables */
  uint64_t line;           /* 0: that of the log */
};

static const struct dg_analysis *const streams[] = {&export_stream, NULL};

/* ---- The command line ------------------------------------------------- */

/* "; there are din, champsim ..."  */
static char *
list_formats (void)
{
  GString *text = g_string_new ("; there are ");

  for (const struct export_format *i = export_formats; i->name != NULL; i++)
    g_string_append_printf (text, "%s, ", i->name);
  g_string_append (text, EXPORT_CSV " and " EXPORT_JSONL);
  return g_string_free (text, FALSE);
}

static int
fail_format (const struct export_command *export)
{
  struct dg_nearest *nearest = dg_nearest_new (export->format_name, NULL);
  char *hint = NULL;
  int status;

  if (nearest != NULL) {
    for (const struct export_format *i = export_formats; i->name != NULL; i++)
      dg_nearest_add (nearest, i->name);
    dg_nearest_add (nearest, EXPORT_CSV);
    dg_nearest_add (nearest, EXPORT_JSONL);
    hint = dg_nearest_hint (nearest);
    dg_nearest_free (nearest);
  }
  if (hint == NULL || hint[0] == '\0') {
    g_free (hint);
    hint = list_formats ();
  }
  status = cli_fail_usage (&export->command, "there is no format '%s'%s",
                           export->format_name, hint);
  g_free (hint);
  return status;
}

static bool
is_text_table (const struct export_command *export)
{
  return g_strcmp0 (export->format_name, EXPORT_CSV) == 0
         || g_strcmp0 (export->format_name, EXPORT_JSONL) == 0;
}

/* Of the options that the format or the tables do not have: -1, or the exit
   status.  */
static int
refuse_others (const struct export_command *export)
{
  const struct export_format *format = export->format;
  const struct export_tables *tables = &export->tables;
  const struct analysis_options *options = &export->options;
  bool is_text = is_text_table (export);
  bool is_memory =
    format != NULL && !(format->flags & (EXPORT_INSTRS | EXPORT_CALLS));
  bool is_calls = format != NULL && (format->flags & EXPORT_CALLS);
  const struct {
    bool is_bad;
    const char *option;
  } bad[] = {
    {is_text && tables->is_signed, "signed"},
    {!is_text && export->with != NULL, "with"},
    {format != NULL && tables->tables != NULL, "table"},
    {format != NULL && tables->columns != NULL, "columns"},
    {format != NULL && tables->is_signed, "signed"},
    {format == NULL && !is_text && options->output != NULL, "output"},
    {(format == NULL || is_calls) && export->line_text != NULL, "line"},
    {(format == NULL || is_calls) && export->has_kernel, "kernel"},
    {export->has_fetches
       && (format == NULL || !(format->flags & EXPORT_FETCHES)),
     "fetches"},
    {!is_memory && options->settings->len > 0,
     options->settings->len > 0
       ? g_array_index (options->settings, struct dg_setting, 0).name
       : NULL}};

  if (is_text && tables->tables != NULL && tables->tables[1] != NULL)
    return cli_fail_usage (&export->command,
                           "--%s writes one table: give --table once",
                           export->format_name);
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    if (bad[i].is_bad)
      return cli_fail_usage (&export->command, "%s does not have --%s",
                             is_text          ? export->format_name
                             : format != NULL ? format->name
                             : tables->parquet != NULL ? "--parquet"
                                                       : "--arrow",
                             bad[i].option);
  return -1;
}

static int
check_stream (struct export_command *export)
{
  const struct analysis_options *options = &export->options;
  bool has_level = false;

  for (guint i = 0; i < options->settings->len; i++)
    has_level |= strcmp (g_array_index (options->settings,
                                        struct dg_setting, i).name,
                         "level") == 0;
  if (options->settings->len > 0 && !has_level)
    return cli_fail_usage (&export->command, "--%s needs --level",
                           g_array_index (options->settings,
                                          struct dg_setting, 0).name);
  if (has_level && (export->has_fetches || export->has_kernel))
    return cli_fail_usage (&export->command,
                           "--level cannot be combined with --%s",
                           export->has_fetches ? "fetches" : "kernel");
  if (export->has_kernel && (options->events != NULL
                             || options->ranges != NULL))
    return cli_fail_usage (&export->command,
                           "--kernel cannot be combined with --%s",
                           options->events != NULL ? "events" : "ranges");
  if (export->line_text != NULL
      && (!dg_number_parse (export->line_text, DG_QUANTITY_BYTES,
                            &export->line)
          || export->line < LINE_LEAST || export->line > LINE_MOST
          || (export->line & (export->line - 1)) != 0))
    return cli_fail_usage (&export->command,
                           "'%s' is not a size of lines: a power of two from "
                           "4 to 1Mi",
                           export->line_text);
  return -1;
}

/* --csv is --format=csv.  Both of them are two outputs.  */
static void
name_format (struct export_command *export)
{
  if (export->format_name != NULL || export->is_csv == export->is_jsonl)
    return;
  export->format_name = g_strdup (export->is_csv ? EXPORT_CSV : EXPORT_JSONL);
  export->is_csv = export->is_jsonl = FALSE;
}

static int
check (struct export_command *export)
{
  int n = export->is_csv + export->is_jsonl + (export->format_name != NULL)
          + (export->tables.parquet != NULL) + (export->tables.arrow != NULL);
  int status;

  if (n != 1)
    return cli_fail_usage (&export->command,
                           "one of --format, --csv, --jsonl, --parquet and "
                           "--arrow is needed");
  if (export->format_name != NULL && !is_text_table (export)) {
    export->format = export_formats_find (export->format_name);
    if (export->format == NULL)
      return fail_format (export);
  }
  status = refuse_others (export);
  return status < 0 && export->format != NULL ? check_stream (export)
                                              : status;
}

/* The formats, and what they are, for --help.  */
static char *
describe_formats (void)
{
  GString *text = g_string_new ("Formats:\n");

  for (const struct export_format *i = export_formats; i->name != NULL; i++)
    g_string_append_printf (text, "  %-19s  %s\n", i->name, i->summary);
  g_string_append (text,
                   "  csv                  a table, as --csv\n"
                   "  jsonl                a table, as --jsonl\n");
  g_string_append (text, "\nA FILE that ends with .gz, .xz or .zst is "
                         "compressed.\nParquet and Arrow files are written by "
                         "Python, with the modules datagrind and\npyarrow.\n");
  return g_string_free (text, FALSE);
}

static int
parse (struct export_command *export, int *argc, char **argv)
{
  const GOptionEntry own[] = {
    {"format", 0, 0, G_OPTION_ARG_FILENAME, &export->format_name,
     "write this format", "FORMAT"},
    {"fetches", 0, 0, G_OPTION_ARG_NONE, &export->has_fetches,
     "with the fetches of instructions", NULL},
    {"kernel", 0, 0, G_OPTION_ARG_NONE, &export->has_kernel,
     "with what the kernel accesses in system calls", NULL},
    {"line", 0, 0, G_OPTION_ARG_FILENAME, &export->line_text,
     "divide accesses by lines of this size (default: that of the log)",
     "BYTES"},
    {"csv", 0, 0, G_OPTION_ARG_NONE, &export->is_csv,
     "write one table as CSV, with names in the first line", NULL},
    {"jsonl", 0, 0, G_OPTION_ARG_NONE, &export->is_jsonl,
     "write one table as a line of JSON for each row", NULL},
    {"parquet", 0, 0, G_OPTION_ARG_FILENAME, &export->tables.parquet,
     "write a file TABLE.parquet for each table to this folder", "DIR"},
    {"arrow", 0, 0, G_OPTION_ARG_FILENAME, &export->tables.arrow,
     "write one table to this Arrow file; -: as a stream to standard output",
     "FILE"},
    {"table", 0, 0, G_OPTION_ARG_STRING_ARRAY, &export->tables.tables,
     "this table; with --parquet it can be repeated (default: accesses; with "
     "--parquet those of the log)", "NAME"},
    {"with", 0, 0, G_OPTION_ARG_STRING_ARRAY, &export->with,
     "this option of the analysis whose table is written, as by=line; can be "
     "repeated", "NAME=VALUE"},
    {"columns", 0, 0, G_OPTION_ARG_STRING, &export->tables.columns,
     "these columns, also those that are only made on demand", "NAME,..."},
    {"signed", 0, 0, G_OPTION_ARG_NONE, &export->tables.is_signed,
     "signed integers, for programs without unsigned ones", NULL},
    {NULL}};
  char *details = describe_formats ();
  int status;

  export->command.details = details;
  status = analysis_options_parse (&export->options, &export->command,
                                   streams, own, 1, 1, argc, argv);
  name_format (export);
  if (status < 0)
    status = check (export);
  export->command.details = NULL;
  g_free (details);
  return status;
}

/* ---- A stream --------------------------------------------------------- */

static int
check_threads (const struct export_command *command,
               const struct analysis_work *work)
{
  size_t n;
  const struct dg_thread *threads = dg_log_threads (work->log.log, &n);

  if (work->threads->len > 0)
    n = work->threads->len;
  if (!(command->format->flags & EXPORT_ONE_THREAD) || n <= 1)
    return CLI_OK;
  return cli_fail_usage (&command->command,
                         "%s has one thread, but %zu are %s: choose one, as "
                         "by --threads=%" PRIu32,
                         command->format->name, n,
                         work->threads->len > 0 ? "chosen" : "in the log",
                         work->threads->len > 0
                           ? g_array_index (work->threads, uint32_t, 0)
                           : threads[0].number);
}

static int
open_output (const struct export_command *command, struct export *export,
             struct export_pipe *pipe, const char *input)
{
  const char *path = command->options.output;
  int status;

  if (command->format->flags & EXPORT_BINARY && isatty (STDOUT_FILENO)
      && (path == NULL || strcmp (path, "-") == 0))
    return cli_fail_usage (&command->command,
                           "%s is binary, and standard output is a terminal: "
                           "give -o FILE",
                           command->format->name);
  status = output_open (&export->out, path, input);
  if (status != CLI_OK)
    return status;
  status = export_pipe_begin (pipe, &export->out);
  if (status != CLI_OK)
    output_drop (&export->out);
  export->is_seekable = pipe->program == NULL && export->out.file != NULL;
  return status;
}

static void
warn_of_code (const struct export *export)
{
  const char *lacks = dg_insn_decoder_lacks (export->log);

  if (!export->has_codeless)
    return;
  if (lacks != NULL)
    cli_warn ("warning: the machine code of %s cannot be decoded: registers "
              "and branches are missing", lacks);
  else if (export->n_codeless == 0
           || export->n_codeless == export->instructions)
    cli_warn ("warning: the code of the program is not known, neither from "
              "the log nor from its files: registers and branches are "
              "missing");
  else
    cli_warn ("warning: the code of %" PRIu64 " of %" PRIu64 " instructions "
              "is not known: their registers and branches are missing",
              export->n_codeless, export->instructions);
}

static int
write_stream (struct export *export, struct export_pipe *pipe,
              struct analysis_work *work)
{
  struct interrupt interrupt;
  bool is_file = export->out.path != NULL;
  int status;

  interrupt_begin (&interrupt, work->log.progress, NULL, 0);
  status = analysis_work_report (work, &interrupt);
  /* Cancelled, since the output has failed: it says why.  */
  if (status == CLI_FAILURE && output_failed (&export->out)
      && g_atomic_int_get (&interrupt.signal) == 0)
    status = CLI_OK;
  if (status == CLI_OK)
    status = export->status;
  status = export_pipe_end (pipe, &export->out, status);
  if (status != CLI_OK)
    output_drop (&export->out);
  if (!is_file || status != CLI_OK)
    interrupt_end (&interrupt);
  if (status == CLI_OK) {
    status = output_finish (&export->out);
    if (is_file)
      interrupt_end (&interrupt);
  }
  if (status == CLI_OK)
    warn_of_code (export);
  return status;
}

static void
prepare (const struct export_command *command, struct analysis_work *work,
         struct export *export)
{
  export->format = command->format;
  export->log = work->log.log;
  export->symbols = work->symbols;
  export->threads = (const uint32_t *) (void *) work->threads->data;
  export->n_threads = work->threads->len;
  export->start_icount = command->options.start_icount;
  export->end_icount = command->options.end_icount;
  export->line = command->line != 0 ? (uint32_t) command->line
                                    : dg_log_line_size (work->log.log);
  /* It is a power of two, but perhaps one that nobody has.  */
  if (export->line < LINE_LEAST || export->line > LINE_MOST)
    export->line = 64;
  export->has_fetches = command->has_fetches;
  export->has_kernel = command->has_kernel;
}

static int
run_stream (struct export_command *command, const char *path)
{
  struct export *export = g_new0 (struct export, 1);
  struct analysis_work *work = g_new0 (struct analysis_work, 1);
  struct export_pipe pipe = {NULL};
  int status;

  work->command = &command->command;
  work->analyses = streams;
  work->n = 1;
  work->options = &command->options;
  work->user = export;
  status = analysis_work_open (work, path);
  if (status == CLI_OK)
    status = check_threads (command, work);
  if (status == CLI_OK) {
    prepare (command, work, export);
    status = open_output (command, export, &pipe, work->log.path);
  }
  if (status == CLI_OK)
    status = write_stream (export, &pipe, work);
  status = analysis_work_close (work, status);
  g_free (work);
  g_free (export);
  return status;
}

/* ---- The command ------------------------------------------------------ */

static void
export_fini (struct export_command *export)
{
  analysis_options_fini (&export->options);
  g_free (export->format_name);
  g_free (export->line_text);
  g_strfreev (export->with);
  g_free (export->tables.parquet);
  g_free (export->tables.arrow);
  g_free (export->tables.columns);
  g_strfreev (export->tables.tables);
}

static int
run_text (const struct export_command *export, const char *path)
{
  const struct export_tables *tables = &export->tables;
  const struct export_text text = {
    .command = &export->command, .options = &export->options,
    .is_csv = strcmp (export->format_name, EXPORT_CSV) == 0,
    .table = tables->tables != NULL ? tables->tables[0] : "accesses",
    .columns = tables->columns, .with = export->with};

  return export_text_run (&text, path);
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  struct export_command export = {.command = *command};
  int status = parse (&export, &argc, argv);

  if (status < 0 && is_text_table (&export))
    status = run_text (&export, argv[1]);
  else if (status < 0 && export.format == NULL)
    status = export_tables_start (&export.tables, &export.options, argv[1]);
  else if (status < 0 && export.format->flags & EXPORT_CALLS)
    status = export_calls_run (&export.command, export.format,
                               &export.options, argv[1]);
  else if (status < 0)
    status = run_stream (&export, argv[1]);
  export_fini (&export);
  return status;
}

const struct cli_command command_export = {
  .name = "export",
  .args = "LOG",
  .summary = "Writes logs and their tables in the formats of other programs",
  .is_page = true,
  .run = run};
