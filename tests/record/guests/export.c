/* What exports are tested with: a loop of branches of all kinds, calls through
   pointers, floating-point and vector instructions, strings, system calls and
   more than one array, each access within a line.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N 4096

static long add (long a, long b) { return a + b; }
static long sub (long a, long b) { return a - b; }
static long mul (long a, long b) { return a * b; }
static long (*volatile const table[]) (long, long) = {add, sub, mul};

static double
smooth (const double *from, double *to, int n)
{
  double sum = 0;

  for (int i = 1; i + 1 < n; i++) {
    to[i] = (from[i - 1] + from[i] + from[i + 1]) / 3;
    sum += to[i];
  }
  return sum;
}

static long
choose (long n)
{
  switch (n % 7) {
  case 0: return n + 1;
  case 1: return n * 3;
  case 2: return n - 5;
  case 3: return n / 3;
  case 4: return n ^ 77;
  case 5: return n << 2;
  default: return n | 1;
  }
}

int
main (void)
{
  double *a = aligned_alloc (64, N * sizeof *a);
  double *b = aligned_alloc (64, N * sizeof *b);
  char *text = aligned_alloc (64, N);
  long sum = 0;

  for (int i = 0; i < N; i++)
    a[i] = i * 0.5;
  for (int round = 0; round < 3; round++) {
    sum += (long) smooth (a, b, N);
    for (int i = 0; i < N; i++) {
      sum = table[i % 3](sum, i);
      sum += choose (i);
      if (sum % 5 == 0)
        a[i * 17 % N] += 1;
    }
    memset (text, 'x', N);
    text[N - 1] = '\0';
    sum += (long) strlen (text);
    if (write (1, text, 3000) != 3000)
      return 1;
  }
  printf ("%ld\n", sum);
  return 0;
}
