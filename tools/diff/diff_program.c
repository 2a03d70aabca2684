/* diff_program.c: the program's own name, which may change from run to run.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_program.h"

#include <string.h>

/* In no name of a module.  */
#define SIGN "/program/"

char *
diff_program_name (const char *path)
{
  const char *slash = path != NULL ? strrchr (path, '/') : NULL;

  return g_strdup (slash != NULL ? slash + 1 : path != NULL ? path : "");
}

/* What may stand before the name of a module: "(fs)", "in fs", "<thread
   2>.fs"; and behind it: "fs .data", "fs (no section)", "fs, table".  */
static bool
is_module_at (const char *text, const char *at, size_t n, bool is_module)
{
  const char *end = at + n;
  bool begins = at == text || at[-1] == ' ' || at[-1] == '('
                || (at[-1] == '.' && at - text > 1 && at[-2] == '>'
                    && g_str_has_prefix (text, "<thread "));
  bool ends = *end == '\0' || *end == ' ' || *end == ')' || *end == ',';

  if (!begins || !ends)
    return false;
  /* "sort" and "sort (sort.c:3)" are functions of sort.  */
  if (at == text && *end == '\0')
    return is_module;
  return *end != ' ' || end[1] != '('
         || g_str_has_prefix (end, " (no section)");
}

void
diff_program_append (GString *out, const char *text, const char *program,
                     bool is_module)
{
  size_t n = strlen (program);
  const char *rest = text, *at = n > 0 ? strstr (text, program) : NULL;

  while (at != NULL) {
    if (is_module_at (text, at, n, is_module)) {
      g_string_append_len (out, rest, at - rest);
      g_string_append (out, SIGN);
      rest = at + n;
    }
    at = strstr (at + n, program);
  }
  g_string_append (out, rest);
}

bool
diff_program_is_same (const char *before, const char *program_before,
                      const char *after, const char *program_after)
{
  GString *x, *y;
  bool is_same;

  if (g_strcmp0 (before, after) == 0)
    return true;
  if (before == NULL || after == NULL || program_before == NULL
      || program_after == NULL)
    return false;
  x = g_string_new (NULL);
  y = g_string_new (NULL);
  diff_program_append (x, before, program_before, true);
  diff_program_append (y, after, program_after, true);
  is_same = strcmp (x->str, y->str) == 0;
  g_string_free (x, TRUE);
  g_string_free (y, TRUE);
  return is_same;
}
