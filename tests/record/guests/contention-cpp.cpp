/* contention-cpp.cpp: an array of atomic counters, one for each thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <atomic>
#include <thread>
#include <vector>

struct alignas (64) counters {
  std::atomic<long> n[8];
};
static counters atomics;

int
main ()
{
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; k++)
    threads.emplace_back ([k] {
      for (int i = 0; i < 3000; i++)
        atomics.n[k].store (i, std::memory_order_relaxed);
    });
  for (auto &thread : threads)
    thread.join ();
  long sum = 0;
  for (auto &n : atomics.n)
    sum += n.load ();
  return sum < 0;
}
