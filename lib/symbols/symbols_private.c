/* symbols_private.c: files that another user could change while they are read.

   libdw maps what it reads, and the kernel has no answer but SIGBUS for a page
   that a mapped file has no more.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/foreign.h"

bool
dg_symbols_is_foreign (int fd)
{
  struct stat status;

  return fstat (fd, &status) < 0 || dg_foreign_is_writable (&status);
}

/* As much as there is, up to what there was: it may change.  */
static bool
copy (int from, int to)
{
  struct stat status;
  off_t at = 0;

  if (fstat (from, &status) < 0)
    return false;
  while (at < status.st_size) {
    ssize_t n = sendfile (to, from, &at, (size_t) (status.st_size - at));

    if (n == 0)
      break;
    if (n < 0 && errno != EINTR)
      return false;
  }
  return fcntl (to, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)
         == 0;
}

int
dg_symbols_private (int fd)
{
  return fd < 0 || !dg_symbols_is_foreign (fd) ? fd : dg_symbols_sealed (fd);
}

bool
dg_symbols_is_sealed (int fd)
{
  int seals = fcntl (fd, F_GET_SEALS);

  return seals >= 0 && (seals & F_SEAL_WRITE) != 0;
}

int
dg_symbols_sealed (int fd)
{
  int own =
    memfd_create ("datagrind-symbols", MFD_CLOEXEC | MFD_ALLOW_SEALING);

  if (own >= 0 && !copy (fd, own)) {
    close (own);
    own = -1;
  }
  close (fd);
  return own;
}
