/* complete.c: which word of a command line is completed, and by what.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "complete.h"

#include "base/cli_message.h"
#include "base/output.h"
#include "complete_help.h"
#include "complete_log.h"
#include "complete_run.h"
#include "libdatagrind.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Processor time for --help, of GTK as well.  */
#define HELP_CPU_MS 900

struct line {
  complete_dg_fn dg;
  const char *program;     /* "dg" or "dg_view", perhaps with a path */
  bool is_view;
  char **words;            /* after the program, before `current` */
  int n;
  const char *current;
  struct complete_help help;
  const char *also;        /* the first line of the answer */
  int subcommand;          /* of ":program" */
  GString *answer;         /* its other lines */
};

/* ---- The answer ------------------------------------------------------- */

/* Offers PREFIX NAME SUFFIX if it begins with the current word.  */
static void
offer (struct line *line, const char *prefix, const char *name,
       const char *suffix, const char *text)
{
  char *whole = g_strconcat (prefix, name, suffix, NULL);

  if (g_str_has_prefix (whole, line->current))
    g_string_append_printf (line->answer, "%s%s%s\n", whole,
                            text[0] != '\0' ? "\t" : "", text);
  g_free (whole);
}

static void
offer_all (struct line *line, const char *prefix, const GPtrArray *names,
           const GPtrArray *texts)
{
  for (guint i = 0; i < names->len; i++)
    offer (line, prefix, names->pdata[i], "",
           texts != NULL ? texts->pdata[i] : "");
}

/* ---- Help ------------------------------------------------------------- */

struct question {
  const struct line *line;
  char *words[8];          /* of a command line */
  int n;
};

/* In the child.  */
static void
ask (void *user)
{
  struct question *question = user;

  if (question->line->is_view)
    execvp (question->words[0], question->words);
  else
    question->line->dg (question->n, question->words);
}

/* The answer to "COMMAND [PART] OPTION"; to be freed.  */
static char *
help_text (const struct line *line, const char *command, const char *part,
           const char *option)
{
  struct question question = {.line = line};

  if (command != NULL)
    question.words[question.n++] = (char *) command;
  if (part != NULL)
    question.words[question.n++] = (char *) part;
  if (option != NULL)
    question.words[question.n++] = (char *) option;
  return complete_run (ask, &question, HELP_CPU_MS);
}

static void
read_help (struct line *line, const char *command, const char *part)
{
  char *text = help_text (line, command, part, "--help");

  complete_help_fini (&line->help);
  complete_help_init (&line->help, text);
  g_free (text);
}

/* The lines after a title in the help of dg.  */
static void
offer_section (struct line *line, const char *prefix, const char *title)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);

  complete_help_section (&line->help, title, names, texts);
  offer_all (line, prefix, names, texts);
  g_ptr_array_unref (names);
  g_ptr_array_unref (texts);
}

/* ---- Values ----------------------------------------------------------- */

/* The first word that is a file.  */
static const char *
find_log (const struct line *line)
{
  struct stat there;

  for (int i = line->is_view ? 0 : 1; i < line->n; i++)
    if (line->words[i][0] != '-' && stat (line->words[i], &there) == 0
        && S_ISREG (there.st_mode))
      return line->words[i];
  return NULL;
}

static void
offer_names (struct line *line, const char *prefix, const char *kind,
             enum complete_names which, bool is_condition)
{
  GPtrArray *names = complete_log (find_log (line), which);

  for (guint i = 0; i < names->len; i++) {
    const char *name = names->pdata[i];
    char *quoted = is_condition ? dg_filter_quote (name) : NULL;
    char *whole = g_strconcat (kind, quoted != NULL ? quoted : name, NULL);

    offer (line, prefix, whole, "", "");
    g_free (whole);
    free (quoted);
  }
  if (names->len == 0)
    offer (line, prefix, kind, "", "");
  g_ptr_array_unref (names);
}

