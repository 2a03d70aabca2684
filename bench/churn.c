/* churn.c: a heap in which much happens: 2.5 million blocks come and go, at
   most 50,000 of them at a time, and are written and read 500 million times.

   Usage: churn [BLOCKS [ACCESSES-PER-BLOCK]]

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define ALIVE 50000
#define MOST_BYTES 512

struct slot {
  unsigned long *words;
  size_t n;
};

static struct slot slots[ALIVE];

static unsigned
next_random (void)
{
  static unsigned long long state = 88172645463325252ULL;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned) (state >> 32);
}

/* Paths of several depths: each bit of `path` is another call. */
static __attribute__ ((noinline)) void *
allocate (size_t size, unsigned path);

static __attribute__ ((noinline)) void *
left (size_t size, unsigned path)
{
  void *made = allocate (size, path);

  __asm__ volatile ("" : "+r" (made));
  return made;
}

static __attribute__ ((noinline)) void *
right (size_t size, unsigned path)
{
  void *made = allocate (size, path);

  __asm__ volatile ("" : "+r" (made));
  return made;
}

static void *
allocate (size_t size, unsigned path)
{
  if (path <= 1)
    return malloc (size);
  return path & 1 ? left (size, path >> 1) : right (size, path >> 1);
}

static unsigned long
use (const struct slot *slot, unsigned accesses)
{
  unsigned long sum = 0;

  for (unsigned done = 0; done < accesses; done += 2 * slot->n) {
    volatile unsigned long *words = slot->words;

    for (size_t i = 0; i < slot->n; i++)
      words[i] = i;
    for (size_t i = 0; i < slot->n; i++)
      sum += words[i];
  }
  return sum;
}

int
main (int argc, char **argv)
{
  unsigned blocks = argc > 1 ? (unsigned) atoi (argv[1]) : 2500000;
  unsigned accesses = argc > 2 ? (unsigned) atoi (argv[2]) : 40;
  unsigned long sum = 0;

  for (unsigned i = 0; i < blocks; i++) {
    struct slot *slot = &slots[next_random () % ALIVE];

    free (slot->words);
    slot->n = 1 + next_random () % (MOST_BYTES / sizeof *slot->words);
    slot->words = allocate (slot->n * sizeof *slot->words,
                            next_random () % 512);
    sum += use (slot, accesses);
  }
  for (unsigned i = 0; i < ALIVE; i++)
    free (slots[i].words);
  printf ("%lu\n", sum);
  return 0;
}
