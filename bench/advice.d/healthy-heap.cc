/* healthy-heap.cc: a priority queue in an array

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <cstdio>
#include <queue>

int
main ()
{
  std::priority_queue<unsigned> queue;
  unsigned state = 1;
  unsigned long sum = 0;

  for (int i = 0; i < 30000; i++) {
    state = state * 1664525 + 1013904223;
    queue.push (state >> 12);
    if (i % 3 == 2) {
      sum += queue.top ();
      queue.pop ();
    }
  }
  std::printf ("%lu\n", sum);
}
