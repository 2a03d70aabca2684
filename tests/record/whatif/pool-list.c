/* pool-list.c: the nodes of a list lie side by side

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --pool=node */

#include <stdio.h>
#include <stdlib.h>

#define N 40000

struct node { struct node *next; long key; };

#ifdef REPAIRED
static struct node pool[N];
#endif

int
main (void)
{
  struct node *head = NULL;
  long sum = 0;

  for (int i = 0; i < N; i++) {
#ifdef REPAIRED
    struct node *node = &pool[i];
#else
    struct node *node = malloc (sizeof *node);
#endif

    node->next = head;
    node->key = i;
    head = node;
  }
  for (int round = 0; round < 12; round++)
    for (struct node *node = head; node != NULL; node = node->next)
      sum += node->key;
  printf ("%ld\n", sum);
  return 0;
}
