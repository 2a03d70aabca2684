/* plugin.c: analyses in shared objects.

   A plug-in is linked with nothing of ours; what it calls it finds in the
   program that loads it, or in the library which that is linked with.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <dlfcn.h>
#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "dg_analysis.h"
#include "base/error.h"
#include "base/foreign.h"
#include "base/installed.h"

#define SUFFIX ".so"

/* A library that was itself loaded by a program (of a language that binds it)
   is not seen by what is loaded next, unless it is made global.  */
static void
show_library (void)
{
  Dl_info info;

  if (dladdr ((void *) (uintptr_t) dg_plugin_load, &info) && info.dli_fname)
    dlopen (info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

static bool
is_name (const char *name)
{
  return name && *name
         && name[strspn (name, "abcdefghijklmnopqrstuvwxyz0123456789_-")]
              == '\0';
}

/* Whether it is what this library can run.  Nothing behind `size` is looked at
   before that is known to be right.  */
static int
check (const struct dg_analysis *analysis, const char *path,
       struct dg_error *err)
{
  if (!analysis)
    return dg_error_set (err, DG_ERR_INVALID,
                         "%s: DG_PLUGIN has no analysis", path);
  if (analysis->version != DG_ANALYSIS_VERSION)
    return dg_error_set (err, DG_ERR_VERSION,
                         "%s: compiled for version %u of dg_analysis.h, but "
                         "this is version %d: recompile it",
                         path, analysis->version, DG_ANALYSIS_VERSION);
  if (analysis->size != sizeof *analysis)
    return dg_error_set (err, DG_ERR_VERSION,
                         "%s: its struct dg_analysis has %u bytes, not %zu: "
                         "recompile it",
                         path, analysis->size, sizeof *analysis);
  if (!is_name (analysis->name) || !analysis->summary)
    return dg_error_set (err, DG_ERR_INVALID,
                         "%s: its analysis needs a name of a-z, 0-9, _ and -, "
                         "and a summary", path);
  if (!analysis->create || !analysis->plan || !analysis->shard_new
      || !analysis->shard_feed || !analysis->report || !analysis->free)
    return dg_error_set (err, DG_ERR_INVALID,
                         "%s: %s lacks create, plan, shard_new, shard_feed, "
                         "report or free", path, analysis->name);
  return 0;
}

const struct dg_analysis *
dg_plugin_load (const char *path, struct dg_error *err)
{
  /* Without a '/', dlopen would look for libraries.  */
  char *file = strchr (path, '/') ? g_strdup (path)
                                  : g_strconcat ("./", path, NULL);
  const struct dg_analysis *const *place = NULL;
  const struct dg_analysis *analysis = NULL;
  void *object = NULL;

  show_library ();
  if (g_access (file, R_OK) < 0) {
    dg_error_set (err, DG_ERR_IO, "%s: %s", path, g_strerror (errno));
    goto out;
  }
  object = dlopen (file, RTLD_NOW | RTLD_LOCAL);
  if (!object) {
    const char *why = dlerror ();

    /* It begins with the path.  */
    if (why && g_str_has_prefix (why, file)
        && g_str_has_prefix (why + strlen (file), ": "))
      why += strlen (file) + 2;
    dg_error_set (err, DG_ERR_INVALID, "%s: cannot be loaded: %s", path,
                  why ? why : "no reason given");
    goto out;
  }
  place = dlsym (object, DG_PLUGIN_SYMBOL);
  if (!place)
    dg_error_set (err, DG_ERR_INVALID,
                  "%s: not a Datagrind plug-in: it has no DG_PLUGIN", path);
  else if (check (*place, path, err) == 0)
    analysis = *place;

out:
  if (object && !analysis)
    dlclose (object);
  g_free (file);
  return analysis;
}

int
dg_plugin_check (const char *path, struct dg_error *err)
{
  char *folder = g_path_get_dirname (path);
  struct stat file, there;
  int code = 0;

  if (stat (path, &file) < 0 || stat (folder, &there) < 0)
    code = dg_error_set (err, DG_ERR_IO, "%s: %s", path, g_strerror (errno));
  else if (dg_foreign_is_writable (&file) || dg_foreign_may_replace (&there))
    code = dg_error_set (err, DG_ERR_INVALID,
                         "%s: not loaded: another user may write it, or what "
                         "is in its folder",
                         path);
  g_free (folder);
  return code;
}

/* ---- Where they are ---- */

static int
by_name (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Those of one directory, which need not exist.  */
static int
list_directory (const char *directory,
                int (*found) (void *user, const char *path), void *user)
{
  GDir *dir = g_dir_open (directory, 0, NULL);
  GPtrArray *paths;
  const char *name;
  int code = 0;

  if (!dir)
    return 0;
  paths = g_ptr_array_new_with_free_func (g_free);
  while ((name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, SUFFIX) && *name != '.')
      g_ptr_array_add (paths, g_build_filename (directory, name, NULL));
  g_dir_close (dir);
  g_ptr_array_sort (paths, by_name);
  for (guint i = 0; i < paths->len && code >= 0; i++)
    code = found (user, paths->pdata[i]);
  g_ptr_array_unref (paths);
  return MIN (code, 0);
}

int
dg_plugin_list (int (*found) (void *user, const char *path), void *user)
{
  const char *path = g_getenv ("DATAGRIND_PLUGIN_PATH");
  char **directories = g_strsplit (path ? path : "", ":", -1);
  char *own = dg_installed (DG_PLUGIN_DIR);
  int code = 0;

  for (char **each = directories; *each && code == 0; each++)
    if (**each)
      code = list_directory (*each, found, user);
  g_strfreev (directories);
  if (code >= 0)
    code = list_directory (own, found, user);
  g_free (own);
  return code;
}
