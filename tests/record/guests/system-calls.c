/* system-calls.c: system calls whose arguments the kernel reads and writes,
   from and to places that are known.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int fds[2];
char input[64], output[64] = "0123456789", part_a[8], part_b[8], cwd[256];
struct iovec vector[2] = {{part_a, 8}, {part_b, 8}};
struct stat status;
struct timespec now;

int
main (void)
{
  if (pipe (fds) != 0)
    return 1;
  if (write (fds[1], output, 10) != 10)
    return 2;
  if (read (fds[0], input, sizeof input) != 10)
    return 3;
  if (write (fds[1], output + 10, 12) != 12)
    return 4;
  if (readv (fds[0], vector, 2) != 12)
    return 5;
  if (syscall (SYS_fstat, fds[0], &status) != 0)
    return 6;
  if (syscall (SYS_clock_gettime, CLOCK_MONOTONIC, &now) != 0)
    return 7;
  if (read (999, input, 1) != -1)
    return 8;
  return memcmp (input, output, 10) != 0;
}
