/* analysis_names.c: which analyses there are, and which of them a command
   names.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "analysis_names.h"

#include "base/commands.h"
#include "base/printable.h"

#include <string.h>

/* ---- Plug-ins --------------------------------------------------------- */

/* A plug-in that is looked for by the name of its file.  */
struct search {
  const char *name;
  const struct dg_analysis *analysis;
  bool has_failed;
};

/* "/usr/lib/datagrind/mine.so" -> "mine"; NULL: no name of a plug-in.  */
static char *
plugin_name (const char *path)
{
  char *base = g_path_get_basename (path);

  if (g_str_has_suffix (base, ".so") && strlen (base) > 3) {
    base[strlen (base) - 3] = '\0';
    return base;
  }
  g_free (base);
  return NULL;
}

static int
look_at (void *user, const char *path)
{
  struct search *search = user;
  char *name = plugin_name (path);
  bool is_it = g_strcmp0 (name, search->name) == 0;
  struct dg_error error;

  g_free (name);
  if (!is_it || search->analysis != NULL || search->has_failed)
    return 0;
  if (dg_plugin_check (path, &error) == 0)
    search->analysis = dg_plugin_load (path, &error);
  if (search->analysis == NULL) {
    cli_fail ("%s", error.message);
    search->has_failed = true;
  }
  return 0;
}

static int
add_plugin (void *user, const char *path)
{
  char *name = plugin_name (path);

  if (name != NULL)
    dg_nearest_add (user, name);
  g_free (name);
  return 0;
}

/* ---- Names ------------------------------------------------------------ */

/* Those of --plugin=FILE and --plugin FILE, which have to be known before the
   rest of the command line can be read.  False after a message.  */
static bool
load_given (GPtrArray *given, int argc, char **argv)
{
  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++) {
    const struct dg_analysis *analysis;
    const char *path = NULL;
    struct dg_error error;

    if (g_str_has_prefix (argv[i], "--plugin="))
      path = argv[i] + strlen ("--plugin=");
    else if (strcmp (argv[i], "--plugin") == 0 && i + 1 < argc)
      path = argv[++i];
    if (path == NULL)
      continue;
    analysis = dg_plugin_load (path, &error);
    if (analysis == NULL) {
      cli_fail ("%s", error.message);
      return false;
    }
    g_ptr_array_add (given, (void *) analysis);
  }
  return true;
}

/* There is no such command; but one that is called nearly so, perhaps.  */
static int
fail_name (const char *name, const struct cli_command *const *commands)
{
  struct dg_nearest *nearest = dg_nearest_new (name, NULL);
  size_t n;
  const struct dg_analysis *const *analyses = dg_analyses (&n);
  /* Without commands beside them, the logs follow: dg diff.  */
  const char *what = *commands != NULL ? "command"
                                       : "analysis to compare logs by, such"
                                         " as cache or counts, called";
  char *hint;
  int status;

  if (nearest == NULL)
    return cli_fail_usage (NULL, "there is no %s '%s'", what, name);
  for (size_t i = 0; i < n; i++)
    dg_nearest_add (nearest, analyses[i]->name);
  if (*commands != NULL)
    dg_nearest_add (nearest, "help");
  for (; *commands != NULL; commands++)
    dg_nearest_add (nearest, (*commands)->name);
  dg_plugin_list (add_plugin, nearest);
  hint = dg_nearest_hint (nearest);
  status = cli_fail_usage (NULL, "there is no %s '%s'%s", what, name, hint);
  g_free (hint);
  dg_nearest_free (nearest);
  return status;
}

static const struct dg_analysis *
find (const char *name, const GPtrArray *given,
      const struct cli_command *const *commands, int *status)
{
  const struct dg_analysis *analysis;
  struct search search = {.name = name};

  for (guint i = 0; i < given->len; i++) {
    analysis = given->pdata[i];
    if (strcmp (analysis->name, name) == 0)
      return analysis;
  }
  analysis = dg_analysis_find (name);
  if (analysis != NULL)
    return analysis;
  dg_plugin_list (look_at, &search);
  if (search.analysis == NULL && !search.has_failed)
    *status = fail_name (name, commands);
  else if (search.has_failed)
    *status = CLI_FAILURE;
  return search.analysis;
}

GPtrArray *
analysis_names_find (const char *names, const struct dg_analysis *own,
                     const struct cli_command *const *commands, int argc,
                     char **argv, int *status)
{
  GPtrArray *found = g_ptr_array_new (), *given = g_ptr_array_new ();
  char **list = g_strsplit (names, ",", -1);

  *status = CLI_OK;
  if (own != NULL)
    g_ptr_array_add (given, (void *) own);
  if (names[0] == '\0')
    *status = cli_fail_usage (NULL, "there is no command ''");
  else if (!load_given (given, argc, argv))
    *status = CLI_FAILURE;
  for (char **name = list; *name != NULL && *status == CLI_OK; name++) {
    const struct dg_analysis *analysis = find (*name, given, commands, status);

    if (analysis != NULL && g_ptr_array_find (found, analysis, NULL))
      *status = cli_fail_usage (NULL, "'%s' is given twice", *name);
    g_ptr_array_add (found, (void *) analysis);
  }
  g_ptr_array_add (found, NULL);
  g_strfreev (list);
  g_ptr_array_unref (given);
  if (*status == CLI_OK)
    return found;
  g_ptr_array_unref (found);
  return NULL;
}

/* ---- For --help ------------------------------------------------------- */

static void
list (struct output *out, const char *name, const char *summary)
{
  char *safe = printable_text (summary);

  output_format (out, "  %-10s", name);
  output_wrapped (out, safe, MAX (strlen (name), 10) + 2, 14);
  g_free (safe);
}

static int
list_plugin (void *user, const char *path)
{
  char *name = plugin_name (path);
  const struct dg_analysis *analysis = NULL;

  if (name != NULL && dg_analysis_find (name) == NULL
      && dg_plugin_check (path, NULL) == 0)
    analysis = dg_plugin_load (path, NULL);
  if (analysis != NULL)
    list (user, name, analysis->summary);
  g_free (name);
  return 0;
}

void
analysis_names_list (struct output *out)
{
  size_t n;
  const struct dg_analysis *const *analyses = dg_analyses (&n);

  for (size_t i = 0; i < n; i++)
    list (out, analyses[i]->name, analyses[i]->summary);
  dg_plugin_list (list_plugin, out);
}
