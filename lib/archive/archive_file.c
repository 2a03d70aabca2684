/* archive_file.c: the file of an archive that has its name while it is
   written: a new one, or in the place of one that is there.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/replace.h"
#include "base/replace_beside.h"

/* How long one waits for a lock that is held for an instant.  */
#define LOCK_TRIES   2000
#define LOCK_WAIT_US 1000

/* Is the file that `path` names this one?  */
static bool
is_named (const char *path, int fd)
{
  struct stat a, b;

  return fstat (fd, &a) == 0 && stat (path, &b) == 0 && a.st_dev == b.st_dev
         && a.st_ino == b.st_ino;
}

/* Locks the file, unless another process writes it: that one has the same
   lock.  Who only asks whether anybody writes it has a shared one for an
   instant, which is waited for.  Where file systems have no locks there is
   none.  */
static bool
lock_file (int fd)
{
  for (unsigned tries = 0; tries < LOCK_TRIES; tries++) {
    if (flock (fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
      return true;
    if (flock (fd, LOCK_SH | LOCK_NB) < 0)
      return false;
    flock (fd, LOCK_UN);
    g_usleep (LOCK_WAIT_US);
  }
  return false;
}

/* Another user's file, where everybody may make files: who made it would have
   it, whatever is written.  */
static bool
is_planted (const char *path, const struct stat *status)
{
  char *folder = g_path_get_dirname (path);
  struct stat there;
  bool is_open = stat (folder, &there) < 0 || (there.st_mode & S_IWOTH);

  g_free (folder);
  return status->st_uid != geteuid () && is_open;
}

/* Makes a file that will take the place of the one that is at `path`, which
   stays what it was until then.  */
static bool
make_beside (const char *path, struct dg_archive_file *file)
{
  char *name;
  int fd, error;

  dg_beside_remove_left (path);
  name = dg_beside_name (path);
  fd = open (name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, DG_LOG_MODE);
  error = errno;
  /* Another may have taken it for one that is left.  */
  if (fd >= 0 && lock_file (fd) && dg_beside_is_still (fd, name)) {
    file->fd = fd;
    file->temporary = name;
    return true;
  }
  if (fd >= 0) {
    unlink (name);
    close (fd);
    error = EAGAIN;
  }
  g_free (name);
  errno = error;
  return false;
}

/* A file that is there already, opened as fd: 1 if there is one to be put in
   its place, 0 if it is to be used again, empty; or an error.  Who has it open
   keeps what it read; who writes it keeps it.  */
static int
take_over (const char *path, int fd, struct dg_archive_file *file,
           struct dg_error *err)
{
  struct stat status, link;

  if (fstat (fd, &status) < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  if (!S_ISREG (status.st_mode))
    return dg_error_set (err, DG_ERR_IO, "not a regular file");
  if (!lock_file (fd))
    return dg_error_set (err, DG_ERR_IO, "another process is writing it");
  /* Other names of it shall see what becomes of it.  */
  if (status.st_nlink == 1 && lstat (path, &link) == 0
      && link.st_ino == status.st_ino) {
    if (make_beside (path, file))
      return 1;
    /* Where a folder or a name lets nothing stand beside it.  */
    if (errno != EACCES && errno != EPERM && errno != EROFS
        && errno != ENAMETOOLONG)
      return dg_error_set (err, DG_ERR_IO, "%s", dg_output_error (errno));
  }
  if (is_planted (path, &status))
    return dg_error_set (err, DG_ERR_IO, "it belongs to another user");
  if (ftruncate (fd, 0) < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  return 0;
}

int
dg_archive_file_open (const char *path, struct dg_archive_file *file,
                      struct dg_error *err)
{
  int fd, code;

  /* More than once only if others do the same at this moment.  */
  for (unsigned tries = 0; tries < 100; tries++) {
    fd = open (path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0) {
      code = take_over (path, fd, file, err);
      if (code == 0)
        return file->fd = fd;
      close (fd);
      if (code != 0)
        return code;
    } else if (errno != ENOENT) {
      return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
    }
    /* A link that leads nowhere leads to the new file.  */
    fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
                     | (tries < 50 ? O_EXCL : 0), DG_LOG_MODE);
    if (fd < 0 && errno == EEXIST)
      continue;
    if (fd < 0)
      return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
    file->is_new = true;
    if (lock_file (fd) && is_named (path, fd))
      return file->fd = fd;
    close (fd);
  }
  return dg_error_set (err, DG_ERR_IO, "another process is writing it");
}

int
dg_archive_file_settle (struct dg_archive_file *file, int code,
                        struct dg_error *err)
{
  if (code == 0 && file->temporary
      && rename (file->temporary, file->path) < 0)
    code = dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  if (code < 0 && file->temporary)
    unlink (file->temporary);
  else if (code < 0 && file->is_new && is_named (file->path, file->fd))
    unlink (file->path);
  g_free (file->temporary);
  g_free (file->path);
  return code;
}
