/* c-list.c: the second unit of the C program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>

#include "c.h"

struct total totals;
_Thread_local struct total of_thread;
static long n_pushed;
static volatile double weights[64];

static inline __attribute__ ((always_inline)) struct node *
grab (void)
{
  n_pushed++;
  return malloc (sizeof (struct node)); /* LINE malloc */
}

static inline __attribute__ ((always_inline)) struct node *
fetch (long key)
{
  struct node *node = grab (); /* LINE grab */

  node->key = key; /* LINE key */
  return node;
}

long
step (long at)
{
  totals.hits++; /* LINE hits */
  /* Each time, also where a loop around it could keep it in a register.  */
  __asm__ volatile ("" : : : "memory");
  return at * 3 + 1;
}

__attribute__ ((noinline)) struct node *
push (struct node *list, long key)
{
  struct node *node = fetch (key); /* LINE fetch */

  node->in.tag = 1;
  node->in.weight = weights[key & 63] + (double) key;
  node->next = list;
  totals.last.weight = node->in.weight;
  of_thread.hits++;
  return node;
}

__attribute__ ((noinline)) double
sum (const struct node *list)
{
  double all = (double) n_pushed;

  for (; list != NULL; list = list->next)
    all += list->in.weight; /* LINE weight */
  return all;
}
