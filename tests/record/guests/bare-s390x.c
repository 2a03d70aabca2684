/* bare-s390x.c: what only this processor has: instructions on two operands in
   memory, which VEX makes loops of, and executed ones; registers by the dozen;
   compare and swap of every width, and atomic instructions; loads and stores
   on a condition; vectors of any length, and accesses that cross a line.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bare.h"

static char line[1024] __attribute__ ((aligned (256)));
static char table[256];
static uint32_t b32;
static uint64_t b64;
static __attribute__ ((aligned (16))) uint64_t pair[2];

/* From memory to memory, of a length that stands in the instruction, or in a
   register.  */
static uint64_t
storage (uint32_t i)
{
  char *at = line + 3 * (i % 20), *to = line + 512;
  uint64_t length = i % 100, cc;

  __asm__ volatile ("mvc 0(37,%1), 5(%0)\n\t"
                    "xc 64(200,%1), 2(%0)\n\t"
                    "oc 0(3,%1), 9(%0)\n\t"
                    "nc 1(9,%1), 8(%0)\n\t"
                    "tr 0(20,%1), 0(%2)\n\t"
                    "mvi 5(%1), 7\n\t"
                    "mvghi 16(%1), -3\n\t"
                    "asi 4(%1), 5\n\t"
                    "oi 3(%1), 64"
                    : : "a" (at), "a" (to), "a" (table) : "cc", "memory");
  __asm__ volatile ("larl %%r1, 1f\n\t"
                    "ex %3, 0(%%r1)\n\t"
                    "exrl %3, 2f\n\t"
                    "j 3f\n"
                    "1:\tmvc 0(1,%2), 0(%1)\n"
                    "2:\tclc 0(1,%2), 0(%1)\n"
                    "3:\tipm %0"
                    : "=d" (cc) : "a" (at), "a" (to), "a" (length)
                    : "1", "cc", "memory");
  return cc >> 28 & 3;
}

static uint64_t
strings (uint32_t i)
{
  register char *end __asm__ ("2") = line + 256;
  register char *from __asm__ ("4") = line + i % 200;
  register uint64_t length __asm__ ("5") = i % 70;
  register char *to __asm__ ("6") = line + 700;
  register uint64_t room __asm__ ("7") = i % 90;
  char *found = line;

  line[250] = 0;
  __asm__ volatile ("lghi %%r0, 0\n"
                    "0:\tsrst %0, %1\n\t"
                    "jo 0b"
                    : "+d" (end), "+d" (found) : : "0", "cc", "memory");
  __asm__ volatile ("0:\tmvcle %0, %2, 32\n\t"
                    "jo 0b"
                    : "+d" (to), "+d" (room), "+d" (from), "+d" (length)
                    : : "cc", "memory");
  return (uint64_t) end + room + length;
}

static uint64_t
many (void)
{
  uint64_t sum;

  __asm__ volatile ("stmg %%r6, %%r15, 8(%1)\n\t"
                    "lmg %%r2, %%r5, 16(%1)\n\t"
                    "agr %%r2, %%r5\n\t"
                    "stm %%r2, %%r4, 128(%1)\n\t"
                    "stmh %%r2, %%r4, 160(%1)\n\t"
                    "lmh %%r2, %%r3, 160(%1)\n\t"
                    "lpq %%r4, 0(%2)\n\t"
                    "stpq %%r4, 0(%2)\n\t"
                    "stam %%a2, %%a15, 192(%1)\n\t"
                    "lam %%a2, %%a15, 192(%1)\n\t"
                    "lgr %0, %%r2"
                    : "=d" (sum) : "a" (line), "a" (pair)
                    : "2", "3", "4", "5", "memory");
  return sum & 1;
}

static uint64_t
atomic (uint32_t i)
{
  uint64_t sum = 0;
  uint32_t expected = i & 1 ? b32 : b32 + 1;

  sum += __atomic_fetch_add (&b32, i, __ATOMIC_SEQ_CST);
  sum += __atomic_compare_exchange_n (&b32, &expected, i, 0,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  sum += __atomic_exchange_n (&b64, i, __ATOMIC_ACQ_REL);
  sum += __atomic_fetch_or (&b64, i, __ATOMIC_RELAXED);
  __asm__ volatile ("laag %%r1, %0, %2\n\t"
                    "laxg %%r1, %0, %2\n\t"
                    "lan %%r1, %0, %1\n\t"
                    "asi %1, 1\n\t"
                    "agsi %2, -1"
                    : : "d" (sum), "S" (b32), "S" (b64)
                    : "1", "cc", "memory");
  /* One that fails, and one that does not.  */
  __asm__ volatile ("lg %%r2, 0(%0)\n\t"
                    "lg %%r3, 8(%0)\n\t"
                    "lgr %%r4, %1\n\t"
                    "lgr %%r5, %1\n\t"
                    "cdsg %%r2, %%r4, 0(%0)\n\t"
                    "aghi %%r2, 1\n\t"
                    "cdsg %%r2, %%r4, 0(%0)"
                    : : "a" (pair), "d" (sum)
                    : "2", "3", "4", "5", "cc", "memory");
  return sum;
}

static uint64_t
conditional (uint32_t i)
{
  uint64_t value = i;

  __asm__ volatile ("chi %0, 100\n\t"
                    "loch %0, 0(%1)\n\t"
                    "stocgl %0, 8(%1)\n\t"
                    "locgnh %0, 8(%1)\n\t"
                    "stoch %0, 20(%1)"
                    : "+d" (value) : "a" (line) : "cc", "memory");
  return value;
}

static void
vectors (uint32_t i)
{
  char *at = line + 5 * (i % 20), *to = line + 512 - i % 7;
  uint64_t length = i % 20;

  __asm__ volatile ("vl %%v1, 3(%0)\n\t"
                    "vst %%v1, 8(%1)\n\t"
                    "vlm %%v2, %%v5, 16(%0)\n\t"
                    "vstm %%v2, %%v5, 61(%1)\n\t"
                    "vll %%v6, %2, 1(%0)\n\t"
                    "vstl %%v6, %2, 9(%1)\n\t"
                    "vlrepf %%v7, 4(%0)\n\t"
                    "vsteh %%v7, 2(%1), 3\n\t"
                    "vleg %%v7, 8(%0), 1\n\t"
                    "vlbb %%v8, 0(%0), 0\n\t"
                    "ld %%f9, 8(%0)\n\t"
                    "ste %%f9, 60(%1)"
                    : : "a" (at), "a" (to), "d" (length) : "memory");
}

static int
bare_main (void)
{
  uint64_t sum = 0;

  for (uint32_t i = 0; i < 256; i++) {
    table[i] = (char) (i ^ 90);
    line[4 * i] = (char) i;
  }
  for (uint32_t i = 0; i < 200; i++) {
    sum += storage (i);
    sum += strings (i);
    sum += many ();
    sum += atomic (i);
    sum += conditional (i);
    vectors (i);
  }
  bare_sink = sum;
  return b32 % 100;
}
