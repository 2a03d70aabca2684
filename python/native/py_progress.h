/* py_progress.h: long calls show their progress to Python, and stop when it
   has a signal.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PY_PROGRESS_H
#define DG_PY_PROGRESS_H

#include "py_native.h"

struct py_progress {
  PyObject *callback; /* progress (done, total), or NULL; a reference */
  /* Whether the calling thread had the GIL and has given it up for this call.
     If not, a consumer has called: it may hold the GIL on another thread and
     wait for this one, so that only the main thread asks for it.  */
  bool is_own_call;
  bool was_raised;    /* the last call was cancelled by an exception */
  /* That exception, if it was a consumer's call, until it is delivered.  */
  PyObject *type, *value, *traceback;
};

/* A dg_progress_fn whose user is a struct py_progress.  Without the GIL, or
   with it.  Of its own calls, an exception remains set; of others, it is kept
   in the struct.  */
int py_progress_show (void *user, uint64_t done, uint64_t total);

/* Drops the references, of any thread, without the GIL.  When Python has ended
   they are left alone.  */
void py_progress_fini (struct py_progress *progress);

/* Whether this is the main thread, the one whose signals are Python's.  */
bool py_progress_is_main (void);

#endif /* DG_PY_PROGRESS_H */
