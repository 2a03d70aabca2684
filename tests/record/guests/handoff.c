/* handoff.c: code that goes on in stacks that nobody told of, in the middle
   of calls, as schedulers of language runtimes do: the same function returns
   to each distance above where it went on, and then other stacks run.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#ifdef __x86_64__
# define SP "rsp"
# define WORD "8"
#else
# define SP "esp"
# define WORD "4"
#endif

/* Saves the stack pointer and goes on at that of another stack, where it
   leaves DISTANCE bytes before it returns.  The jump shows the stack pointer
   to the recorder as it is then.  */
void hand_off (void **from, void *to, long distance);
asm (".text\n"
     ".type hand_off, @function\n"
     "hand_off:\n"
#ifdef __x86_64__
     "  push %rbx\n  push %rbp\n  push %r12\n  push %r13\n  push %r14\n"
     "  push %r15\n"
     "  mov %rsp, (%rdi)\n"
     "  mov %rsi, %rsp\n"
     "  lea 1f(%rip), %rax\n"
     "  jmp *%rax\n"
     "1:\n"
     "  lea (%rsp,%rdx), %rsp\n"
     "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbp\n"
     "  pop %rbx\n"
#else
     "  mov 4(%esp), %eax\n  mov 8(%esp), %ecx\n  mov 12(%esp), %edx\n"
     "  push %ebx\n  push %ebp\n  push %esi\n  push %edi\n"
     "  mov %esp, (%eax)\n"
     "  mov %ecx, %esp\n"
     "  call 1f\n"
     "1: pop %eax\n"
     "  add $2f-1b, %eax\n"
     "  jmp *%eax\n"
     "2:\n"
     "  lea (%esp,%edx), %esp\n"
     "  pop %edi\n  pop %esi\n  pop %ebp\n  pop %ebx\n"
#endif
     "  ret\n"
     ".size hand_off, . - hand_off\n");

/* What runs there.  It gives back without a call: nothing of that stack is
   known to be called then.  */
void there (void);
asm (".type there, @function\n"
     "there:\n"
#ifdef __x86_64__
     "  mov $3, %edi\n"
     "  call touch\n"
     "  lea there(%rip), %rax\n  push %rax\n"
     "  lea away(%rip), %rdi\n  mov home(%rip), %rsi\n  xor %edx, %edx\n"
     "  jmp hand_off\n"
#else
     "  push $3\n  call touch\n  add $4, %esp\n"
     "  push $0\n  push home\n  push $away\n  push $1f\n"
     "  jmp hand_off\n"
     "1: add $12, %esp\n"
     "  jmp there\n"
#endif
     ".size there, . - there\n");

#define SAVED (sizeof (void *) == 8 ? 6 : 4)
#define MOST 640
#define STACK 16384

void *home, *away;
volatile long work;

void
touch (int n)
{
  for (int i = 0; i < n; i++)
    work += i;
}

int
main (void)
{
  char *area = mmap (NULL, MOST / 8 * STACK, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (long distance = 0; distance < MOST; distance += 8) {
    /* A stack in the middle of others: its first frame returns to there. */
    uintptr_t *top = (uintptr_t *) (area + distance / 8 * STACK + STACK / 2);
    void *first = (char *) top - distance;
    memset (top, 0, SAVED * sizeof *top);
    top[SAVED] = (uintptr_t) there;
    hand_off (&home, first, distance);
    for (int k = 0; k < 3; k++) {
      touch (2);
      hand_off (&home, away, 0);
    }
  }
  printf ("%ld\n", work);
  return 0;
}
