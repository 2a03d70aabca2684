/* replace.c: a log that is written beside its place, and put there when it is
   complete.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

static bool
is_same (const struct stat *one, const struct stat *other)
{
  return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

bool
dg_replace_is_standard (const char *path)
{
  struct stat there, out;

  return strcmp (path, "-") == 0
         || (stat (path, &there) == 0 && fstat (STDOUT_FILENO, &out) == 0
             && is_same (&there, &out));
}

/* May a file be put there?  */
static int
check_place (const struct stat *there, bool is_stream,
             const struct dg_source *source, struct dg_error *err)
{
  struct stat input;

  if (!is_stream && !S_ISREG (there->st_mode))
    return dg_error_set (err, DG_ERR_INVALID, "not a regular file");
  if (S_ISREG (there->st_mode) && source->fd >= 0
      && fstat (source->fd, &input) == 0 && is_same (&input, there))
    return dg_error_set (err, DG_ERR_INVALID,
                         "input and output are the same file");
  return 0;
}

/* What standard output has stays, and more comes behind it, as the shell was
   told.  */
static int
begin_stream (struct dg_replace *replace, bool is_archive,
              const struct dg_source *source, struct dg_error *err)
{
  struct stat out;
  int code;

  if (is_archive)
    return dg_error_set (err, DG_ERR_INVALID,
                         "an archive cannot be written to standard output, "
                         "only to a regular file");
  if (fstat (STDOUT_FILENO, &out) < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  if (isatty (STDOUT_FILENO))
    return dg_error_set (err, DG_ERR_INVALID,
                         "a log is not written to a terminal");
  code = check_place (&out, true, source, err);
  if (code < 0)
    return code;
  replace->fd = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  return replace->fd >= 0 ? 0 : dg_error_set (err, DG_ERR_IO, "%s",
                                              g_strerror (errno));
}

int
dg_replace_begin (struct dg_replace *replace, const char *path,
                  bool is_archive, const struct dg_source *source,
                  struct dg_error *err)
{
  struct stat there;
  int code = 0, mode = -1;

  memset (replace, 0, sizeof *replace);
  replace->fd = -1;
  if (dg_replace_is_standard (path))
    return begin_stream (replace, is_archive, source, err);
  if (stat (path, &there) == 0)
    code = check_place (&there, false, source, err);
  else if (errno == ENOENT)
    mode = DG_LOG_MODE;
  else
    code = dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  if (code == 0)
    code = dg_output_open (path, mode, &replace->output, err);
  if (code < 0)
    return code;
  replace->path = dg_output_path (path);
  replace->fd = dg_output_fd (replace->output);
  replace->temporary = dg_output_name (replace->output);
  return 0;
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
  int fd = replace->fd;

  if (!replace->output) {
    replace->fd = -1;
    return close (fd) == 0 ? 0 : dg_error_set (err, DG_ERR_IO, "%s",
                                               dg_output_error (errno));
  }
  replace->temporary = NULL;
  replace->fd = -1;
  return dg_output_commit (replace->output, err);
}

void
dg_replace_fini (struct dg_replace *replace)
{
  if (!replace->output && replace->fd > STDERR_FILENO)
    close (replace->fd);
  dg_output_close (replace->output);
  g_free (replace->path);
  memset (replace, 0, sizeof *replace);
}

int
dg_output_save (const char *path, const void *bytes, size_t n,
                struct dg_error *err)
{
  struct dg_output *output = NULL;
  int code = dg_output_check (path, false, err);

  if (code == 0)
    code = dg_output_open (path, -1, &output, err);
  if (code == 0)
    code = dg_replace_write (dg_output_fd (output), bytes, n, err);
  if (code == 0)
    code = dg_output_commit (output, err);
  dg_output_close (output);
  return code;
}
