/* capture_name.c: names of archives: one for each process image.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "capture_name.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/path.h"

/* %q{VAR}: *at is behind the q.  */
static int
expand_variable (GString *name, const char **at, struct dg_error *err)
{
  const char *end = **at == '{' ? strchr (*at, '}') : NULL;
  const char *value;
  char *variable;

  if (!end)
    return dg_error_set (err, DG_ERR_INVALID,
                         "%%q in a file name must be followed by {VARIABLE}");
  variable = g_strndup (*at + 1, end - *at - 1);
  value = g_getenv (variable);
  if (value)
    g_string_append (name, value);
  else
    dg_error_set (err, DG_ERR_INVALID,
                  "%%q{%s} in a file name: the variable is not set",
                  variable);
  g_free (variable);
  *at = end + 1;
  return value ? 0 : DG_ERR_INVALID;
}

/* To be freed; NULL: it is bad.  */
static char *
expand (const char *template, uint64_t pid, bool *has_pid,
        struct dg_error *err)
{
  GString *name = g_string_new (NULL);
  int code = 0;

  *has_pid = false;
  while (code == 0 && *template) {
    char c = *template++;

    if (c != '%') {
      g_string_append_c (name, c);
      continue;
    }
    switch (*template++) {
    case 'p':
      g_string_append_printf (name, "%" PRIu64, pid);
      *has_pid = true;
      break;
    case '%':
      g_string_append_c (name, '%');
      break;
    case 'q':
      code = expand_variable (name, &template, err);
      break;
    default:
      code = dg_error_set (err, DG_ERR_INVALID,
                           "a file name may contain only %%p, %%q{VARIABLE} "
                           "and %%%%");
      break;
    }
  }
  if (code == 0 && name->len == 0)
    code = dg_error_set (err, DG_ERR_INVALID, "the file name is empty");
  return g_string_free (name, code < 0);
}

char *
dg_capture_output (const char *output, uint64_t pid, struct dg_error *err)
{
  bool has_pid;

  return expand (output, pid, &has_pid, err);
}

/* "dir/prog.dgz" and 12 -> "dir/prog.12.dgz"; to be freed.  */
static char *
insert (const char *name, uint64_t number)
{
  const char *base = dg_path_base (name);
  const char *dot = strrchr (base, '.');

  if (!dot || dot == base)
    dot = base + strlen (base);
  return g_strdup_printf ("%.*s.%" PRIu64 "%s", (int) (dot - name), name,
                          number, dot);
}

/* Any number of archives may go to /dev/null and the like.  */
static bool
is_device (const char *name)
{
  struct stat st;

  return stat (name, &st) == 0 && !S_ISREG (st.st_mode);
}

char *
dg_capture_name (const char *template, uint64_t pid, GHashTable *used,
                 struct dg_error *err)
{
  bool has_pid;
  char *first = expand (template, pid, &has_pid, err), *name;

  if (!first)
    return NULL;
  if (is_device (first))
    return first;
  name = g_strdup (first);
  if (!has_pid && g_hash_table_contains (used, name)) {
    g_free (name);
    name = insert (first, pid);
    g_free (first);
    first = g_strdup (name);
  }
  for (uint64_t n = 2; g_hash_table_contains (used, name); n++) {
    g_free (name);
    name = insert (first, n);
  }
  g_free (first);
  g_hash_table_add (used, g_strdup (name));
  return name;
}
