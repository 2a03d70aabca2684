/* values.c: accesses whose values are known, to variables that only these
   touch.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile uint8_t g_byte;
volatile uint16_t g_short;
volatile uint32_t g_int;
volatile uint64_t g_quad;
volatile float g_float;
volatile double g_double;
volatile long double g_long;
volatile uint8_t g_bytes[16];
uint32_t g_atomic;
volatile uint16_t g_part;
volatile uint32_t g_shared;
volatile uint32_t g_copied[4];
void *volatile g_pointer;

typedef uint32_t vector __attribute__ ((vector_size (16)));
volatile vector g_vector;

static void
plain (void)
{
  g_byte = 0x5a;
  g_byte += 1;
  g_short = 0x1234;
  g_short = (uint16_t) (g_short ^ 0xffff);
  g_int = 0xdeadbeef;
  g_int = g_int * 3;
  g_quad = UINT64_C (0x0123456789abcdef);
  g_quad = ~g_quad;
}

/* A denormal number and a NaN keep all their bits.  */
static void
floating (void)
{
  static const union { uint32_t bits; float value; } tiny = { 1 };
  static const union { uint64_t bits; double value; } nan
    = { UINT64_C (0x7ff8000000001234) };

  g_float = tiny.value;
  g_float = g_float * 2;
  g_double = nan.value;
  g_double = g_double;
  g_long = 1.5L;
  g_long = g_long + g_long;
}

/* What is written in one size is read in others.  */
static void
parts (void)
{
  union { volatile uint8_t *bytes; volatile uint16_t *shorts;
          volatile uint64_t *quads; } at = { g_bytes };
  uint64_t quad = UINT64_C (0x1122334455667788);

  memcpy ((void *) (g_bytes + 3), &quad, sizeof quad);
  g_bytes[7] = 0xee;
  at.bytes += 6;
  g_part = *at.shorts;
}

static void
atomic (void)
{
  uint32_t expected = 7;

  __atomic_store_n (&g_atomic, 5, __ATOMIC_SEQ_CST);
  __atomic_fetch_add (&g_atomic, 2, __ATOMIC_SEQ_CST);
  __atomic_compare_exchange_n (&g_atomic, &expected, 9, 0, __ATOMIC_SEQ_CST,
                               __ATOMIC_SEQ_CST);
  expected = 1;
  __atomic_compare_exchange_n (&g_atomic, &expected, 11, 0, __ATOMIC_SEQ_CST,
                               __ATOMIC_SEQ_CST);
}

static void *
other (void *number)
{
  g_shared = g_shared + *(uint32_t *) number;
  return NULL;
}

static void
threads (void)
{
  uint32_t numbers[2] = { 3, 40 };
  pthread_t thread;

  g_shared = 100;
  for (int i = 0; i < 2; i++)
    if (pthread_create (&thread, NULL, other, &numbers[i]) == 0)
      pthread_join (thread, NULL);
}

static void
copies (void)
{
  uint32_t *block = calloc (4, sizeof *block);

  block[1] = 0xabcd;
  block = realloc (block, 1 << 16);
  for (int i = 0; i < 4; i++)
    g_copied[i] = block[i];
  free (block);
  g_pointer = (void *) &g_pointer;
  *(void *volatile *) g_pointer = (char *) g_pointer + 24;
}

int
main (int argc, char **argv)
{
  plain ();
  floating ();
  parts ();
  atomic ();
  /* When they run is not the same each time.  */
  if (argc == 1)
    threads ();
  copies ();
  g_vector = (vector) { 1, 2, 3, 4 };
  g_vector += g_vector;
  printf ("%x %lx\n", g_int, (unsigned long) g_quad);
  return 0;
}
