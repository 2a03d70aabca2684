/* replace.c: a file that is written beside its place, under a name of its
   own, and put there when it is complete.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

#define ATTEMPTS  100
/* As many as the kernel follows.  */
#define LINKS_MAX 40

/* ---- Where to ---- */

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
    code = dg_error_set (err, DG_ERR_IO, "no file can be made in %s: %s",
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
  g_free (file);
  return code;
}

/* ---- Writing ---- */

/* May a file be put there?  */
static int
check_place (const char *path, const struct dg_source *source,
             struct dg_error *err)
{
  struct stat there, input;

  if (stat (path, &there) < 0)
    return errno == ENOENT ? 0 : dg_error_set (err, DG_ERR_IO, "%s",
                                               g_strerror (errno));
  if (!S_ISREG (there.st_mode))
    return dg_error_set (err, DG_ERR_INVALID, "not a regular file");
  if (source->fd >= 0 && fstat (source->fd, &input) == 0
      && input.st_dev == there.st_dev && input.st_ino == there.st_ino)
    return dg_error_set (err, DG_ERR_INVALID,
                         "input and output are the same file");
  return 0;
}

int
dg_replace_begin (struct dg_replace *replace, const char *path,
                  const struct dg_source *source, struct dg_error *err)
{
  int code, fd = -1;

  memset (replace, 0, sizeof *replace);
  code = check_place (path, source, err);
  if (code < 0)
    return code;
  replace->path = dg_output_path (path);
  /* By open, so that the process's umask holds.  */
  for (unsigned i = 0; i < ATTEMPTS && fd < 0; i++) {
    g_free (replace->temporary);
    replace->temporary = g_strdup_printf ("%s.%08x.tmp", replace->path,
                                          g_random_int ());
    fd = open (replace->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
               0666);
    if (fd < 0 && errno != EEXIST)
      break;
  }
  if (fd >= 0) {
    close (fd);
    return 0;
  }
  code = dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  g_clear_pointer (&replace->temporary, g_free);
  dg_replace_fini (replace);
  return code;
}

const char *
dg_output_error (int error)
{
  return error == EFBIG ? "the limit of a file's size (ulimit -f) is reached"
                        : g_strerror (error);
}

int
dg_replace_write (int fd, const void *bytes, size_t n, struct dg_error *err)
{
  const uint8_t *at = bytes;

  while (n > 0) {
    ssize_t got = write (fd, at, n);

    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return dg_error_set (err, DG_ERR_IO, "%s",
                           dg_output_error (got < 0 ? errno : ENOSPC));
    at += got;
    n -= got;
  }
  return 0;
}

int
dg_replace_commit (struct dg_replace *replace, struct dg_error *err)
{
  if (rename (replace->temporary, replace->path) < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  g_clear_pointer (&replace->temporary, g_free);
  return 0;
}

void
dg_replace_fini (struct dg_replace *replace)
{
  if (replace->temporary)
    unlink (replace->temporary);
  g_free (replace->temporary);
  g_free (replace->path);
  memset (replace, 0, sizeof *replace);
}
