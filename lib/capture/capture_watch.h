/* capture_watch.h: the watcher: answers requests for rings, reads all of them,
   and sees programs end.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CAPTURE_WATCH_H
#define DG_CAPTURE_WATCH_H

#include "recording.h"

/* The thread; data: struct dg_recordings.  Ends when is_ending is set and
   nothing is recorded any more.  */
gpointer dg_capture_watch_run (gpointer data);

#endif /* DG_CAPTURE_WATCH_H */
