/* pointer-chasing-shuffled.c: a list whose nodes are in no order

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* also: random-access */

#include <stdio.h>
#include <stdlib.h>

#define N 20000

struct node { struct node *next; long value; };

int
main (void)
{
  struct node **nodes = calloc (N, sizeof *nodes), *list = NULL;
  struct node *block = malloc (N * sizeof *block);
  unsigned random = 1;
  long sum = 0;

  for (int i = 0; i < N; i++)
    nodes[i] = block + i;
#ifndef REPAIRED
  for (int i = N - 1; i > 0; i--) {
    int j = (int) ((random = random * 1664525 + 1013904223) >> 8) % (i + 1);
    struct node *other = nodes[i];

    nodes[i] = nodes[j];
    nodes[j] = other;
  }
#endif
  for (int i = N - 1; i >= 0; i--) {
    nodes[i]->next = list;
    nodes[i]->value = (long) random + i;
    list = nodes[i];
  }
  for (int round = 0; round < 20; round++)
    for (struct node *node = list; node != NULL;
         node = node->next) /* FLAW */
      sum += node->value; /* FLAW */
  printf ("%ld\n", sum);
  free (block);
  free (nodes);
  return 0;
}
