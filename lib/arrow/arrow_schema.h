/* arrow_schema.h: the schema of a stream.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARROW_SCHEMA_H
#define DG_ARROW_SCHEMA_H

#include "libdatagrind.h"

/* A struct of the columns with these numbers.  is_signed: signed types for
   unsigned ones.  0 or DG_ERR_NOMEM.  */
int dg_arrow_schema_make (const struct dg_arrow_column *columns,
                          const uint32_t *numbers, size_t n, bool is_signed,
                          struct ArrowSchema *out, struct dg_error *err);

#endif /* DG_ARROW_SCHEMA_H */
