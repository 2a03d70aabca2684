/* bare-arm64.c: what only this processor has: exclusive pairs of every width,
   atomic instructions, registers in pairs, with the base changed before or
   behind, vectors that are taken apart, and accesses that cross a line.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bare.h"

static char line[512] __attribute__ ((aligned (64)));
static uint8_t b8;
static uint16_t b16;
static uint32_t b32;
static uint64_t b64;
static __attribute__ ((aligned (16))) uint64_t pair[2];

/* Adds one by a loop that ends when nobody came between.  */
#define EXCLUSIVE(load, store, at, r)                                        \
  __asm__ volatile ("1: " load " %" r "0, [%2]\n\t"                          \
                    "add %w0, %w0, #1\n\t"                                   \
                    store " %w1, %" r "0, [%2]\n\t"                          \
                    "cbnz %w1, 1b"                                           \
                    : "=&r" (value), "=&r" (failed)                          \
                    : "r" (at) : "memory")

static uint64_t
exclusive (void)
{
  uint64_t value, failed, high;

  EXCLUSIVE ("ldxrb", "stxrb", &b8, "w");
  EXCLUSIVE ("ldxrh", "stxrh", &b16, "w");
  EXCLUSIVE ("ldaxr", "stlxr", &b32, "w");
  EXCLUSIVE ("ldxr", "stxr", &b64, "x");
  __asm__ volatile ("1: ldxp %0, %1, [%3]\n\t"
                    "add %0, %0, #1\n\t"
                    "stxp %w2, %0, %1, [%3]\n\t"
                    "cbnz %w2, 1b"
                    : "=&r" (value), "=&r" (high), "=&r" (failed)
                    : "r" (pair) : "memory");
  /* One without its store, and a store without its load.  */
  __asm__ volatile ("ldxr %0, [%2]\n\t"
                    "clrex\n\t"
                    "stxr %w1, %0, [%2]"
                    : "=&r" (value), "=&r" (failed)
                    : "r" (&b64) : "memory");
  return value + failed;
}

static uint64_t
atomic (uint32_t i)
{
  uint64_t sum = 0;
  uint32_t expected = i & 1 ? b32 : b32 + 1;

  sum += __atomic_fetch_add (&b8, (uint8_t) i, __ATOMIC_SEQ_CST);
  sum += __atomic_exchange_n (&b16, (uint16_t) i, __ATOMIC_ACQ_REL);
  sum += __atomic_compare_exchange_n (&b32, &expected, i, 0,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  sum += __atomic_fetch_or (&b64, i, __ATOMIC_RELAXED);
  sum += __atomic_load_n (&b64, __ATOMIC_ACQUIRE);
  __atomic_store_n (&b64, sum, __ATOMIC_RELEASE);
  return sum;
}

static uint64_t
moves (uint32_t i)
{
  uint64_t a, b;
  char *at = line + 3 * (i % 20), *to = line + 256;

  __asm__ volatile ("ldp %0, %1, [%2], #16\n\t"
                    "stp %1, %0, [%3, #-16]!\n\t"
                    "ldpsw %0, %1, [%2, #8]\n\t"
                    "ldr %0, [%2, #8]!\n\t"
                    "str %w0, [%3], #4\n\t"
                    "ldrsb %1, [%2, #1]\n\t"
                    "strh %w1, [%3, #6]\n\t"
                    "ldur %w0, [%2, #-3]\n\t"
                    "prfm pldl1keep, [%2]"
                    : "=&r" (a), "=&r" (b), "+r" (at), "+r" (to)
                    : : "memory");
  __asm__ volatile ("ldp q0, q1, [%0]\n\t"
                    "stp q1, q0, [%1, #32]\n\t"
                    "ld2 {v2.4s, v3.4s}, [%0], #32\n\t"
                    "st4 {v0.8b, v1.8b, v2.8b, v3.8b}, [%1]\n\t"
                    "ld1r {v4.4s}, [%0]\n\t"
                    "st1 {v4.b}[3], [%1]\n\t"
                    "ldr d5, [%0, #8]\n\t"
                    "str s5, [%1, #60]"
                    : "+r" (at), "+r" (to)
                    : : "memory", "v0", "v1", "v2", "v3", "v4", "v5");
  return a + b;
}

static int
bare_main (void)
{
  uint64_t sum = 0;

  for (uint32_t i = 0; i < 200; i++) {
    sum += exclusive ();
    sum += atomic (i);
    sum += moves (i);
  }
  bare_sink = sum;
  return b8 + pair[0] % 7;
}
