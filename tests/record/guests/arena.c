/* arena.c: a thread whose stack is a small piece of a mapping that has other
   things in it, as those of Go have.  No thread of the C library.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WORDS 1000
#define ARENA 0x400000

static volatile int is_done;

/* In the frame, which nothing says the layout of.  */
void on_stack (void) __asm__ ("\"pkg.(*T).f\"");
asm (".text\n"
     ".type \"pkg.(*T).f\", @function\n"
     "\"pkg.(*T).f\":\n"
#ifdef __x86_64__
     "  sub $24, %rsp\n"
     "  mov $500, %eax\n"
     "1: mov %rax, 8(%rsp)\n"
     "  dec %eax\n"
     "  jnz 1b\n"
     "  add $24, %rsp\n"
#else
     "  sub $24, %esp\n"
     "  mov $500, %eax\n"
     "1: mov %eax, 8(%esp)\n"
     "  dec %eax\n"
     "  jnz 1b\n"
     "  add $24, %esp\n"
#endif
     "  ret\n"
     ".size \"pkg.(*T).f\", . - \"pkg.(*T).f\"\n");

static int
body (void *unused)
{
  on_stack ();
  is_done = 1;
  for (;;)
    syscall (SYS_exit, 0);
}

__attribute__ ((noinline)) static char *
reserve (void)
{
  return mmap (NULL, ARENA, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int
main (void)
{
  char *arena = reserve ();
  volatile long *words = (volatile long *) (arena + ARENA / 4);
  long sum = 0;

  if (clone (body, arena + ARENA / 2,
             CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD
               | CLONE_SYSVSEM,
             NULL)
      < 0)
    return 1;
  while (!is_done)
    sched_yield ();
  for (int i = 0; i < WORDS; i++)
    words[i] = i;
  for (int i = 0; i < WORDS; i++)
    sum += words[i];
  printf ("%ld\n", sum);
  return 0;
}
