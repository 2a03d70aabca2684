/* A hash table of chains; repaired: with open addresses.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define N 60000
#define SIZE 131072
#define LOOKUPS 1500000

static unsigned
dice (void)
{
  static unsigned x = 1;

  return (x = x * 1103515245 + 12345) >> 8;
}

#ifdef REPAIRED
static unsigned keys[SIZE];
static int values[SIZE];

static void
add (unsigned key, int value)
{
  unsigned i = key * 2654435761u >> 15;

  while (keys[i] != 0)
    i = (i + 1) % SIZE;
  keys[i] = key;
  values[i] = value;
}

static int
find (unsigned key)
{
  unsigned i = key * 2654435761u >> 15;

  while (keys[i] != 0) {
    if (keys[i] == key)
      return values[i];
    i = (i + 1) % SIZE;
  }
  return 0;
}
#else
struct item { struct item *next; unsigned key; int value; char more[40]; };
static struct item *heads[SIZE / 8];

static void
add (unsigned key, int value)
{
  struct item *item = malloc (sizeof *item);
  unsigned i = key * 2654435761u >> 18;

  item->key = key;
  item->value = value;
  item->next = heads[i];
  heads[i] = item;
}

static int
find (unsigned key)
{
  for (struct item *p = heads[key * 2654435761u >> 18]; p; p = p->next)
    if (p->key == key)
      return p->value;
  return 0;
}
#endif

int
main (void)
{
  static unsigned all[N];
  long sum = 0;

  for (int i = 0; i < N; i++)
    add (all[i] = dice () | 1, i);
  for (int i = 0; i < LOOKUPS; i++)
    sum += find (all[dice () % N]);
  printf ("%ld\n", sum);
}
