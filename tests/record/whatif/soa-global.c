/* soa-global.c: all fields of a global array are used, in another order

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --soa=cell */

#include <stdio.h>

#define N 40000

#ifdef REPAIRED
static struct {
  float heat[N];
  int kind[N];
  double flow[N];
  char note[N][32];
} c;
#define AT(i, f) (c.f[i])
#else
struct cell { float heat; int kind; double flow; char note[32]; };
static struct cell c[N];
#define AT(i, f) (c[i].f)
#endif

int
main (void)
{
  unsigned at = 1;
  double sum = 0;

  for (int i = 0; i < N; i++) {
    AT (i, heat) = (float) i;
    AT (i, kind) = i & 7;
    AT (i, flow) = i;
  }
  for (int round = 0; round < 300000; round++) {
    at = at * 1664525 + 1013904223;
    sum += AT (at % N, heat) + AT (at % N, kind);
  }
  AT (at % N, note)[3] = 1;
  printf ("%g %d\n", sum, AT (5, note)[3]);
  return 0;
}
