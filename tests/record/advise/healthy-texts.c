/* healthy-texts.c: texts in blocks of their own, with room in between

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 20000

int
main (void)
{
  char **texts = malloc (N * sizeof *texts), text[41];
  unsigned long sum = 0;

  for (int i = 0; i < N; i++) {
    snprintf (text, sizeof text, "%039d", i);
    texts[i] = strdup (text);
  }
  for (int round = 0; round < 5; round++)
    for (int i = 0; i < N; i++)
      for (int k = 0; k < 40; k += 8) {
        unsigned long part;

        memcpy (&part, texts[i] + k, sizeof part);
        sum = sum * 31 + part;
      }
  printf ("%lu\n", sum);
  for (int i = 0; i < N; i++)
    free (texts[i]);
  free (texts);
  return 0;
}
