/* cli.c: what all commands of dg share: messages, options, opening logs.
   Standard output is output.c's.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cli.h"

#include "cli_places.h"
#include "output.h"
#include "printable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More threads than this are a mistake.  */
#define JOBS_MAX 4096

/* ---- Messages --------------------------------------------------------- */

static void
fail_usage (const struct cli_command *command, const char *name,
            const char *format, va_list args)
{
  char *text = g_strdup_vprintf (format, args);

  cli_fail ("%s%s%s", name != NULL ? name : "", name != NULL ? ": " : "",
            text);
  g_free (text);
  fprintf (stderr, "Try 'dg %s%s--help'.\n",
           command != NULL ? command->name : "", command != NULL ? " " : "");
}

int
cli_fail_usage (const struct cli_command *command, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  fail_usage (command, command != NULL ? command->name : NULL, format, args);
  va_end (args);
  return CLI_USAGE;
}

int
cli_fail_usage_of (const struct cli_command *command, const char *name,
                   const char *format, ...)
{
  va_list args;

  va_start (args, format);
  fail_usage (command, name, format, args);
  va_end (args);
  return CLI_USAGE;
}

/* NULL: no memory.  */
static struct dg_nearest *
compare_all (const char *asked, const char *const *names)
{
  struct dg_nearest *nearest = dg_nearest_new (asked, NULL);

  for (; nearest != NULL && *names != NULL; names++)
    dg_nearest_add (nearest, *names);
  return nearest;
}

char *
cli_nearest (const char *asked, const char *const *names)
{
  struct dg_nearest *nearest = compare_all (asked, names);
  char *best = nearest != NULL ? g_strdup (dg_nearest_best (nearest)) : NULL;

  dg_nearest_free (nearest);
  return best;
}

char *
cli_hint (const char *asked, const char *const *names)
{
  struct dg_nearest *nearest = compare_all (asked, names);
  char *hint, *copy;

  if (nearest == NULL)
    return g_strdup ("");
  hint = dg_nearest_hint (nearest);
  /* If none is near, few names would all be listed, as --help does.  */
  copy = g_strdup (hint != NULL && g_str_has_prefix (hint, "; did you mean ")
                     ? hint : "");
  free (hint);
  dg_nearest_free (nearest);
  return copy;
}

/* ---- Options ---------------------------------------------------------- */

static void
print_option (struct output *out, const GOptionEntry *option)
{
  char *left;

  left =
    g_strdup_printf ("  %c%c%s--%s%s%s", option->short_name ? '-' : ' ',
                     option->short_name ? option->short_name : ' ',
                     option->short_name ? ", " : "  ", option->long_name,
                     option->arg_description ? "=" : "",
                     option->arg_description ? option->arg_description : "");
  output_format (out, "%-28s", left);
  output_wrapped (out, option->description, MAX (strlen (left), 28), 30);
  g_free (left);
}

int
cli_print_help (const struct cli_command *command,
                const GOptionEntry *options)
{
  struct output out;

  output_init (&out);
  output_format (&out, "Usage: dg %s [OPTION]...%s%s\n%s.\n\nOptions:\n",
                 command->name, command->args[0] != '\0' ? " " : "",
                 command->args, command->summary);
  for (; options->long_name != NULL; options++) {
    if (command->common != NULL
        && strcmp (options->long_name, command->common) == 0)
      output_text (&out, "\nCommon options:\n");
    if ((options->flags & G_OPTION_FLAG_HIDDEN) == 0)
      print_option (&out, options);
  }
  if (command->details != NULL)
    output_format (&out, "\n%s", command->details);
  return output_finish (&out);
}

/* GOption does not know "-j4".  Gives back "--jobs=4" for it, to be freed,
   and NULL for all other arguments.  */
static char *
spell_out (const GOptionEntry *options, const char *arg)
{
  if (arg[0] != '-' || arg[1] == '-' || arg[1] == '\0' || arg[2] == '\0')
    return NULL;
  for (; options->long_name != NULL; options++)
    if (options->short_name == arg[1] && options->arg != G_OPTION_ARG_NONE)
      return g_strdup_printf ("--%s=%s", options->long_name, arg + 2);
  return NULL;
}

