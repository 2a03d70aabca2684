/* pools.c: pools of the program's own, used and misused, and what the log
   must say of them, on stdout: "pool WHAT POOL OTHER", "add POOL ADDRESS SIZE
   OLD", "free POOL ADDRESS", "like ADDRESS" for blocks told by
   VALGRIND_FREELIKE_BLOCK; addresses as offsets in memory[].

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <valgrind.h>

static char text[65536];
static int length;
#define SAY(...) \
  (length += snprintf (text + length, sizeof text - (size_t) length, \
                       __VA_ARGS__))
#define AT(p) ((long) ((char *) (p) - memory))

char memory[65536];
#define ONE (memory + 16)
#define TWO (memory + 32)
#define THREE (memory + 48)

static void
create (char *pool)
{
  VALGRIND_CREATE_MEMPOOL (pool, 0, 0);
  SAY ("pool 0 %ld\n", AT (pool));
}

static void
added (char *pool, char *piece, int size, char *old)
{
  SAY ("add %ld %ld %d %ld\n", AT (pool), AT (piece), size,
       old ? AT (old) : -1);
}

static void
add (char *pool, char *piece, int size)
{
  VALGRIND_MEMPOOL_ALLOC (pool, piece, size);
  added (pool, piece, size, NULL);
}

static void
freed (char *pool, char *piece)
{
  SAY ("free %ld %ld\n", AT (pool), AT (piece));
}

static void
use (void)
{
  create (ONE);
  create (TWO);
  add (ONE, memory + 1000, 64);
  /* Each pool has pieces of its own, also where another has one.  */
  add (TWO, memory + 1000, 32);
  VALGRIND_MEMPOOL_FREE (ONE, memory + 1000);
  freed (ONE, memory + 1000);
  add (ONE, memory + 2000, 0);
  add (ONE, memory + 3000, 100);
  add (ONE, memory + 3200, 100);
  add (ONE, memory + 3400, 100);
  add (ONE, memory + 3600, 100);

  /* Half of the second, the third, half of the fourth remain.  */
  VALGRIND_MEMPOOL_TRIM (ONE, memory + 3250, 400);
  freed (ONE, memory + 2000);
  freed (ONE, memory + 3000);
  freed (ONE, memory + 3200);
  added (ONE, memory + 3250, 50, memory + 3200);
  freed (ONE, memory + 3600);
  added (ONE, memory + 3600, 50, memory + 3600);

  VALGRIND_MEMPOOL_CHANGE (ONE, memory + 3400, memory + 5000, 300);
  freed (ONE, memory + 3400);
  added (ONE, memory + 5000, 300, memory + 3400);
  VALGRIND_MEMPOOL_CHANGE (ONE, memory + 5000, memory + 5000, 200);
  freed (ONE, memory + 5000);
  added (ONE, memory + 5000, 200, memory + 5000);

  VALGRIND_MOVE_MEMPOOL (ONE, THREE);
  SAY ("pool 2 %ld %ld\n", AT (ONE), AT (THREE));
  if (VALGRIND_MEMPOOL_EXISTS (ONE) || !VALGRIND_MEMPOOL_EXISTS (THREE))
    SAY ("exists is wrong\n");
  VALGRIND_DESTROY_MEMPOOL (THREE);
  freed (THREE, memory + 3250);
  freed (THREE, memory + 3600);
  freed (THREE, memory + 5000);
  SAY ("pool 1 %ld\n", AT (THREE));
}

