/* wait_lines.c: for each line of standard input, three million accesses; for
   tests that follow a recording.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

static volatile unsigned table[4096];

int
main (void)
{
  char line[64];

  while (fgets (line, sizeof line, stdin))
    for (unsigned i = 0; i < 1500000; i++)
      table[i % 4096]++;
  return 0;
}
