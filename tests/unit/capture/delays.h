/* delays.h: threads that stop for a while anywhere: between any two
   instructions, in the middle of a call of the system.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DELAYS_H
#define DG_DELAYS_H

#include <stdint.h>

struct delays;

/* From now on all threads of this process, also those that begin later, are
   stopped again and again, at random times, for up to max_us microseconds.
   What they are doing then does not follow from the seed: it begins a search,
   and repeats none.  One at a time.  */
struct delays *delays_begin (uint64_t seed, unsigned max_us);

/* Returns how often one was stopped.  */
unsigned delays_end (struct delays *delays);

#endif /* DG_DELAYS_H */
