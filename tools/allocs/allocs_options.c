/* allocs_options.c: the options of `dg allocs`.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "allocs.h"


#include <limits.h>
#include <string.h>

/* Files whose inlined functions are shown only if there are no others.  */
#define IGNORE_DEFAULT "*/include/*"
/* As massif's --heap-admin.  */
#define ADMIN_DEFAULT 8
#define ADMIN_MAX 1024
#define TOP_DEFAULT 30
/* No stack of a log has more.  */
#define LEVELS_MAX 255

/* ---- The table -------------------------------------------------------- */

static void
add (GArray *entries, unsigned has, unsigned when, const char *name,
     char letter, GOptionArg type, void *variable, const char *help,
     const char *value)
{
  const GOptionEntry entry = {name, letter, 0, type, variable, help, value};

  if ((has & when) != 0)
    g_array_append_val (entries, entry);
}

static GArray *
make_entries (struct allocs_options *o, unsigned has)
{
  const GOptionArg text = G_OPTION_ARG_FILENAME, flag = G_OPTION_ARG_NONE;
  const GOptionArg texts = G_OPTION_ARG_FILENAME_ARRAY;
  const GOptionEntry jobs = CLI_OPTION_JOBS (&o->jobs);
  GArray *e = g_array_new (TRUE, FALSE, sizeof (GOptionEntry));

  add (e, has, ALLOCS_HAS_AT, "at", 0, text, &o->at,
       "show the heap at this moment: an instruction count, event:LABEL or "
       "end (default)",
       "MOMENT");
  add (e, has, ALLOCS_HAS_FROM_TO, "from", 0, text, &o->from,
       "compare this moment (of one log, default: 0, its start)", "MOMENT");
  add (e, has, ALLOCS_HAS_FROM_TO, "to", 0, text, &o->to,
       "with this moment (default: end)", "MOMENT");
  add (e, has, ALLOCS_HAS_SORT, "sort", 'S', text, &o->sort,
       "sort by these keys, the most significant first (default: p)", "KEYS");
  add (e, has, ALLOCS_HAS_REVERSE, "reverse", 'r', flag, &o->is_reverse,
       "show the latest first", NULL);
  add (e, has, ALLOCS_HAS_FILTER, "filter", 'F', texts, &o->filters,
       "show only records that match; if repeated, all must match",
       "KEY=VALUE");
  add (e, has, ALLOCS_HAS_FORMAT, "format", 'f', text, &o->format,
       "the format of each record", "FORMAT");
  add (e, has, ALLOCS_HAS_NAMES, "levels", 0, text, &o->levels_text,
       "levels of the call stack to show (1 to 255), or all", "N");
  add (e, has, ALLOCS_HAS_NAMES, "ignore", 'I', text, &o->ignore,
       "skip inlined frames of these files (default: " IGNORE_DEFAULT ")",
       "GLOB");
  add (e, has, ALLOCS_HAS_NAMES, "no-ignore", 'n', flag, &o->no_ignore,
       "do not skip inlined frames", NULL);
  add (e, has, ALLOCS_HAS_NAMES, "allocators", 0, text, &o->allocators,
       "file with functions that allocate, one per line", "FILE");
  add (e, has, ALLOCS_HAS_NAMES, "source-map", 0, texts, &o->source_map,
       "look for sources under TO instead of FROM; can be repeated",
       "FROM=TO");
  add (e, has, ALLOCS_HAS_NAMES, "architecture", 'A', text, &o->architecture,
       "ignored; accepted for compatibility with mdd", "NAME");
  add (e, has, ALLOCS_HAS_TIME, "time-unit", 0, text, &o->time_unit,
       "show times in instructions (i, default) or milliseconds (ms)", "UNIT");
  add (e, has, UINT_MAX, "heap-admin", 0, text, &o->admin_text,
       "allocator overhead per block, in bytes (default: 8)", "BYTES");
  add (e, has, ALLOCS_HAS_TOP, "top", 0, text, &o->top_text,
       "show N sites, 0: all (default: 30; all with --json)", "N");
  add (e, has, ALLOCS_HAS_TOP, "no-last", 0, flag, &o->has_no_last,
       "do not search for last accesses (faster)", NULL);
  add (e, has, ALLOCS_HAS_TOP, "libraries", 0, flag, &o->has_runtime,
       "also show blocks that the C and C++ libraries keep for themselves",
       NULL);
  add (e, has, UINT_MAX, "wide", 0, flag, &o->is_wide,
       "do not cut lines to the width of the terminal", NULL);
  add (e, has, UINT_MAX, "json", 0, flag, &o->as_json,
       "write one JSON object", NULL);
  g_array_append_val (e, jobs);
  return e;
}

