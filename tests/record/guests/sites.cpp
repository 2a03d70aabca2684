// Blocks that are wanted at known places, through what the C++ library has
// around its allocators, with functions of our own inlined.
//
// Copyright (C) 2026 the Datagrind developers.
// SPDX-License-Identifier: GPL-2.0-or-later

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#define INLINED inline __attribute__ ((always_inline))
#define CALLED __attribute__ ((noinline))

struct node { long key; node *next; };

static INLINED void
reserve_numbers (std::vector<long> &numbers)
{
  numbers.reserve (1000);             // HERE reserve_numbers
}

static CALLED long
push_numbers (void)
{
  std::vector<long> numbers;
  long sum = 0;

  for (long i = 0; i < 500; i++)
    numbers.push_back (i);            // HERE push_numbers
  for (size_t i = 0; i < numbers.size (); i++)
    sum += numbers[i];                // HERE sum_numbers
  return sum;
}

static CALLED void
fill_map (std::map<int, std::string> &map)
{
  for (int i = 0; i < 20; i++)
    map[i] = std::string (100, 'x');  // HERE fill_map
}

static INLINED node *
make_node (long key, node *next)
{
  node *made = new node;              // HERE make_node

  made->key = key;
  made->next = next;
  return made;
}

static CALLED long
use_last (const node *list)
{
  long sum = 0;

  for (; list != NULL; list = list->next)
    sum += list->key;                 // HERE use_last
  return sum;
}

static CALLED long
burn (long n)
{
  volatile long x = n;

  while (n-- > 0)
    x = x + n;
  return x;
}

int
main (void)
{
  std::vector<long> numbers;
  std::map<int, std::string> map;
  node *list = NULL;
  long sum = 0;

  reserve_numbers (numbers);
  for (long i = 0; i < 1000; i++)
    numbers.push_back (i);
  sum += push_numbers ();
  fill_map (map);
  for (int i = 0; i < 7; i++)
    list = make_node (i, list);
  sum += use_last (list) + burn (1000) + numbers[7];
  while (list != NULL) {
    node *next = list->next;

    delete list;                      // HERE free_node
    list = next;
  }
  printf ("%ld %d\n", sum, (int) map.size ());
  return 0;
}
