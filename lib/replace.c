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

#define ATTEMPTS 100

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
  replace->path = g_strdup (path);
  /* By open, so that the process's umask holds.  */
  for (unsigned i = 0; i < ATTEMPTS && fd < 0; i++) {
    g_free (replace->temporary);
    replace->temporary = g_strdup_printf ("%s.%08x.tmp", path,
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
                           g_strerror (got < 0 ? errno : ENOSPC));
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
