/* symbols_names.c: names as people write them: demangled functions, cleaned
   and mapped paths of sources, every string once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_names.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

void
dg_names_init (struct dg_names *names, const char *const *source_paths)
{
  GPtrArray *from = g_ptr_array_new (), *to = g_ptr_array_new ();

  for (; source_paths != NULL && *source_paths != NULL; source_paths++) {
    const char *sign = strchr (*source_paths, '=');

    if (sign == NULL || sign == *source_paths)
      continue;
    g_ptr_array_add (
      from, g_strndup (*source_paths, (gsize) (sign - *source_paths)));
    g_ptr_array_add (to, g_strdup (sign + 1));
  }
  g_ptr_array_add (from, NULL);
  g_ptr_array_add (to, NULL);
  names->source_from = (char **) g_ptr_array_free (from, FALSE);
  names->source_to = (char **) g_ptr_array_free (to, FALSE);
  names->strings = g_string_chunk_new (16384);
  g_mutex_init (&names->lock);
}

void
dg_names_fini (struct dg_names *names)
{
  g_strfreev (names->source_from);
  g_strfreev (names->source_to);
  if (names->strings != NULL)
    g_string_chunk_free (names->strings);
  g_mutex_clear (&names->lock);
}

const char *
dg_names_intern (struct dg_names *names, const char *text)
{
  const char *interned;

  if (text == NULL)
    return NULL;
  g_mutex_lock (&names->lock);
  interned = g_string_chunk_insert_const (names->strings, text);
  g_mutex_unlock (&names->lock);
  return interned;
}

/* Takes Valgrind's encoding of characters out of a name.  */
static char *
decode_z (const char *text)
{
  static const char from[] = "acduhspASZDLRP", to[] = "*:._- +@/Z$()%";
  GString *plain = g_string_new (NULL);

  for (; *text != '\0'; text++) {
    const char *code =
      text[0] == 'Z' && text[1] != '\0' ? strchr (from, text[1]) : NULL;

    if (code == NULL) {
      g_string_append_c (plain, *text);
    } else {
      g_string_append_c (plain, to[code - from]);
      text++;
    }
  }
  return g_string_free (plain, FALSE);
}

/* Valgrind names its replacement of a function _vgr, five digits, ZU or ZZ,
   and then the library and the function; ZZ: both are encoded.  NULL if the
   symbol is not of that kind.  */
static char *
replaced_function (const char *symbol)
{
  const char *function;

  if (strncmp (symbol, "_vgr", 4) != 0 && strncmp (symbol, "_vgw", 4) != 0)
    return NULL;
  for (int i = 4; i < 9; i++)
    if (!g_ascii_isdigit (symbol[i]))
      return NULL;
  if (symbol[9] != 'Z' || (symbol[10] != 'U' && symbol[10] != 'Z')
      || symbol[11] != '_')
    return NULL;
  function = strchr (symbol + 12, '_');
  if (function == NULL || function[1] == '\0')
    return NULL;
  return symbol[10] == 'Z' ? decode_z (function + 1) : g_strdup (function + 1);
}

static const char *
demangle (struct dg_names *names, const char *symbol, int options)
{
  const char *name;
  char *demangled, *replaced;

  if (symbol == NULL || symbol[0] != '_')
    return dg_names_intern (names, symbol);
  replaced = replaced_function (symbol);
  if (replaced != NULL)
    symbol = replaced;
  demangled =
    cplus_demangle (symbol, options | DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO);
  name = dg_names_intern (names, demangled != NULL ? demangled : symbol);
  free (demangled);
  g_free (replaced);
  return name;
}

/* How long a symbol is without its version: "wait@@GLIBC_2.34".  */
static size_t
unversioned_length (const char *symbol)
{
  const char *sign = strchr (symbol, '@');

  return sign != NULL && sign != symbol ? (size_t) (sign - symbol)
                                        : strlen (symbol);
}

/* Versions are left out, since they are in no source; and return types: only
   templates have one in their mangled name, and it would stand before the name
   that a person looks for.  */
const char *
dg_names_symbol (struct dg_names *names, const char *symbol)
{
  char *replaced, *plain;
  const char *name;

  if (symbol == NULL || symbol[0] == '\0')
    return dg_names_intern (names, symbol);
  replaced = replaced_function (symbol);
  if (replaced != NULL)
    symbol = replaced;
  plain = g_strndup (symbol, unversioned_length (symbol));
  name = demangle (names, plain, DMGL_RET_DROP);
  g_free (plain);
  g_free (replaced);
  return name;
}

const char *
dg_names_symbol_full (struct dg_names *names, const char *symbol)
{
  return demangle (names, symbol, 0);
}

/* Takes out "." and empty components.  ".." stays: what it leads to depends
   on symbolic links.  */
static void
clean_path (char *path)
{
  char *to = path;
  const char *from = path;

  while (*from != '\0') {
    bool at_start = to == path || to[-1] == '/';

    if (at_start && from[0] == '.' && from[1] == '/' && from[2] != '\0')
      from += 2;
    else if (at_start && to != path && *from == '/')
      from++;
    else
      *to++ = *from++;
  }
  *to = '\0';
}

static char *
map_path (const struct dg_names *names, const char *path)
{
  for (size_t i = 0; names->source_from[i] != NULL; i++) {
    const char *from = names->source_from[i];
    size_t n = strlen (from);

    if (strncmp (path, from, n) == 0
        && (path[n] == '\0' || path[n] == '/' || from[n - 1] == '/'))
      return g_strconcat (names->source_to[i], path + n, NULL);
  }
  return g_strdup (path);
}

const char *
dg_names_source (struct dg_names *names, const char *dir, const char *file)
{
  char *joined, *mapped;
  const char *name;

  if (file == NULL || file[0] == '\0' || strcmp (file, "???") == 0)
    return NULL;
  if (file[0] != '/' && dir != NULL && dir[0] == '/')
    joined = g_strconcat (dir, "/", file, NULL);
  else
    joined = g_strdup (file);
  clean_path (joined);
  mapped = map_path (names, joined);
  name = dg_names_intern (names, mapped);
  g_free (joined);
  g_free (mapped);
  return name;
}
