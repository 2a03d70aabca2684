/* healthy-conditional.c: one object in three is used, and then all of it

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define N 30000

struct item { double price, weight; int id; bool sold, fragile, hidden; };

int
main (void)
{
  struct item *items = malloc (N * sizeof *items);
  double sum = 0;

  for (int i = 0; i < N; i++)
    items[i] = (struct item) {i, i % 17, i, i % 3 == 0, i % 5 == 0,
                              i % 7 == 0};
  for (int round = 0; round < 20; round++)
    for (int i = 0; i < N; i++)
      if (items[i].sold)
        sum += items[i].price * items[i].weight
               + (items[i].fragile ? items[i].id : 1) + items[i].hidden;
  printf ("%g\n", sum);
  free (items);
  return 0;
}
