/* Executes an instruction of AVX-512, which Valgrind does not know; with an
   argument other than that, what it says.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <cpuid.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static sigjmp_buf place;

static void
handle (int number)
{
  siglongjmp (place, number);
}

__attribute__ ((noinline)) static void
kernel (void)
{
  __asm__ volatile (".byte 0x62, 0xf1, 0x7c, 0x48, 0x58, 0xc1");
}

/* Handles the signal, as programs do that try what a processor has.  */
static int
try_it (void)
{
  signal (SIGILL, handle);
  if (sigsetjmp (place, 1) == 0)
    kernel ();
  else
    puts ("handled");
  return 0;
}

static void
report (int number)
{
  puts ("crashed");
  fflush (stdout);
  signal (number, SIG_DFL);
  raise (number);
}

/* What CPUID says of AVX-512, and of the system's support.  */
static int
ask (void)
{
  unsigned a, b = 0, c, d, low = 0, high;

  __cpuid_count (7, 0, a, b, c, d);
  printf ("%u", b >> 16 & 1);
  __cpuid (1, a, b, c, d);
  if (c >> 27 & 1)
    __asm__ ("xgetbv" : "=a" (low), "=d" (high) : "c" (0));
  printf (" %u\n", low >> 5 & 7);
  return 0;
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "kernel";

  if (strcmp (what, "try") == 0)
    return try_it ();
  if (strcmp (what, "ask") == 0)
    return ask ();
  if (strcmp (what, "trap") == 0)
    __builtin_trap ();
  if (strcmp (what, "raise") == 0)
    return raise (SIGILL);
  if (strcmp (what, "crash") == 0)
    signal (SIGILL, report);
  kernel ();
  return 0;
}
