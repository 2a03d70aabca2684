/* orders.c: sums the open orders of a shop.
   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 5000, DAYS = 12 };

struct order
{
  bool open;
  double price;
  bool paid;
  long customer;
  char note[40];
  bool gift;
  int count;
};

int
main (void)
{
  struct order *orders = calloc (COUNT, sizeof *orders);
  for (int i = 0; i < COUNT; i++)
    {
      orders[i].open = i % 3 != 0;
      orders[i].price = i % 100;
      orders[i].count = 1 + i % 4;
    }
  double sum = 0;
  for (int day = 0; day < DAYS; day++)
    for (int i = 0; i < COUNT; i++)
      if (orders[i].open)
        sum += orders[i].price * orders[i].count;
  printf ("%.2f\n", sum);
  free (orders);
  return 0;
}
