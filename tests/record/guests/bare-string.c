/* bare-string.c: the string instructions with every prefix and width, both
   directions, and counts of zero.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "bare.h"

#define N 600

static char from[N], to[N];

#define MOVE(insn, count)                                               \
  do {                                                                  \
    const void *s_ = from;                                              \
    void *d_ = to;                                                      \
    size_t c_ = (count), a_ = k;                                        \
    __asm__ volatile (insn                                              \
                      : "+S" (s_), "+D" (d_), "+c" (c_), "+a" (a_)      \
                      : : "memory", "cc");                              \
    left += c_;                                                         \
  } while (0)

static int
bare_main (void)
{
  size_t left = 0, k = 0;
  for (int i = 0; i < N; i++)
    from[i] = (char) (i % 100);
  for (k = 0; k < 40; k++) {
    MOVE ("rep movsb", k);
    MOVE ("rep movsw", k);
    MOVE ("rep movsl", k);
    MOVE ("rep stosb", k);
    MOVE ("rep stosl", k);
#ifdef __x86_64__
    MOVE ("rep movsq", k);
    MOVE ("rep stosq", k);
#endif
    MOVE ("rep movsb", 5 * k);
    MOVE ("repe cmpsb", 200);
    MOVE ("repe cmpsw", k);
    MOVE ("repne scasb", 300);
    MOVE ("repe scasl", k);
    MOVE ("movsb\n\tmovsw\n\tmovsl", 0);
    MOVE ("repe cmpsb\n\tstosw", 1);
    MOVE ("lodsb\n\tlodsw\n\tlodsl", 0);
    MOVE ("rep lodsb", k);
    to[k * 3] = 7;
  }
  /* Downwards.  */
  const void *s = from + N - 1;
  void *d = to + N - 1;
  size_t c = 100;
  __asm__ volatile ("std\n\trep movsb\n\tcld"
                    : "+S" (s), "+D" (d), "+c" (c) : : "memory", "cc");
  bare_sink = left;
  return 0;
}
