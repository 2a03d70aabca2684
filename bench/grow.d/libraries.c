/* libraries.c: loads a library, calls it, and unloads it, again and again.

   Usage: libraries NUMBER LIBRARY

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifdef LIBRARY
static int numbers[64];

void
count (void)
{
  for (int i = 0; i < 64; i++)
    numbers[i] += i;
}
#else
#include <dlfcn.h>
#include <stdlib.h>

int
main (int argc, char **argv)
{
  size_t n = argc > 2 ? strtoull (argv[1], NULL, 0) : 0;

  for (size_t i = 0; i < n; i++) {
    void *library = dlopen (argv[2], RTLD_NOW);
    void (*count) (void)
      = library ? (void (*) (void)) dlsym (library, "count") : NULL;

    if (!count)
      return 1;
    count ();
    dlclose (library);
  }
  return 0;
}
#endif
