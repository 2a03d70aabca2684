/* error.h: filling a struct dg_error.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ERROR_H
#define DG_ERROR_H

#include "libdatagrind.h"

/* Fills *err, unless err is NULL, and returns code.  The message of an error
   that has a place in the log is made by dg_error_at, which puts the offset
   before it.  */
int dg_error_set (struct dg_error *err, int code, const char *format, ...)
  __attribute__ ((format (printf, 3, 4), cold));
int dg_error_at (struct dg_error *err, int code, uint64_t offset,
                 const char *format, ...)
  __attribute__ ((format (printf, 4, 5), cold));

/* DG_ERR_NOMEM with its usual message.  */
int dg_error_nomem (struct dg_error *err) __attribute__ ((cold));

/* Gives an error of TRUNCATED or DAMAGED its place in the file, instead of
   the one that it has, if any.  Returns err->code.  */
int dg_error_place (struct dg_error *err, uint64_t offset)
  __attribute__ ((cold));

/* Copies what was told to `from`, where the caller of both may have passed
   NULL for `to`.  Returns from->code.  */
int dg_error_copy (struct dg_error *to, const struct dg_error *from);

#endif /* DG_ERROR_H */
