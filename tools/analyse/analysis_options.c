/* analysis_options.c: the command line of analyses: the options that all have,
   and those of their own tables.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analysis_options.h"

#include "base/parse.h"

#include <string.h>

/* Default number of rows of tables in text.  */
#define TOP_DEFAULT 30

/* An option of one or more of the analyses.  */
struct own {
  const struct dg_option *option;
  const struct dg_analysis *analysis;    /* the first that has it */
  char *text;
  gboolean is_set;         /* flags */
};

/* ---- Tables ----------------------------------------------------------- */

/* What is analysed, and where the result goes.  */
static void
add_selection (struct analysis_options *options, GArray *entries)
{
  const GOptionEntry selection[] = {
    CLI_OPTION_EVENTS (&options->events),
    CLI_OPTION_RANGES (&options->ranges),
    {"threads", 0, 0, G_OPTION_ARG_FILENAME, &options->threads,
     "use only these threads, such as 1,3-5", "LIST"},
    {"instructions", 0, 0, G_OPTION_ARG_FILENAME, &options->instructions,
     "use only instructions I to J - 1", "I..J"}};

  g_array_append_vals (entries, selection, G_N_ELEMENTS (selection));
}

static void
add_output (struct analysis_options *options, GArray *entries)
{
  const GOptionEntry output[] = {
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
     "write to this file instead of standard output", "FILE"},
    {"source-map", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->source_map,
     "look for sources under TO instead of FROM; can be repeated", "FROM=TO"},
    CLI_OPTION_JOBS (&options->jobs)};

  g_array_append_vals (entries, output, G_N_ELEMENTS (output));
}

/* Which of the common options --help shows.  Without has_sort, an analysis has
   an option of that name.  */
struct common {
  bool has_report, has_sort, has_follow, has_interval;
};

/* How analyses and their reports are.  --interval is parsed also where it is
   not supported, and then refused with a reason.  */
static void
add_report (struct analysis_options *options, const struct common *common,
            GArray *entries)
{
  const GOptionEntry follow = CLI_OPTION_FOLLOW (&options->is_follow);
  const GOptionEntry report[] = {
    {"interval", 0, common->has_interval ? 0 : G_OPTION_FLAG_HIDDEN,
     G_OPTION_ARG_FILENAME, &options->interval,
     "also show intervals of N instructions (1M, 1Mi) or of time (10ms)",
     "N[UNIT]"},
    {"top", 0, 0, G_OPTION_ARG_FILENAME, &options->top_text,
     "show N rows of each table, 0: all (default: 30; all with --json)", "N"},
    {"sort", 0, 0, G_OPTION_ARG_FILENAME, &options->sort,
     "sort tables by this column, largest first; -COLUMN: smallest first",
     "COLUMN"},
    {"wide", 0, 0, G_OPTION_ARG_NONE, &options->is_wide,
     "show all columns and full names, regardless of the terminal's width",
     NULL},
    {"json", 0, 0, G_OPTION_ARG_NONE, &options->as_json,
     "write one JSON object", NULL},
    {"allocators", 0, 0, G_OPTION_ARG_FILENAME, &options->allocators,
     "file with functions that allocate, one per line", "FILE"},
    {"plugin", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->plugins,
     "load this plug-in, and use its analyses", "FILE.so"}};

  for (size_t i = 0; i < G_N_ELEMENTS (report); i++)
    if (common->has_sort || strcmp (report[i].long_name, "sort") != 0)
      g_array_append_vals (entries, &report[i], 1);
  if (common->has_follow)
    g_array_append_vals (entries, &follow, 1);
}

static void
add_common (struct analysis_options *options, const struct common *common,
            GArray *entries)
{
  add_selection (options, entries);
  if (common->has_report)
    add_report (options, common, entries);
  add_output (options, entries);
}

/* The first of the common options, after those of the analyses.  */
#define FIRST_COMMON "events"

static struct own *
find_own (GArray *owns, const char *name)
{
  for (guint i = 0; i < owns->len; i++) {
    struct own *own = &g_array_index (owns, struct own, i);

    if (strcmp (own->option->name, name) == 0)
      return own;
  }
  return NULL;
}

/* The option as an analysis has it, or NULL.  */
static const struct dg_option *
find_option (const struct dg_analysis *analysis, const struct own *own)
{
  const struct dg_option *option = analysis->options;

  while (option != NULL && option->name != NULL
         && strcmp (option->name, own->option->name) != 0)
    option++;
  return option != NULL && option->name != NULL ? option : NULL;
}

