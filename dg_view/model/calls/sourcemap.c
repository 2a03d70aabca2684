/* sourcemap.c: names of sources.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sourcemap.h"

#include <string.h>

/* FROM without slashes at its end, so that "/src/" is "/src"; 0: no pair.  */
static size_t
from_length (const char *pair)
{
  const char *sign = strchr (pair, '=');
  size_t n = sign != NULL ? (size_t) (sign - pair) : 0;
  while (n > 1 && pair[n - 1] == '/')
    n--;
  return n;
}

static bool
fits (const char *from, size_t n, const char *file)
{
  return strncmp (from, file, n) == 0
         && (file[n] == '\0' || file[n] == '/' || from[n - 1] == '/');
}

char *
dv_sourcemap_map (const char *const *map, const char *file)
{
  const char *best = NULL;
  size_t longest = 0;
  for (; map != NULL && *map != NULL; map++) {
    size_t n = from_length (*map);
    if (n > longest && fits (*map, n, file)) {
      best = *map;
      longest = n;
    }
  }
  if (best == NULL)
    return NULL;
  const char *to = strchr (best, '=') + 1, *rest = file + longest;
  size_t length = strlen (to);
  while (*rest == '/')
    rest++;
  if (*rest == '\0')
    return g_strdup (to);
  return g_strconcat (to, length > 0 && to[length - 1] == '/' ? "" : "/",
                      rest, NULL);
}

static void
add (GPtrArray *names, char *name)
{
  for (guint i = 0; name != NULL && i < names->len; i++)
    if (strcmp (g_ptr_array_index (names, i), name) == 0)
      g_clear_pointer (&name, g_free);
  if (name != NULL)
    g_ptr_array_add (names, name);
}

char **
dv_sourcemap_candidates (const char *const *map, const char *const *folders,
                         const char *file)
{
  GPtrArray *names = g_ptr_array_new ();
  add (names, dv_sourcemap_map (map, file));
  if (g_path_is_absolute (file))
    add (names, g_strdup (file));
  for (; folders != NULL && *folders != NULL && !g_path_is_absolute (file);
       folders++) {
    char *joined = g_build_filename (*folders, file, NULL);
    add (names, dv_sourcemap_map (map, joined));
    add (names, joined);
  }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

char *
dv_sourcemap_pair (const char *file, const char *found)
{
  size_t a = strlen (file), b = strlen (found);
  size_t from = a, to = b;
  /* Back by one component of both at a time, as long as one is left.  */
  while (from > 0 && to > 0) {
    size_t n = 0;
    while (n < from && n < to && file[from - 1 - n] != '/'
           && file[from - 1 - n] == found[to - 1 - n])
      n++;
    bool is_same = n > 0 && from - n > 1 && to - n > 1
                   && file[from - 1 - n] == '/' && found[to - 1 - n] == '/';
    if (!is_same)
      break;
    from -= n + 1;
    to -= n + 1;
  }
  if (from == 0 || memchr (file, '=', from) != NULL)
    return NULL;
  return g_strdup_printf ("%.*s=%.*s", (int) from, file, (int) to, found);
}

char **
dv_sourcemap_with (const char *const *map, const char *pair)
{
  GPtrArray *pairs = g_ptr_array_new ();
  size_t n = from_length (pair);
  g_ptr_array_add (pairs, g_strdup (pair));
  for (; map != NULL && *map != NULL; map++)
    if (from_length (*map) != n || strncmp (*map, pair, n) != 0)
      g_ptr_array_add (pairs, g_strdup (*map));
  g_ptr_array_add (pairs, NULL);
  return (char **) g_ptr_array_free (pairs, FALSE);
}
