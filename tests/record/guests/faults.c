/* faults.c: instructions that fault in the middle of a block, and signals
   that come at any time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

volatile long before[8], after[8], counted[64], handled[64];
static sigjmp_buf out;
static volatile sig_atomic_t signals;

/* Loads before[0..2], then a load that faults, then two stores that are
   never made.  All in one block.  */
extern void block (volatile void *none);
__asm__ (".text\n.globl block\n.type block, @function\n"
         "block:\n"
         "  movq before(%rip), %rax\n"
         "  addq before+8(%rip), %rax\n"
         "  addq before+16(%rip), %rax\n"
         "block_faults:\n"
         "  movq (%rdi), %rcx\n"
         "  addq %rcx, %rax\n"
         "  movq %rax, after(%rip)\n"
         "  movq %rax, after+8(%rip)\n"
         "  ret\n"
         ".size block, . - block\n");

static void
jumps (int sig)
{
  siglongjmp (out, 1);
}

static char *none;

/* Makes the memory good: the instruction is done again.  */
static void
repairs (int sig, siginfo_t *info, void *context)
{
  mprotect (none, 4096, PROT_READ | PROT_WRITE);
}

static void
ticks (int sig)
{
  handled[signals++ % 64] = 1;
}

int
main (int argc, char **argv)
{
  struct sigaction a = {.sa_handler = jumps};
  none = mmap (NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!strcmp (argv[1], "jump")) {
    sigaction (SIGSEGV, &a, NULL);
    for (volatile int k = 0; k < 20; k++)
      if (sigsetjmp (out, 1) == 0)
        block (none);
  } else if (!strcmp (argv[1], "repair")) {
    a.sa_sigaction = repairs;
    a.sa_flags = SA_SIGINFO;
    sigaction (SIGSEGV, &a, NULL);
    for (int k = 0; k < 20; k++) {
      mprotect (none, 4096, PROT_NONE);
      block (none);
    }
  } else if (!strcmp (argv[1], "ticks")) {
    struct itimerval often = {{0, 500}, {0, 500}};
    a.sa_handler = ticks;
    a.sa_flags = SA_RESTART;
    sigaction (SIGALRM, &a, NULL);
    setitimer (ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 100000; i++)
      counted[i % 64] = i;
    memset (&often, 0, sizeof often);
    setitimer (ITIMER_REAL, &often, NULL);
    /* Let the last one come.  */
    sigset_t set;
    sigemptyset (&set);
    sigaddset (&set, SIGALRM);
    usleep (20000);
    sigprocmask (SIG_BLOCK, &set, NULL);
    printf ("%d\n", (int) signals);
  }
  return 0;
}
