/* bare-recurse.c: deep, wide and mutual recursion, through pointers too.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bare.h"

static __attribute__ ((noinline, noclone)) unsigned
depth (unsigned n)
{
  volatile unsigned here = n;
  return n == 0 ? 0 : depth (n - 1) + here;
}

static __attribute__ ((noinline, noclone)) unsigned
fib (unsigned n)
{
  return n < 2 ? n : fib (n - 1) + fib (n - 2);
}

static __attribute__ ((noinline, noclone)) unsigned
ackermann (unsigned m, unsigned n)
{
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann (m - 1, 1);
  return ackermann (m - 1, ackermann (m, n - 1));
}

static unsigned odd (unsigned n, unsigned (**f) (unsigned, void *));

static __attribute__ ((noinline, noclone)) unsigned
even (unsigned n, void *f)
{
  return n == 0 ? 1 : odd (n - 1, f);
}

static __attribute__ ((noinline, noclone)) unsigned
odd (unsigned n, unsigned (**f) (unsigned, void *))
{
  volatile unsigned keep = n;
  return n == 0 ? 0 : (*f) (keep - 1, f) + 0 * keep;
}

static int
bare_main (void)
{
  unsigned (*f) (unsigned, void *) = even;
  __asm__ volatile ("" : "+m" (f));
  bare_sink = depth (4000) + fib (13) + ackermann (2, 6)
              + even (500, &f);
  return 0;
}
