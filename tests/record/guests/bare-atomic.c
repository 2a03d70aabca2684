/* bare-atomic.c: locked instructions of every width, those that succeed and
   those that do not, also across cache lines.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bare.h"

static uint8_t b8;
static uint16_t b16;
static uint32_t b32;
static char line[256] __attribute__ ((aligned (64)));

static int
bare_main (void)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < 300; i++) {
    sum += __atomic_fetch_add (&b8, (uint8_t) i, __ATOMIC_SEQ_CST);
    sum += __atomic_fetch_add (&b16, (uint16_t) i, __ATOMIC_SEQ_CST);
    sum += __atomic_fetch_add (&b32, i, __ATOMIC_SEQ_CST);
    uint32_t expected = i & 1 ? b32 : b32 + 1;
    sum += __atomic_compare_exchange_n (&b32, &expected, i, 0,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    uint8_t e8 = i & 2 ? b8 : (uint8_t) ~b8;
    sum += __atomic_compare_exchange_n (&b8, &e8, 1, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST);
    sum += __atomic_exchange_n (&b16, 3, __ATOMIC_SEQ_CST);
    __asm__ volatile ("lock incl %0\n\tlock orb $4, %1\n\t"
                      "lock negw %2\n\tlock btsl %3, %0\n\t"
                      "lock notb %1"
                      : "+m" (b32), "+m" (b8), "+m" (b16)
                      : "r" (i & 31)
                      : "cc");
    /* Over the end of a cache line.  */
    uint32_t *odd = (uint32_t *) (line + 62);
    uint32_t old = i;
    __asm__ volatile ("lock xaddl %0, %1\n\tlock subl $1, %1"
                      : "+r" (old), "+m" (*odd) : : "cc");
    sum += old;
    uint32_t lo = *(uint32_t *) line, hi = *(uint32_t *) (line + 4);
    if (i & 1)
      lo++;
    __asm__ volatile ("lock cmpxchg8b %2"
                      : "+a" (lo), "+d" (hi), "+m" (*(uint64_t *) line)
                      : "b" (i), "c" (2)
                      : "cc");
#ifdef __x86_64__
    static uint64_t b64;
    sum += __atomic_fetch_add (&b64, i, __ATOMIC_SEQ_CST);
    uint64_t pa = *(uint64_t *) (line + 128),
             pd = *(uint64_t *) (line + 136);
    if (i & 2)
      pd++;
    __asm__ volatile ("lock cmpxchg16b %2"
                      : "+a" (pa), "+d" (pd),
                        "+m" (*(unsigned __int128 *) (line + 128))
                      : "b" ((uint64_t) i), "c" (5ul)
                      : "cc");
#endif
  }
  bare_sink = sum;
  return 0;
}
