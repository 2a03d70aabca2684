/* bisect.h: binary search.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_BISECT_H
#define DV_BISECT_H

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

#endif /* DV_BISECT_H */
