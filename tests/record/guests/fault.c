/* fault.c: with an argument, a fault two calls below main.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

static volatile int *volatile nowhere;
static volatile int results[2];

static void __attribute__ ((noinline, noclone))
writes_there (int value)
{
  *nowhere = value;
  results[0]++;
}

static void __attribute__ ((noinline, noclone))
calls_it (int value)
{
  writes_there (value + 1);
  results[1]++;
}

int
main (int argc, char **argv)
{
  nowhere = argc > 1 ? 0 : results;
  calls_it (argc);
  return 0;
}