/* prefix: "--events=", or "".  */
static void
offer_conditions (struct line *line, const char *prefix, bool of_ranges)
{
  const char *value = line->current + strlen (prefix), *start = value;
  bool is_negated;
  char *before;

  /* Those before the last comma stay.  */
  for (const char *at = value; *at != '\0'; at++)
    if (*at == '\\' && at[1] != '\0')
      at++;
    else if (*at == ',')
      start = at + 1;
  start += strspn (start, " ");
  is_negated = g_str_has_prefix (start, "not ");
  if (is_negated)
    start += 4 + strspn (start + 4, " ");
  before = g_strndup (line->current, (gsize) (start - line->current));
  offer (line, before, "fn:", "", "the function is in the call stack");
  offer (line, before, "file:", "", "a function of this source file is");
  if (of_ranges) {
    offer (line, before, "range", "", "any range the program marked");
    offer (line, before, "malloc", "", "any heap block");
    offer (line, before, "var:", "", "a global or static variable");
    offer (line, before, "addr:", "", "addresses A..B");
  } else {
    offer_names (line, before, "thread:", COMPLETE_THREADS, true);
  }
  if (!is_negated)
    offer (line, before, "not ", "", "the condition must not hold");
  offer_names (line, before, "user:",
               of_ranges ? COMPLETE_RANGES : COMPLETE_EVENTS, true);
  offer_names (line, before, "dso:", COMPLETE_MODULES, true);
  g_free (before);
}

static void
offer_moments (struct line *line, const char *prefix)
{
  offer (line, prefix, "end", "", "");
  offer_names (line, prefix, "event:", COMPLETE_EVENTS, false);
}

/* prefix: what the current word has before the value.  */
static void
offer_value (struct line *line, const struct complete_option *option,
             const char *prefix)
{
  const char *value = option->value;
  GPtrArray *choices = complete_help_choices (option);

  if (strcmp (value, "CONDITIONS") == 0)
    offer_conditions (line, prefix, strcmp (option->name, "ranges") == 0);
  else if (strcmp (value, "MOMENT") == 0)
    offer_moments (line, prefix);
  else if (choices->len > 0)
    offer_all (line, prefix, choices, NULL);
  else if (strcmp (value, "FORMAT") == 0)
    offer_section (line, prefix, "Formats:");
  else if (strcmp (value, "LOG") == 0)
    line->also = ":logs";
  else if (strcmp (value, "DIR") == 0)
    line->also = ":folders";
  else if (g_str_has_prefix (value, "FILE") || strcmp (value, "TRACE") == 0
           || strcmp (value, "COMMAND") == 0)
    line->also = ":files";
  g_ptr_array_unref (choices);
}

/* ---- Options ---------------------------------------------------------- */

static bool
is_given (const struct line *line, const struct complete_option *option)
{
  for (int i = 0; i < line->n; i++)
    if (complete_help_find (&line->help, line->words[i]) == option)
      return true;
  return false;
}

static void
offer_options (struct line *line)
{
  for (guint i = 0; i < line->help.options->len; i++) {
    const struct complete_option *option = line->help.options->pdata[i];
    bool again = strstr (option->text, "repeat") != NULL;

    if (again || !is_given (line, option))
      offer (line, "--", option->name, option->value != NULL ? "=" : "",
             option->text);
  }
}

/* The option whose value the word is that follows this one, or NULL.  */
static const struct complete_option *
takes_next (const struct line *line, const char *word)
{
  const struct complete_option *option =
    complete_help_find (&line->help, word);
  bool is_long = g_str_has_prefix (word, "--");

  if (option == NULL || option->value == NULL
      || (is_long ? strchr (word, '=') != NULL : word[2] != '\0'))
    return NULL;
  return option;
}

/* Where the program to be recorded is among the words; n: not yet.  */
static int
find_program (const struct line *line)
{
  int i = 1;

  while (i < line->n && line->words[i][0] == '-') {
    if (strcmp (line->words[i], "--") == 0)
      return i + 1;
    i += takes_next (line, line->words[i]) != NULL ? 2 : 1;
  }
  return i;
}

/* With the help of the command: options, their values, logs.  */
static void
complete_words (struct line *line)
{
  bool runs = strstr (line->help.args, "PROGRAM") != NULL;
  int program = runs ? find_program (line) : 0;
  const char *equals = strchr (line->current, '=');
  const struct complete_option *option =
    line->n > 0 ? takes_next (line, line->words[line->n - 1]) : NULL;

  if (runs && (program < line->n
               || (program == line->n && line->current[0] != '-'))) {
    line->also = ":program";
    /* Among all words, of which the first is the name of this program.  */
    line->subcommand = program + 1;
  } else if (option != NULL) {
    offer_value (line, option, "");
  } else if (g_str_has_prefix (line->current, "--") && equals != NULL) {
    option = complete_help_find (&line->help, line->current);
    if (option != NULL && option->value != NULL) {
      char *prefix =
        g_strndup (line->current, (gsize) (equals + 1 - line->current));

      offer_value (line, option, prefix);
      g_free (prefix);
    }
  } else if (line->current[0] == '-') {
    offer_options (line);
  } else if (strstr (line->help.args, "LOG") != NULL
             || strstr (line->help.args, "BEFORE") != NULL) {
    line->also = ":logs";
  }
}

