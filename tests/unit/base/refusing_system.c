/* refusing_system.c: a system that refuses what is asked for. The program's
   own functions are found before those of libc, by the library that is
   tested, too.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef _GNU_SOURCE
#  define _GNU_SOURCE
#endif
#undef _FORTIFY_SOURCE
#include "refusing_system.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct refusing_system at_work;

static void *
original (const char *name)
{
  void *function = dlsym (RTLD_NEXT, name);

  g_assert_nonnull (function);
  return function;
}

static void
change_mode (int fd, mode_t mode)
{
  int (*real) (int, mode_t) = original ("fchmod");

  g_assert_cmpint (real (fd, mode), ==, 0);
}

static int
make (const char *call, const char *name, int flags, mode_t mode)
{
  int (*real) (const char *, int, ...) = original (call);
  bool is_unnamed = (flags & O_TMPFILE) == O_TMPFILE;
  bool is_made = is_unnamed || (flags & O_CREAT);
  struct stat st;
  int fd;

  if (is_unnamed && at_work.has_no_unnamed) {
    errno = EOPNOTSUPP;
    return -1;
  }
  fd = real (name, flags, mode);
  if (fd >= 0 && is_unnamed && at_work.umask_is_named)
    change_mode (fd, mode);
  if (fd >= 0 && is_made && at_work.is_open_to_all)
    change_mode (fd, 0666);
  if (fd >= 0 && is_made && fstat (fd, &st) == 0)
    at_work.made = st.st_mode & 0777;
  return fd;
}

#define MODE(flags)                  \
  mode_t mode = 0;                   \
  va_list args;                      \
  va_start (args, flags);            \
  if (flags & (O_CREAT | O_TMPFILE)) \
    mode = va_arg (args, mode_t);    \
  va_end (args)

int
open (const char *name, int flags, ...)
{
  MODE (flags);
  return make ("open", name, flags, mode);
}

int
open64 (const char *name, int flags, ...)
{
  MODE (flags);
  return make ("open64", name, flags, mode);
}

static int
look (const char *call, const char *path, void *st)
{
  int (*real) (const char *, void *) = original (call);

  if (at_work.refused && strcmp (path, at_work.refused) == 0) {
    errno = EACCES;
    return -1;
  }
  return real (path, st);
}

/* In a folder like /tmp.  */
static void
be_foreign (const char *path, uid_t *user, mode_t *mode)
{
  if (!at_work.foreign || !g_str_has_prefix (at_work.foreign, path))
    return;
  *user = 54321;
  if (S_ISDIR (*mode))
    *mode |= S_ISVTX;
}

int
stat (const char *path, struct stat *st)
{
  int code = look ("stat", path, st);

  if (code == 0)
    be_foreign (path, &st->st_uid, &st->st_mode);
  return code;
}

int
stat64 (const char *path, struct stat64 *st)
{
  int code = look ("stat64", path, st);

  if (code == 0)
    be_foreign (path, &st->st_uid, &st->st_mode);
  return code;
}

ssize_t
write (int fd, const void *bytes, size_t n)
{
  ssize_t (*real) (int, const void *, size_t) = original ("write");

  if (at_work.is_full && fd > STDERR_FILENO) {
    errno = ENOSPC;
    return -1;
  }
  return real (fd, bytes, n);
}

uid_t
geteuid (void)
{
  uid_t (*real) (void) = original ("geteuid");

  return at_work.foreign ? 12345 : real ();
}

int
linkat (int from, const char *path, int to, const char *other, int flags)
{
  int (*real) (int, const char *, int, const char *, int) =
    original ("linkat");

  if (at_work.has_no_linkat) {
    errno = EPERM;
    return -1;
  }
  return real (from, path, to, other, flags);
}

int
rename (const char *from, const char *to)
{
  int (*real) (const char *, const char *) = original ("rename");

  if (at_work.has_no_rename && !g_str_has_suffix (to, ".kept")
      && !g_str_has_suffix (to, ".kept-2")) {
    errno = EPERM;
    return -1;
  }
  return real (from, to);
}

int
fchmod (int fd, mode_t mode)
{
  int (*real) (int, mode_t) = original ("fchmod");

  if (at_work.has_no_fchmod) {
    errno = EPERM;
    return -1;
  }
  return real (fd, mode);
}

int
flock (int fd, int operation)
{
  int (*real) (int, int) = original ("flock");
  char *name = g_strdup_printf ("/proc/self/fd/%d", fd);

  if (at_work.has_no_locks) {
    g_free (name);
    errno = ENOLCK;
    return -1;
  }
  if (at_work.thefts > 0 && at_work.thief < 0) {
    at_work.thefts--;
    at_work.stolen = g_file_read_link (name, NULL);
    at_work.thief = open (at_work.stolen, O_WRONLY | O_CLOEXEC);
    g_assert_cmpint (real (at_work.thief, LOCK_EX | LOCK_NB), ==, 0);
  }
  g_free (name);
  return real (fd, operation);
}
