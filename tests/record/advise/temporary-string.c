/* temporary-string.c: a copy of each word that is looked at

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"one", "three", "fifteen", "hundred"};

int
main (void)
{
  long sum = 0;

  for (int i = 0; i < 20000; i++) {
#ifdef REPAIRED
    const char *word = words[i % 4];
#else
    char *word = strdup (words[i % 4]); /* FLAW */
#endif

    sum += word[0] + word[1] + word[2];
#ifndef REPAIRED
    free (word);
#endif
  }
  printf ("%ld\n", sum);
  return 0;
}
