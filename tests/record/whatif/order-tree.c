/* order-tree.c: the keys and children of a tree are in two lines

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --order=tree:key,left,right */

#include <stdio.h>
#include <stdlib.h>

#define N 8000

#ifdef REPAIRED
struct tree { long key; struct tree *left, *right; char text[104]; };
#else
struct tree { long key; char text[104]; struct tree *left, *right; };
#endif

static struct tree *
add (struct tree *tree, struct tree *node)
{
  struct tree **at = &tree;

  while (*at != NULL)
    at = node->key < (*at)->key ? &(*at)->left : &(*at)->right;
  *at = node;
  return tree;
}

int
main (void)
{
  struct tree *root = NULL;
  unsigned at = 1;

  for (int i = 0; i < N; i++) {
    struct tree *node = malloc (sizeof *node);

    at = at * 1664525 + 1013904223;
    node->key = at >> 4;
    node->left = node->right = NULL;
    root = add (root, node);
  }
  printf ("%ld\n", root->key);
  return 0;
}
