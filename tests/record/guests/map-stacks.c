/* map-stacks.c: memory comes and goes, each by a function of its own, and by
   a thread.  On stdout, in hexadecimal, what the log must say.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define _GNU_SOURCE
#include "datagrind.h"
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define APART __attribute__ ((noinline, noipa))

static char text[4096];
static int length;
#define SAY(...) \
  (length += snprintf (text + length, sizeof text - (size_t) length, \
                       __VA_ARGS__))

static char *a, *b;

APART static void
map_it (void)
{
  a = mmap (NULL, 0x6000, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  SAY ("map %lx 6000 1 map_it 1\n", (long) a);
}

APART static void
cut_it (void)
{
  munmap (a + 0x4000, 0x2000);
  SAY ("unmap %lx 2000 cut_it 1\n", (long) a + 0x4000);
}

/* What stands behind keeps it from growing where it is.  */
APART static void
move_it (void)
{
  char *old = a, *wall = mmap (a + 0x4000, 0x1000, PROT_NONE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
                               -1, 0);
  SAY ("map %lx 1000 1 move_it 1\n", (long) wall);
  a = mremap (old, 0x4000, 0x9000, MREMAP_MAYMOVE);
  SAY ("unmap %lx 4000 move_it 1\n", (long) old);
  SAY ("map %lx 4000 3 move_it 1\n", (long) a);
  SAY ("map %lx 5000 1 move_it 1\n", (long) a + 0x4000);
  SAY ("unmap %lx 4000 move_it 1\n", (long) old);
}

APART static void
shrink_it (void)
{
  mremap (a, 0x9000, 0x3000, 0);
  SAY ("unmap %lx 6000 shrink_it 1\n", (long) a + 0x3000);
}

APART static void
grow_break (void)
{
  char *end = sbrk (0);
  syscall (SYS_brk, end + 0x5010);
  SAY ("map %lx 5010 2 grow_break 1\n", (long) end);
}

APART static void
shrink_break (void)
{
  char *end = (char *) syscall (SYS_brk, 0);
  syscall (SYS_brk, end - 0x3008);
  SAY ("unmap %lx 3008 shrink_break 1\n", (long) end - 0x3008);
}

APART static void
in_thread (void)
{
  b = mmap (NULL, 0x2000, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  SAY ("map %lx 2000 1 in_thread 2\n", (long) b);
  munmap (b, 0x2000);
  SAY ("unmap %lx 2000 in_thread 2\n", (long) b);
}

static void *
work (void *unused)
{
  DATAGRIND_START_EVENT ("maps");
  in_thread ();
  DATAGRIND_END_EVENT ("maps");
  return unused;
}

int
main (void)
{
  pthread_t thread;
  DATAGRIND_START_EVENT ("maps");
  map_it ();
  cut_it ();
  move_it ();
  shrink_it ();
  grow_break ();
  shrink_break ();
  DATAGRIND_END_EVENT ("maps");
  pthread_create (&thread, NULL, work, NULL);
  pthread_join (thread, NULL);
  return write (1, text, (size_t) length) != length;
}
