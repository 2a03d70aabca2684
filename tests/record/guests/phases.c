/* phases.c: phases that can be distinguished: first () writes one[] 1000
   times, second () writes two[] 2000 times and calls inner (), which writes
   three[] 100 times, third () writes one[] 500 times.  The argument says
   where recording is stopped and started.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "datagrind.h"
#include <setjmp.h>
#include <string.h>
#include <unistd.h>

volatile int one[64], two[64], three[64];
static jmp_buf out;

__attribute__ ((noinline)) void
first (void)
{
  for (int i = 0; i < 1000; i++)
    one[i % 64] = i;
}

__attribute__ ((noinline)) void
inner (void)
{
  for (int i = 0; i < 100; i++)
    three[i % 64] = i;
}

__attribute__ ((noinline)) void
second (int jump)
{
  for (int i = 0; i < 2000; i++)
    two[i % 64] = i;
  inner ();
  if (jump)
    longjmp (out, 1);
  __asm__ volatile ("");
}

__attribute__ ((noinline)) void
third (void)
{
  for (int i = 0; i < 500; i++)
    one[i % 64] = i;
}

__attribute__ ((noinline)) int
recurse (int n)
{
  three[n % 64] = n;
  return n == 0 ? 0 : recurse (n - 1) + 1;
}

int
main (int argc, char **argv)
{
  const char *mode = argc > 1 ? argv[1] : "";
  int requests = !strcmp (mode, "requests");
  if (!strcmp (mode, "wait")) {
    /* Until somebody has looked at it.  */
    char c;
    write (1, "ready\n", 6);
    first ();
    read (0, &c, 1);
    second (0);
    write (1, "again\n", 6);
    read (0, &c, 1);
    third ();
    return 0;
  }
  if (!strcmp (mode, "long")) {
    for (int k = 0; k < 400; k++)
      first ();
    return 21;
  }
  first ();
  if (requests)
    DATAGRIND_START_RECORDING;
  if (setjmp (out) == 0)
    second (!strcmp (mode, "jump"));
  if (requests) {
    DATAGRIND_STOP_RECORDING;
    DATAGRIND_STOP_RECORDING;
  }
  third ();
  recurse (50);
  if (requests)
    DATAGRIND_START_RECORDING;
  inner ();
  return 21;
}
