/* repeats.c: instructions that repeat themselves, in functions of which it is
   known how many instructions each call executes, as a processor counts them;
   in two threads, and with signals between.  amd64.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

void fill (char *to, size_t n);          /* 4 */
void fill_at_once (char *to, size_t n);  /* 4; it begins a superblock */
void copy (char *to, const char *from, size_t n);             /* 4 */
void copy_words (uint64_t *to, const uint64_t *from, size_t n);   /* 3 */
int differs (const char *a, const char *b, size_t n);         /* 5 */
size_t search (const char *from, size_t n);                   /* 5 */

#define FUNCTION(name, code)                         \
  __asm__ (".text\n.globl " name "\n.type " name     \
           ", @function\n" name ":\n" code           \
           "\tret\n.size " name ", .-" name "\n")

FUNCTION ("fill", "\tmov $1, %eax\n\tmov %rsi, %rcx\n\trep stosb\n");
FUNCTION ("fill_at_once",
          "\tmov %rsi, %rcx\n\tjmp 1f\n1:\trep stosb\n");
FUNCTION ("copy", "\tmov %rdx, %rcx\n\txchg %rax, %rax\n\trep movsb\n");
FUNCTION ("copy_words", "\tmov %rdx, %rcx\n\trep movsq\n");
FUNCTION ("differs", "\tmov %rdx, %rcx\n\txor %eax, %eax\n"
                     "\trepe cmpsb\n\tsetne %al\n");
FUNCTION ("search", "\tmov %rsi, %rcx\n\tmov $2, %eax\n"
                    "\trepne scasb\n\tmov %rcx, %rax\n");

enum { SIZE = 40000, ROUNDS = 10 };

static volatile sig_atomic_t signals;
static void
note (int number)
{
  (void) number;
  signals++;
}

static void *
work (void *data)
{
  char *a = calloc (1, SIZE), *b = calloc (1, SIZE);

  (void) data;
  for (size_t i = 0; i < ROUNDS; i++) {
    const size_t n = i == 0 ? 0 : i == 1 ? 1 : SIZE;

    fill (a, n);
    fill_at_once (b, n);
    copy (a, b, n);
    copy_words ((uint64_t *) (void *) a, (uint64_t *) (void *) b, n / 8);
    differs (a, b, n);
    b[100] = 2;
    differs (a, b, n);
    search (b, n);
  }
  free (a);
  free (b);
  return NULL;
}

int
main (void)
{
  const struct itimerval often = {{0, 2000}, {0, 2000}}, never = {{0}};
  struct sigaction action;
  pthread_t thread;

  memset (&action, 0, sizeof action);
  action.sa_handler = note;
  sigaction (SIGALRM, &action, NULL);
  setitimer (ITIMER_REAL, &often, NULL);
  if (pthread_create (&thread, NULL, work, NULL) != 0)
    return 1;
  work (NULL);
  pthread_join (thread, NULL);
  setitimer (ITIMER_REAL, &never, NULL);
  fprintf (stderr, "%d signals\n", (int) signals);
  return 0;
}
