/* replace_output.c: a file that gets its name when it is complete.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "replace_place.h"

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
#include "replace.h"
#include "replace_beside.h"

#define ATTEMPTS  100
/* Bytes that are copied at a time.  */
#define COPY_BYTES (1024 * 1024)

/* As open made it, so that the process's umask holds.  */
#define AS_MADE ((mode_t) -1)

struct dg_output {
  char *path;              /* where links lead */
  char *name;              /* of the new file: in /proc, or beside path */
  int fd;                  /* -1: it is in its place */
  bool is_named;           /* it stands beside path, and is locked */
  mode_t mode;             /* that it shall have in the end, or AS_MADE */
};

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
    output->name = dg_beside_name (output->path);
    output->fd = open (output->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
                       first_mode (output));
    if (output->fd < 0 && errno != EEXIST)
      break;
    if (output->fd < 0)
      continue;
    /* Before it was locked, another may have taken it for one that is left:
       has its lock, and removes it, or has removed it.  */
    if ((flock (output->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        && dg_beside_is_still (output->fd, output->name)) {
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
    /* Another user does not say that all may write what will be ours.  */
    output->mode = st.st_mode & (st.st_uid == geteuid () ? 0777 : 0755);
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
    code = dg_replace_check_owner (output->path, err);
  }
  if (code == 0) {
    dg_beside_remove_left (output->path);
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

int
dg_replace_sync (int fd)
{
  /* What cannot be synchronized says EINVAL, and some file systems that they
     know of no such thing.  */
  return fsync (fd) == 0 || errno == EINVAL || errno == ENOSYS
             || errno == EOPNOTSUPP
           ? 0
           : -1;
}

/* All of it is on the disk before it gets its name: otherwise a power loss
   could leave the name of a whole file with nothing in it.  Some failures are
   only told here, or when a descriptor of the file is closed.  */
static int
flush (int fd)
{
  int other;

  if (dg_replace_sync (fd) < 0)
    return -1;
  other = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  return other < 0 ? 0 : close (other);
}

static int
copy_bytes (int from, int to)
{
  char *bytes = g_try_malloc (COPY_BYTES);
  off_t at = 0;
  ssize_t n = -1, written;

  errno = ENOMEM;
  while (bytes && (n = pread (from, bytes, COPY_BYTES, at)) > 0) {
    at += n;
    for (ssize_t done = 0; done < n; done += written)
      if ((written = write (to, bytes + done, (size_t) (n - done))) < 0) {
        g_free (bytes);
        return -1;
      }
  }
  g_free (bytes);
  return n < 0 ? -1 : 0;
}

/* Where the system gives no name to a file that has none: a copy that has had
   one from the beginning.  */
static int
copy_beside (struct dg_output *output, char **name)
{
  struct dg_output copy = { .path = output->path, .mode = output->mode,
                            .fd = -1 };
  int error = errno;

  if (!open_named (&copy)) {
    errno = error;
    return -1;
  }
  if (copy_bytes (output->fd, copy.fd) < 0 || flush (copy.fd) < 0) {
    error = errno;
    unlink (copy.name);
    close (copy.fd);
    g_free (copy.name);
    errno = error;
    return -1;
  }
  if (output->mode != AS_MADE)
    fchmod (copy.fd, output->mode);
  close (output->fd);
  output->fd = copy.fd;
  g_free (*name);
  *name = copy.name;
  return 0;
}

/* Gives it a name: at once the one that it shall have, or, where there is a
   file of that name, one beside it, in *name.  */
static int
give_name (struct dg_output *output, char **name)
{
  *name = NULL;
  if (linkat (AT_FDCWD, output->name, AT_FDCWD, output->path,
              AT_SYMLINK_FOLLOW) == 0)
    return 0;
  for (unsigned i = 0; i < ATTEMPTS && errno == EEXIST; i++) {
    g_free (*name);
    *name = dg_beside_name (output->path);
    /* So that others do not take it for one that is left.  */
    flock (output->fd, LOCK_EX | LOCK_NB);
    if (linkat (AT_FDCWD, output->name, AT_FDCWD, *name, AT_SYMLINK_FOLLOW)
        == 0)
      return 0;
  }
  return copy_beside (output, name);
}

/* A name that nobody has, to keep what was written: beside the path or, if it
   cannot be there, in the folder for temporary files.  It is `name` now, or
   has no name if that is NULL.  NULL: it is lost.  */
static char *
keep (struct dg_output *output, const char *name)
{
  char *base = g_path_get_basename (output->path);
  char *path = name ? g_strdup (output->path)
                    : g_build_filename (g_get_tmp_dir (), base, NULL);
  char *kept = NULL;
  int fd = -1;

  for (unsigned i = 1; i <= ATTEMPTS && fd < 0; i++) {
    char *suffix = i == 1 ? g_strdup (".kept")
                          : g_strdup_printf (".kept-%u", i);

    g_free (kept);
    kept = dg_beside_suffix (path, suffix);
    g_free (suffix);
    fd = open (kept, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
               0600);
    if (fd < 0 && errno != EEXIST)
      break;
  }
  if (fd < 0
      || (name ? rename (name, kept) : copy_bytes (output->fd, fd)) < 0) {
    if (fd >= 0)
      unlink (kept);
    g_clear_pointer (&kept, g_free);
  }
  if (fd >= 0)
    close (fd);
  g_free (path);
  g_free (base);
  return kept;
}

/* It is not in its place, because of `error`, but all that was to be written
   is there.  */
static int
tell_kept (struct dg_output *output, const char *name, int error,
           struct dg_error *err)
{
  char *kept = keep (output, name);
  int code = kept ? dg_error_set (err, DG_ERR_IO,
                                  "%s; what was written is kept as %s",
                                  g_strerror (error), kept)
                  : dg_error_set (err, DG_ERR_IO, "%s", g_strerror (error));

  if (!kept && name)
    unlink (name);
  g_free (kept);
  return code;
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
    code = tell_kept (output, NULL, errno, err);
  if (code == 0 && name && rename (name, output->path) < 0)
    code = tell_kept (output, name, errno, err);
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
