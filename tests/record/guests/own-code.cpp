/* own-code.cpp: lines of the program do their work in code of the C++ library.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

static std::vector<long> numbers;
static std::atomic<long> total;

static long
sum_forward ()
{
  long sum = 0;

  for (auto i = numbers.begin (); i != numbers.end (); ++i)
    sum += *i;                             /* forward */
  return sum;
}

static void
count (int n)
{
  for (int i = 0; i < n; i++)
    total.fetch_add (i);                   /* counted */
}

int
main ()
{
  for (int i = 0; i < 500; i++)
    numbers.push_back (i * 7919 % 500);    /* pushed */

  std::thread other (count, 300);

  count (200);
  other.join ();
  std::sort (numbers.begin (), numbers.end ());
  return sum_forward () == 3;
}
