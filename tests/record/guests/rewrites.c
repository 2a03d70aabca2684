/* rewrites.c: writes code, runs it, writes other code in its place, in the
   way of a JIT compiler; then unmaps it and maps other code there.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

volatile uint32_t target[16];

typedef void function (volatile uint32_t *);

#if defined(__aarch64__)
/* mov w1, value; str w1, [x0, 4*word]; both repeated n times; ret  */
static void
compile (unsigned char *code, uint32_t value, int n)
{
  uint32_t *word = (uint32_t *) (void *) code;
  for (int i = 0; i < n; i++) {
    *word++ = 0x52800001 | value << 5;
    *word++ = 0xb9000001 | (uint32_t) i << 10;
  }
  *word++ = 0xd65f03c0;
  __builtin___clear_cache ((char *) code, (char *) word);
}
#elif defined(__s390x__)
/* lghi %r1,value; st %r1,4*word(%r2); both repeated n times; br %r14  */
static void
compile (unsigned char *code, uint32_t value, int n)
{
  uint16_t *half = (uint16_t *) (void *) code;
  for (int i = 0; i < n; i++) {
    *half++ = 0xa719;
    *half++ = (uint16_t) value;
    *half++ = 0x5010;
    *half++ = (uint16_t) (0x2000 + 4 * i);
  }
  *half = 0x07fe;
}
#else
/* movl $value, 4*word(%rdi); repeated n times; ret  */
static void
compile (unsigned char *code, uint32_t value, int n)
{
  for (int i = 0; i < n; i++) {
    *code++ = 0xc7;
    *code++ = 0x47;
    *code++ = (unsigned char) (4 * i);
    memcpy (code, &value, 4);
    code += 4;
  }
  *code = 0xc3;
}
#endif

int
main (void)
{
  void *place = NULL;
  for (int round = 0; round < 3; round++) {
    unsigned char *code
      = mmap (place, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
              MAP_PRIVATE | MAP_ANONYMOUS | (place ? MAP_FIXED : 0), -1, 0);
    if (code == MAP_FAILED)
      return 1;
    place = code;
    /* 1 + 2 + ... + 10 stores a round.  */
    for (int k = 1; k <= 10; k++) {
      compile (code, (uint32_t) (100 * round + k), k);
      ((function *) (void *) code) (target);
      for (int i = 0; i < k; i++)
        if (target[i] != (uint32_t) (100 * round + k))
          return 2;
    }
    munmap (code, 4096);
  }
  return 0;
}
