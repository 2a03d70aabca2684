/* foreign.c: what other users of the machine may have put in the way.

   Linux has the rule for links as fs.protected_symlinks, which can be off, and
   which does not see links that we follow ourselves.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "foreign.h"

#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

/* As many as the kernel follows.  */
#define LINKS_MAX 40

bool
dg_foreign_is_owner (uid_t owner)
{
  return owner != 0 && owner != geteuid ();
}

bool
dg_foreign_is_writable (const struct stat *status)
{
  return dg_foreign_is_owner (status->st_uid) || (status->st_mode & S_IWOTH);
}

bool
dg_foreign_may_replace (const struct stat *folder)
{
  return dg_foreign_is_owner (folder->st_uid)
         || ((folder->st_mode & S_IWOTH) && !(folder->st_mode & S_ISVTX));
}

/* A way that is followed component by component.  */
struct way {
  char *done;              /* without links */
  char *rest;              /* still to go */
};

static void
way_set (struct way *way, const char *target, const char *rest)
{
  char *all = g_strconcat (target, "/", rest, NULL);

  g_free (way->rest);
  way->rest = all;
  if (all[0] == '/') {
    g_free (way->done);
    way->done = g_strdup ("/");
  }
}

/* The next component, taken from what is still to go; to be freed.  NULL: that
   was all.  */
static char *
way_next (struct way *way)
{
  const char *at = way->rest + strspn (way->rest, "/");
  size_t n = strcspn (at, "/");
  char *name = n > 0 ? g_strndup (at, n) : NULL, *rest = g_strdup (at + n);

  g_free (way->rest);
  way->rest = rest;
  return name;
}

static bool
is_bad_link (const char *folder, const struct stat *link, bool is_beside)
{
  struct stat status;

  if (link->st_uid == geteuid ())
    return false;
  if (stat (folder, &status) < 0)
    return true;
  if ((status.st_mode & S_IWOTH) && link->st_uid != status.st_uid)
    return true;
  return is_beside && link->st_uid != 0;
}

int
dg_foreign_check_links (const char *path, bool is_beside,
                        struct dg_error *err)
{
  struct way way = { g_get_current_dir (), NULL };
  unsigned links = 0;
  int code = 0;
  char *name;

  way_set (&way, path[0] == '/' ? "" : ".", path);
  while (code == 0 && (name = way_next (&way)) != NULL) {
    char *at = g_build_filename (way.done, name, NULL), *target = NULL;
    bool is_last = way.rest[strspn (way.rest, "/")] == '\0';
    struct stat status;

    if (strcmp (name, "..") == 0) {
      g_free (at);
      at = g_path_get_dirname (way.done);
    } else if (strcmp (name, ".") == 0) {
      g_free (at);
      at = g_strdup (way.done);
    } else if (lstat (at, &status) == 0 && S_ISLNK (status.st_mode)) {
      if (is_bad_link (way.done, &status, is_beside && is_last))
        code = dg_error_set (err, DG_ERR_IO,
                             "%s is a link that another user has made", at);
      /* The kernel does not go round for ever either.  */
      else if (links++ < LINKS_MAX)
        target = g_file_read_link (at, NULL);
    }
    if (target) {
      way_set (&way, target, way.rest);
      g_free (at);
    } else {
      g_free (way.done);
      way.done = at;
    }
    g_free (target);
    g_free (name);
  }
  g_free (way.done);
  g_free (way.rest);
  return code;
}
