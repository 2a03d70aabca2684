/* py_progress.c: long calls show their progress to Python, and stop when it
   has a signal.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "py_progress.h"

#include <sys/syscall.h>
#include <unistd.h>

bool
py_progress_is_main (void)
{
  return syscall (SYS_gettid) == getpid ();
}

int
py_progress_show (void *user, uint64_t done, uint64_t total)
{
  struct py_progress *progress = user;
  PyGILState_STATE gil;
  PyObject *result;
  bool failed;

  if (!progress->is_own_call && !py_progress_is_main ())
    return 0;
  if (!progress->callback && !py_progress_is_main ())
    return 0;
  if (!Py_IsInitialized ())
    return 0;
  gil = PyGILState_Ensure ();
  failed = PyErr_CheckSignals () < 0;
  if (!failed && progress->callback) {
    result = PyObject_CallFunction (progress->callback, "KK",
                                    (unsigned long long) done,
                                    (unsigned long long) total);
    failed = !result;
    Py_XDECREF (result);
  }
  if (failed) {
    progress->was_raised = true;
    if (!progress->is_own_call) {
      /* One that could not be delivered may be there still.  */
      Py_CLEAR (progress->type);
      Py_CLEAR (progress->value);
      Py_CLEAR (progress->traceback);
      PyErr_Fetch (&progress->type, &progress->value, &progress->traceback);
    }
  }
  PyGILState_Release (gil);
  return failed;
}

void
py_progress_fini (struct py_progress *progress)
{
  PyGILState_STATE gil;

  if ((!progress->callback && !progress->type) || !Py_IsInitialized ())
    return;
  gil = PyGILState_Ensure ();
  Py_CLEAR (progress->callback);
  Py_CLEAR (progress->type);
  Py_CLEAR (progress->value);
  Py_CLEAR (progress->traceback);
  PyGILState_Release (gil);
}