/* Does so with all options; returns what is to be freed.  */
static GPtrArray *
spell_out_all (const GOptionEntry *options, int argc, char **argv)
{
  GPtrArray *made = g_ptr_array_new_with_free_func (g_free);

  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++) {
    char *text = spell_out (options, argv[i]);

    if (text != NULL) {
      argv[i] = text;
      g_ptr_array_add (made, text);
    }
  }
  return made;
}

/* The first word that looks like an option and is not one of these: the hint
   about it, to be freed.  GOption's message has it as well, in a sentence.  */
static char *
hint_at_unknown (const GOptionEntry *options, int argc, char **argv)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  char *hint = NULL;

  for (const GOptionEntry *i = options; i->long_name != NULL; i++)
    g_ptr_array_add (names, g_strdup (i->long_name));
  g_ptr_array_add (names, NULL);
  for (int i = 1; i < argc && hint == NULL && strcmp (argv[i], "--") != 0; i++)
    if (g_str_has_prefix (argv[i], "--")) {
      char *name = g_strndup (argv[i] + 2, strcspn (argv[i] + 2, "="));

      if (!g_strv_contains ((const char *const *) names->pdata, name))
        hint = cli_hint (name, (const char *const *) names->pdata);
      g_free (name);
    }
  g_ptr_array_unref (names);
  return hint != NULL ? hint : g_strdup ("");
}

int
cli_take_number (const struct cli_command *command, const GOptionEntry *option,
                 const char *text)
{
  bool is_jobs = strcmp (option->long_name, "jobs") == 0;
  bool is_bytes = g_strcmp0 (option->arg_description, "BYTES") == 0;
  uint64_t number;

  if (dg_number_parse (text, is_bytes ? DG_QUANTITY_BYTES : DG_QUANTITY_COUNT,
                       &number)
      && number <= (is_jobs ? JOBS_MAX : G_MAXINT)) {
    *(int *) option->arg_data = (int) number;
    return -1;
  }
  if (is_jobs)
    return cli_fail_usage (command,
                           "%s is not a valid number of threads (0 to %d)",
                           text, JOBS_MAX);
  return cli_fail_usage (command, "--%s: '%s' is not a number%s",
                         option->long_name, text, is_bytes ? " of bytes" : "");
}

/* GOption has a grammar of numbers of its own, with octal ones: it is given
   texts in their place.  */
static char **
take_texts (GOptionEntry *entries, guint n)
{
  char **texts = g_new0 (char *, n + 1);

  for (guint i = 0; i < n; i++)
    if (entries[i].arg == G_OPTION_ARG_INT) {
      entries[i].arg = G_OPTION_ARG_FILENAME;
      entries[i].arg_data = &texts[i];
    }
  return texts;
}

/* Reads them.  -1, or the exit status.  */
static int
read_texts (const struct cli_command *command, const GOptionEntry *options,
            char *const *texts, guint n)
{
  int status = -1;

  for (guint i = 0; i < n && status < 0; i++)
    if (texts[i] != NULL)
      status = cli_take_number (command, &options[i], texts[i]);
  return status;
}

/* The first of its arguments that is missing, to be freed: of
   "ANALYSIS[,ANALYSIS]... BEFORE AFTER" and 1, "BEFORE".  */
static char *
missing (const struct cli_command *command, int n_given)
{
  char **words = g_strsplit (command->args, " ", -1);
  char *name = NULL;

  for (char **word = words; *word != NULL && name == NULL; word++)
    if (**word != '[' && n_given-- == 0)
      name = g_strndup (*word, strcspn (*word, "[.|"));
  g_strfreev (words);
  return name != NULL ? name : g_strdup (command->args);
}

int
cli_fail_missing (const struct cli_command *command, int n_given)
{
  char *name = missing (command, n_given);
  int status = cli_fail_usage (command, "no %s is given", name);

  g_free (name);
  return status;
}

