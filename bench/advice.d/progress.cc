/* progress.cc: threads add to one atomic counter at each step

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* rules: contention */

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

static std::atomic<long> done;

static void
work (long seed)
{
#ifdef REPAIRED
  long own = 0;
#endif

  for (int i = 0; i < 80000; i++) {
    seed = seed * 31 + i;
#ifdef REPAIRED
    own += seed & 1;
  }
  done += own;
#else
    done += seed & 1; /* FLAW */
  }
#endif
}

int
main ()
{
  std::vector<std::thread> threads;

  for (long i = 0; i < 3; i++)
    threads.emplace_back (work, i);
  for (std::thread &thread : threads)
    thread.join ();
  std::printf ("%ld\n", done.load ());
}
