/* capture.h: archives made while programs run.

   Threads: one *watcher* answers requests for rings, reads their messages,
   applies definitions, and cuts what it reads into chunks; *workers* pack
   chunks, straight from the ring; whichever worker has packed the next chunk
   of a recording adds it to the archive.

   A chunk is a stretch of the ring, and its place is given back to the
   program when the chunk is in the archive.  So whatever the disk does, what
   is packed and not written is less than the ring: a program that is faster
   waits for room.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CAPTURE_H
#define DG_CAPTURE_H

#include "recording.h"

struct dg_capture {
  struct dg_recordings all;
  GThread *watcher;
  GPtrArray *threads;      /* of the workers */
  GPtrArray *workers;
};

#endif /* DG_CAPTURE_H */
