/* static-libc.c: a program with the C library linked in, whose start-up,
   string functions, formatting and sorting run as they do everywhere.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
compare (const void *a, const void *b)
{
  return strcmp (a, b);
}

int
main (void)
{
  static char names[60][24];
  char text[4096];
  size_t n = 0;
  for (int i = 0; i < 60; i++)
    snprintf (names[i], sizeof names[i], "name-%d-%x-%.2f", i * 7919 % 101,
              i * i, i / 7.0);
  for (int i = 0; i < 60; i++)
    for (int j = i; j > 0 && compare (names[j - 1], names[j]) > 0; j--) {
      char keep[24];
      memcpy (keep, names[j], 24);
      memmove (names[j], names[j - 1], 24);
      strcpy (names[j - 1], keep);
    }
  for (int i = 0; i < 60; i++)
    n += (size_t) snprintf (text + n, sizeof text - n, "%2d %s %ld\n", i,
                            names[i], strtol (names[i] + 5, NULL, 10));
  if (strchr (text, '#') || !strstr (text, "name-100-"))
    return 1;
  return write (1, text, n) != (ssize_t) n;
}
