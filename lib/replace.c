/* replace.c: a file that is put in its place when it is complete.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
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

/* Links are followed here, by their names, so the kernel does not see who made
   them; but it may refuse to follow one, as that of another user in a folder
   where everybody may write.  What it refuses is not written to.  */
int
dg_output_reach (const char *path, struct dg_error *err)
{
  struct stat st;

  if (stat (path, &st) == 0 || errno == ENOENT || errno == ENOTDIR)
    return 0;
  return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
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
  g_free (file);
  return code;
}

const char *
dg_output_error (int error)
{
  return error == EFBIG ? "the limit of a file's size (ulimit -f) is reached"
                        : g_strerror (error);
}

/* ---- A file that gets its name at the end ---- */

/* As open made it, so that the process's umask holds.  */
#define AS_MADE ((mode_t) -1)

struct dg_output {
  char *path;              /* where links lead */
  char *name;              /* of the new file: in /proc, or beside path */
  int fd;                  /* -1: it is in its place */
  bool is_named;           /* it stands beside path, and is locked */
  mode_t mode;             /* that it shall have in the end, or AS_MADE */
};

static char *
name_beside (const char *path)
{
  return g_strdup_printf ("%s.%08x.tmp", path, g_random_int ());
}

/* Does another process have it, by a lock that goes with the process?  Where
   there are no locks, nobody can tell.  */
static bool
is_owned (int fd)
{
  return flock (fd, LOCK_EX | LOCK_NB) < 0;
}

static bool
is_still_named (int fd, const char *name)
{
  struct stat own, there;

  return fstat (fd, &own) == 0 && lstat (name, &there) == 0
         && own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

/* Is it the name of a new file for `base`, as name_beside makes them?  */
static bool
is_beside (const char *name, const char *base)
{
  size_t n = strlen (base);

  if (strncmp (name, base, n) != 0 || name[n] != '.'
      || strlen (name + n) != strlen (".01234567.tmp")
      || strcmp (name + n + 9, ".tmp") != 0)
    return false;
  for (unsigned i = 1; i <= 8; i++)
    if (!g_ascii_isxdigit (name[n + i]))
      return false;
  return true;
}

static void
remove_if_left (const char *name)
{
  int fd = open (name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
                         | O_NOCTTY);
  struct stat st;

  if (fd < 0)
    return;
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && !is_owned (fd)
      && is_still_named (fd, name))
    unlink (name);
  close (fd);
}

/* What was left by processes that were killed while they wrote `path`.  */
static void
remove_left (const char *path)
{
  char *folder = g_path_get_dirname (path), *base = g_path_get_basename (path);
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)) != NULL)
    if (is_beside (name, base)) {
      char *left = g_build_filename (folder, name, NULL);

      remove_if_left (left);
      g_free (left);
    }
  if (dir)
    g_dir_close (dir);
  g_free (folder);
  g_free (base);
}

/* What open may give it from the first moment on: never more than it will have
   in the end.  Its owner, we, may do what it takes to write it.  */
static mode_t
first_mode (const struct dg_output *output)
{
  return output->mode == AS_MADE ? 0666 : output->mode | S_IRUSR | S_IWUSR;
}

/* The process's umask, which umask(2) cannot tell without changing it for all
   threads; 0 if that cannot be known.  */
static mode_t
find_umask (void)
{
  static const char key[] = "\nUmask:";
  char *status = NULL, *at;
  mode_t mask = 0;

  if (g_file_get_contents ("/proc/self/status", &status, NULL, NULL)) {
    at = strstr (status, key);
    if (at)
      mask = strtoul (at + strlen (key), NULL, 8) & 0777;
  }
  g_free (status);
  return mask;
}

/* Some kernels apply no umask to a file without a name.  */
static void
apply_umask (int fd)
{
  struct stat st;
  mode_t mask;

  if (fstat (fd, &st) < 0 || (st.st_mode & 0777) != 0666)
    return;
  mask = find_umask ();
  if (mask & 0666)
    fchmod (fd, 0666 & ~mask);
}

static bool
open_unnamed (struct dg_output *output)
{
  char *folder = g_path_get_dirname (output->path);
  int again;

  output->fd = open (folder, O_RDWR | O_TMPFILE | O_CLOEXEC,
                     first_mode (output));
  g_free (folder);
  if (output->fd < 0)
    return false;
  if (output->mode == AS_MADE)
    apply_umask (output->fd);
  output->name = g_strdup_printf ("/proc/self/fd/%d", output->fd);
  /* It will get its name by way of /proc, which not every system shows.  */
  again = open (output->name, O_WRONLY | O_CLOEXEC);
  if (again >= 0) {
    close (again);
    return true;
  }
  close (output->fd);
  output->fd = -1;
  g_clear_pointer (&output->name, g_free);
  return false;
}

