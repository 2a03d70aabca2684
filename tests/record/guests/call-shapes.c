/* call-shapes.c: functions that call each other in every way: once, in loops,
   through pointers, themselves, in turn, and by sibling calls.  No allocation.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAR __attribute__ ((noinline, noclone))

static int table[512], n_nodes;
static char text[3000], copy[3000];
static volatile int work;

FAR static int
leaf (int x)
{
  return x * 3 + table[x & 511];
}

FAR static int even (int n);

FAR static int
odd (int n)
{
  return n == 0 ? 0 : even (n - 1) + 1;
}

FAR static int
even (int n)
{
  return n == 0 ? 1 : odd (n - 1) + leaf (n);
}

FAR static int
fib (int n)
{
  return n < 2 ? n : fib (n - 1) + fib (n - 2);
}

static struct node {
  struct node *left, *right;
  int value;
} nodes[200];

FAR static struct node *
insert (struct node *tree, int value)
{
  if (!tree) {
    tree = &nodes[n_nodes++];
    tree->value = value;
  } else if (value < tree->value) {
    tree->left = insert (tree->left, value);
  } else {
    tree->right = insert (tree->right, value);
  }
  return tree;
}

/* A jump over a call leads where the call returns to.  */
FAR static void
walk (const struct node *tree)
{
  if (tree->left)
    walk (tree->left);
  work += tree->value;
  if (tree->right)
    walk (tree->right);
  work++;
}

FAR static int
last (int x)
{
  work += x;
  return x ^ work;
}

FAR static int
sibling (int x)
{
  work += x;
  return last (x + 1);
}

static int
compare (const void *a, const void *b)
{
  return *(const int *) a - *(const int *) b;
}

static int (*volatile ways[]) (int) = {leaf, even, fib, sibling};

int
main (void)
{
  struct node *root = NULL;
  char line[100];
  int sum = 0;
  for (int i = 0; i < 512; i++)
    table[i] = i * 7919 % 512;
  for (int i = 0; i < 200; i++)
    root = insert (root, table[i]);
  walk (root);
  sum += fib (14) + even (40) + odd (9);
  for (int i = 0; i < 40; i++)
    sum += ways[i % 4](i % 8);
  qsort (table, 200, sizeof *table, compare);
  memset (text, 'a', sizeof text - 1);
  for (int i = 0; i < 20; i++)
    memcpy (copy, text, sizeof text);
  snprintf (line, sizeof line, "%d %s %.3f\n", sum, "words", 3.5);
  return strlen (copy) == 1 || line[0] == 0;
}
