/* rettricks.c: calls and returns that are neither: a call to the next
   instruction, retpolines, a return to a pushed address, a function that
   drops its caller's frame.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>

static volatile long work;

__attribute__ ((noinline)) static void
touch (int n)
{
  for (int i = 0; i < n; i++)
    work += i;
}

__attribute__ ((noinline, used)) static void
target (void)
{
  touch (4);
}

/* With unwind information, so that the unwinder can be compared with.  */
__asm__ (".text\n.type retpoline, @function\n"
         "retpoline: .cfi_startproc\n"
         "  call 1f\n"
         "  .cfi_adjust_cfa_offset 8\n"
         "2: pause\n  lfence\n  jmp 2b\n"
         "1: mov %rax, (%rsp)\n"
         "  ret\n"
         "  .cfi_endproc\n.size retpoline, . - retpoline\n"
         ".type pushret, @function\n"
         "pushret: .cfi_startproc\n"
         "  push %rax\n"
         "  .cfi_adjust_cfa_offset 8\n"
         "  ret\n"
         "  .cfi_endproc\n.size pushret, . - pushret\n"
         ".type whereami, @function\n"
         "whereami: .cfi_startproc\n"
         "  call 1f\n"
         "  .cfi_adjust_cfa_offset 8\n"
         "1: pop %rax\n"
         "  .cfi_adjust_cfa_offset -8\n"
         "  ret\n"
         "  .cfi_endproc\n.size whereami, . - whereami\n"
         ".type twice, @function\n"
         "twice: .cfi_startproc\n"
         "  push %rbx\n"
         "  .cfi_adjust_cfa_offset 8\n"
         "  .cfi_rel_offset rbx, 0\n"
         "  mov %rax, %rbx\n"
         "  call *%rbx\n"
         "  call *%rbx\n"
         "  pop %rbx\n"
         "  .cfi_adjust_cfa_offset -8\n"
         "  ret\n"
         "  .cfi_endproc\n.size twice, . - twice\n");

#define VIA(how)                                                        \
  do {                                                                  \
    void *a_ = (void *) target;                                         \
    __asm__ volatile ("sub $136, %%rsp\n\tcall " how                    \
                      "\n\tadd $136, %%rsp"                             \
                      : "+a" (a_)                                       \
                      :                                                 \
                      : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10",  \
                        "r11", "memory", "cc");                         \
  } while (0)

__attribute__ ((noinline)) static void
round_trip (void)
{
  VIA ("retpoline");
  touch (2);
  VIA ("pushret");
  touch (2);
  VIA ("whereami");
  touch (2);
  VIA ("twice");
  touch (2);
}

int
main (void)
{
  for (int k = 0; k < 300; k++)
    round_trip ();
  printf ("%ld\n", work);
  return 0;
}