static bool
open_named (struct dg_output *output)
{
  int error;

  for (unsigned i = 0; i < ATTEMPTS; i++) {
    g_free (output->name);
    output->name = name_beside (output->path);
    output->fd = open (output->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
                       first_mode (output));
    if (output->fd < 0 && errno != EEXIST)
      break;
    if (output->fd < 0)
      continue;
    /* Before it was locked, another may have taken it for one that is left:
       has its lock, and removes it, or has removed it.  */
    if ((flock (output->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        && is_still_named (output->fd, output->name)) {
      output->is_named = true;
      return true;
    }
    close (output->fd);
    output->fd = -1;
    errno = EEXIST;
  }
  error = errno;
  g_clear_pointer (&output->name, g_free);
  errno = error;
  return false;
}

/* What it shall be: what was asked for, or else as what it replaces.  */
static void
choose_mode (struct dg_output *output, int mode)
{
  struct stat st;

  if (mode >= 0)
    output->mode = (mode_t) mode & 0666;
  else if (stat (output->path, &st) == 0 && S_ISREG (st.st_mode))
    output->mode = st.st_mode & 0777;
  else
    output->mode = AS_MADE;
}

/* Lets in whom it shall, as far as the file system does: what matters is that
   it lets in nobody else.  */
static int
set_mode (struct dg_output *output, struct dg_error *err)
{
  mode_t mode = first_mode (output);
  struct stat st;
  int error;

  if (output->mode == AS_MADE || fchmod (output->fd, mode) == 0)
    return 0;
  error = errno;
  if (fstat (output->fd, &st) == 0 && (st.st_mode & 0666 & ~mode) == 0)
    return 0;
  return dg_error_set (err, DG_ERR_IO, "its permissions cannot be set: %s",
                       g_strerror (error));
}

int
dg_output_open (const char *path, int mode, struct dg_output **out,
                struct dg_error *err)
{
  struct dg_output *output = g_try_new0 (struct dg_output, 1);
  int code;

  *out = NULL;
  if (!output)
    return dg_error_nomem (err);
  output->fd = -1;
  code = dg_output_reach (path, err);
  if (code == 0) {
    output->path = dg_output_path (path);
    choose_mode (output, mode);
    remove_left (output->path);
    if (!open_unnamed (output) && !open_named (output))
      code = dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
    else
      code = set_mode (output, err);
  }
  if (code < 0) {
    dg_output_close (output);
    return code;
  }
  *out = output;
  return 0;
}

int
dg_output_fd (const struct dg_output *output)
{
  return output->fd;
}

const char *
dg_output_name (const struct dg_output *output)
{
  return output->name;
}

/* Some failures are only told when a descriptor of the file is closed.  */
static int
flush (int fd)
{
  int other = fcntl (fd, F_DUPFD_CLOEXEC, 0);

  return other < 0 ? 0 : close (other);
}

/* Gives it a name: at once that which it shall have, or, where there is a file
   of that name, one beside it, in *name.  */
static int
give_name (struct dg_output *output, char **name)
{
  *name = NULL;
  if (linkat (AT_FDCWD, output->name, AT_FDCWD, output->path,
              AT_SYMLINK_FOLLOW) == 0)
    return 0;
  for (unsigned i = 0; i < ATTEMPTS && errno == EEXIST; i++) {
    g_free (*name);
    *name = name_beside (output->path);
    /* So that others do not take it for one that is left.  */
    flock (output->fd, LOCK_EX | LOCK_NB);
    if (linkat (AT_FDCWD, output->name, AT_FDCWD, *name, AT_SYMLINK_FOLLOW)
        == 0)
      return 0;
  }
  return -1;
}

int
dg_output_commit (struct dg_output *output, struct dg_error *err)
{
  char *name = NULL;
  int code = 0;

  if (flush (output->fd) < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", dg_output_error (errno));
  /* Till here its owner could write it.  */
  if (output->mode != AS_MADE && output->mode != first_mode (output))
    fchmod (output->fd, output->mode);
  if (output->is_named)
    name = g_strdup (output->name);
  else if (give_name (output, &name) < 0)
    code = dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  if (code == 0 && name && rename (name, output->path) < 0) {
    code = dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
    unlink (name);
  }
  g_free (name);
  output->is_named = false;
  close (output->fd);
  output->fd = -1;
  return code;
}

void
dg_output_close (struct dg_output *output)
{
  if (!output)
    return;
  if (output->is_named)
    unlink (output->name);
  if (output->fd >= 0)
    close (output->fd);
  g_free (output->name);
  g_free (output->path);
  g_free (output);
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
  int code;

  memset (replace, 0, sizeof *replace);
  replace->fd = -1;
  code = check_place (path, source, err);
  if (code == 0)
    code = dg_output_open (path, -1, &replace->output, err);
  if (code < 0)
    return code;
  replace->path = replace->output->path;
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
  replace->temporary = NULL;
  replace->fd = -1;
  return dg_output_commit (replace->output, err);
}

void
dg_replace_fini (struct dg_replace *replace)
{
  dg_output_close (replace->output);
  memset (replace, 0, sizeof *replace);
}
