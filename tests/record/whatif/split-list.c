/* split-list.c: a list is gone along, of whose nodes a part is used

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --split=node:next,key */

#include <stdio.h>
#include <stdlib.h>

#define N 30000

#ifdef REPAIRED
struct rest { char text[80]; };
static struct rest rest[N];
struct node { struct node *next; long key; };
#define TEXT(node, i) rest[i].text
#else
struct node { struct node *next; char text[80]; long key; };
#define TEXT(node, i) (node)->text
#endif

int
main (void)
{
  struct node *head = NULL;
  long sum = 0;

  for (int i = 0; i < N; i++) {
    struct node *node = malloc (sizeof *node);

    node->next = head;
    node->key = i;
    TEXT (node, i)[0] = 1;
    head = node;
  }
  for (int round = 0; round < 12; round++)
    for (struct node *node = head; node != NULL; node = node->next)
      sum += node->key;
  printf ("%ld %d\n", sum, TEXT (head, N - 1)[0]);
  return 0;
}
