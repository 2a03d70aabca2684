/* split-vector.cc: a vector of objects of which one field is used

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --split=item:price */

#include <cstdio>
#include <vector>

#ifdef REPAIRED
struct item { double price; };
struct rest { long code[6]; double weight; };
#else
struct item { double price; long code[6]; double weight; };
#endif

int
main ()
{
  std::vector<item> items (40000);
  double sum = 0;

#ifdef REPAIRED
  std::vector<rest> rests (40000);
#define WEIGHT(i) rests[i].weight
#else
#define WEIGHT(i) items[i].weight
#endif
  for (unsigned i = 0; i < items.size (); i++) {
    items[i].price = i;
    WEIGHT (i) = 1;
  }
  for (int round = 0; round < 12; round++)
    for (unsigned i = 0; i < items.size (); i++)
      sum += items[i].price;
  std::printf ("%g %g\n", sum, WEIGHT (7));
}
