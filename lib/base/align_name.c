/* align_name.c: what things are called whatever was built again.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "libdatagrind.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

/* "thread 2 (worker)" */
#define THREAD "thread "
/* In place of the program's name; no module has it.  */
#define SIGN "/program/"

/* ---- Lines ------------------------------------------------------------ */

/* "list (mix.c:57)" is "list (mix.c:)"; to == NULL: only measured.  Returns
   the length.  */
static size_t
without_lines (char *to, const char *text)
{
  size_t n = 0;

  /* A thread that has a name is not known by its number.  */
  if (strncmp (text, THREAD, sizeof THREAD - 1) == 0) {
    const char *name = text + sizeof THREAD - 1;

    name += strspn (name, "0123456789");
    text = name[0] == ' ' && name[1] == '(' ? name : text;
  }
  for (; *text != '\0'; text++) {
    if (to != NULL)
      to[n] = *text;
    n++;
    if (*text == ':' && text[1] >= '0' && text[1] <= '9')
      text += strspn (text + 1, "0123456789");
  }
  return n;
}

/* ---- The program ------------------------------------------------------ */

/* What may stand before the name of a module: "(fs)", "in fs", "<thread
   2>.fs"; and behind it: "fs .data", "fs (no section)", "fs, table".  */
static bool
is_module_at (const char *text, const char *at, size_t n, bool is_module)
{
  const char *end = at + n;
  bool begins = at == text || at[-1] == ' ' || at[-1] == '('
                || (at[-1] == '.' && at - text > 1 && at[-2] == '>'
                    && strncmp (text, "<thread ", 8) == 0);
  bool ends = *end == '\0' || *end == ' ' || *end == ')' || *end == ',';

  if (!begins || !ends)
    return false;
  /* "sort" and "sort (sort.c:3)" are functions of sort.  */
  if (at == text && *end == '\0')
    return is_module;
  return *end != ' ' || end[1] != '('
         || strncmp (end, " (no section)", 13) == 0;
}

/* The same as above.  */
static size_t
without_program (char *to, const char *text, const char *program,
                 bool is_module)
{
  size_t length = strlen (program), n = 0;
  const char *at = length > 0 ? strstr (text, program) : NULL;
  const char *rest = text;

  for (; at != NULL; at = strstr (at + length, program)) {
    if (!is_module_at (text, at, length, is_module))
      continue;
    if (to != NULL) {
      memcpy (to + n, rest, (size_t) (at - rest));
      memcpy (to + n + (at - rest), SIGN, sizeof SIGN - 1);
    }
    n += (size_t) (at - rest) + sizeof SIGN - 1;
    rest = at + length;
  }
  if (to != NULL)
    memcpy (to + n, rest, strlen (rest));
  return n + strlen (rest);
}

/* ---- Stems ------------------------------------------------------------ */

/* Where what a compiler puts behind the names of parts of functions begins, or
   "(file:)" at the end.  */
static size_t
stem_length (const char *text)
{
  static const char *const suffixes[] = {".isra.", ".part.", ".constprop.",
                                         ".cold", ".lto_priv."};
  const char *end = text + strlen (text), *found = strrchr (text, '(');

  if (found != NULL && found > text && end[-1] == ')' && end[-2] == ':')
    end = found;
  for (size_t i = 0; i < G_N_ELEMENTS (suffixes); i++) {
    const char *behind;

    found = strstr (text, suffixes[i]);
    behind = found != NULL ? found + strlen (suffixes[i]) : NULL;
    if (found != NULL && found < end
        && (*behind == '\0' || *behind == '.' || g_ascii_isdigit (*behind)))
      end = found;
  }
  return (size_t) (end - text);
}

/* ---- All -------------------------------------------------------------- */

char *
dg_align_name (const char *text, enum dg_align_names which,
               const char *program, bool is_module)
{
  size_t n = without_lines (NULL, text);
  char *plain = malloc (n + 1), *name;

  if (plain == NULL)
    return NULL;
  without_lines (plain, text);
  plain[n] = '\0';
  if (which == DG_ALIGN_ALL_NAMES)
    return plain;
  if (program != NULL) {
    n = without_program (NULL, plain, program, is_module);
    name = malloc (n + 1);
    if (name != NULL) {
      without_program (name, plain, program, is_module);
      name[n] = '\0';
    }
    free (plain);
    plain = name;
  }
  if (plain != NULL && which == DG_ALIGN_FEW_NAMES)
    plain[stem_length (plain)] = '\0';
  return plain;
}
