/* pool-use.c: the nodes of a list lie in the order in which they are used

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --pool=node:use */

#include <stdio.h>
#include <stdlib.h>

#define N 40000

struct node { struct node *next; long key; };
static struct node *nodes[N];

#ifdef REPAIRED
static struct node pool[N];
#endif

int
main (void)
{
  long sum = 0;
  unsigned at = 0;

  for (int i = 0; i < N; i++) {
    at = (at + 12343) % N;
#ifdef REPAIRED
    nodes[at] = &pool[at];
#else
    struct node *node = malloc (sizeof *node);

    nodes[at] = node;
#endif
  }
  for (int i = 0; i < N; i++) {
    nodes[i]->next = i + 1 < N ? nodes[i + 1] : NULL;
    nodes[i]->key = i;
  }
  for (int round = 0; round < 12; round++)
    for (struct node *node = nodes[0]; node != NULL; node = node->next)
      sum += node->key;
  printf ("%ld\n", sum);
  return 0;
}
