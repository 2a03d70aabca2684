/* dead-loads.c: 500 times, a load whose value nothing uses, a comparison
   whose result nothing asks for, and a load that is used.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

volatile int unused[16], compared[16], used[16];

int
main (void)
{
  int sum = 0;
  for (int i = 0; i < 500; i++) {
    int x;
    __asm__ volatile ("movl %1, %0\n\t"
                      "cmpl $3, %2\n\t"
                      "movl %3, %0\n\t"
                      "addl $1, %0"
                      : "=&r" (x)
                      : "m" (unused[i % 16]), "m" (compared[i % 16]),
                        "m" (used[i % 16])
                      : "cc");
    sum += x;
  }
  return sum != 500;
}
