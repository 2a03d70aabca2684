/* bare.h: a C program without any library, so that two runs of it can only
   differ by what the tools do.  Include it and write bare_main ().

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef BARE_H
#define BARE_H

#include <stddef.h>
#include <stdint.h>

static int bare_main (void);

#if defined(__x86_64__)
static inline long
bare_syscall (long n, long a, long b, long c)
{
  long r;
  __asm__ volatile ("syscall"
                    : "=a" (r)
                    : "0" (n), "D" (a), "S" (b), "d" (c)
                    : "rcx", "r11", "memory");
  return r;
}
#define BARE_WRITE 1
#define BARE_EXIT 231
__asm__ (".globl _start\n"
         ".type _start, @function\n"
         "_start: xor %ebp, %ebp\n"
         "  mov %rsp, %rdi\n"
         "  and $-16, %rsp\n"
         "  call bare_start\n"
         "  hlt\n"
         ".size _start, . - _start\n");
#elif defined(__i386__)
static inline long
bare_syscall (long n, long a, long b, long c)
{
  long r;
  __asm__ volatile ("int $0x80"
                    : "=a" (r)
                    : "0" (n), "b" (a), "c" (b), "d" (c)
                    : "memory");
  return r;
}
#define BARE_WRITE 4
#define BARE_EXIT 252
__asm__ (".globl _start\n"
         ".type _start, @function\n"
         "_start: xor %ebp, %ebp\n"
         "  mov %esp, %eax\n"
         "  and $-16, %esp\n"
         "  sub $12, %esp\n"
         "  push %eax\n"
         "  call bare_start\n"
         "  hlt\n"
         ".size _start, . - _start\n");
#elif defined(__aarch64__)
static inline long
bare_syscall (long n, long a, long b, long c)
{
  register long x8 __asm__ ("x8") = n;
  register long x0 __asm__ ("x0") = a;
  register long x1 __asm__ ("x1") = b;
  register long x2 __asm__ ("x2") = c;
  __asm__ volatile ("svc #0"
                    : "+r" (x0)
                    : "r" (x8), "r" (x1), "r" (x2)
                    : "memory");
  return x0;
}
#define BARE_WRITE 64
#define BARE_EXIT 94
__asm__ (".globl _start\n"
         ".type _start, @function\n"
         "_start: mov x29, #0\n"
         "  mov x30, #0\n"
         "  mov x0, sp\n"
         "  b bare_start\n"
         ".size _start, . - _start\n");
#elif defined(__s390x__)
static inline long
bare_syscall (long n, long a, long b, long c)
{
  register long r1 __asm__ ("1") = n;
  register long r2 __asm__ ("2") = a;
  register long r3 __asm__ ("3") = b;
  register long r4 __asm__ ("4") = c;
  __asm__ volatile ("svc 0"
                    : "+d" (r2)
                    : "d" (r1), "d" (r3), "d" (r4)
                    : "memory");
  return r2;
}
#define BARE_WRITE 4
#define BARE_EXIT 248
__asm__ (".globl _start\n"
         ".type _start, @function\n"
         "_start: lghi %r14, 0\n"
         "  lgr %r2, %r15\n"
         "  aghi %r15, -160\n"
         "  jg bare_start\n"
         ".size _start, . - _start\n");
#else
#error "bare.h does not know this processor"
#endif

/* The stack as the kernel left it: argc, argv, environment.  */
static long *bare_stack;

/* Keeps a result alive without a library to print it.  */
static volatile uint64_t bare_sink;

__attribute__ ((used, noreturn)) void
bare_start (long *stack)
{
  bare_stack = stack;
  int status = bare_main ();
  bare_syscall (BARE_EXIT, status, 0, 0);
  __builtin_unreachable ();
}

#endif /* BARE_H */
