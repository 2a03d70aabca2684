/* assigned.c: heap blocks whose type only the pointer tells that they are
   assigned to; all structs are of one size.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>
#include <string.h>

struct item { long key, value; };
struct other { long a, b; };
struct third { long x, y; };
struct fourth { long u, v; };
typedef struct fourth *fourth_ptr;

struct holder {
  struct item *items;
  double *sums;
  struct other *others;
};

static struct third *table;
static struct holder top;
static volatile long sink;

/* Gives memory without a type.  */
static void *__attribute__ ((noipa))
checked (size_t n)
{
  void *memory = malloc (n);

  if (memory == NULL)
    abort ();
  return memory;
}

static void __attribute__ ((noipa))
fill (struct holder *holder, int n)
{
  holder->items = malloc (n * sizeof *holder->items);
  holder->sums = calloc (n, sizeof *holder->sums);
  holder->others = malloc (n * sizeof *holder->others);
  for (int i = 0; i < n; i++) {
    holder->items[i].value = i;
    holder->sums[i] = i;
    holder->others[i].b = i;
  }
}

static long __attribute__ ((noipa))
local (int n)
{
  struct item *p = malloc (n * sizeof *p);
  struct other *q = checked (n * sizeof *q);
  fourth_ptr f = malloc (n * sizeof *f);
  int *a = calloc (n, sizeof *a);
  volatile char *text = malloc (16 * n);
  long s = 0;

  for (int i = 0; i < n; i++) {
    p[i].key = i;
    q[i].a = i;
    f[i].u = i;
    a[i] = i;
    text[i] = i;
  }
  for (int i = 0; i < n; i++)
    s += p[i].key + q[i].a + f[i].u + a[i] + text[i];
  free (p);
  free (q);
  free (f);
  free (a);
  free ((char *) text);
  return s;
}

static void __attribute__ ((noipa))
begin (int n)
{
  table = malloc (n * sizeof *table);
}

int
main (void)
{
  begin (100);
  for (int i = 0; i < 100; i++)
    table[i].y = i;
  fill (&top, 150);
  sink = local (70);
  return top.items[3].value + table[4].y == 0;
}
