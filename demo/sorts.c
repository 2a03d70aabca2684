/* sorts.c: the demo.  One array sorted by eight algorithms, for a look at how
   differently they go about memory.

   Each algorithm is an event, all of them together are the event "sorting";
   the array and everybody's scratch space are ranges.  Nothing depends on
   the machine or the time, so two recordings show the same.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/datagrind.h>

/* Large enough for the shapes to show, small enough for the two quadratic
   ones not to drown the rest, and for everything to fit in one page.  */
#define N 320

static void
swap (int *a, int *b)
{
  int t = *a;
  *a = *b;
  *b = t;
}

static void
insertion_sort (int *a, size_t n)
{
  for (size_t i = 1; i < n; i++) {
    int x = a[i];
    size_t j = i;
    for (; j > 0 && a[j - 1] > x; j--)
      a[j] = a[j - 1];
    a[j] = x;
  }
}

static void
selection_sort (int *a, size_t n)
{
  for (size_t i = 0; i + 1 < n; i++) {
    size_t least = i;
    for (size_t j = i + 1; j < n; j++)
      if (a[j] < a[least])
        least = j;
    swap (&a[i], &a[least]);
  }
}

static void
shell_sort (int *a, size_t n)
{
  static const size_t gaps[] = { 301, 132, 57, 23, 10, 4, 1 };

  for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
    for (size_t i = gaps[g]; i < n; i++) {
      int x = a[i];
      size_t j = i;
      for (; j >= gaps[g] && a[j - gaps[g]] > x; j -= gaps[g])
        a[j] = a[j - gaps[g]];
      a[j] = x;
    }
}

static void
sift_down (int *a, size_t i, size_t n)
{
  size_t child;

  while ((child = 2 * i + 1) < n) {
    if (child + 1 < n && a[child + 1] > a[child])
      child++;
    if (a[i] >= a[child])
      return;
    swap (&a[i], &a[child]);
    i = child;
  }
}

static void
heap_sort (int *a, size_t n)
{
  for (size_t i = n / 2; i-- > 0;)
    sift_down (a, i, n);
  while (n > 1) {
    swap (&a[0], &a[--n]);
    sift_down (a, 0, n);
  }
}

/* Brings the smaller ones to the front; returns where the pivot then is.  */
static size_t
partition (int *a, size_t n)
{
  size_t smaller = 0;

  swap (&a[0], &a[n / 2]);
  for (size_t i = 1; i < n; i++)
    if (a[i] < a[0])
      swap (&a[++smaller], &a[i]);
  swap (&a[0], &a[smaller]);
  return smaller;
}

static void
quick_sort (int *a, size_t n)
{
  if (n < 2)
    return;
  size_t pivot = partition (a, n);
  quick_sort (a, pivot);
  quick_sort (a + pivot + 1, n - pivot - 1);
}

static void
merge_halves (int *a, int *scratch, size_t n)
{
  size_t middle = n / 2;

  if (n < 2)
    return;
  merge_halves (a, scratch, middle);
  merge_halves (a + middle, scratch, n - middle);
  memcpy (scratch, a, middle * sizeof *a);
  for (size_t i = 0, j = middle, k = 0; i < middle; k++)
    a[k] = j < n && a[j] < scratch[i] ? a[j++] : scratch[i++];
}

static void
merge_sort (int *a, size_t n)
{
  int *scratch = malloc (n / 2 * sizeof *scratch);

  if (!scratch)
    abort ();
  DATAGRIND_TRACK_RANGE (scratch, n / 2 * sizeof *scratch, "int",
                         "merge scratch");
  merge_halves (a, scratch, n);
  DATAGRIND_UNTRACK_RANGE (scratch, n / 2 * sizeof *scratch);
  free (scratch);
}

/* By four bits at a time, from one array into the other and back.  Numbers
   are not negative.  */
