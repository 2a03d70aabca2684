/* exceptions.cpp: exceptions through several frames with destructors on the
   way, rethrown, and caught at different depths.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <cstdio>
#include <stdexcept>
#include <string>

static volatile long work;

struct Guard {
  int n;
  explicit Guard (int n) : n (n) { work += 1; }
  ~Guard () { work += n; }
};

__attribute__ ((noinline)) static void
down (int n, int kind)
{
  Guard guard (n);
  if (n > 0)
    down (n - 1, kind);
  else if (kind == 0)
    throw std::runtime_error ("deep");
  else if (kind == 1)
    throw 42;
  else
    throw std::string ("text");
  work += 7;
}

__attribute__ ((noinline)) static void
middle (int k)
{
  try {
    Guard guard (k);
    down (k % 20, k % 3);
  } catch (const std::runtime_error &) {
    work += 100;
    if (k % 2)
      throw;
  } catch (int i) {
    work += i;
  }
}

int
main ()
{
  long caught = 0;
  /* Each depth to 15 in fives, of each kind, with and without a rethrow.  */
  for (int k = 0; k < 60; k += 5)
    try {
      middle (k);
    } catch (...) {
      caught++;
    }
  std::printf ("%ld %ld\n", caught, work);
  return 0;
}
