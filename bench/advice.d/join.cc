/* join.cc: a list that is walked in another order than it was allocated

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* rules: pointer-chasing */

#include <algorithm>
#include <cstdio>
#include <list>
#include <numeric>
#include <random>
#include <vector>

int
main ()
{
  std::vector<int> numbers (30000);
  long sum = 0;

  std::iota (numbers.begin (), numbers.end (), 0);
#ifdef REPAIRED
  std::vector<int> &all = numbers;
#else
  std::list<int> all (numbers.begin (), numbers.end ());
  std::vector<std::list<int>::iterator> at;
  for (auto i = all.begin (); i != all.end (); ++i)
    at.push_back (i);
  std::shuffle (at.begin (), at.end (), std::mt19937 (1));
  for (auto i : at)
    all.splice (all.end (), all, i);
#endif
  for (int round = 0; round < 10; round++)
    for (int one : all)
      sum += one ^ round; /* FLAW */
  std::printf ("%ld\n", sum);
}
