/* pointer-chasing-queue.c: work items in a list, against the same in an array

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* also: sparse-walk */

#include <stdio.h>
#include <stdlib.h>

#define N 10000

struct item { struct item *next; long cost; long rest[6]; };

int
main (void)
{
  long sum = 0;
#ifdef REPAIRED
  long *costs = calloc (N, sizeof *costs);

  for (int round = 0; round < 20; round++)
    for (int i = 0; i < N; i++)
      sum += costs[i];
  free (costs);
#else
  struct item *items = calloc (N, sizeof *items);
  unsigned random = 1;

  for (int i = 0; i < N; i++)
    items[i].next = &items[i];
  for (int i = N - 1; i > 0; i--) {
    int j = (int) ((random = random * 1664525 + 1013904223) >> 8) % i;
    struct item *next = items[i].next;

    items[i].next = items[j].next;
    items[j].next = next;
  }
  for (int i = 0; i < N; i++)
    items[i].rest[i % 6] = sum;
  for (int round = 0; round < 20; round++) {
    struct item *item = items;

    for (int i = 0; i < N; i++) {
      sum += item->cost; /* FLAW */
      item = item->next; /* FLAW */
    }
  }
  free (items);
#endif
  printf ("%ld\n", sum);
  return 0;
}
