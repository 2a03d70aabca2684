/* guarded.c: functions that align their frames, which are so large that code
   that touches every page of the stack takes them in steps, or in a loop.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

static void __attribute__ ((noinline))
add (volatile long *number, int n)
{
  for (int i = 0; i < n; i++)
    ++*number;
}

static long __attribute__ ((noinline))
steps (int n)
{
  _Alignas (64) volatile char much[6000];
  _Alignas (64) volatile long counter = 0;

  much[n] = 1;
  add (&counter, n);
  for (int i = 0; i < 3 * n; i++)
    much[i] = 1;
  return counter + much[n];
}

static long __attribute__ ((noinline))
loops (int n)
{
  _Alignas (64) volatile char lots[60000];
  _Alignas (64) volatile long number = 0;

  lots[n] = 1;
  add (&number, 2 * n);
  for (int i = 0; i < 3 * n; i++)
    lots[i] = 1;
  return number + lots[n];
}

int
main (void)
{
  return steps (1000) + loops (1000) == 0;
}
