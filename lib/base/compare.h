/* compare.h: the order of two items, for qsort.

   An order by several members is a chain, where ?: goes on to the next one if
   all before it are equal:

     return DG_COMPARE (x->line, y->line) ?: DG_COMPARE (y->count, x->count);

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_COMPARE_H
#define DG_COMPARE_H

#include <stddef.h>
#include <stdint.h>

/* Numbers of one type, the smaller one first.  */
#define DG_COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* Defines a function for qsort, which puts items of a type in the order of a
   member, the smallest first.  */
#define DG_COMPARE_BY(name, type, member)        \
  static int name (const void *a, const void *b) \
  {                                              \
    const type *x = a, *y = b;                   \
                                                 \
    return DG_COMPARE (x->member, y->member);    \
  }

/* Functions for qsort: numbers, the smallest first.  */
static inline int
dg_compare_u32 (const void *a, const void *b)
{
  return DG_COMPARE (*(const uint32_t *) a, *(const uint32_t *) b);
}

static inline int
dg_compare_u64 (const void *a, const void *b)
{
  return DG_COMPARE (*(const uint64_t *) a, *(const uint64_t *) b);
}

/* Of n items in order, leaves equal ones once: how many are left.  */
#define DG_UNIQUE(items, n)                                \
  __extension__({                                          \
    size_t left_ = 0;                                      \
                                                           \
    for (size_t i_ = 0; i_ < (n); i_++)                    \
      if (left_ == 0 || (items)[left_ - 1] != (items)[i_]) \
        (items)[left_++] = (items)[i_];                    \
    left_;                                                 \
  })

#endif /* DG_COMPARE_H */