/* ---- Values ----------------------------------------------------------- */

/* "size_min=1024" into the filter: NULL, or what is wrong.  */
static const char *
add_condition (struct allocs_filter *filter, const char *text)
{
  static const struct {
    const char *key;
    enum allocs_quantity quantity;
    bool is_low, is_high;
  } keys[] = {
    {"thread", ALLOCS_THREAD, true, true},
    {"size_min", ALLOCS_SIZE, true, false},
    {"size_max", ALLOCS_SIZE, false, true},
    {"seqno_min", ALLOCS_SEQNO, true, false},
    {"seqno_max", ALLOCS_SEQNO, false, true},
    {"time_min", ALLOCS_TIME, true, false},
    {"time_max", ALLOCS_TIME, false, true},
    {"ptr_min", ALLOCS_PTR, true, false},
    {"ptr_max", ALLOCS_PTR, false, true}};
  size_t length = strcspn (text, "=");

  if (text[length] == '\0')
    return "is not KEY=VALUE";
  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++) {
    enum allocs_quantity q = keys[i].quantity;
    uint64_t value;

    if (strlen (keys[i].key) != length
        || strncmp (keys[i].key, text, length) != 0)
      continue;
    if (!dg_number_parse (text + length + 1,
                          q == ALLOCS_SIZE ? DG_QUANTITY_BYTES
                                           : DG_QUANTITY_COUNT, &value))
      return "has no number after the '='";
    filter->is_used[q] = true;
    if (keys[i].is_low)
      filter->low[q] = MAX (filter->low[q], value);
    if (keys[i].is_high)
      filter->high[q] = MIN (filter->high[q], value);
    return NULL;
  }
  return "has an unknown key; valid are: thread, size_min, size_max, "
         "seqno_min, seqno_max, time_min, time_max, ptr_min, ptr_max";
}

static int
check_filters (struct allocs_options *options)
{
  const struct cli_command *command = options->command;

  for (size_t q = 0; q < ALLOCS_QUANTITIES; q++)
    options->filter.high[q] = UINT64_MAX;
  for (char **text = options->filters; text != NULL && *text != NULL; text++) {
    const char *why = add_condition (&options->filter, *text);

    if (why != NULL)
      return cli_fail_usage (command, "the filter '%s' %s", *text, why);
  }
  return -1;
}

static int
check_sort (const struct allocs_options *options)
{
  static const char known[] = "pPnNsSatT";
  const struct cli_command *command = options->command;
  size_t good;

  if (options->sort == NULL)
    return -1;
  good = strspn (options->sort, known);
  if (options->sort[good] != '\0')
    return cli_fail_usage (
      command, "'%.*s' is not a sort key; valid are: p P n N s S a t T",
      g_utf8_validate (options->sort + good, -1, NULL) ? (
        int) (g_utf8_next_char (options->sort + good) - (options->sort + good))
                                                       : 1,
      options->sort + good);
  if (good == 0)
    return cli_fail_usage (command, "the sort key is empty");
  return -1;
}

static int
check_format (struct allocs_options *options)
{
  const struct cli_command *command = options->command;
  char *why = NULL;
  int status;

  status = cli_check_wide (command, options->is_wide, options->as_json, NULL);
  if (status >= 0 || options->format == NULL)
    return status;
  if (options->is_wide)
    return cli_fail_usage (command, "--wide has no effect with --format");
  if (options->as_json)
    return cli_fail_usage (command, "--json cannot be combined with --format");
  options->segments = allocs_format_parse (options->format, &why);
  if (options->segments != NULL)
    return -1;
  status =
    cli_fail_usage (command, "the format '%s': %s", options->format, why);
  g_free (why);
  return status;
}

