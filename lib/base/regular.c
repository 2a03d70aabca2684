/* regular.c: opens files from untrusted names only if they are regular.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "regular.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

#define HOLLOW_BYTES ((off_t) 256 << 20)
#define HOLLOW_TIMES 64

static int
not_regular (const struct stat *status, struct dg_error *err)
{
  return dg_error_set (err, DG_ERR_INVALID,
                       S_ISREG (status->st_mode) ? "nearly all of it is a hole"
                                                 : "not a regular file");
}

static int
failed (struct dg_error *err)
{
  return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
}

/* A file that takes no place can be larger than anybody can read: compilers
   make none of such a size of which so little is data.  */
static bool
is_hollow (const struct stat *status)
{
  return status->st_size > HOLLOW_BYTES
         && (uint64_t) status->st_blocks * 512
              < (uint64_t) status->st_size / HOLLOW_TIMES;
}

static bool
is_good (const struct stat *status)
{
  return S_ISREG (status->st_mode) && !is_hollow (status);
}

bool
dg_regular_is_other (const char *path)
{
  struct stat status;

  return stat (path, &status) == 0 && !is_good (&status);
}

int
dg_regular_open (const char *path, struct dg_error *err)
{
  struct stat status;
  int fd, code;

  if (stat (path, &status) == 0 && !is_good (&status))
    return not_regular (&status, err);
  /* Should another thing have taken its place by now, that opens, too, and
     does not wait.  Reading does not either, as from files of the kernel that
     are regular by name only.  */
  fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    return failed (err);
  code = fstat (fd, &status) < 0 ? failed (err)
         : is_good (&status) ? fd
                             : not_regular (&status, err);
  if (code >= 0)
    return fd;
  close (fd);
  return code;
}

/* Up to n bytes; how many, or negative with errno.  */
static ssize_t
read_up_to (int fd, char *bytes, size_t n)
{
  size_t done = 0;

  while (done < n) {
    ssize_t got = read (fd, bytes + done, n - done);

    if (got == 0)
      break;
    if (got > 0)
      done += (size_t) got;
    else if (errno != EINTR)
      return -1;
  }
  return (ssize_t) done;
}

int
dg_regular_read (const char *path, size_t max, char **text, size_t *n,
                 int64_t *changed, struct dg_error *err)
{
  struct stat status;
  char *bytes = NULL;
  ssize_t got = 0;
  int fd = dg_regular_open (path, err), code = 0;

  *text = NULL;
  if (fd < 0)
    return fd;
  if (fstat (fd, &status) < 0)
    code = failed (err);
  else if ((uint64_t) status.st_size > max)
    code = dg_error_set (err, DG_ERR_LIMIT, "too large");
  else if ((bytes = malloc ((size_t) status.st_size + 1)) == NULL)
    code = dg_error_nomem (err);
  /* It may have become shorter.  */
  else if ((got = read_up_to (fd, bytes, (size_t) status.st_size)) < 0)
    code = failed (err);
  close (fd);
  if (code < 0) {
    free (bytes);
    return code;
  }
  bytes[got] = '\0';
  *text = bytes;
  *n = (size_t) got;
  if (changed)
    *changed = status.st_mtime;
  return 0;
}