static void
misuse (void)
{
  /* Pools and pieces that are not there.  */
  VALGRIND_DESTROY_MEMPOOL (ONE);
  VALGRIND_DESTROY_MEMPOOL (THREE);
  VALGRIND_MEMPOOL_ALLOC (ONE, memory + 1000, 64);
  VALGRIND_MEMPOOL_FREE (ONE, memory + 1000);
  VALGRIND_MEMPOOL_TRIM (ONE, memory, 1);
  VALGRIND_MEMPOOL_CHANGE (ONE, memory, memory + 1, 1);
  VALGRIND_MOVE_MEMPOOL (ONE, THREE);
  VALGRIND_MEMPOOL_FREE (TWO, memory + 999);
  VALGRIND_MEMPOOL_FREE (TWO, NULL);
  VALGRIND_MEMPOOL_CHANGE (TWO, memory + 999, memory + 1, 1);
  VALGRIND_MOVE_MEMPOOL (TWO, TWO);
  if (VALGRIND_MEMPOOL_EXISTS (ONE) || VALGRIND_MEMPOOL_EXISTS (NULL))
    SAY ("exists is wrong\n");

  /* What is there already.  */
  add (TWO, memory + 1500, 10);
  freed (TWO, memory + 1500);
  add (TWO, memory + 1500, 20);
  freed (TWO, memory + 1000);
  freed (TWO, memory + 1500);
  SAY ("pool 1 %ld\n", AT (TWO));
  create (TWO);
  create (ONE);
  SAY ("pool 1 %ld\n", AT (TWO));
  VALGRIND_MOVE_MEMPOOL (ONE, TWO);
  SAY ("pool 2 %ld %ld\n", AT (ONE), AT (TWO));

  /* A piece that goes where another is, or is trimmed to there: that ends
     first.  */
  add (TWO, memory + 1500, 50);
  add (TWO, memory + 1550, 10);
  VALGRIND_MEMPOOL_CHANGE (TWO, memory + 1500, memory + 1550, 20);
  freed (TWO, memory + 1550);
  freed (TWO, memory + 1500);
  added (TWO, memory + 1550, 20, memory + 1500);
  add (TWO, memory + 1540, 100);
  VALGRIND_MEMPOOL_TRIM (TWO, memory + 1550, 90);
  freed (TWO, memory + 1550);
  freed (TWO, memory + 1540);
  added (TWO, memory + 1550, 90, memory + 1540);
  VALGRIND_MEMPOOL_FREE (TWO, memory + 1550);
  freed (TWO, memory + 1550);

  /* Pieces that end behind the end of memory.  */
  char *last = (char *) -16L;
  add (TWO, last, 1000);
  VALGRIND_MEMPOOL_TRIM (TWO, last, 4000L);
  VALGRIND_MEMPOOL_TRIM (TWO, memory, (unsigned long) -1);
  VALGRIND_MEMPOOL_TRIM (TWO, memory, 0);
  freed (TWO, last);
  VALGRIND_DESTROY_MEMPOOL (TWO);
  SAY ("pool 1 %ld\n", AT (TWO));
}

/* Pieces that hold blocks.  */
static void
nest (void)
{
  VALGRIND_CREATE_MEMPOOL_EXT (ONE, 0, 0, VALGRIND_MEMPOOL_METAPOOL
                                          | VALGRIND_MEMPOOL_AUTO_FREE);
  SAY ("pool 0 %ld\n", AT (ONE));
  add (ONE, memory + 8192, 4096);
  VALGRIND_MALLOCLIKE_BLOCK (memory + 8192, 100, 0, 0);
  VALGRIND_MALLOCLIKE_BLOCK (memory + 12200, 10, 0, 0);
  VALGRIND_MALLOCLIKE_BLOCK (memory + 12288, 10, 0, 0);
  VALGRIND_MEMPOOL_FREE (ONE, memory + 8192);
  SAY ("like %ld\n", 8192L);
  SAY ("like %ld\n", 12200L);
  freed (ONE, memory + 8192);
  VALGRIND_FREELIKE_BLOCK (memory + 12288, 0);
  SAY ("like %ld\n", 12288L);
}

int
main (void)
{
  use ();
  misuse ();
  nest ();
  add (ONE, memory + 20000, 24);
  add (ONE, memory + 20100, 25);

  /* A child has what its parent had, also within what malloc gave.  */
  char *own = malloc (64);
  VALGRIND_MALLOCLIKE_BLOCK (own + 16, 32, 0, 0);
  VALGRIND_RESIZEINPLACE_BLOCK (own + 16, 32, 24, 0);
  if (write (1, text, (size_t) length) != length)
    return 1;
  pid_t pid = fork ();
  if (pid == 0) {
    VALGRIND_MEMPOOL_FREE (ONE, memory + 20000);
    _exit (0);
  }
  waitpid (pid, NULL, 0);

  /* Many pools and pieces that do not live long.  */
  for (int i = 0; i < 20000; i++) {
    VALGRIND_CREATE_MEMPOOL (memory + 64, 0, 0);
    for (int k = 0; k < 4; k++)
      VALGRIND_MEMPOOL_ALLOC (memory + 64, memory + 30000 + 16 * k, 16);
    VALGRIND_DESTROY_MEMPOOL (memory + 64);
  }
  return 0;
}
