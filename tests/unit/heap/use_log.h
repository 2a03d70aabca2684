/* use_log.h: logs of random heaps, tidy and wild, with pools, reallocs and
   system calls.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_USE_LOG_H
#define DG_USE_LOG_H

#include <stdbool.h>

#include <glib.h>

/* Of dgasm's language, of n steps.  In a wild heap blocks are anywhere; pieces
   of blocks begin at multiples of `grain`.  */
char *use_log_text (GRand *rand, unsigned n, bool is_wild, unsigned grain);

#endif /* DG_USE_LOG_H */
