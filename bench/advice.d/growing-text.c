/* growing-text.c: realloc makes a buffer larger for each word

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

/* rules: regrowth */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
main (void)
{
  char *text = NULL;
  size_t n = 0, room = 0;

  for (int i = 0; i < 6000; i++) {
    size_t more = 8 + i % 5;

    if (n + more > room) {
#ifdef REPAIRED
      room = 2 * (n + more);
#else
      room = n + more;
#endif
      text = realloc (text, room); /* FLAW */
    }
    memset (text + n, 'a' + i % 26, more);
    n += more;
  }
  printf ("%zu %c\n", n, text[n / 2]);
  free (text);
  return 0;
}