static int
check_names (struct allocs_options *options, unsigned levels)
{
  const struct cli_command *command = options->command;
  const char *text = options->levels_text;
  uint64_t number = levels;

  if (text != NULL && strcmp (text, "all") == 0)
    number = LEVELS_MAX;
  else if (text != NULL
           && (!dg_number_parse (text, DG_QUANTITY_COUNT, &number)
               || number == 0 || number > LEVELS_MAX))
    return cli_fail_usage (command, "'%s' is not a number of levels", text);
  options->levels = (unsigned) number;
  if (options->ignore == NULL)
    options->ignore = g_strdup (IGNORE_DEFAULT);
  if (options->no_ignore)
    g_clear_pointer (&options->ignore, g_free);
  return cli_check_source_map (command, options->source_map);
}

static int
check_numbers (struct allocs_options *options)
{
  const struct cli_command *command = options->command;

  options->admin = ADMIN_DEFAULT;
  if (options->admin_text != NULL
      && (!dg_number_parse (options->admin_text, DG_QUANTITY_BYTES,
                            &options->admin)
          || options->admin > ADMIN_MAX))
    return cli_fail_usage (command, "'%s' is not a number of bytes up to %d",
                           options->admin_text, ADMIN_MAX);
  options->top = options->as_json ? 0 : TOP_DEFAULT;
  if (options->top_text != NULL
      && !dg_number_parse (options->top_text, DG_QUANTITY_COUNT,
                           &options->top))
    return cli_fail_usage (command, "'%s' is not a number of sites",
                           options->top_text);
  options->in_ms = g_strcmp0 (options->time_unit, "ms") == 0;
  if (options->time_unit != NULL && !options->in_ms
      && strcmp (options->time_unit, "i") != 0)
    return cli_fail_usage (command,
                           "'%s' is not a unit of time: must be i or ms",
                           options->time_unit);
  return -1;
}

/* ---- All of them ------------------------------------------------------ */

int
allocs_options_parse (struct allocs_options *options,
                      const struct cli_command *command, unsigned has,
                      unsigned levels, int least, int most, int *argc,
                      char **argv)
{
  GArray *entries;
  int status;

  memset (options, 0, sizeof *options);
  options->command = command;
  entries = make_entries (options, has);
  status = cli_parse_some (command,
                           (const GOptionEntry *) (void *) entries->data, argc,
                           argv, least, most);
  g_array_unref (entries);
  if (status < 0)
    status = check_numbers (options);
  if (status < 0)
    status = check_filters (options);
  if (status < 0)
    status = check_sort (options);
  if (status < 0)
    status = check_format (options);
  return status < 0 ? check_names (options, levels) : status;
}

void
allocs_options_fini (struct allocs_options *options)
{
  char *const texts[] = {
    options->at,          options->from,      options->to,
    options->sort,        options->format,    options->ignore,
    options->architecture, options->levels_text, options->time_unit,
    options->top_text,    options->admin_text, options->allocators};

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  g_strfreev (options->filters);
  g_strfreev (options->source_map);
  if (options->segments != NULL)
    g_array_unref (options->segments);
}

void
allocs_fit (const struct allocs_options *options, struct output *out)
{
  if (!options->as_json && options->format == NULL && !options->is_wide)
    output_fit (out);
}

int
allocs_run_one (const struct cli_command *command, unsigned has,
                unsigned levels, int argc, char **argv,
                int (*run) (struct allocs_log *log, struct output *out))
{
  struct allocs_options options;
  struct allocs_log log;
  struct output out;
  int status = allocs_options_parse (&options, command, has, levels, 1, 1,
                                     &argc, argv);

  options.is_stream = has & ALLOCS_IS_STREAM;
  options.is_at_end = has & ALLOCS_IS_AT_END;
  if (status < 0 && allocs_log_open (&log, &options, argv[1], &status)) {
    int finished;

    output_init (&out);
    allocs_fit (&options, &out);
    status = run (&log, &out);
    finished = output_finish (&out);
    status = allocs_log_finish (&log, status != CLI_OK ? status : finished);
  }
  allocs_options_fini (&options);
  return status;
}
