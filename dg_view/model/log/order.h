/* order.h: sorting, and searching in what is sorted.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_ORDER_H
#define DV_ORDER_H

/* Makes LOW the first number of [LOW, HIGH) for which IS_BEFORE, about MIDDLE,
   is false, as it is for all that follow; HIGH if there is none.  LOW and
   HIGH: variables of one unsigned type.  */
#define DV_BISECT(low, high, middle, is_before)             \
  while ((low) < (high)) {                                  \
    __typeof__ (low) middle = (low) + ((high) - (low)) / 2; \
    if (is_before)                                          \
      (low) = middle + 1;                                   \
    else                                                    \
      (high) = middle;                                      \
  }

/* Defines a function for qsort: those with a smaller KEY, about the item X,
   come first.  */
#define DV_DEFINE_COMPARE(name, type, key)       \
  static int name (const void *a, const void *b) \
  {                                              \
    const type *x = a;                           \
    const __typeof__ (key) first = (key);        \
    x = b;                                       \
    const __typeof__ (key) second = (key);       \
    return (first > second) - (first < second);  \
  }

#endif /* DV_ORDER_H */
