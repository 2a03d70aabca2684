/* copying-value.cc: a large structure that is passed by value

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <cstdio>

struct matrix { double cells[64]; };

#ifdef REPAIRED
__attribute__ ((noinline)) static double
trace (const matrix &m)
#else
__attribute__ ((noinline)) static double
trace (matrix m)
#endif
{
  double sum = 0;

  for (int i = 0; i < 8; i++)
    sum += m.cells[9 * i];
  return sum;
}

int
main ()
{
  matrix m = {};
  double sum = 0;

  for (int i = 0; i < 20000; i++) {
    m.cells[0] = i;
    sum += trace (m); /* FLAW */
  }
  std::printf ("%g\n", sum);
}
