/* columns-of-rows.cc: a sum goes down the columns of a vector of vectors

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* rules: column-walk */

#include <cstdio>
#include <vector>

int
main ()
{
  const size_t n = 700;
  std::vector<std::vector<float>> rows (n, std::vector<float> (n, 1.5f));
  float sum = 0;

  for (int round = 0; round < 3; round++)
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < n; k++)
#ifdef REPAIRED
        sum += rows[i][k];
#else
        sum += rows[k][i]; /* FLAW */
#endif
  std::printf ("%g\n", sum);
}
