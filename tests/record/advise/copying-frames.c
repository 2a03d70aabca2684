/* copying-frames.c: a window over samples, moved by few copies of large blocks

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <string.h>

#define WINDOW (1 << 16)
#define STEP   1024
#define STEPS  200

static short window[WINDOW + STEPS * STEP];

int
main (void)
{
  long sum = 0;
  size_t first = 0;

  for (int step = 0; step < STEPS; step++) {
#ifdef REPAIRED
    first += STEP;
#else
    memmove (window, window + STEP, /* FLAW */
             (WINDOW - STEP) * sizeof *window);
#endif
    for (int i = 0; i < STEP; i++)
      window[first + WINDOW - STEP + i] = (short) (step * i);
    for (int i = 0; i < WINDOW; i += 500)
      sum += window[first + i];
  }
  printf ("%ld\n", sum);
  return 0;
}
