/* heap-use.c: blocks that are used in ways that can be told beforehand, by
   single bytes and numbers, without functions of the C library.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define KEEP __attribute__ ((noinline))

/* Ten blocks of 64 bytes: 32 written, of these 8 read.  */
KEEP static void
half (void)
{
  volatile char *blocks[10];
  char sum = 0;

  for (int i = 0; i < 10; i++) {
    blocks[i] = malloc (64);
    for (int k = 0; k < 32; k++)
      blocks[i][k] = (char) k;
  }
  for (int i = 0; i < 10; i++)
    for (int k = 0; k < 8; k++)
      sum += blocks[i][k];
  for (int i = 0; i < 10; i++)
    free ((void *) blocks[i]);
  (void) sum;
}

/* A block that grows to 1024 numbers, of which 1000 are written, and is never
   freed.  */
KEEP static volatile int *
grow (void)
{
  volatile int *all = NULL;
  size_t room = 0;

  for (size_t i = 0; i < 1000; i++) {
    if (i == room) {
      room = room ? 2 * room : 4;
      all = realloc ((void *) all, room * sizeof *all);
    }
    all[i] = (int) i;
  }
  return all;
}

/* Cleared blocks that are read and never written; more often than 65535 times
   where it is the first byte.  */
KEEP static int
zeros (void)
{
  int sum = 0;

  for (int i = 0; i < 5; i++) {
    volatile char *block = calloc (1, 100);

    for (int k = 0; k < 100; k++)
      sum += block[k];
    for (int k = 0; i == 0 && k < 70000; k++)
      sum += block[0];
    free ((void *) block);
  }
  return sum;
}

/* Blocks that shrink, and blocks of nothing.  */
KEEP static void
shrink (void)
{
  volatile char *block = malloc (500);
  void *volatile nothing = malloc (0);

  for (int k = 0; k < 500; k++)
    block[k] = 1;
  block = realloc ((void *) block, 20);
  block[3] = 2;
  free ((void *) block);
  free (nothing);
}

/* What the kernel writes and reads: 300 of 400 bytes.  */
KEEP static void
kernel (void)
{
  char *block = malloc (400);
  int zero = open ("/dev/zero", O_RDONLY), null = open ("/dev/null", O_WRONLY);

  if (read (zero, block, 300) != 300 || write (null, block, 100) != 100)
    _exit (1);
  close (zero);
  close (null);
  free (block);
}

KEEP static void
unused (void)
{
  for (int i = 0; i < 3; i++) {
    void *volatile block = malloc (1000);

    free (block);
  }
}

/* The last bytes of blocks of 8, by numbers that reach beyond them.  */
KEEP static long
beyond (void)
{
  volatile char *block = malloc (12);
  long value = 0;

  for (int k = 0; k < 12; k++)
    block[k] = 1;
  value = *(volatile long *) (block + 8);
  free ((void *) block);
  return value;
}

int
main (void)
{
  half ();
  volatile int *all = grow ();
  int sum = zeros ();

  shrink ();
  kernel ();
  unused ();
  return (all[999] + sum + (int) (beyond () & 0)) - 999;
}
