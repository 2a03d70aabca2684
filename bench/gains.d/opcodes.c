/* An interpreter of random opcodes; repaired: the opcodes are sorted.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define N 300000

static unsigned
dice (void)
{
  static unsigned x = 1;

  return (x = x * 1103515245 + 12345) >> 8;
}

static int
compare (const void *a, const void *b)
{
  return *(const unsigned char *) a - *(const unsigned char *) b;
}

int
main (void)
{
  static unsigned char code[N];
  long a = 1, b = 2;

  for (int i = 0; i < N; i++)
    code[i] = dice () % 8;
#ifdef REPAIRED
  qsort (code, N, 1, compare);
#endif
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < N; i++)
      switch (code[i]) {
      case 0: a += b; break;
      case 1: b ^= a; break;
      case 2: a -= 3; break;
      case 3: b += a >> 3; break;
      case 4: a = a * 5 + 1; break;
      case 5: b -= a; break;
      case 6: a ^= b << 1; break;
      default: b++; break;
      }
  printf ("%ld %ld\n", a, b);
  (void) compare;
}