/* But "sort", which an analysis may have itself.  */
static bool
is_common (const char *name)
{
  const struct common all_but_sort = {true, false, true, true};
  struct analysis_options unused;
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (GOptionEntry));
  bool is_one = strcmp (name, "help") == 0;

  add_common (&unused, &all_but_sort, entries);
  for (guint i = 0; i < entries->len; i++)
    is_one |=
      strcmp (g_array_index (entries, GOptionEntry, i).long_name, name) == 0;
  g_array_unref (entries);
  return is_one;
}

/* All options of the analyses, each once: -1, or the exit status.  */
static int
gather (const struct cli_command *command,
        const struct dg_analysis *const *analyses, GArray *owns)
{
  for (; *analyses != NULL; analyses++)
    for (const struct dg_option *option = (*analyses)->options;
         option != NULL && option->name != NULL; option++) {
      const struct own *other = find_own (owns, option->name);
      struct own own = {.option = option, .analysis = *analyses};

      if (is_common (option->name))
        return cli_fail ("%s: its option --%s has the name of a common option "
                         "of dg",
                         (*analyses)->name, option->name);
      if (other == NULL)
        g_array_append_val (owns, own);
      else if (other->option->type != option->type)
        return cli_fail_usage (
          command, "--%s differs between %s and %s: run them separately",
          option->name, other->analysis->name, (*analyses)->name);
    }
  return -1;
}

/* "help text (a, b; default: a)" */
static char *
describe_one (const struct dg_option *option)
{
  GString *text = g_string_new (option->help);
  const char *open = " (";

  if (option->choices != NULL) {
    char **choices = g_strsplit (option->choices, ",", -1);
    char *list = g_strjoinv (", ", choices);

    g_string_append_printf (text, "%s%s", open, list);
    open = "; ";
    g_free (list);
    g_strfreev (choices);
  }
  if (option->fallback != NULL) {
    g_string_append_printf (text, "%sdefault: %s", open, option->fallback);
    open = "; ";
  }
  if (open[0] == ';')
    g_string_append_c (text, ')');
  return g_string_free (text, FALSE);
}

/* What it does for each of them, if that is not the same for all.  */
static char *
describe (const struct own *own, const struct dg_analysis *const *analyses)
{
  char *first = describe_one (own->option);
  GString *all = g_string_new (NULL);
  bool is_same = true;

  for (; *analyses != NULL; analyses++) {
    const struct dg_option *option = find_option (*analyses, own);
    char *text = option != NULL ? describe_one (option) : NULL;

    if (text != NULL) {
      is_same &= strcmp (text, first) == 0;
      g_string_append_printf (all, "%s%s: %s", all->len > 0 ? "; " : "",
                              (*analyses)->name, text);
    }
    g_free (text);
  }
  if (is_same) {
    g_string_free (all, TRUE);
    return first;
  }
  g_free (first);
  return g_string_free (all, FALSE);
}

/* The first analysis that does not support --interval, or NULL.  */
static const struct dg_analysis *
find_without_intervals (const struct dg_analysis *const *analyses)
{
  while (*analyses != NULL && (*analyses)->snapshot != NULL)
    analyses++;
  return *analyses;
}

/* GOption's table of all that may be given.  */
static GArray *
make_entries (struct analysis_options *options,
              const struct dg_analysis *const *analyses,
              const GOptionEntry *own, bool has_report, GArray *owns)
{
  GArray *entries = g_array_new (TRUE, FALSE, sizeof (GOptionEntry));

  for (const GOptionEntry *entry = own;
       entry != NULL && entry->long_name != NULL; entry++)
    g_array_append_vals (entries, entry, 1);

  for (guint i = 0; i < owns->len; i++) {
    struct own *one = &g_array_index (owns, struct own, i);
    bool is_flag = one->option->type == DG_OPTION_FLAG;
    const char *value = one->option->value;
    GOptionEntry entry = {
      .long_name = one->option->name,
      .arg = is_flag ? G_OPTION_ARG_NONE : G_OPTION_ARG_FILENAME,
      .arg_data = is_flag ? (void *) &one->is_set : (void *) &one->text};
    char *text = describe (one, analyses);

    g_ptr_array_add (options->made, text);
    entry.description = text;
    entry.arg_description = is_flag ? NULL : value != NULL ? value : "VALUE";
    g_array_append_val (entries, entry);
  }
  /* Commands with options of their own neither follow nor have intervals.  */
  const struct common common = {
    .has_report = has_report,
    .has_sort = find_own (owns, "sort") == NULL,
    .has_follow = own == NULL,
    .has_interval = own == NULL && find_without_intervals (analyses) == NULL};

  add_common (options, &common, entries);
  return entries;
}

/* ---- Values ----------------------------------------------------------- */

