/* arrow_text.h: texts that are kept once, as a dictionary of Arrow that only
   grows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARROW_TEXT_H
#define DG_ARROW_TEXT_H

#include "dg_analysis.h"

/* One stream's, for one column.  One thread at a time.  */
struct dg_arrow_text;

/* NULL and *err: no memory.  */
struct dg_arrow_text *dg_arrow_text_new (struct dg_error *err);
void dg_arrow_text_free (struct dg_arrow_text *text);

/* The index of a text, which is entered if it is new; bytes that are not
   UTF-8 are replaced.  DG_ERR_NOMEM, DG_ERR_LIMIT: more than an int32 can
   number.  */
int dg_arrow_text_index (struct dg_arrow_text *text, const char *string,
                         struct dg_error *err);

/* All texts so far as an array ("u").  It shares memory with the dictionary,
   and outlives it.  0 or DG_ERR_NOMEM.  */
int dg_arrow_text_array (const struct dg_arrow_text *text,
                         struct ArrowArray *out, struct dg_error *err);

#endif /* DG_ARROW_TEXT_H */
