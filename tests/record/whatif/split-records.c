/* split-records.c: a key is looked for among large records

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */
/* change: --split=record:key,count */

#include <stdio.h>
#include <stdlib.h>

#define N 30000

#ifdef REPAIRED
struct hot { long key, count; };
struct cold { char text[112]; };
static struct hot *hot;
static struct cold *cold;
#define KEY(i) hot[i].key
#define COUNT(i) hot[i].count
#define TEXT(i) cold[i].text
#else
struct record { long key; char text[112]; long count; };
static struct record *all;
#define KEY(i) all[i].key
#define COUNT(i) all[i].count
#define TEXT(i) all[i].text
#endif

int
main (void)
{
  unsigned at = 1;

#ifdef REPAIRED
  hot = malloc (N * sizeof *hot);
  cold = malloc (N * sizeof *cold);
#else
  all = malloc (N * sizeof *all);
#endif
  for (int i = 0; i < N; i++) {
    KEY (i) = i;
    COUNT (i) = 0;
    TEXT (i)[i % 112] = 1;
  }
  for (int round = 0; round < 300000; round++) {
    at = at * 1664525 + 1013904223;
    if (KEY ((at >> 8) % N) % 3 == 0)
      COUNT ((at >> 8) % N)++;
  }
  printf ("%ld %d\n", COUNT (9), TEXT (3)[3]);
  return 0;
}
