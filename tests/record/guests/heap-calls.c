/* Allocates through functions that call each other, themselves, and that are
   inlined; frees in another order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>
#include <string.h>

static void *kept[256];

static inline __attribute__((always_inline)) void *
inner (size_t n)
{
  return malloc (n);
}

static inline __attribute__((always_inline)) void *
outer (size_t n)
{
  return inner (n + 1);
}

__attribute__((noinline)) void *
my_alloc (size_t n)
{
  void *p = n % 2 ? outer (n) : inner (n);

  memset (p, 1, n);
  return p;
}

__attribute__((noinline)) int
deeper (int n)
{
  if (n == 0) {
    kept[255] = my_alloc (12345);
    return 1;
  }
  kept[n] = calloc ((size_t) n, 3);
  return deeper (n - 1) + 1;
}

__attribute__((noinline)) void
left_out (int i)
{
  kept[i] = malloc (100 + (size_t) i);
}

__attribute__((noinline)) void
waves (int n)
{
  for (int wave = 0; wave < n; wave++) {
    for (int i = 0; i < 200; i++)
      kept[i] = my_alloc ((size_t) (i * (wave + 3)) % 777 + 1);
    for (int i = 0; i < 200; i += 2)
      free (kept[i]);
    for (int i = 1; i < 200; i += 2)
      free (kept[i]);
  }
}

int
main (void)
{
  deeper (150);
  for (int i = 0; i < 150; i++)
    free (kept[i + 1]);
  free (kept[255]);
  waves (9);
  for (int i = 0; i < 50; i++)
    left_out (i);
  /* What was left out is reallocated elsewhere, and the other way round.  */
  for (int i = 0; i < 50; i += 5)
    kept[i] = realloc (kept[i], 300);
  for (int i = 0; i < 40; i++)
    free (kept[i]);
  free (malloc (0));
  return 0;
}
