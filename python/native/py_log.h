/* py_log.h: a log as a Python object.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PY_LOG_H
#define DG_PY_LOG_H

#include "py_native.h"

/* open (path, follow, source_paths, workers, progress) -> Log, which is
   loaded; if it is cut short or damaged, Log.problem has the error.  */
PyObject *py_log_open (PyObject *module, PyObject *args);

extern PyType_Spec py_log_spec;

#endif /* DG_PY_LOG_H */
