/* calibrate_core.h: loops in registers and in the first cache.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALIBRATE_CORE_H
#define DG_CALIBRATE_CORE_H

#include "calibrate_clock.h"

/* What can be measured so, in cycles of one operation; of WIDTH, of one
   instruction.  */
enum dg_calibrate_core {
  DG_CALIBRATE_WIDTH,
  DG_CALIBRATE_MULTIPLY,
  DG_CALIBRATE_DIVIDE,
  DG_CALIBRATE_FLOAT_ADD,
  DG_CALIBRATE_FLOAT_MULTIPLY,
  DG_CALIBRATE_FLOAT_DIVIDE,
  DG_CALIBRATE_ROOT,
  DG_CALIBRATE_LOCKED,
  DG_CALIBRATE_FORWARD,        /* of the last store, wherever it was */
  DG_CALIBRATE_FORWARD_EITHER, /* of the last store, or the one before */
  DG_CALIBRATE_FORWARD_SAME,   /* with the same register as base */
  DG_CALIBRATE_FORWARD_FAILS,  /* a byte is stored, eight are loaded */
  DG_CALIBRATE_BRANCH_RANDOM,
  DG_CALIBRATE_BRANCH_KNOWN,
  DG_CALIBRATE_CORES
};

/* False: there is no loop for it on this architecture.  */
bool dg_calibrate_core_measure (struct dg_calibrate_clock *clock,
                                enum dg_calibrate_core which,
                                struct dg_calibrate_sample *sample);
/* The same for copying `size` bytes by one instruction.  */
bool dg_calibrate_core_repeat (struct dg_calibrate_clock *clock, size_t size,
                               struct dg_calibrate_sample *sample);

#endif /* DG_CALIBRATE_CORE_H */
