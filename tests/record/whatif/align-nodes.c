/* align-nodes.c: allocated one by one, nodes lie in two lines

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --align=node:64 */

#include <stdio.h>
#include <stdlib.h>

#define N 20000

struct node { struct node *next; long rest[6], key; };

static struct node *
new_node (void)
{
#ifdef REPAIRED
  return aligned_alloc (64, sizeof (struct node));
#else
  return malloc (sizeof (struct node));
#endif
}

int
main (void)
{
  struct node *head = NULL;
  long sum = 0;

  for (int i = 0; i < N; i++) {
    struct node *node = new_node ();

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
