/* sparse-walk-vector.cc: a C++ vector of objects, of which one member is read

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <cstdio>
#include <vector>

/* Integers: a sum of floating-point numbers takes longer than the lines at
   -O1.  */
struct body { long x, y, z, vx, vy, vz, mass, charge; };

int
main ()
{
  const int n = 600000;
  long sum = 0;
#ifdef REPAIRED
  std::vector<long> mass (n, 1);

  for (int round = 0; round < 4; round++)
    for (int i = 0; i < n; i++)
      sum += mass[i];
#else
  body *bodies = new body[n]();

  for (int round = 0; round < 4; round++)
    for (int i = 0; i < n; i++)
      sum += bodies[i].mass; /* FLAW */
  delete[] bodies;
#endif
  std::printf ("%ld\n", sum);
  return 0;
}
