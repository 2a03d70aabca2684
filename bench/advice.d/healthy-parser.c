/* healthy-parser.c: a text that is read character by character, with a state

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
  static char text[120000];
  long words = 0, numbers = 0, state = 0;

  for (unsigned i = 0; i < sizeof text - 1; i++)
    text[i] = "ab 12 c,d"[i % 9];
  for (int round = 0; round < 3; round++)
    for (const char *at = text; *at != '\0'; at++) {
      int c = (unsigned char) *at;

      if (isalpha (c)) {
        words += state != 1;
        state = 1;
      } else if (isdigit (c)) {
        numbers += state != 2;
        state = 2;
      } else {
        state = 0;
      }
    }
  printf ("%ld %ld\n", words, numbers);
  return 0;
}
