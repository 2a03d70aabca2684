/* Look-ups in a std::map; repaired: in a sorted vector.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

static unsigned
dice ()
{
  static unsigned x = 1;

  return (x = x * 1103515245 + 12345) >> 8;
}

int
main ()
{
  std::vector<unsigned> keys;
  long sum = 0;

  for (int i = 0; i < 40000; i++)
    keys.push_back (dice ());
#ifdef REPAIRED
  std::vector<std::pair<unsigned, int>> map;

  for (size_t i = 0; i < keys.size (); i++)
    map.emplace_back (keys[i], i);
  std::sort (map.begin (), map.end ());
  for (int i = 0; i < 400000; i++)
    sum += std::lower_bound (map.begin (), map.end (),
                             std::make_pair (keys[dice () % keys.size ()], 0))
             ->second;
#else
  std::map<unsigned, int> map;

  for (size_t i = 0; i < keys.size (); i++)
    map[keys[i]] = i;
  for (int i = 0; i < 400000; i++)
    sum += map.find (keys[dice () % keys.size ()])->second;
#endif
  printf ("%ld\n", sum);
}
