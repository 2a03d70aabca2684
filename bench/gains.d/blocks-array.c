/* Small blocks by malloc; repaired: from an array.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define N 2000

struct item { int value; struct item *next; };

int
main (void)
{
  long sum = 0;
#ifdef REPAIRED
  static struct item items[N];
#endif

  for (int k = 0; k < 400; k++) {
    struct item *head = NULL;

    for (int i = 0; i < N; i++) {
#ifdef REPAIRED
      struct item *item = &items[i];
#else
      struct item *item = malloc (sizeof *item);
#endif

      item->value = i;
      item->next = head;
      head = item;
    }
    while (head) {
      struct item *next = head->next;

      sum += head->value;
#ifndef REPAIRED
      free (head);
#endif
      head = next;
    }
  }
  printf ("%ld\n", sum);
}
