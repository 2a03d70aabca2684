/* jit.c: makes two functions while it runs, and calls them: x86-64.
   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <valgrind/datagrind.h>

typedef long function (const long *numbers, long count);

/* sum: rax = 0; do rax += *rdi, rdi += 8; while (--rsi) */
static const unsigned char sum[] = {
  0x31, 0xc0,             /* xor eax, eax */
  0x48, 0x03, 0x07,       /* add rax, [rdi] */
  0x48, 0x83, 0xc7, 0x08, /* add rdi, 8 */
  0x48, 0xff, 0xce,       /* dec rsi */
  0x75, 0xf4,             /* jnz -12 */
  0xc3                    /* ret */
};

/* The same, but of each eighth number, count / 8 times. */
static const unsigned char sum_eighth[] = {
  0x31, 0xc0,             /* xor eax, eax */
  0x48, 0xc1, 0xee, 0x03, /* shr rsi, 3 */
  0x48, 0x03, 0x07,       /* add rax, [rdi] */
  0x48, 0x83, 0xc7, 0x40, /* add rdi, 64 */
  0x48, 0xff, 0xce,       /* dec rsi */
  0x75, 0xf4,             /* jnz -12 */
  0xc3                    /* ret */
};

static function *
compile (const unsigned char *code, size_t size, const char *name)
{
  unsigned char *place = mmap (NULL, 4096, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED)
    exit (1);
  memcpy (place, code, size);
  mprotect (place, 4096, PROT_READ | PROT_EXEC);
  DATAGRIND_NAME_CODE (place, size, name);
  return (function *) place;
}

int
main (void)
{
  enum { COUNT = 80000 };
  long *numbers = malloc (COUNT * sizeof *numbers);
  for (long i = 0; i < COUNT; i++)
    numbers[i] = i;
  DATAGRIND_TRACK_RANGE (numbers, COUNT * sizeof *numbers, "long", "numbers");

  function *all = compile (sum, sizeof sum, "sum");
  function *some = compile (sum_eighth, sizeof sum_eighth, "sum_eighth");
  DATAGRIND_START_EVENT ("sum");
  long result = all (numbers, COUNT);
  DATAGRIND_END_EVENT ("sum");
  DATAGRIND_START_EVENT ("sum_eighth");
  result += some (numbers, COUNT);
  DATAGRIND_END_EVENT ("sum_eighth");
  printf ("%ld\n", result);
  free (numbers);
  return 0;
}
