/* padding-order.c: fields in an order that needs padding

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define N 10000

struct order {
#ifdef REPAIRED
  double price, amount;
  char kind, state, currency;
#else
  char kind;
  double price;
  char state;
  double amount;
  char currency;
#endif
};

int
main (void)
{
  struct order *orders = malloc (N * sizeof *orders); /* FLAW */
  double sum = 0;

  for (int i = 0; i < N; i++)
    orders[i] = (struct order) {.kind = 1, .state = 2, .currency = 3,
                                .price = i, .amount = 2};
  for (int round = 0; round < 5; round++)
    for (int i = 0; i < N; i++)
      sum += orders[i].price * orders[i].amount + orders[i].kind
             + orders[i].state + orders[i].currency;
  printf ("%g\n", sum);
  free (orders);
  return 0;
}
