/* aligned.cpp: arrays of new[] whose elements are aligned to more than
   memory is by itself, so that more stands before them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <cstdio>

struct alignas (32) wide {
  long head[10];
  long tail;
  ~wide ();
};

static volatile long ended;

wide::~wide ()
{
  ended += 1;
}

__attribute__ ((noinline)) static wide *
make (int n)
{
  return new wide[n];
}

int
main ()
{
  for (int n = 5; n < 8; n++) {
    wide *all = make (n);

    for (int i = 0; i < 100; i++)
      for (int k = 0; k < n; k++)
        static_cast<volatile wide *> (all)[k].tail = i;
    delete[] all;
  }
  std::printf ("%ld\n", ended);
  return 0;
}
