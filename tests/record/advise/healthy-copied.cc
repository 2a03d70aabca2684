/* healthy-copied.cc: an array that is copied as a whole, once

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <cstdio>
#include <numeric>
#include <vector>

struct sample { long time, value; };

int
main ()
{
  std::vector<sample> from (40000);
  long sum = 0;

  for (size_t i = 0; i < from.size (); i++)
    from[i] = { (long) i, (long) i * 3 };
  for (int round = 0; round < 6; round++)
    for (const sample &one : from)
      sum += one.time * one.value + sum % 7;
  std::vector<sample> to = from;
  for (const sample &one : to)
    sum += one.value - one.time;
  std::printf ("%ld\n", sum);
}
