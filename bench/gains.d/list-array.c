/* A list in no order; repaired: an array.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define N 40000

struct node { struct node *next; long value, more[6]; };

static unsigned
dice (void)
{
  static unsigned x = 1;

  return (x = x * 1103515245 + 12345) >> 8;
}

int
main (void)
{
  static struct node nodes[N];
  static int order[N];
  long sum = 0;

  for (int i = 0; i < N; i++)
    order[i] = i;
#ifndef REPAIRED
  for (int i = N - 1; i > 0; i--) {
    int j = dice () % (i + 1), k = order[i];

    order[i] = order[j];
    order[j] = k;
  }
#endif
  for (int i = 0; i + 1 < N; i++)
    nodes[order[i]].next = &nodes[order[i + 1]];
  for (int i = 0; i < N; i++)
    nodes[i].value = i;
  for (int k = 0; k < 60; k++)
    for (struct node *p = &nodes[order[0]]; p; p = p->next)
      sum += p->value;
  printf ("%ld\n", sum);
}
