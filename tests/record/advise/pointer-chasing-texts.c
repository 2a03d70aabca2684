/* pointer-chasing-texts.c: a shuffled list of nodes with room for texts.  That
   its nodes are large is not what it costs, and a step from one to the next is
   not one of a matrix: the flaw is told first, and no walk is found.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* also: sparse-walk untouched */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 6000
#define WALKS 40

struct node { struct node *next; long value; char text[112]; };

#ifdef REPAIRED

int
main (void)
{
  long *values = calloc (N, sizeof *values), sum = 0;

  for (int i = 0; i < N; i++)
    values[i] = i;
  for (int k = 0; k < WALKS; k++)
    for (int i = 0; i < N; i++)
      sum += values[i];
  printf ("%ld\n", sum);
  free (values);
  return 0;
}

#else

static struct node *all[N];

int
main (void)
{
  struct node *head = NULL, *next;
  unsigned random = 1;
  long sum = 0;

  for (int i = 0; i < N; i++) {
    all[i] = malloc (sizeof *all[i]);
    all[i]->value = i;
    strcpy (all[i]->text, "text");
  }
  for (int i = N - 1; i > 0; i--) {
    int k = ((random = random * 1664525 + 1013904223) >> 8) % (i + 1);
    struct node *node = all[i];

    all[i] = all[k];
    all[k] = node;
  }
  for (int i = 0; i < N; i++) {
    all[i]->next = head;
    head = all[i];
  }
  for (int k = 0; k < WALKS; k++)
    for (struct node *node = head; node != NULL; node = node->next)
      sum += node->value; /* FLAW FIRST */
  printf ("%ld\n", sum);
  for (; head != NULL; head = next) {
    next = head->next;
    free (head);
  }
  return 0;
}

#endif
