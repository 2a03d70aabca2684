/* replace_place.c: checks whether a file can be replaced or created.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "replace_place.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "foreign.h"

/* As many as the kernel follows.  */
#define LINKS_MAX 40

char *
dg_output_path (const char *path)
{
  char *at = g_strdup (path);

  for (unsigned i = 0; i < LINKS_MAX; i++) {
    char *target = g_file_read_link (at, NULL), *folder, *next;

    if (!target)
      return at;
    folder = g_path_get_dirname (at);
    next = g_path_is_absolute (target) ? g_strdup (target)
                                       : g_build_filename (folder, target,
                                                           NULL);
    g_free (folder);
    g_free (target);
    g_free (at);
    at = next;
  }
  /* In a circle: opening it fails and tells.  */
  g_free (at);
  return g_strdup (path);
}

/* Links are followed here, by their names, so the kernel does not see who made
   them.  What it would refuse to follow is not written to, nor what leads over
   another user's link in a folder where everybody may write.  */
int
dg_output_reach (const char *path, struct dg_error *err)
{
  struct stat st;

  if (stat (path, &st) < 0 && errno != ENOENT && errno != ENOTDIR)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  return dg_foreign_check_links (path, false, err);
}

int
dg_replace_check_owner (const char *path, struct dg_error *err)
{
  char *folder = g_path_get_dirname (path);
  uid_t user = geteuid ();
  struct stat there, st;
  int code = 0;

  if (user != 0 && stat (path, &there) == 0 && there.st_uid != user
      && stat (folder, &st) == 0 && (st.st_mode & S_ISVTX)
      && st.st_uid != user)
    code = dg_error_set (err, DG_ERR_IO,
                         "it belongs to another user, and %s does not let "
                         "others replace it", folder);
  g_free (folder);
  return code;
}

static int
check_folder (const char *path, struct dg_error *err)
{
  char *folder = g_path_get_dirname (path);
  struct stat st;
  int code = 0;

  if (stat (folder, &st) < 0)
    code = errno == ENOENT
             ? dg_error_set (err, DG_ERR_IO, "there is no folder %s", folder)
             : dg_error_set (err, DG_ERR_IO, "%s: %s", folder,
                             g_strerror (errno));
  else if (!S_ISDIR (st.st_mode))
    code = dg_error_set (err, DG_ERR_IO, "%s is not a folder", folder);
  else if (access (folder, W_OK | X_OK) < 0)
    code = dg_error_set (err, DG_ERR_IO, "no file can be created in %s: %s",
                         folder, g_strerror (errno));
  g_free (folder);
  return code;
}

static const char *
kind_of (mode_t mode)
{
  return S_ISDIR (mode) ? "a folder" : S_ISFIFO (mode) ? "a pipe"
         : S_ISSOCK (mode) ? "a socket" : "a device";
}

int
dg_output_check (const char *path, bool may_be_device, struct dg_error *err)
{
  char *file = dg_output_path (path);
  struct stat st;
  int code = 0;

  if (path[0] && path[strlen (path) - 1] == '/')
    code = dg_error_set (err, DG_ERR_IO, "that is the name of a folder");
  else if (dg_output_reach (path, err) < 0)
    code = DG_ERR_IO;
  else if (stat (file, &st) < 0)
    code = errno == ENOENT || errno == ENOTDIR
             ? check_folder (file, err)
             : dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  else if (!S_ISREG (st.st_mode) && !(may_be_device && S_ISCHR (st.st_mode)))
    code = dg_error_set (err, DG_ERR_IO, "it is %s, not a regular file",
                         kind_of (st.st_mode));
  else if (access (file, W_OK) < 0)
    code = dg_error_set (err, DG_ERR_IO, "it cannot be written to: %s",
                         g_strerror (errno));
  else if (S_ISREG (st.st_mode))
    code = dg_replace_check_owner (file, err);
  g_free (file);
  return code;
}

const char *
dg_output_error (int error)
{
  return error == EFBIG ? "the file size limit (ulimit -f) is reached"
                        : g_strerror (error);
}
