/* py_query.h: a query of Python as one of libdatagrind.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PY_QUERY_H
#define DG_PY_QUERY_H

#include "py_native.h"

/* Texts and arrays belong to it; without the GIL they may be read.  */
struct py_query {
  struct dg_arrow_query query;
  PyObject *kept;                /* list of the bytes that texts point to */
  const char **columns;
  uint32_t *threads;
  struct dg_arrow_span *addresses;
  struct dg_setting *settings;
};

/* From a dictionary, whose keys are the members of struct dg_arrow_query:
   `columns`, `threads`, `addresses` (pairs) and `settings` (pairs) are
   sequences, `icounts` and `chunks` pairs, others text, numbers or bool.  What
   is absent or None is all.  0, or -1 and an exception; py_query_fini in
   either case.  */
int py_query_init (struct py_query *query, PyObject *dict);
void py_query_fini (struct py_query *query);

/* The items of a sequence of texts, NULL at the end, to be freed by
   PyMem_Free; the bytes go to `kept`.  *n may be NULL.  */
const char **py_query_texts (PyObject *sequence, PyObject *kept, size_t *n);

#endif /* DG_PY_QUERY_H */