int
cli_parse_some (const struct cli_command *command,
                const GOptionEntry *options, int *argc, char **argv,
                int least, int most)
{
  gboolean help = FALSE;
  const GOptionEntry help_option[] = {{"help", 'h', 0, G_OPTION_ARG_NONE,
                                       &help, "show this help and exit", NULL},
                                      {NULL}};
  GArray *all = g_array_new (TRUE, FALSE, sizeof (GOptionEntry)), *entries;
  GOptionContext *context = g_option_context_new (NULL);
  struct cli_places places;
  GPtrArray *made;
  char **texts;
  guint n_own, n;
  GError *error = NULL;
  int status = -1;

  for (; options->long_name != NULL; options++)
    g_array_append_vals (all, options, 1);
  g_array_append_vals (all, help_option, 1);
  n_own = all->len;
  cli_places_add (&places, all);
  options = (const GOptionEntry *) (void *) all->data;
  made = spell_out_all (options, *argc, argv);
  n = all->len;
  entries = g_array_copy (all);
  g_array_append_vals (entries, &(GOptionEntry){NULL}, 1);
  texts = take_texts ((GOptionEntry *) (void *) entries->data, all->len);
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (
    context, (const GOptionEntry *) (void *) entries->data, NULL);
  if (!g_option_context_parse (context, argc, &argv, &error)) {
    char *hint =
      g_error_matches (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION)
        ? hint_at_unknown (options, *argc, argv) : g_strdup ("");

    status = cli_fail_usage (command, "%s%s", error->message, hint);
    g_free (hint);
    g_error_free (error);
  } else if (help) {
    /* Those of all commands are in the help of dg.  */
    g_array_set_size (all, n_own);
    status = cli_print_help (command, options);
  } else {
    /* GOption leaves a "--" that ends the options.  */
    if (*argc > 1 && strcmp (argv[1], "--") == 0) {
      memmove (&argv[1], &argv[2], (size_t) (*argc - 1) * sizeof *argv);
      --*argc;
    }
    if (*argc - 1 < least)
      status = cli_fail_missing (command, *argc - 1);
    else if (*argc - 1 > most)
      status =
        cli_fail_usage (command, "unexpected argument '%s'", argv[most + 1]);
    else
      status = read_texts (command, options, texts, n);
    if (status < 0)
      status = cli_places_take (&places, command);
  }
  cli_places_fini (&places);
  g_option_context_free (context);
  for (guint i = 0; i < n; i++)
    g_free (texts[i]);
  g_free (texts);
  g_array_unref (entries);
  g_array_unref (all);
  g_ptr_array_unref (made);
  return status;
}

int
cli_parse (const struct cli_command *command, const GOptionEntry *options,
           int *argc, char **argv, int n_args)
{
  return cli_parse_some (command, options, argc, argv, n_args, n_args);
}

int
cli_check_output (const struct cli_command *command, const char *output)
{
  if (output != NULL && output[0] != '\0')
    return -1;
  return cli_fail_usage (command, "no output is given (-o FILE)");
}

int
cli_check_source_map (const struct cli_command *command, char *const *maps)
{
  for (; maps != NULL && *maps != NULL; maps++)
    if (strchr (*maps, '=') == NULL || **maps == '=')
      return cli_fail_usage (command, "'%s' is not of the form FROM=TO",
                             *maps);
  return -1;
}

int
cli_check_wide (const struct cli_command *command, bool is_wide, bool as_json,
                const char *output)
{
  if (!is_wide)
    return -1;
  if (as_json)
    return cli_fail_usage (
      command, "--wide has no effect with --json, which has all columns");
  if (output != NULL && strcmp (output, "-") != 0
      && (!g_file_test (output, G_FILE_TEST_EXISTS)
          || g_file_test (output, G_FILE_TEST_IS_REGULAR)))
    return cli_fail_usage (
      command, "--wide has no effect on a file, which gets all columns");
  return -1;
}

/* ---- Logs ------------------------------------------------------------- */

typedef int (*load_fn) (struct dg_log *log, unsigned workers,
                        dg_progress_fn progress, void *user,
                        struct dg_error *err);

