/* output.c: makes some hundred thousand accesses and prints a checksum at the
   end; before, it does to its file descriptors what its argument names.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static volatile unsigned table[4096];

static unsigned
work (int rounds)
{
  unsigned x = 1;
  for (int r = 0; r < rounds; r++)
    for (unsigned i = 0; i < 4096; i++) {
      x = x * 1103515245 + 12345;
      table[x >> 20] += i;
    }
  return x;
}

int
main (int argc, char **argv)
{
  const char *mode = argc > 1 ? argv[1] : "plain";
  struct rlimit limit;
  getrlimit (RLIMIT_NOFILE, &limit);
  unsigned x = work (3);
  if (!strcmp (mode, "close")) {
    for (rlim_t fd = 3; fd < limit.rlim_cur && fd < 4096; fd++)
      close ((int) fd);
    close_range (3, ~0U, 0);
  } else if (!strcmp (mode, "dup")) {
    for (rlim_t fd = 3; fd < limit.rlim_cur && fd < 1100; fd++)
      dup2 (2, (int) fd);
  } else if (!strcmp (mode, "many")) {
    int n = 0;
    while (open ("/dev/null", O_RDONLY) >= 0)
      n++;
    if (errno != EMFILE || n < 5)
      return 1;
  } else if (!strcmp (mode, "pipes")) {
    int p[2];
    if (pipe (p) != 0 || write (p[1], "x", 1) != 1)
      return 1;
  } else if (!strcmp (mode, "file")) {
    /* Its own file, up to the same limit.  */
    FILE *f = fopen ("own", "w");
    for (int i = 0; i < 100; i++)
      fprintf (f, "%d\n", i);
    fclose (f);
  }
  x ^= work (20);
  printf ("%u\n", x);
  fflush (stdout);
  return 17;
}
