/* py_arrow.h: schemas and batches of Arrow: copies, empty ones, Python values.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PY_ARROW_H
#define DG_PY_ARROW_H

#include "py_native.h"

/* A copy of a schema that owns all it points to.  0, or ENOMEM and
   out->release NULL.  Without the GIL.  */
int py_arrow_copy_schema (const struct ArrowSchema *schema,
                          struct ArrowSchema *out);
/* A batch of this schema without rows.  In the same way.  */
int py_arrow_empty (const struct ArrowSchema *schema, struct ArrowArray *out);

/* The value of a row of a column: int, float, bool, str, list, dict or None.
   NULL: an exception.  */
PyObject *py_arrow_value (const struct ArrowSchema *schema,
                          const struct ArrowArray *array, int64_t row);

#endif /* DG_PY_ARROW_H */