/* ---- Commands --------------------------------------------------------- */

/* The analyses, also after "counts,".  */
static void
offer_analyses (struct line *line)
{
  const char *comma = strrchr (line->current, ',');
  char *before = g_strndup (line->current,
                            comma != NULL
                              ? (gsize) (comma + 1 - line->current) : 0);

  read_help (line, NULL, NULL);
  offer_section (line, before, "Analyses");
  g_free (before);
}

static void
offer_commands (struct line *line)
{
  read_help (line, NULL, NULL);
  if (line->current[0] == '-') {
    offer_options (line);
    return;
  }
  offer_section (line, "", "Commands:");
  offer (line, "", "help", "", "Shows the options of a command");
  offer_analyses (line);
}

static void
offer_schemas (struct line *line)
{
  char *text = help_text (line, "--schema", NULL, NULL);
  char **lines = g_strsplit (text, "\n", -1);

  for (char **at = lines; *at != NULL; at++) {
    size_t n = strcspn (*at, " ");
    char *name = g_strndup (*at, n);

    if (n > 0)
      offer (line, "", name, "", *at + n + strspn (*at + n, " "));
    g_free (name);
  }
  g_strfreev (lines);
  g_free (text);
}

/* What comes after the name of a command that has parts: "stats|dump LOG", or
   analyses; false if it has none.  */
static bool
has_parts (const struct line *line)
{
  return strchr (line->help.args, '|') != NULL
         || strstr (line->help.args, "ANALYSIS") != NULL;
}

static void
offer_parts (struct line *line)
{
  if (strstr (line->help.args, "ANALYSIS") != NULL) {
    offer (line, "", "allocs", "", "");
    offer (line, "", "heap", "", "");
    offer (line, "", "advise", "", "");
    offer_analyses (line);
  } else {
    char *list = g_strndup (line->help.args, strcspn (line->help.args, " "));
    char **parts = g_strsplit (list, "|", -1);

    for (char **part = parts; *part != NULL; part++)
      offer (line, "", *part, "", "");
    g_strfreev (parts);
    g_free (list);
  }
}

static void
complete_dg (struct line *line)
{
  const char *command = line->n > 0 ? line->words[0] : NULL;
  bool helps = g_strcmp0 (command, "help") == 0;

  if (command == NULL || (helps && line->n == 1)) {
    offer_commands (line);
    return;
  }
  if (strcmp (command, "--schema") == 0) {
    if (line->n == 1)
      offer_schemas (line);
    return;
  }
  if (helps) {
    command = line->words[1];
    line->words++;
    line->n--;
  }
  if (command[0] == '-')
    return;
  read_help (line, command, NULL);
  if (has_parts (line) && line->n == 1 && line->current[0] != '-') {
    offer_parts (line);
    return;
  }
  if (has_parts (line) && line->n > 1 && line->words[1][0] != '-')
    read_help (line, command, line->words[1]);
  if (!helps)
    complete_words (line);
}

static void
complete_view (struct line *line)
{
  read_help (line, line->program, NULL);
  complete_words (line);
}

/* ---- The command ------------------------------------------------------ */

static int
print_answer (const struct line *line)
{
  struct output *out = g_new (struct output, 1);
  int status;

  output_init (out);
  output_text (out, line->also);
  if (line->subcommand > 0)
    output_format (out, " %d", line->subcommand);
  output_text (out, "\n");
  output_text (out, line->answer->str);
  status = output_finish (out);
  g_free (out);
  return status;
}

int
complete (complete_dg_fn dg, int argc, char **argv)
{
  struct line line = {.dg = dg, .also = ":words"};
  char *base;
  int status;

  if (argc < 3)
    return CLI_USAGE;
  line.program = argv[1];
  line.words = argv + 2;
  line.n = argc - 3;
  line.current = argv[argc - 1];
  line.answer = g_string_new (NULL);
  complete_help_init (&line.help, "");
  base = g_path_get_basename (line.program);
  line.is_view = strcmp (base, "dg_view") == 0;
  if (line.is_view)
    complete_view (&line);
  else
    complete_dg (&line);
  status = print_answer (&line);
  g_free (base);
  complete_help_fini (&line.help);
  g_string_free (line.answer, TRUE);
  return status;
}
