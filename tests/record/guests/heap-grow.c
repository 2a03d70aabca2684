/* Reallocates: larger, smaller, in place, moved, from and to nothing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>
#include <string.h>

struct text {
  char *at;
  size_t n;
};

static __attribute__((noinline)) void
resize (struct text *t, size_t n)
{
  char *at = realloc (t->at, n);

  if (at == NULL && n > 0)
    abort ();
  t->at = at;
  if (n > t->n)
    memset (at + t->n, 'x', n - t->n);
  t->n = n;
}

int
main (void)
{
  struct text texts[40];
  unsigned random = 1;

  memset (texts, 0, sizeof texts);
  for (size_t n = 0; n < 30000; n += 13)
    resize (&texts[0], n + 1);
  for (size_t n = 30000; n > 97; n -= 97)
    resize (&texts[0], n);
  for (int i = 0; i < 4000; i++) {
    random = random * 1103515245 + 12345;
    resize (&texts[random / 65536 % 40], random / 131072 % 3000 + 1);
  }
  for (int i = 0; i < 40; i++)
    if (i % 2)
      free (texts[i].at);
    else
      free (realloc (texts[i].at, 0));
  return 0;
}
