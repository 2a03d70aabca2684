/* Blocks that are wanted at known places through allocators of other names:
   those of wrappers, of Fortran and of Rust, and of a program that asks
   Valgrind itself.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>
#include <string.h>

#include <valgrind/valgrind.h>

#define CALLED __attribute__ ((noinline))

/* What only the user knows to be one.  */
CALLED void *
grab (size_t n)
{
  void *memory = malloc (n);          /* HERE grab */

  memset (memory, 1, n);
  return memory;
}

/* What everybody knows.  */
CALLED void *
xmalloc (size_t n)
{
  void *memory = malloc (n);

  memset (memory, 1, n);
  return memory;
}

CALLED void *
our_realloc (void *old, size_t n)
{
  void *memory = realloc (old, n);

  memset (memory, 1, n);
  return memory;
}

CALLED void *
_gfortrani_xmallocarray (size_t n)
{
  void *memory = xmalloc (n);

  memset (memory, 2, n);
  return memory;
}

CALLED void *
__rdl_alloc (size_t n)
{
  void *memory = malloc (n);

  memset (memory, 2, n);
  return memory;
}

static char pool[4096];

CALLED static void
ask (void)
{
  VALGRIND_MALLOCLIKE_BLOCK (pool, 64, 0, 0);       /* HERE like */
  memset (pool, 1, 64);
  VALGRIND_RESIZEINPLACE_BLOCK (pool, 64, 128, 0);  /* HERE resize */
  memset (pool, 1, 128);
}

CALLED static char *
copy (void)
{
  char *text = strdup ("strdup's block");           /* HERE strdup */

  text[0] = 'S';
  return text;
}

int
main (void)
{
  volatile char *blocks[8];

  blocks[0] = grab (1001);
  blocks[1] = xmalloc (1002);         /* HERE xmalloc */
  blocks[2] = our_realloc (NULL, 1003);             /* HERE our_realloc */
  blocks[3] = _gfortrani_xmallocarray (1004);    /* HERE fortran */
  blocks[4] = __rdl_alloc (1005);     /* HERE rust */
  blocks[5] = copy ();
  ask ();
  for (int i = 0; i < 6; i++)
    blocks[i][0] = 1;
  return 0;
}
