/* capture_worker.h: packs chunks and adds them to their archives.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CAPTURE_WORKER_H
#define DG_CAPTURE_WORKER_H

#include "recording.h"

struct dg_capture_worker;
struct dg_capture_worker *
dg_capture_worker_new (struct dg_recordings *all, struct dg_error *err);
void dg_capture_worker_free (struct dg_capture_worker *worker);
/* A thread: packs chunks, and adds to the archives what is next, until the
   queue is closed.  */
gpointer dg_capture_worker_run (gpointer worker);

#endif /* DG_CAPTURE_WORKER_H */
