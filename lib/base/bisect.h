/* bisect.h: searching in what is in order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_BISECT_H
#define DG_BISECT_H

/* The first i from `from` to before `to` of which IS_BEFORE, which is true of
   some first ones and of no other, is false; `to`: none.  A macro, so that
   IS_BEFORE is compiled into the loop.  */
#define DG_BISECT(from, to, i, is_before)                    \
  __extension__({                                            \
    __typeof__ ((from) + (to)) low_ = (from), high_ = (to);  \
                                                             \
    while (low_ < high_) {                                   \
      const __typeof__ (low_) i = low_ + (high_ - low_) / 2; \
                                                             \
      if (is_before)                                         \
        low_ = i + 1;                                        \
      else                                                   \
        high_ = i;                                           \
    }                                                        \
    low_;                                                    \
  })

#endif /* DG_BISECT_H */