static int
check_common (struct analysis_options *options,
              const struct cli_command *command)
{
  int status;

  if (options->threads != NULL) {
    options->thread_list = parse_list (options->threads);
    if (options->thread_list == NULL)
      return cli_fail_usage (command, "'%s' is not a list of threads",
                             options->threads);
  }
  if (options->instructions != NULL
      && !dg_number_parse_span (options->instructions, DG_QUANTITY_COUNT,
                                &options->start_icount,
                                &options->end_icount))
    return cli_fail_usage (command, "'%s' is not a range of instructions",
                           options->instructions);
  if (options->interval != NULL
      && !dg_number_parse_interval (options->interval,
                                    &options->interval_instructions,
                                    &options->interval_ns))
    return cli_fail_usage (command, "'%s' is not a valid interval",
                           options->interval);
  options->top = options->as_json ? 0 : TOP_DEFAULT;
  if (options->top_text != NULL
      && !dg_number_parse (options->top_text, DG_QUANTITY_COUNT,
                           &options->top))
    return cli_fail_usage (command, "'%s' is not a number of rows",
                           options->top_text);
  if (options->is_follow && options->output != NULL)
    return cli_fail_usage (command, "--follow writes to standard output only, "
                                    "not to a file");
  if (options->output != NULL && options->output[0] == '\0')
    return cli_check_output (command, options->output);
  status = cli_check_wide (command, options->is_wide, options->as_json,
                           options->output);
  return status < 0 ? cli_check_source_map (command, options->source_map)
                    : status;
}

static int
check_interval (const struct analysis_options *options,
                const struct cli_command *command,
                const struct dg_analysis *const *analyses)
{
  const struct dg_analysis *without = find_without_intervals (analyses);

  if (options->interval != NULL && without != NULL)
    return cli_fail_usage (command, "%s does not support intervals",
                           without->name);
  return -1;
}

/* All are kept for fini.  */
static void
take_settings (struct analysis_options *options, GArray *owns)
{
  for (guint i = 0; i < owns->len; i++) {
    struct own *own = &g_array_index (owns, struct own, i);
    struct dg_setting setting = {own->option->name, own->text};

    if (own->text != NULL)
      g_ptr_array_add (options->made, own->text);
    if (own->text != NULL || own->is_set)
      g_array_append_val (options->settings, setting);
  }
}

/* They must do for all that have such an option.  */
static int
check_settings (const struct cli_command *command,
                const struct dg_analysis *const *analyses, GArray *owns)
{
  for (guint i = 0; i < owns->len; i++) {
    const struct own *own = &g_array_index (owns, struct own, i);

    for (size_t j = 0; own->text != NULL && analyses[j] != NULL; j++) {
      const struct dg_option *option = find_option (analyses[j], own);
      struct dg_error error;

      if (option != NULL && dg_option_check (option, own->text, &error) < 0)
        return cli_fail_usage_of (command, analyses[j]->name, "%s",
                                  error.message);
    }
  }
  return -1;
}

int
analysis_options_parse (struct analysis_options *options,
                        const struct cli_command *command,
                        const struct dg_analysis *const *analyses,
                        const GOptionEntry *own, int least, int most,
                        int *argc, char **argv)
{
  GArray *owns = g_array_new (FALSE, FALSE, sizeof (struct own)), *entries;
  int status;

  memset (options, 0, sizeof *options);
  options->settings = g_array_new (FALSE, FALSE, sizeof (struct dg_setting));
  options->made = g_ptr_array_new_with_free_func (g_free);
  status = gather (command, analyses, owns);
  if (status < 0) {
    struct cli_command with_common = *command;

    with_common.common = !command->is_page && (owns->len > 0 || own != NULL)
                           ? FIRST_COMMON : NULL;
    entries = make_entries (options, analyses, own, !command->is_page, owns);
    status = cli_parse_some (&with_common,
                             (const GOptionEntry *) entries->data, argc, argv,
                             least, most);
    g_array_unref (entries);
    take_settings (options, owns);
    if (status < 0)
      status = check_settings (command, analyses, owns);
  }
  g_array_unref (owns);
  if (status < 0)
    status = check_common (options, command);
  return status < 0 ? check_interval (options, command, analyses) : status;
}

void
analysis_options_fini (struct analysis_options *options)
{
  g_free (options->events);
  g_free (options->ranges);
  g_free (options->threads);
  g_free (options->instructions);
  g_free (options->interval);
  g_free (options->top_text);
  g_free (options->sort);
  g_free (options->output);
  g_free (options->allocators);
  g_strfreev (options->source_map);
  g_strfreev (options->plugins);
  if (options->thread_list != NULL)
    g_array_unref (options->thread_list);
  g_array_unref (options->settings);
  g_ptr_array_unref (options->made);
}
