/* shut_disk.c: a library for LD_PRELOAD: the disk of dg takes no more than a
   megabyte of a file while there is a file of the name in SHUT.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define TAKEN (1 << 20)

ssize_t
writev (int fd, const struct iovec *at, int n)
{
  const struct timespec pause = { 0, 1000000 };
  const char *shut = getenv ("SHUT");
  struct stat st;

  if (shut && strcmp (program_invocation_short_name, "dg") == 0)
    while (fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && st.st_size >= TAKEN
           && access (shut, F_OK) == 0)
      nanosleep (&pause, NULL);
  return syscall (SYS_writev, fd, at, n);
}
