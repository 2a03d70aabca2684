/* c-main.c: the C program.  Lines with "=" say what is to be told of it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later

= functions: main; push; sum
= inlined: grab (malloc) < fetch (grab) < push (fetch) < main (push)
= lines: key; weight; hits; keys
= globals: <global>.totals.hits; <global>.totals.last.weight; <global>.keys
= statics: <global>.n_pushed; <global>.weights; <global>.main::rounds
= thread-local: <thread 1>.of_thread.hits
= locals: main().local.tag
= heap types: node
= fields: node.key; node.in.weight; node.next  */

#include <stdio.h>

#include "c.h"

volatile long keys[256];

int
main (void)
{
  static volatile int rounds;
  volatile struct inner local[8];
  struct node *list = NULL;

  for (int i = 0; i < 256; i++) {
    local[i & 7].tag = (short) i;
    keys[i] = step (i) + local[i & 7].tag; /* LINE keys */
    rounds++;
  }
  for (int i = 0; i < 256; i++)
    list = push (list, keys[i]); /* LINE push */
  printf ("%g %g\n", sum (list), totals.last.weight);
  return 0;
}
