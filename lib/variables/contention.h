/* contention.h: the inside of sums by line, for the files that make them up.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CONTENTION_PRIVATE_H
#define DG_CONTENTION_PRIVATE_H

#include <glib.h>

#include "base/lookup.h"
#include "libdatagrind.h"

/* Spots that are looked at first, by line and first byte.  */
#define DG_CONTENTION_RECENT 256

struct dg_contention {
  struct dg_spot *spots;
  uint32_t n, room, most;
  struct dg_lookup lookup; /* of spots; empty once they are judged */
  uint32_t recent[DG_CONTENTION_RECENT];
  uint64_t left_out;
  struct dg_line_verdict *verdicts;
  size_t n_verdicts;
};

#endif /* DG_CONTENTION_PRIVATE_H */
