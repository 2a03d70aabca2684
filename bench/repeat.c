/* repeat.c: calls the main of another program several times, to make a log
   of as many accesses as one likes (bench/large).

   Usage: repeat TIMES
   The other program is compiled with -Dmain=repeated_main
   -Dexit=repeated_exit.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

int repeated_main (int argc, char **argv);
void repeated_exit (int status);

static jmp_buf again;

void
repeated_exit (int status)
{
  longjmp (again, 1);
}

int
main (int argc, char **argv)
{
  volatile int times = argc > 1 ? atoi (argv[1]) : 1;
  while (times-- > 0) {
    printf ("%d more\n", times);
    if (setjmp (again) == 0)
      repeated_main (1, argv);
  }
  return 0;
}
