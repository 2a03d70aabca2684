/* An allocator of the program's own, which tells Valgrind of its blocks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <valgrind.h>

#include <stdlib.h>

static char *chunk;
static size_t used;

__attribute__((noinline)) static void *
take (size_t n)
{
  void *p = chunk + used;

  used += (n + 15) & ~(size_t) 15;
  VALGRIND_MALLOCLIKE_BLOCK (p, n, 0, 0);
  return p;
}

__attribute__((noinline)) static void
give_back (void *p)
{
  VALGRIND_FREELIKE_BLOCK (p, 0);
}

int
main (void)
{
  void *p[100];

  chunk = malloc (1 << 20);
  for (int i = 0; i < 100; i++)
    p[i] = take ((size_t) (i * 31) % 500 + 1);
  for (int i = 0; i < 100; i += 3)
    VALGRIND_RESIZEINPLACE_BLOCK (p[i], (i * 31) % 500 + 1, 7, 0);
  for (int i = 0; i < 100; i++)
    give_back (p[i]);
  free (chunk);
  return 0;
}
