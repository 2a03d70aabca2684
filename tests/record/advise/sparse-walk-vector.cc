/* sparse-walk-vector.cc: a C++ vector of objects, of which one member is read

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <cstdio>
#include <vector>

struct body { double x, y, z, vx, vy, vz, mass, charge; };

int
main ()
{
  const int n = 600000;
  double sum = 0;
#ifdef REPAIRED
  std::vector<double> mass (n, 1.0);

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
  std::printf ("%g\n", sum);
  return 0;
}
