/* append.c: strcat searches the end of a long text for each word

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* rules: string-scan */

#include <stdio.h>
#include <string.h>

static char text[40000];

int
main (void)
{
#ifdef REPAIRED
  char *end = text;
#endif

  for (int i = 0; i < 3000; i++) {
    char word[16];

    snprintf (word, sizeof word, "%d,", i);
#ifdef REPAIRED
    end = stpcpy (end, word);
#else
    strcat (text, word); /* FLAW */
#endif
  }
  printf ("%zu\n", strlen (text));
  return 0;
}