static void
radix_sort (int *a, size_t n)
{
  int *scratch = malloc (n * sizeof *scratch), *from = a, *to = scratch;
  int *ends = malloc (16 * sizeof *ends);

  if (!scratch || !ends)
    abort ();
  DATAGRIND_TRACK_RANGE (scratch, n * sizeof *scratch, "int",
                         "radix scratch");
  DATAGRIND_TRACK_RANGE (ends, 16 * sizeof *ends, "int", "radix counts");
  for (unsigned shift = 0; shift < 16; shift += 4) {
    memset (ends, 0, 16 * sizeof *ends);
    for (size_t i = 0; i < n; i++)
      ends[from[i] >> shift & 15]++;
    for (size_t d = 1; d < 16; d++)
      ends[d] += ends[d - 1];
    for (size_t i = n; i-- > 0;)
      to[--ends[from[i] >> shift & 15]] = from[i];
    int *t = from;
    from = to;
    to = t;
  }
  DATAGRIND_UNTRACK_RANGE (ends, 16 * sizeof *ends);
  DATAGRIND_UNTRACK_RANGE (scratch, n * sizeof *scratch);
  free (ends);
  free (scratch);
}

/* Children are indices, 0 for none: the root, number 0, is nobody's child.  */
struct node {
  short child[2];
  int value;
};

static int *
walk_tree (const struct node *nodes, size_t at, int *out)
{
  if (nodes[at].child[0])
    out = walk_tree (nodes, nodes[at].child[0], out);
  *out++ = nodes[at].value;
  if (nodes[at].child[1])
    out = walk_tree (nodes, nodes[at].child[1], out);
  return out;
}

static void
tree_sort (int *a, size_t n)
{
  struct node *nodes = calloc (n, sizeof *nodes);

  if (!nodes)
    abort ();
  DATAGRIND_TRACK_RANGE (nodes, n * sizeof *nodes, "struct node", "tree");
  for (size_t i = 0; i < n; i++) {
    size_t at = 0;
    short *place = NULL;
    nodes[i].value = a[i];
    while (i > 0 && *(place = &nodes[at].child[a[i] >= nodes[at].value]))
      at = *place;
    if (place)
      *place = i;
  }
  walk_tree (nodes, 0, a);
  DATAGRIND_UNTRACK_RANGE (nodes, n * sizeof *nodes);
  free (nodes);
}

static const struct {
  const char *name;
  void (*sort) (int *a, size_t n);
} algorithms[] = {
  { "insertion", insertion_sort }, { "selection", selection_sort },
  { "shell", shell_sort },         { "heap", heap_sort },
  { "quick", quick_sort },         { "merge", merge_sort },
  { "radix", radix_sort },         { "tree", tree_sort },
};

/* The same unsorted numbers, 0 to 32767, for everybody.  */
static void
fill (int *a, size_t n)
{
  unsigned state = 20;

  for (size_t i = 0; i < n; i++) {
    state = state * 1103515245 + 12345;
    a[i] = state >> 16 & 0x7fff;
  }
}

static bool
is_sorted (const int *a, size_t n)
{
  for (size_t i = 1; i < n; i++)
    if (a[i - 1] > a[i])
      return false;
  return true;
}

int
main (void)
{
  int *array = malloc (N * sizeof *array), status = EXIT_SUCCESS;

  if (!array)
    return EXIT_FAILURE;
  DATAGRIND_TRACK_RANGE (array, N * sizeof *array, "int", "array");
  DATAGRIND_START_EVENT ("sorting");
  for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
    fill (array, N);
    DATAGRIND_START_EVENT (algorithms[i].name);
    algorithms[i].sort (array, N);
    DATAGRIND_END_EVENT (algorithms[i].name);
    if (!is_sorted (array, N)) {
      fprintf (stderr, "sorts: %s sort does not\n", algorithms[i].name);
      status = EXIT_FAILURE;
    }
  }
  DATAGRIND_END_EVENT ("sorting");
  DATAGRIND_UNTRACK_RANGE (array, N * sizeof *array);
  free (array);
  return status;
}
