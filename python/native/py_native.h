/* py_native.h: what all files of the extension module share.

   The module is written against Python's limited API of 3.9, so that one
   binary serves all later versions, and against the public headers of
   libdatagrind.  Each function that needs the GIL has it unless its comment
   says otherwise.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PY_NATIVE_H
#define DG_PY_NATIVE_H

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#  define Py_LIMITED_API 0x03090000
#endif
#include <Python.h>

#include "dg_arrow.h"
#include "libdatagrind.h"

/* What the module keeps.  */
struct py_state {
  PyObject *error;          /* the class datagrind.Error */
  PyObject *log_type, *status_type;
};
/* Of the module itself.  */
struct py_state *py_state_get (PyObject *module);

/* Raises datagrind.Error with code, offset, message and path, which may be
   NULL; nothing if an exception is already set, such as that of a signal.
   Returns NULL.  */
PyObject *py_error_raise (PyObject *module, const struct dg_error *failed,
                          const char *path);
/* Code, offset and message as a tuple.  */
PyObject *py_error_tuple (const struct dg_error *failed);

/* Puts a new reference into a dictionary under `key` and drops it; `value`
   NULL is an error already set.  0 or -1.  */
int py_put (PyObject *dict, const char *key, PyObject *value);
/* Text of the log, whose bytes may be anything; NULL is None.  */
PyObject *py_text (const char *text);

#endif /* DG_PY_NATIVE_H */
