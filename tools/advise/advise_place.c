/* advise_place.c: where findings are, as editors and code hosts want it: paths
   that are relative to a folder of sources, and what identifies a finding in
   the next run.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "advise_place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- The root --------------------------------------------------------- */

static void
cut_slashes (char *path)
{
  size_t n = strlen (path);

  while (n > 0 && path[n - 1] == '/')
    path[--n] = '\0';
}

void
advise_root_init (struct advise_root *root, const char *folder)
{
  char *real;

  root->path = g_canonicalize_filename (folder != NULL ? folder : ".", NULL);
  real = realpath (root->path, NULL);
  root->real = g_strdup (real != NULL ? real : root->path);
  free (real);
  cut_slashes (root->path);
  cut_slashes (root->real);
}

void
advise_root_fini (struct advise_root *root)
{
  g_free (root->path);
  g_free (root->real);
}

/* What follows the folder in a path below it, or NULL.  */
static const char *
below (const char *folder, const char *path)
{
  size_t n = strlen (folder);

  return strncmp (path, folder, n) == 0 && path[n] == '/' && path[n + 1] != 0
           ? path + n + 1
           : NULL;
}

/* ---- Paths ------------------------------------------------------------ */

char *
advise_place_path (const struct advise_root *root,
                   const struct advise_code *code)
{
  const char *path = code->file != NULL ? code->file : code->module;
  const char *inside;
  char *plain, *result;

  if (path == NULL)
    return g_strdup ("unknown");
  if (path[0] != '/') {
    while (g_str_has_prefix (path, "./"))
      path += strspn (path + 1, "/") + 1;
    return g_strdup (path);
  }
  plain = g_canonicalize_filename (path, NULL);
  inside = below (root->path, plain);
  if (inside == NULL)
    inside = below (root->real, plain);
  result = g_strdup (inside != NULL ? inside : plain);
  g_free (plain);
  return result;
}

char *
advise_place_uri (const char *path)
{
  /* A colon would end the name of a scheme.  */
  char *text = g_uri_escape_string (path, "/!$&'()*+,;=@", FALSE), *uri;

  uri = path[0] == '/' ? g_strconcat ("file://", text, NULL) : g_strdup (text);
  g_free (text);
  return uri;
}

/* ---- Identity --------------------------------------------------------- */

/* "main (a.c:9)" -> "main (a.c)": without lines, which move.  */
static void
append_without_lines (GString *to, const char *text)
{
  for (; *text != '\0'; text++)
    if (*text == ':' && g_ascii_isdigit (text[1]))
      text += strspn (text + 1, "0123456789");
    else
      g_string_append_c (to, *text);
}

/* To be freed.  */
static char *
key_of (const struct advise_root *root, const struct advise_finding *finding)
{
  GString *key = g_string_new (finding->rule);
  char *path = advise_place_path (root, &finding->code);

  g_string_append_printf (
    key, "\n%s\n%s\n", path,
    finding->code.function != NULL ? finding->code.function : "");
  if (finding->memory != NULL)
    append_without_lines (key, finding->memory);
  g_free (path);
  return g_string_free (key, FALSE);
}

char *
advise_place_print (const struct advise_root *root, const GPtrArray *found,
                    guint i)
{
  const struct advise_finding *finding = found->pdata[i];
  char *key = key_of (root, finding), *whole, *print;
  unsigned before = 0;

  /* Those of one function are counted from its top: their order by cost may
     change from run to run.  */
  for (guint j = 0; j < found->len; j++) {
    const struct advise_finding *other = found->pdata[j];
    char *its = key_of (root, other);

    if (j != i && strcmp (its, key) == 0
        && (other->code.line < finding->code.line
            || (other->code.line == finding->code.line && j < i)))
      before++;
    g_free (its);
  }
  whole = g_strdup_printf ("%s\n%u", key, before);
  print = g_compute_checksum_for_string (G_CHECKSUM_SHA256, whole, -1);
  g_free (whole);
  g_free (key);
  return print;
}
