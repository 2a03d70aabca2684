/* jit-bad.c: files in which no JIT compiler names code, under such names.

   jit-bad link FILE    /tmp/perf-PID.map is a symbolic link to FILE
   jit-bad pipe         it is a pipe
   jit-bad map TEXT     it contains TEXT
   jit-bad fuzz N       N jitdump files, each changed in some places

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint32_t
random_number (void)
{
  static uint32_t x = 2463534242u;

  x ^= x << 13;
  x ^= x >> 17;
  return x ^= x << 5;
}

/* A header; lines of a function; the function; another one, moved.  */
static size_t
make_dump (uint8_t *bytes)
{
  static const uint32_t header[] = { 0x4A695444, 1, 40, 62, 0, 1, 0, 0, 0, 0 };
  static const uint32_t lines[] = { 2, 64, 0, 0, 0x10000, 0, 2, 0,
                                    0x10000, 0, 7, 0, 0x00632e61,
                                    0, 0, 0 };
  static const uint32_t load[] = { 0, 66, 0, 0, 1, 1, 0x10000, 0, 0x10000, 0,
                                   8, 0, 1, 0, 0x90009066, 0x90909090 };
  static const uint32_t move[] = { 1, 64, 0, 0, 1, 1, 0x10000, 0, 0x10000, 0,
                                   0x20000, 0, 8, 0, 1, 0 };
  size_t n = 0;

  memcpy (bytes + n, header, sizeof header);
  n += sizeof header;
  memcpy (bytes + n, lines, sizeof lines);
  n += sizeof lines;
  memcpy (bytes + n, load, sizeof load);
  n += 66;
  memcpy (bytes + n, move, sizeof move);
  return n + sizeof move;
}

static void
fuzz (int times)
{
  char name[64];

  sprintf (name, "jit-%d.dump", (int) getpid ());
  for (int i = 0; i < times; i++) {
    uint8_t bytes[512];
    size_t n = make_dump (bytes);
    int fd;

    for (unsigned k = random_number () % 5; k > 0; k--)
      bytes[40 * (i % 8 != 0) + random_number () % (n - 40)]
        = random_number () % 3 == 0 ? 0xff : random_number ();
    if (random_number () % 4 == 0)
      n = random_number () % n;
    unlink (name);
    fd = open (name, O_WRONLY | O_CREAT, 0600);
    if (fd < 0 || write (fd, bytes, n) != (ssize_t) n)
      exit (2);
    close (fd);
  }
  unlink (name);
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "", *what = argc > 2 ? argv[2] : "";
  char name[64];
  FILE *file;

  sprintf (name, "/tmp/perf-%d.map", (int) getpid ());
  if (strcmp (how, "link") == 0)
    return symlink (what, name) < 0;
  if (strcmp (how, "pipe") == 0)
    return mkfifo (name, 0600) < 0;
  if (strcmp (how, "fuzz") == 0) {
    fuzz (atoi (what));
    return 0;
  }
  file = fopen (name, "w");
  if (file == NULL)
    return 2;
  fputs (what, file);
  return fclose (file) != 0;
}
