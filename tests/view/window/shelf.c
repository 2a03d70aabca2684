/* shelf.c: a program of the usual kind, for the scenarios of drive_real_*.py:
   words go into a hash table, are sorted, and are counted by two threads whose
   counters share a cache line.  What the scenarios ask for are its own names.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "datagrind.h"
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_BUCKETS 256
#define N_BOOKS   1500
#define N_THREADS 2
#define ROUNDS    4000

struct book {
  char title[24];
  int pages;
  struct book *next;
};

static struct book *buckets[N_BUCKETS];
static struct { long left, right; } counters __attribute__ ((aligned (64)));
static int totals[16];

static inline __attribute__ ((always_inline)) unsigned
hash (const char *title)
{
  unsigned h = 5381;
  while (*title != '\0')
    h = h * 33 + (unsigned char) *title++;
  return h % N_BUCKETS;
}

__attribute__ ((noinline)) static struct book *
new_book (int number)
{
  struct book *book = malloc (sizeof *book);
  memset (book, 0, sizeof *book);
  snprintf (book->title, sizeof book->title, "volume %d", number * 7919);
  book->pages = number % 977;
  return book;
}

__attribute__ ((noinline)) static void
shelve (struct book *book)
{
  unsigned h = hash (book->title);
  book->next = buckets[h];
  buckets[h] = book;
}

static int
compare (const void *a, const void *b)
{
  const struct book *x = *(struct book *const *) a;
  const struct book *y = *(struct book *const *) b;
  return x->pages - y->pages;
}

__attribute__ ((noinline)) static void
sort (struct book **books)
{
  qsort (books, N_BOOKS, sizeof *books, compare);
  for (int i = 0; i < N_BOOKS; i++)
    totals[i % 16] += books[i]->pages;
}

static void *
count_left (void *arg)
{
  for (int i = 0; i < ROUNDS; i++) {
    *(volatile long *) &counters.left += i;
    if (i % 500 == 0)
      sched_yield ();
  }
  return arg;
}

static void *
count_right (void *arg)
{
  for (int i = 0; i < ROUNDS; i++) {
    *(volatile long *) &counters.right += i;
    if (i % 500 == 0)
      sched_yield ();
  }
  return arg;
}

int
main (void)
{
  pthread_t threads[N_THREADS];
  struct book **books = malloc (N_BOOKS * sizeof *books);
  DATAGRIND_TRACK_RANGE (books, N_BOOKS * sizeof *books, "struct book *",
                         "books");
  DATAGRIND_START_EVENT ("fill");
  for (int i = 0; i < N_BOOKS; i++) {
    books[i] = new_book (i);
    shelve (books[i]);
  }
  DATAGRIND_END_EVENT ("fill");
  DATAGRIND_START_EVENT ("sort");
  sort (books);
  DATAGRIND_END_EVENT ("sort");
  pthread_create (&threads[0], NULL, count_left, NULL);
  pthread_create (&threads[1], NULL, count_right, NULL);
  for (int i = 0; i < N_THREADS; i++)
    pthread_join (threads[i], NULL);
  for (int i = 0; i < N_BOOKS; i++)
    free (books[i]);
  free (books);
  return totals[3] == 0;
}
