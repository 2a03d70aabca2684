/* gaps-library.c: what gaps.c loads.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>

volatile int in_library_data[64];

__attribute__ ((noinline)) void
in_library (int n)
{
  char *block = malloc (n);
  for (int i = 0; i < n; i++)
    in_library_data[i % 64] = i;
  free (block);
}
