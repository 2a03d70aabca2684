/* textbook.c: loops whose patterns of access every book shows, a function for
   each.  What is walked is made so that addresses go far.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N 40
#define NODES 2000

#define APART __attribute__ ((noinline, noclone))

static unsigned seed = 1;

static unsigned
dice (void)
{
  seed = seed * 1103515245 + 12345;
  return seed >> 8;
}

/* ---- Matrices ---- */

static double a[N][N], b[N][N], c[N][N];

APART void
multiply_ijk (void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0;

      for (int k = 0; k < N; k++)
        sum += a[i][k] * b[k][j];          /* ijk */
      c[i][j] = sum;
    }
}

APART void
multiply_ikj (void)
{
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      for (int j = 0; j < N; j++)
        c[i][j] += a[i][k] * b[k][j];      /* ikj */
}

/* ---- Arrays ---- */

static int values[NODES * 4], indices[NODES], table[1 << 18];
static int *pointers[NODES];

APART long
array_sum (const int *p, int n)
{
  long sum = 0;

  for (int i = 0; i < n; i++)
    sum += p[i];                           /* sum */
  return sum;
}

APART long
gather (void)
{
  long sum = 0;

  for (int i = 0; i < NODES; i++)
    sum += table[indices[i]];              /* gather */
  return sum;
}

APART long
through_pointers (void)
{
  long sum = 0;

  for (int i = 0; i < NODES; i++)
    sum += *pointers[i];                   /* pointers */
  return sum;
}

APART long
anywhere (void)
{
  unsigned at = 1;
  long sum = 0;

  for (int i = 0; i < NODES; i++) {
    at = at * 1103515245 + 12345;
    sum += table[at >> 14];                /* anywhere */
  }
  return sum;
}

/* ---- Lists, trees and tables ---- */

struct node {
  long key;
  struct node *next, *left, *right, *children[2];
  char rest[64];
};

/* In an order that is not that of their addresses.  */
static struct node *nodes[NODES];

APART void
make_nodes (void)
{
  for (int i = 0; i < NODES; i++)
    nodes[i] = calloc (1, sizeof (struct node));
  for (int i = NODES - 1; i > 0; i--) {
    unsigned k = dice () % (i + 1);
    struct node *swap = nodes[i];

    nodes[i] = nodes[k];
    nodes[k] = swap;
  }
  for (int i = 0; i < NODES; i++) {
    nodes[i]->key = i;
    nodes[i]->next = i + 1 < NODES ? nodes[i + 1] : NULL;
  }
}

APART long
walk_once (const struct node *p)
{
  long sum = 0;

  for (; p; p = p->next)
    sum += p->key;                         /* once */
  return sum;
}

APART long
walk_again (const struct node *p)
{
  long sum = 0;

  for (; p; p = p->next)
    sum += p->key;                         /* again */
  return sum;
}

APART struct node *
make_tree (int low, int high)
{
  int middle = low + (high - low) / 2;
  struct node *node = nodes[middle];

  if (low >= high)
    return NULL;
  node->children[0] = node->left = make_tree (low, middle);
  node->children[1] = node->right = make_tree (middle + 1, high);
  return node;
}

APART const struct node *
search (const struct node *p, long key)
{
  while (p && p->key != key)
    p = key < p->key ? p->left : p->right; /* search */
  return p;
}

APART const struct node *
descend (const struct node *p, long key)
{
  while (p && p->key != key)
    p = p->children[key > p->key];         /* descend */
  return p;
}

APART long
visit (const struct node *p)
{
  if (!p)
    return 0;
  return p->key + visit (p->left) + visit (p->right);   /* visit */
}

#define BUCKETS 64
static struct node *buckets[BUCKETS];

APART void
fill_buckets (void)
{
  for (int i = 0; i < NODES; i++) {
    unsigned h = (unsigned) nodes[i]->key * 2654435761u >> 26;

    nodes[i]->next = buckets[h];
    buckets[h] = nodes[i];
  }
}

APART const struct node *
look_up (long key)
{
  const struct node *p = buckets[(unsigned) key * 2654435761u >> 26];

  while (p && p->key != key)
    p = p->next;                           /* chain */
  return p;
}

/* ---- Structures ---- */

struct particle {
  double x, v;
  char name[68];
  int id;
  double more[5];
};

struct arrays {
  double *x, *v;
};

static struct particle fixed[300];

APART struct particle *
make_particles (int n)
{
  struct particle *p = malloc (n * sizeof *p);

  for (int i = 0; i < n; i++)
    p[i] = (struct particle) { .x = i, .v = 1, .id = i };
  return p;
}

APART void
move_particles (struct particle *p, int n)
{
  for (int i = 0; i < n; i++)
    p[i].x += p[i].v;                      /* aos */
}

APART void
move_arrays (struct arrays *p, int n)
{
  for (int i = 0; i < n; i++)
    p->x[i] += p->v[i];                    /* soa */
}

int
main (void)
{
  struct particle *particles = make_particles (300);
  struct arrays arrays = { calloc (300, sizeof (double)),
                           calloc (300, sizeof (double)) };
  struct node *root;
  long sum = 0;

  /* Otherwise compilers know that all of it is 0.  */
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++) {
      a[i][k] = i;
      b[i][k] = k;
    }
  for (int i = 0; i < NODES; i++) {
    table[dice () % (1 << 18)] = values[i] = i;
    indices[i] = dice () % (1 << 18);
    pointers[i] = &table[dice () % (1 << 18)];
  }
  multiply_ijk ();
  multiply_ikj ();
  sum += array_sum (values, NODES * 4) + gather () + through_pointers ();
  sum += anywhere ();
  make_nodes ();
  sum += walk_once (nodes[0]);
  for (int i = 0; i < 10; i++)
    sum += walk_again (nodes[0]);
  root = make_tree (0, NODES);
  for (int i = 0; i < 500; i++) {
    sum += search (root, dice () % NODES) != NULL;
    sum += descend (root, dice () % NODES) != NULL;
  }
  sum += visit (root);
  fill_buckets ();
  for (int i = 0; i < 500; i++)
    sum += look_up (dice () % NODES) != NULL;
  for (int i = 0; i < 10; i++) {
    move_particles (particles, 300);
    move_particles (fixed, 300);
    move_arrays (&arrays, 300);
  }
  printf ("%ld\n", sum + (long) c[1][1]);
  return 0;
}
