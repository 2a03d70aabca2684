/* race.c: races on purpose, and what looks like them but is in order; so that
   "no race was found" can be believed.

   Usage: race WHAT
   Two threads do WHAT.  Races, which must be reported:
     variable   both add to a variable
     table      both insert into a GHashTable: the accesses are GLib's
     unlocked   one locks, the other does not
     early      one is asked for its result before it was joined
   In order, of which nothing may be said:
     mutex, rwlock, cond, once, private, atomic, queue, pool, join

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMES 1000

static GMutex lock;
static GRWLock rwlock;
static GCond cond;
static GPrivate own = G_PRIVATE_INIT (g_free);
static GHashTable *table;
static GAsyncQueue *queue;
static int number, is_there, both[2], *cell;
static gint left;

static void
in_mutex (gboolean is_locked)
{
  for (int i = 0; i < TIMES; i++) {
    if (is_locked)
      g_mutex_lock (&lock);
    number++;
    if (is_locked)
      g_mutex_unlock (&lock);
  }
}

static void
in_rwlock (gboolean is_writer)
{
  for (int i = 0; i < TIMES; i++) {
    if (is_writer) {
      g_rw_lock_writer_lock (&rwlock);
      number++;
      g_rw_lock_writer_unlock (&rwlock);
    } else {
      g_rw_lock_reader_lock (&rwlock);
      is_there |= number;
      g_rw_lock_reader_unlock (&rwlock);
    }
  }
}

static void
by_cond (gboolean is_first)
{
  g_mutex_lock (&lock);
  if (is_first) {
    *cell = 1;
    is_there = 1;
    g_cond_signal (&cond);
  }
  while (!is_there)
    g_cond_wait (&cond, &lock);
  g_mutex_unlock (&lock);
  if (!is_first)
    ++*cell;
}

static void
by_once (void)
{
  static gsize once;

  if (g_once_init_enter (&once)) {
    number = 7;
    g_once_init_leave (&once, 1);
  }
  if (number != 7)
    abort ();
}

static void
by_private (void)
{
  g_private_set (&own, g_new0 (int, 1));
  for (int i = 0; i < TIMES; i++)
    ++*(int *) g_private_get (&own);
}

static void
by_queue (gboolean is_first)
{
  if (is_first) {
    for (int i = 1; i <= TIMES; i++) {
      int *item = g_new (int, 1);

      *item = i;
      g_async_queue_push (queue, item);
    }
  } else {
    for (int i = 1; i <= TIMES; i++) {
      int *item = g_async_queue_pop (queue);

      ++*item;
      g_free (item);
    }
  }
}

/* The last one finds what both did.  */
static void
by_atomic (gboolean is_first)
{
  both[is_first] = 1;
  if (g_atomic_int_dec_and_test (&left))
    number = both[0] + both[1];
}

static void
act (const char *what, gboolean is_first)
{
  if (strcmp (what, "variable") == 0 || strcmp (what, "unlocked") == 0)
    in_mutex (what[0] == 'u' && is_first);
  else if (strcmp (what, "table") == 0)
    for (int i = 0; i < 3; i++)
      g_hash_table_insert (table, GINT_TO_POINTER (i + 1 + 3 * is_first),
                           table);
  else if (strcmp (what, "mutex") == 0)
    in_mutex (TRUE);
  else if (strcmp (what, "rwlock") == 0)
    in_rwlock (is_first);
  else if (strcmp (what, "cond") == 0)
    by_cond (is_first);
  else if (strcmp (what, "once") == 0)
    by_once ();
  else if (strcmp (what, "private") == 0)
    by_private ();
  else if (strcmp (what, "queue") == 0)
    by_queue (is_first);
  else if (strcmp (what, "atomic") == 0)
    by_atomic (is_first);
  else if (is_first)
    *cell = 1;               /* early, join, pool */
}

static void
act_once (gpointer item, gpointer what)
{
  /* From two threads of the pool, each a cell of its own.  */
  ++*(int *) item;
}

static void
in_pool (void)
{
  GThreadPool *pool = g_thread_pool_new (act_once, NULL, 2, FALSE, NULL);
  int items[TIMES] = { 0 };

  for (int i = 0; i < TIMES; i++)
    g_thread_pool_push (pool, &items[i], NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
  for (int i = 0; i < TIMES; i++)
    if (items[i] != 1)
      abort ();
}

static gpointer
run_second (gpointer what)
{
  act (what, FALSE);
  return NULL;
}

static gpointer
run_first (gpointer what)
{
  act (what, TRUE);
  return NULL;
}

int
main (int argc, char **argv)
{
  GThread *first, *second;

  if (argc != 2)
    return 2;
  table = g_hash_table_new (NULL, NULL);
  queue = g_async_queue_new ();
  cell = g_new0 (int, 1);
  left = 2;
  if (strcmp (argv[1], "pool") == 0)
    in_pool ();
  first = g_thread_new ("first", run_first, argv[1]);
  second = g_thread_new ("second", run_second, argv[1]);
  if (strcmp (argv[1], "early") == 0)
    is_there = *cell;
  g_thread_join (first);
  g_thread_join (second);
  printf ("%d %d\n", number, *cell);
  g_free (cell);
  g_async_queue_unref (queue);
  g_hash_table_unref (table);
  return 0;
}
