/* cache-misses.c: misses of every kind, and accesses over two lines: code that
   does not fit in small caches, data in strides, at odd addresses, back and
   forth between the same sets; modifies, pairs that look like them and are
   none, and the widest accesses that there are.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bare.h"

#define BYTES 400000
/* With initial data, as Valgrind takes only such files for programs.  */
static volatile uint64_t start = 1;
static unsigned char area[BYTES] __attribute__ ((aligned (4096)));

/* Sixty-four functions of some lines each, called in turn.  */
#define F(n)                                                               \
  static __attribute__ ((noinline, noclone)) uint64_t f##n (uint64_t x)    \
  {                                                                        \
    for (int i = 0; i < 3; i++)                                            \
      x = (x ^ x >> 13) * (UINT64_C (0x9e3779b97f4a7c15) + 2 * n + i)      \
          + (x << 7 | x >> 57) + area[x % (BYTES / 64) * 64];              \
    return x;                                                              \
  }
#define F4(n) F (n##0) F (n##1) F (n##2) F (n##3)
#define F16(n) F4 (n##0) F4 (n##1) F4 (n##2) F4 (n##3)
F16 (10) F16 (11) F16 (12) F16 (13)
#define G4(n) f##n##0, f##n##1, f##n##2, f##n##3
#define G16(n) G4 (n##0), G4 (n##1), G4 (n##2), G4 (n##3)
static uint64_t (*const functions[64]) (uint64_t)
  = { G16 (10), G16 (11), G16 (12), G16 (13) };

/* Reads and writes that follow one another: of one place (a modify), of places
   that overlap, or of the same place by two instructions.  */
#ifdef __x86_64__
static void
move_strings (unsigned char *to, unsigned char *from, size_t n)
{
  __asm__ volatile ("rep movsb" : "+D" (to), "+S" (from), "+c" (n)
                    : : "memory");
}

static void
push_and_pop (unsigned char *at)
{
  __asm__ volatile ("pushq (%0)\n\tpopq (%0)\n\t"
                    "pushq (%0)\n\tpopq 8(%0)"
                    : : "r" (at) : "memory");
}

static void
modify (unsigned char *at, uint64_t by)
{
  __asm__ volatile ("addq %1, (%0)\n\tlock xaddq %1, 3(%0)\n\t"
                    "incl 61(%0)\n\txchgq %1, 1(%0)\n\tnotb 2(%0)"
                    : : "r" (at), "r" (by) : "memory");
}

static void
save_state (unsigned char *at)
{
  __asm__ volatile ("fxsave (%0)\n\tfnstenv 600(%0)\n\tfldenv 600(%0)"
                    : : "r" (at) : "memory");
}

#else
static void
move_strings (volatile unsigned char *to, volatile unsigned char *from,
              size_t n)
{
#ifdef __s390x__
  __asm__ volatile ("mvc 0(200,%0),0(%1)" : : "a" (to), "a" (from) : "memory");
#endif
  while (n-- > 0)
    *to++ = *from++;
}

static void
push_and_pop (unsigned char *at)
{
  volatile uint64_t *words = (volatile uint64_t *) at;

  words[0] = words[0];
  words[1] = words[0];
}

static void
modify (unsigned char *at, uint64_t by)
{
  uint64_t *aligned = (uint64_t *) ((uintptr_t) at & ~(uintptr_t) 7);

  *(volatile uint64_t *) at += by;
  __atomic_fetch_add (aligned, by, __ATOMIC_SEQ_CST);
  ++*(volatile uint32_t *) (at + 61);
  __atomic_exchange_n (aligned + 1, by, __ATOMIC_SEQ_CST);
  *(volatile unsigned char *) (at + 2) ^= 0xff;
}

/* Two registers of 16 bytes at once are the most.  */
static void
save_state (unsigned char *at)
{
#ifdef __aarch64__
  __asm__ volatile ("stp q0, q1, [%0]\n\tldp q2, q3, [%0, #16]\n\t"
                    "stp q2, q3, [%0, #48]"
                    : : "r" (at) : "memory", "v2", "v3");
#else
  *(volatile uint64_t *) at = 1;
#endif
}
#endif

static int
bare_main (void)
{
  uint64_t x = start;

  for (int round = 0; round < 6; round++) {
    for (int i = 0; i < 64; i++)
      x = functions[(i * 37 + round) % 64](x);
    for (size_t i = 0; i + 64 < BYTES; i += 61)
      *(volatile uint64_t *) (area + i) += x;
    for (size_t i = 0; i < BYTES - 4096; i += 4096)
      for (int k = 0; k < 3; k++)
        x += *(volatile uint32_t *) (area + i + 62);
    for (int i = 0; i < 40; i++)
      modify (area + (x + i * 9973) % (BYTES - 128), x);
    move_strings (area + 70000, area + 69990, 300);
    push_and_pop (area + 60 + 64 * round);
    save_state (area + 8192 + 16 * round);
  }
  bare_sink = x;
  return 0;
}