static void
begin_progress (struct cli_log *log, struct cli_progress *progress,
                double work)
{
  double opening = dg_log_header (log->log)->is_archive ? CLI_WORK_ARCHIVE
                                                        : CLI_WORK_RAW;

  log->progress = progress != NULL ? progress : &log->own;
  if (progress == NULL)
    cli_progress_init (&log->own, log->path);
  cli_progress_expect (log->progress, opening + work);
  cli_progress_phase (log->progress, "opening", opening);
}

/* The blocks that are kept; live_icount: the moment of DG_BLOCKS_LIVE.  */
struct kept_blocks {
  enum dg_blocks blocks;
  uint64_t live_icount;
};

static bool
open_and_load (struct cli_log *log, const char *path, int jobs,
               struct kept_blocks kept, double work,
               struct cli_progress *progress, load_fn load)
{
  int code;

  memset (log, 0, sizeof *log);
  log->path = path;
  if (dg_log_open (path, &log->log, &log->error) < 0) {
    if (strcmp (path, "-") == 0)
      cli_fail ("a log cannot be read from a pipe, only from a file");
    else
      cli_fail ("%s: %s", path, log->error.message);
    return false;
  }
  begin_progress (log, progress, work);
  if (kept.blocks == DG_BLOCKS_LIVE)
    dg_log_set_live_blocks (log->log, kept.live_icount, NULL);
  else
    dg_log_set_blocks (log->log, kept.blocks, NULL);
  code = load (log->log, (unsigned) jobs, cli_progress_fn, log->progress,
               &log->error);
  cli_progress_hide (log->progress);
  if (code < 0 && code != DG_ERR_TRUNCATED && code != DG_ERR_DAMAGED) {
    cli_fail ("%s: %s", path, log->error.message);
    cli_log_close (log);
    return false;
  }
  log->is_growing = code == DG_ERR_TRUNCATED
                    && dg_log_writer (log->log) == DG_WRITER_ACTIVE;
  return true;
}

void
cli_log_borrow (struct cli_log *log, const struct cli_log *from, double work)
{
  *log = *from;
  log->is_borrowed = true;
  log->progress = &log->own;
  cli_progress_init (&log->own, log->path);
  cli_progress_expect (log->progress, work);
}

bool
cli_log_open (struct cli_log *log, const char *path, int jobs,
              enum dg_blocks blocks, double work)
{
  const struct kept_blocks kept = {blocks, DG_NEVER};

  return open_and_load (log, path, jobs, kept, work, NULL, dg_log_load);
}

bool
cli_log_open_live (struct cli_log *log, const char *path, int jobs,
                   uint64_t icount, double work)
{
  const struct kept_blocks kept = {DG_BLOCKS_LIVE, icount};

  return open_and_load (log, path, jobs, kept, work, NULL, dg_log_load);
}

bool
cli_log_open_part (struct cli_log *log, const char *path, int jobs,
                   enum dg_blocks blocks, double work,
                   struct cli_progress *progress)
{
  const struct kept_blocks kept = {blocks, DG_NEVER};

  return open_and_load (log, path, jobs, kept, work, progress, dg_log_load);
}

bool
cli_log_open_summary (struct cli_log *log, const char *path, int jobs)
{
  const struct kept_blocks kept = {DG_BLOCKS_NONE, DG_NEVER};

  return open_and_load (log, path, jobs, kept, 0, NULL, dg_log_load_summary);
}

char *
cli_log_command (const struct dg_process *process)
{
  GString *line = g_string_new (NULL);

  for (uint32_t i = 0; i < process->argc; i++) {
    const char *arg = process->argv[i];
    bool is_plain =
      arg[0] != '\0'
      && strspn (arg, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "+,-./:=@_%")
           == strlen (arg);

    if (i > 0)
      g_string_append_c (line, ' ');
    if (is_plain) {
      g_string_append (line, arg);
    } else {
      char *quoted = g_shell_quote (arg);
      g_string_append (line, quoted);
      g_free (quoted);
    }
  }
  return g_string_free (line, FALSE);
}

