/* hot-cold-lookup.c: keys beside their texts, looked up in no order

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 3000

#ifdef REPAIRED
static int *keys;
static char (*texts)[124];
#else
static struct entry { int key; char text[124]; } *entries;
#endif

int
main (void)
{
  unsigned random = 1;
  long sum = 0;

#ifdef REPAIRED
  keys = calloc (N, sizeof *keys);
  texts = calloc (3, sizeof *texts);
  strcpy (texts[2], "two");
#else
  entries = calloc (N, sizeof *entries);
  strcpy (entries[2].text, "two");
#endif
  for (int i = 0; i < 200000; i++) {
    unsigned at = (random = random * 1664525 + 1013904223) >> 8;

#ifdef REPAIRED
    sum += keys[at % N];
#else
    sum += entries[at % N].key; /* FLAW */
#endif
  }
#ifdef REPAIRED
  printf ("%ld %s\n", sum, texts[2]);
  free (keys);
  free (texts);
#else
  printf ("%ld %s\n", sum, entries[2].text);
  free (entries);
#endif
  return 0;
}
