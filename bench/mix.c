/* mix.c: three ways to use memory: a product of matrices in rows and
   columns, a list in random order, and a sort with a function of our own.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define ORDER 200
#define NODES 50000
#define WALKS 20
#define NUMBERS 300000

struct node {
  struct node *next;
  long value;
  char filler[48];
};

static double a[ORDER][ORDER], b[ORDER][ORDER], c[ORDER][ORDER];
static int numbers[NUMBERS];

static unsigned
next_random (void)
{
  static unsigned long long state = 88172645463325252ULL;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned) (state >> 32);
}

static double
matrix (void)
{
  for (int i = 0; i < ORDER; i++)
    for (int j = 0; j < ORDER; j++) {
      a[i][j] = i + j;
      b[i][j] = i - j;
    }
  for (int i = 0; i < ORDER; i++)
    for (int j = 0; j < ORDER; j++) {
      double sum = 0;
      for (int k = 0; k < ORDER; k++)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  return c[ORDER / 2][ORDER / 3];
}

static long
list (void)
{
  struct node **order = malloc (NODES * sizeof *order);
  for (int i = 0; i < NODES; i++)
    order[i] = calloc (1, sizeof **order);
  for (int i = NODES - 1; i > 0; i--) {
    int j = (int) (next_random () % (unsigned) (i + 1));
    struct node *n = order[i];
    order[i] = order[j];
    order[j] = n;
  }
  for (int i = 0; i < NODES; i++) {
    order[i]->next = i + 1 < NODES ? order[i + 1] : NULL;
    order[i]->value = i;
  }
  long sum = 0;
  for (int k = 0; k < WALKS; k++)
    for (struct node *n = order[0]; n; n = n->next)
      sum += n->value;
  for (int i = 0; i < NODES; i++)
    free (order[i]);
  free (order);
  return sum;
}

static int
compare (const void *x, const void *y)
{
  int i = *(const int *) x, j = *(const int *) y;
  return (i > j) - (i < j);
}

static int
sort (void)
{
  for (int i = 0; i < NUMBERS; i++)
    numbers[i] = (int) (next_random () >> 1);
  qsort (numbers, NUMBERS, sizeof *numbers, compare);
  return numbers[NUMBERS / 2];
}

int
main (void)
{
  printf ("%g %ld %d\n", matrix (), list (), sort ());
  return 0;
}
