/* order-member.cc: the fields of members are in another order

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --order=state:first,last */

#include <stdio.h>
#include <stdlib.h>

#define N 12000

#ifdef REPAIRED
struct state { long first, last; char text[112]; };
#else
struct state { long first; char text[112]; long last; };
#endif
struct unit { long id, rest[7]; struct state state; };

int
main (void)
{
  struct unit *units = new struct unit[N];
  unsigned at = 1;
  long sum = 0;

  for (int i = 0; i < N; i++) {
    units[i].id = i;
    units[i].state.first = units[i].state.last = i;
    units[i].state.text[0] = 1;
  }
  for (int round = 0; round < 300000; round++) {
    at = at * 1664525 + 1013904223;
    sum += units[(at >> 8) % N].state.first + units[(at >> 8) % N].state.last;
  }
  printf ("%ld\n", sum);
  return 0;
}
