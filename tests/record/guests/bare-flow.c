/* bare-flow.c: the other ways of control and memory: jump tables, calls
   through memory, enter and leave, returns that drop arguments, conditional
   moves and stores, bit instructions on memory, pushes of everything.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bare.h"

static uint32_t words[64];
static uint8_t bytes[64];

static __attribute__ ((noinline)) uint32_t
step (uint32_t op, uint32_t x)
{
  switch (op) {
    case 0: return x + words[1];
    case 1: return x ^ words[2];
    case 2: words[3] = x; return x >> 1;
    case 3: return x * 3;
    case 4: words[x & 63]++; return x - 1;
    case 5: bytes[x & 63] |= 1; return ~x;
    case 6: return x / 7;
    default: return 1;
  }
}

#ifdef __x86_64__
__asm__ (".type frames, @function\n"
         "frames: enter $32, $0\n"
         "  pushfq\n  popfq\n"
         "  mov %rdi, -8(%rbp)\n"
         "  xchg %rdi, -8(%rbp)\n"
         "  leave\n"
         "  ret $16\n"
         ".size frames, . - frames\n");
#define FRAMES(x)                                                       \
  __asm__ volatile ("sub $128, %%rsp\n\tpush %0\n\tpush %0\n\t"         \
                    "call frames\n\tadd $128, %%rsp"                    \
                    : : "D" ((uint64_t) (x)) : "memory", "cc")
#else
__asm__ (".type frames, @function\n"
         "frames: push %ebp\n  mov %esp, %ebp\n  sub $32, %esp\n"
         "  pusha\n  popa\n"
         "  mov %edi, -8(%ebp)\n"
         "  xchg %edi, -8(%ebp)\n"
         "  leave\n"
         "  ret $8\n"
         ".size frames, . - frames\n");
#define FRAMES(x)                                                       \
  __asm__ volatile ("push %0\n\tpush %0\n\tcall frames"                 \
                    : : "D" ((uint32_t) (x)) : "memory", "cc")
#endif

static int
bare_main (void)
{
  uint32_t (*table[2]) (uint32_t, uint32_t) = {step, step};
  uint32_t x = 12345;
  __asm__ volatile ("" : "+m" (table));
  for (uint32_t i = 0; i < 1500; i++) {
    x = table[i & 1]((x + i) % 8, x + i) & 0xffffff3f;
    FRAMES (x);
    __asm__ volatile ("cmp $100, %0\n\tsetb %1\n\tcmovb %2, %0"
                      : "+r" (x), "=m" (bytes[i & 63])
                      : "m" (words[i & 63])
                      : "cc");
    __asm__ volatile ("btl %1, %0\n\tbtsl %1, %0\n\tbtrl $3, %0\n\t"
                      "adcl $1, %0\n\tshldl $3, %1, %0\n\tnegl %0"
                      : "+m" (words[5]) : "r" (i & 31) : "cc");
#ifdef __i386__
    __asm__ volatile ("push %%ebx\n\tmov %1, %%ebx\n\txlatb\n\t"
                      "pop %%ebx"
                      : "+a" (x) : "c" (bytes) : "memory");
#endif
  }
  bare_sink = x;
  return 0;
}
