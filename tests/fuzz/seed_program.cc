/* seed_program.cc: a program with a little of everything that a log can tell,
   without a library, so that it is small: recordings of it, bundled, are what
   mutations of the target `questions` begin with.  To make them again:

     c++ -g -nostdlib -static -fno-exceptions -fno-stack-protector \
       -I../../include -I/usr/include seed_program.cc -o seed
     dg record -o run.dgz -- ./seed
     dg bundle --sources -o seed.dgz run.dgz

   with --datagrind-window=, -scripts=, -stacks= for others of them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <linux/sched.h>
#include <sys/syscall.h>
#include <valgrind/valgrind.h>

#include "datagrind.h"

namespace shapes {

union value {
  float real;
  unsigned bits : 5;
  unsigned char bytes[4];
};

struct point {
  short x, y;
  value v;
};

template <class T, int N> struct list {
  struct node {
    node *next;
    T item;
    char name[6];
  };
  node nodes[N];
  node *first;
  int used;

  node *add (T item)
  {
    node *made = &nodes[used++ % N];

    made->next = first;
    made->item = item;
    made->name[used % 6] = 'x';
    first = made == first ? nullptr : made;
    return made;
  }
};

}

static shapes::list<shapes::point, 12> points;
static struct { long mine, other; } pair;
static char arena[4096] __attribute__ ((aligned (64)));
static char thread_stack[16384] __attribute__ ((aligned (64)));
static volatile int has_ended;
double table[4][3];

static long
call (long number, long a, long b, long c, long d, long e)
{
  long result;
  register long r10 __asm__ ("r10") = d;
  register long r8 __asm__ ("r8") = e;

  __asm__ volatile ("syscall"
                    : "=a" (result)
                    : "a" (number), "D" (a), "S" (b), "d" (c), "r" (r10),
                      "r" (r8)
                    : "rcx", "r11", "memory");
  return result;
}

/* ---- A heap of its own ------------------------------------------------- */

static unsigned used;

/* Of names that mean it.  */
extern "C" __attribute__ ((noinline)) void *
malloc (unsigned long size)
{
  char *block = arena + used % 2560;

  used += ((unsigned) size + 31) & ~15u;
  VALGRIND_MALLOCLIKE_BLOCK (block, size, 0, 0);
  return block;
}

static inline __attribute__ ((always_inline)) void
fill (char *block, unsigned size)
{
  for (unsigned i = 0; i < size; i += 3)
    block[i] = (char) i;
}

__attribute__ ((noinline)) void *
operator new (unsigned long size)
{
  return malloc (size);
}

extern "C" __attribute__ ((noinline)) void
free (void *block)
{
  VALGRIND_FREELIKE_BLOCK (block, 0);
}

/* ---- Work -------------------------------------------------------------- */

static __attribute__ ((noinline)) int
descend (int depth)
{
  volatile int local[4] = { depth, 1, 2, 3 };
  shapes::point here = { (short) depth, 2, { 1.5f } };

  points.add (here);
  return depth == 0 ? local[1] : descend (depth - 1) + local[depth & 3];
}

static __attribute__ ((noinline)) void
count (long *which, int times)
{
  for (int i = 0; i < times; i++)
    ++*(volatile long *) which;
}

static void
work_beside (void)
{
  count (&pair.other, 60);
  has_ended = 1;
  call (SYS_exit, 0, 0, 0, 0, 0);
}

static __attribute__ ((noinline)) void
start_thread (void)
{
  long *top = (long *) (thread_stack + sizeof thread_stack - 64);
  long result;
  register long r10 __asm__ ("r10") = 0;
  register long r8 __asm__ ("r8") = 0;

  *top = (long) work_beside;
  __asm__ volatile ("syscall\n\t"
                    "test %%rax, %%rax\n\t"
                    "jnz 1f\n\t"
                    "ret\n"
                    "1:"
                    : "=a" (result)
                    : "a" (SYS_clone),
                      "D" (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND
                           | CLONE_THREAD | CLONE_SYSVSEM),
                      "S" (top), "d" (0), "r" (r10), "r" (r8)
                    : "rcx", "r11", "memory");
}

static __attribute__ ((noinline)) void
use_pool (void)
{
  char *pool = (char *) malloc (256);

  VALGRIND_CREATE_MEMPOOL (pool, 0, 0);
  for (unsigned i = 0; i < 4; i++) {
    VALGRIND_MEMPOOL_ALLOC (pool, pool + 64 * i, 48);
    fill (pool + 64 * i, 48);
  }
  VALGRIND_MEMPOOL_FREE (pool, pool + 64);
  VALGRIND_DESTROY_MEMPOOL (pool);
}

/* ---- A list with hot, cold and unused fields --------------------------- */

struct record {
  long key;
  char about[64];
  record *next;
  int weight;
  char unused[20];
};
static record *records;
/* Valgrind knows no program that has no .data.  */
static volatile int rounds = 4;

static __attribute__ ((noinline)) record *
make_records (int n)
{
  record *last = nullptr;

  for (int i = 0; i < n; i++) {
    record *made = new record;

    made->key = i;
    made->next = last;
    made->weight = 1;
    last = made;
  }
  last->about[0] = 'a';
  return last;
}

static __attribute__ ((noinline)) long
walk (const record *from)
{
  long sum = 0;

  for (const record *r = from; r != nullptr; r = r->next)
    sum += r->key;
  return sum;
}

static __attribute__ ((noinline)) double
sum_columns (const double (*of)[3], int n)
{
  double sum = 0;

  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++)
      sum += of[i][k];
  return sum;
}

static void
use_records (void)
{
  double (*grid)[3] = (double (*)[3]) malloc (12 * sizeof *grid);

  records = make_records (10);
  for (int i = 0; i < rounds; i++)
    used += walk (records) == 45;
  fill ((char *) grid, 12 * sizeof *grid);
  used += sum_columns (grid, 12) == 1;
  free (grid);
}

static void
run (void)
{
  char *kept = (char *) malloc (40), *block;

  DATAGRIND_TRACK_RANGE (table, sizeof table, "double", "table");
  DATAGRIND_START_EVENT ("phase");
  for (int i = 0; i < 5; i++) {
    block = (char *) malloc (16 + 8 * (unsigned) i);
    fill (block, 16);
    free (block);
    table[i & 3][i % 3] += i;
  }
  DATAGRIND_END_EVENT ("phase");
  use_records ();
  use_pool ();
  call (SYS_uname, (long) arena + 3584, 0, 0, 0, 0);
  start_thread ();
  count (&pair.mine, 60);
  kept[0] = (char) descend (4);
  while (!has_ended)
    call (SYS_sched_yield, 0, 0, 0, 0, 0);
  DATAGRIND_UNTRACK_RANGE (table, sizeof table);
}

extern "C" __attribute__ ((force_align_arg_pointer)) void
_start (void)
{
  run ();
  call (SYS_exit_group, 0, 0, 0, 0, 0);
}

extern "C" void *
memset (void *to, int byte, unsigned long n)
{
  for (char *at = (char *) to; n > 0; n--)
    *at++ = (char) byte;
  return to;
}
