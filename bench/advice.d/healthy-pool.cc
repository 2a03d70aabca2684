/* healthy-pool.cc: work that threads take from a queue, many at a time

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

int
main ()
{
  std::vector<long> items (200000);
  std::atomic<size_t> next {0};
  std::vector<std::thread> threads;

  for (int t = 0; t < 3; t++)
    threads.emplace_back ([&] {
      for (size_t at; (at = next.fetch_add (4096)) < items.size ();)
        for (size_t i = at; i < at + 4096 && i < items.size (); i++)
          items[i] = (long) (i * i % 1013);
    });
  for (std::thread &thread : threads)
    thread.join ();
  long sum = 0;
  for (long item : items)
    sum += item;
  std::printf ("%ld\n", sum);
}
