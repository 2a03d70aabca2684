/* periodic.c: programs whose functions make known numbers of accesses, in
   various orders.

     periodic WHAT [CHILDREN]

   WHAT: steady, phases, near (it repeats itself about as often as windows do),
   random; threads, sleep.  With CHILDREN, so many children do it, one after
   the other, instead.  Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LEAF __attribute__ ((noinline, noclone))

static volatile long table[4096];

/* 24 writes each, and no others; nothing else writes as these do.  */
LEAF static void
fill (unsigned at)
{
  for (unsigned i = 0; i < 24; i++)
    table[(at + i) & 4095] = i;
}

/* 40 reads, and that of its return.  */
LEAF static void
scan (unsigned at)
{
  for (unsigned i = 0; i < 40; i++)
    (void) table[(at + 7 * i) & 4095];
}

/* 8 of both.  */
LEAF static void
copy (unsigned at)
{
  for (unsigned i = 0; i < 8; i++)
    table[(at + i) & 4095] = table[(at + 64 + i) & 4095];
}

/* 400 instructions or more, and no writes.  */
LEAF static unsigned
think (unsigned x)
{
  for (unsigned i = 0; i < 100; i++)
    {
      x = x * 1664525 + 1013904223;
      __asm__ volatile ("" : "+r" (x));
    }
  return x;
}

static void
steady (void)
{
  for (unsigned i = 0; i < 2000; i++) {
    fill (i);
    scan (i);
    copy (i);
  }
}

static void
phases (void)
{
  for (unsigned i = 0; i < 4000; i++)
    fill (i);
  for (unsigned i = 0; i < 1500; i++)
    scan (i);
  for (unsigned i = 0; i < 6000; i++)
    copy (i);
  for (unsigned i = 0; i < 500; i++)
    think (i);
}

/* A round takes some 20,000 instructions.  */
static void
near (void)
{
  for (unsigned round = 0; round < 60; round++) {
    for (unsigned i = 0; i < 50; i++)
      fill (i);
    for (unsigned i = 0; i < 30; i++)
      scan (i);
    for (unsigned i = 0; i < 15; i++)
      think (i);
  }
}

static unsigned counts[4];

static void
by_chance (void)
{
  unsigned x = 88172645;

  for (unsigned i = 0; i < 6000; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    switch (x >> 30) {
    case 0: fill (i); break;
    case 1: scan (i); break;
    case 2: copy (i); break;
    default: think (i);
    }
    counts[x >> 30]++;
  }
}

static void *
half (void *argument)
{
  (void) argument;
  for (unsigned i = 0; i < 1500; i++) {
    fill (i);
    copy (i);
  }
  return NULL;
}

static void
threads (void)
{
  pthread_t thread;

  if (pthread_create (&thread, NULL, half, NULL) != 0)
    exit (1);
  half (NULL);
  pthread_join (thread, NULL);
}

static void
work (const char *what)
{
  if (strcmp (what, "steady") == 0)
    steady ();
  else if (strcmp (what, "phases") == 0)
    phases ();
  else if (strcmp (what, "near") == 0)
    near ();
  else if (strcmp (what, "random") == 0)
    by_chance ();
  else if (strcmp (what, "threads") == 0)
    threads ();
  else
    exit (2);
}

int
main (int argc, char **argv)
{
  int children = argc > 2 ? atoi (argv[2]) : 0;

  if (argc < 2)
    return 2;
  if (children == 0)
    work (argv[1]);
  for (int i = 0; i < children; i++) {
    pid_t pid = fork ();
    int status = 0;

    if (pid == 0) {
      work (argv[1]);
      _exit (0);
    }
    if (pid < 0 || waitpid (pid, &status, 0) != pid || status != 0)
      return 1;
  }
  return 0;
}
