/* bare-environment.c: prints how many environment variables it has and how
   many bytes they take, which is what moves the stack.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bare.h"

static char *
decimal (char *end, unsigned long n)
{
  do
    *--end = (char) ('0' + n % 10);
  while (n /= 10);
  return end;
}

static int
bare_main (void)
{
  char text[64], *end = text + sizeof text, *p = end;
  char **env = (char **) (bare_stack + 1 + bare_stack[0] + 1);
  unsigned long n = 0, bytes = 0;
  for (; env[n]; n++)
    for (char *c = env[n];; c++) {
      bytes++;
      if (!*c)
        break;
    }
  *--p = '\n';
  p = decimal (p, bytes);
  *--p = ' ';
  p = decimal (p, n);
  return bare_syscall (BARE_WRITE, 1, (long) p, end - p) != end - p;
}
