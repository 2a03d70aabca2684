/* recording_read.h: a recording as the watcher sees it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_RECORDING_READ_H
#define DG_RECORDING_READ_H

#include "recording.h"

/* Reads what there is.  Returns whether there was anything.  */
bool dg_recording_read (struct dg_recording *recording);
/* Cuts a chunk off if it is old.  */
void dg_recording_age (struct dg_recording *recording, gint64 now);
/* It has ended so, when all that is in the ring has been read.  */
void dg_recording_end (struct dg_recording *recording,
                       enum dg_recording_ending end);

#endif /* DG_RECORDING_READ_H */
