/* site-lines.c: lines that allocate more than once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdlib.h>

#define PAIR(n, m) char *a = malloc (n), *b = malloc (m)

/* So that nothing is optimised away.  */
static void
use (char *memory)
{
  *(volatile char *) memory = 1;
}

static inline __attribute__ ((always_inline)) void
two_inlined (int n)
{
  char *a = malloc (n + 1), *b = malloc (n + 2); /* HERE two_inlined */
  use (a);
  use (b);
}

static __attribute__ ((noinline)) void
two_of_a_macro (void)
{
  PAIR (31, 32); /* HERE two_of_a_macro */
  use (a);
  use (b);
}

static inline __attribute__ ((always_inline)) char *
one_inlined (int n)
{
  return malloc (n); /* HERE one_inlined */
}

static __attribute__ ((noinline)) char *
one_called (int n)
{
  char *memory = malloc (n); /* HERE one_called */
  use (memory);
  return memory;
}

int
main (void)
{
  char *a = malloc (11), *b = malloc (12); /* HERE two */
  char *c = malloc (13); /* HERE one */
  use (a);
  use (b);
  use (c);
  two_inlined (40);
  two_inlined (50);
  two_of_a_macro ();
  use (one_inlined (60));
  use (one_inlined (61));
  a = one_called (70), b = one_called (71); /* HERE callers */
  use (a);
  use (b);
  return 0;
}
