/* py_info.h: what a log and the library know, as dicts and lists.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PY_INFO_H
#define DG_PY_INFO_H

#include "py_native.h"

/* The members of `dg info --json`, in its order.  */
PyObject *py_info_log (const struct dg_log *log);
/* (icount, accesses, runs) at the start of each chunk, and at the end.  */
PyObject *py_info_chunks (const struct dg_log *log);
/* (name, help, columns, limits) of each table; columns are (name, format,
   flags, help), limits the names of arguments.  */
PyObject *py_info_tables (PyObject *module, PyObject *unused);

#endif /* DG_PY_INFO_H */
