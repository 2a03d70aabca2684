/* places.c: where the files are that a log names.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "places.h"

#include <glib.h>
#include <string.h>

#include "base/error.h"

int
dg_places_check (const char *const *source_map, struct dg_error *err)
{
  for (; source_map != NULL && *source_map != NULL; source_map++) {
    const char *sign = strchr (*source_map, '=');

    if (sign == NULL || sign == *source_map)
      return dg_error_set (err, DG_ERR_INVALID,
                           "source path '%.80s' is not of the form FROM=TO",
                           *source_map);
  }
  return 0;
}

static void
places_clear (gpointer data)
{
  struct dg_places_kept *places = data;

  g_free (places->sysroot);
  g_strfreev (places->debug_dirs);
  g_strfreev (places->source_map);
}

struct dg_places_kept *
dg_places_share (struct dg_places_kept *places)
{
  return places != NULL ? g_atomic_rc_box_acquire (places) : NULL;
}

void
dg_places_free (struct dg_places_kept *places)
{
  if (places != NULL)
    g_atomic_rc_box_release_full (places, places_clear);
}

/* "a:b"; NULL: the variable is not set, or empty.  */
static char **
texts_of (const char *name)
{
  const char *text = g_getenv (name);

  return text != NULL && text[0] != '\0' ? g_strsplit (text, ":", -1) : NULL;
}

struct dg_places_kept *
dg_places_new (void)
{
  const char *sysroot = g_getenv (DG_PLACES_SYSROOT);
  char **debug_dirs = texts_of (DG_PLACES_DEBUG_DIRS);
  char **source_map = texts_of (DG_PLACES_SOURCE_MAP);
  bool has_sysroot = sysroot != NULL && sysroot[0] != '\0';
  struct dg_places_kept *places;

  if (!has_sysroot && debug_dirs == NULL && source_map == NULL)
    return NULL;
  places = g_atomic_rc_box_new0 (struct dg_places_kept);
  places->sysroot = has_sysroot ? g_strdup (sysroot) : NULL;
  places->debug_dirs = debug_dirs != NULL ? debug_dirs : g_new0 (char *, 1);
  places->source_map = source_map != NULL ? source_map : g_new0 (char *, 1);
  return places;
}

static char **
copy_texts (const char *const *texts)
{
  return texts != NULL ? g_strdupv ((char **) texts) : g_new0 (char *, 1);
}

struct dg_places_kept *
dg_places_keep (const struct dg_places *places)
{
  struct dg_places_kept *kept = g_atomic_rc_box_new0 (struct dg_places_kept);

  kept->sysroot = g_strdup (places->sysroot);
  kept->debug_dirs = copy_texts (places->debug_dirs);
  kept->source_map = copy_texts (places->source_map);
  return kept;
}
