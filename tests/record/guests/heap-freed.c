/* heap-freed.c: reads the only block that there was, after it has been freed
   and Valgrind has taken some megabytes for itself: for blocks that are not
   malloc's, of which it is told.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>
#include <valgrind.h>

int
main (void)
{
  volatile char *only = malloc (10);
  free ((void *) only);
  for (unsigned long i = 1; i < 200000; i++)
    VALGRIND_MALLOCLIKE_BLOCK (4096 * i, 8, 0, 0);
  return only[5] != only[5];
}
