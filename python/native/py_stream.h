/* py_stream.h: a stream of batches as a capsule, and its status.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PY_STREAM_H
#define DG_PY_STREAM_H

#include "py_handle.h"
#include "py_native.h"
#include "py_query.h"

/* Opens a stream and makes its schema, without the GIL, so that errors of the
   query are exceptions here.  `progress` is a callable or NULL.  Returns
   (capsule "arrow_array_stream", status, capsule "arrow_schema").  */
PyObject *py_stream_open (PyObject *module, struct py_handle *handle,
                          struct py_query *query, PyObject *progress);

/* A capsule with a copy of the schema in another: copy_schema (capsule).  */
PyObject *py_stream_copy_schema (PyObject *module, PyObject *capsule);
/* Describes a schema: schema_columns (capsule) -> list of (name, format,
   is_dictionary, is_nullable).  */
PyObject *py_stream_columns (PyObject *module, PyObject *capsule);
/* The next batch of a stream as lists of values: read_rows (capsule, max) ->
   list of columns, of at most `max` rows, or None at the end.  */
PyObject *py_stream_read (PyObject *module, PyObject *args);

/* Status.get () -> dict; it can be read when the stream is gone.  */
extern PyType_Spec py_stream_status_spec;

#endif /* DG_PY_STREAM_H */
