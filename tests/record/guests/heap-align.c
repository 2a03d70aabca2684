/* Allocates in all the ways that C and POSIX have.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <malloc.h>
#include <stdlib.h>

static void *
some (int i)
{
  void *p = NULL;
  size_t n = (size_t) i * 37 % 2000 + 1;

  switch (i % 7) {
  case 0:
    return memalign (1ul << (4 + i % 8), n);
  case 1:
    return posix_memalign (&p, 1ul << (3 + i % 9), n) == 0 ? p : NULL;
  case 2:
    return aligned_alloc (64, (n + 63) / 64 * 64);
  case 3:
    return valloc (n);
  case 4:
    return calloc (n, 2);
  case 5:
    return calloc (1, 0);
  default:
    return malloc (n);
  }
}

int
main (void)
{
  enum { N = 500 };
  static void *p[N];

  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < N; i++)
      p[i] = some (i + round);
    for (int i = 0; i < N; i++)
      if ((i + round) % 3)
        p[i] = realloc (p[i], (size_t) (i * 11 % 900) + 1);
    for (int i = 0; i < N; i++)
      free (p[(i * 7) % N]);
  }
  return 0;
}
