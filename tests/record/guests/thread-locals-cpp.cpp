/* thread-locals-cpp.cpp: thread-local objects that are made when a thread
   first asks for them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <thread>

namespace pool {

struct arena {
  volatile long used, peak;
  arena () { used = 0; peak = 0; }
  ~arena () { used = -1; }
};

thread_local arena local;

}

static void
work (int n)
{
  static thread_local volatile long calls;

  for (int i = 0; i < n; i++) {
    pool::local.used = i;
    calls = i;
  }
}

int
main ()
{
  std::thread other (work, 300);

  other.join ();
  work (100);
  return 0;
}
