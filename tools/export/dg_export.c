/* dg_export.c: `dg export`: a log in the format of another program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/commands.h"
#include "export_calls.h"
#include "export_run.h"
#include "export_stream.h"
#include "export_tables.h"
#include "export_text.h"


struct export_command {
  struct cli_command command;
  struct analysis_options options;
  /* Its own options.  */
  char *format_name, *line_text;
  gboolean has_fetches, has_kernel, has_each_thread;
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

/* Whether the format has an option of export_stream.  */
static bool
has_setting (const struct export_format *format, const char *name)
{
  unsigned no_place = EXPORT_INSTRS | EXPORT_BYTES | EXPORT_CALLS;

  if (format == NULL)
    return false;
  if (strcmp (name, "rate") == 0)
    return (format->flags & EXPORT_TIME) != 0;
  if (strcmp (name, "physical") == 0 || strcmp (name, "memory") == 0)
    return (format->flags & no_place) == 0;
  return (format->flags & (EXPORT_INSTRS | EXPORT_CALLS)) == 0;
}

static const char *
setting_at (const struct analysis_options *options, guint i)
{
  return g_array_index (options->settings, struct dg_setting, i).name;
}

/* The first setting that the format does not have; NULL: it has all.  */
static const char *
find_other_setting (const struct export_command *export)
{
  for (guint i = 0; i < export->options.settings->len; i++)
    if (!has_setting (export->format, setting_at (&export->options, i)))
      return setting_at (&export->options, i);
  return NULL;
}

/* Of the options that the format or the tables do not have: -1, or the exit
   status.  */
static int
refuse_others (const struct export_command *export)
{
  const struct export_format *format = export->format;
  const char *setting = find_other_setting (export);
  const struct export_tables *tables = &export->tables;
  const struct analysis_options *options = &export->options;
  bool is_text = is_text_table (export);
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
    {export->has_each_thread && (format == NULL || is_calls), "each-thread"},
    {setting != NULL, setting}};

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

static bool
has (const struct analysis_options *options, const char *setting)
{
  for (guint i = 0; i < options->settings->len; i++)
    if (strcmp (setting_at (options, i), setting) == 0)
      return true;
  return false;
}

/* Whether a setting describes the caches of --level.  */
static bool
is_of_caches (const char *setting)
{
  static const char *const others[] = {"rate", "physical", "memory", NULL};

  return !g_strv_contains (others, setting);
}

static int
check_stream (struct export_command *export)
{
  const struct analysis_options *options = &export->options;
  bool has_level = has (options, "level");

  if (has (options, "memory") && !has (options, "physical"))
    return cli_fail_usage (&export->command, "--memory needs --physical");
  for (guint i = 0; i < options->settings->len && !has_level; i++)
    if (is_of_caches (setting_at (options, i)))
      return cli_fail_usage (&export->command, "--%s needs --level",
                             setting_at (options, i));
  if (export->has_each_thread && options->output == NULL)
    return cli_fail_usage (&export->command,
                           "--each-thread needs -o with a folder");
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
          || export->line < EXPORT_LINE_LEAST
          || export->line > EXPORT_LINE_MOST
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
    {"each-thread", 0, 0, G_OPTION_ARG_NONE, &export->has_each_thread,
     "write a file for each thread to the folder that --output names", NULL},
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
run_simulator (struct export_command *export, const char *path)
{
  const struct export_run how = {
    .command = &export->command, .options = &export->options,
    .analyses = streams, .format = export->format,
    .line = (uint32_t) export->line, .has_fetches = export->has_fetches,
    .has_kernel = export->has_kernel,
    .has_each_thread = export->has_each_thread};

  return export_run (&how, path);
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
    status = run_simulator (&export, argv[1]);
  export_fini (&export);
  return status;
}

const struct cli_command command_export = {
  .name = "export",
  .args = "LOG",
  .summary = "Writes logs and their tables in the formats of other programs",
  .is_page = true,
  .run = run};