int
cli_log_report (const struct cli_log *log)
{
  if (log->error.code == 0)
    return CLI_OK;
  if (log->is_growing && !log->needs_all) {
    cli_warn ("%s: still being recorded; this is the run so far", log->path);
    return CLI_OK;
  }
  return cli_fail ("%s: %s", log->path, log->error.message);
}

void
cli_log_close (struct cli_log *log)
{
  if (!log->is_borrowed)
    dg_log_close (log->log);
  log->log = NULL;
  if (log->progress == &log->own)
    cli_progress_fini (&log->own);
}

int
cli_log_finish (struct cli_log *log, int status)
{
  if (status != CLI_USAGE && cli_log_report (log) != CLI_OK)
    status = CLI_FAILURE;
  cli_log_close (log);
  return status;
}

static bool
has_problem (struct dg_symbols *symbols, const char *wanted)
{
  const char *problem;

  for (size_t i = 0; symbols != NULL
                     && (problem = dg_symbols_problem (symbols, i)) != NULL;
       i++)
    if (strcmp (problem, wanted) == 0)
      return true;
  return false;
}

void
cli_warn_of_more_symbols (struct dg_symbols *symbols,
                          struct dg_symbols *others)
{
  const char *problem;

  for (size_t i = 0; (problem = dg_symbols_problem (symbols, i)) != NULL; i++)
    if (!dg_symbols_problem_is_of_valgrind (symbols, i)
        && !has_problem (others, problem))
      cli_warn ("warning: %s", problem);
}

void
cli_warn_of_symbols (struct dg_symbols *symbols)
{
  cli_warn_of_more_symbols (symbols, NULL);
}

/* Could this text hold a condition on names?  */
static bool
may_need_symbols (const char *conditions)
{
  return conditions != NULL
         && (strstr (conditions, "fn:") != NULL
             || strstr (conditions, "file:") != NULL
             || strstr (conditions, "dso:") != NULL
             || strstr (conditions, "var:") != NULL);
}

enum dg_blocks
cli_filter_blocks (const char *ranges)
{
  return ranges != NULL && ranges[0] != '\0' ? DG_BLOCKS_ALL : DG_BLOCKS_NONE;
}

int
cli_filter_init (struct cli_filter *filter, const struct cli_command *command,
                 const struct cli_log *log, struct dg_symbols *symbols,
                 const char *events, const char *ranges)
{
  struct dg_error error;
  const char *problem;

  memset (filter, 0, sizeof *filter);
  if ((events == NULL || events[0] == '\0')
      && (ranges == NULL || ranges[0] == '\0'))
    return CLI_OK;
  if (symbols == NULL)
    symbols = filter->own_symbols = dg_symbols_new (log->log, NULL, &error);
  if (symbols == NULL)
    return cli_fail ("%s: %s", log->path, error.message);
  if (ranges != NULL && ranges[0] != '\0') {
    filter->space = dg_space_new (log->log, &error);
    if (filter->space == NULL)
      return cli_fail ("%s: %s", log->path, error.message);
  }
  cli_progress_phase (log->progress, "names of the conditions",
                      CLI_WORK_NAMES);
  filter->filter =
    dg_filter_new (log->log, symbols, filter->space, events, ranges,
                   cli_progress_fn, log->progress, &error);
  cli_progress_hide (log->progress);
  if (filter->filter == NULL && error.code == DG_ERR_FILTER)
    return cli_fail_usage (command, "%s", error.message);
  if (filter->filter == NULL)
    return cli_fail ("%s: %s", log->path, error.message);
  /* Who has given us symbols warns of them in the end.  */
  if (filter->own_symbols != NULL
      && (may_need_symbols (events) || may_need_symbols (ranges)))
    cli_warn_of_symbols (symbols);
  for (size_t i = 0; (problem = dg_filter_problem (filter->filter, i)) != NULL;
       i++)
    cli_warn ("warning: %s", problem);
  return CLI_OK;
}

void
cli_filter_fini (struct cli_filter *filter)
{
  dg_filter_free (filter->filter);
  dg_space_free (filter->space);
  dg_symbols_free (filter->own_symbols);
}
