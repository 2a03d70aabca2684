/* pack-flags.c: small fields between large ones need padding

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --pack=state */

#include <stdio.h>
#include <stdlib.h>

#define N 60000

#ifdef REPAIRED
struct state { double x, y; char is_on, is_new, kind; };
#else
struct state { char is_on; double x; char is_new; double y; char kind; };
#endif

int
main (void)
{
  struct state *states = malloc (N * sizeof *states);
  double sum = 0;

  for (int i = 0; i < N; i++) {
    states[i].x = states[i].y = i;
    states[i].is_on = i & 1;
  }
  for (int round = 0; round < 8; round++)
    for (int i = 0; i < N; i++)
      if (states[i].is_on)
        sum += states[i].x * states[i].y;
  printf ("%g\n", sum);
  return 0;
}
