/* Each piece is appended by a search for the end; repaired: the end is
   kept.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <string.h>

#define N 3000

int
main (void)
{
  static char text[N * 8];
#ifdef REPAIRED
  char *end = text;
#endif

  for (int k = 0; k < 2; k++) {
    text[0] = '\0';
#ifdef REPAIRED
    end = text;
#endif
    for (int i = 0; i < N; i++)
#ifdef REPAIRED
      end = stpcpy (end, "piece, ");
#else
      strcat (text, "piece, ");
#endif
  }
  printf ("%zu\n", strlen (text));
}
