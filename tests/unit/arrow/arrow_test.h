/* arrow_test.h: streams of Arrow as text, for tests, and whether they are what
   the C data and C stream interfaces ask for.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARROW_TEST_H
#define DG_ARROW_TEST_H

#include <glib.h>

#include "libdatagrind.h"

/* Checks every rule that does not depend on the data.  */
void arrow_test_schema (const struct ArrowSchema *schema);
void arrow_test_batch (const struct ArrowSchema *schema,
                       const struct ArrowArray *batch);

/* "icount:L thread:I kind:i<u>?": name, format, <dictionary>, ? if it can be
   null; lists as "+l(L)".  */
char *arrow_test_schema_text (const struct ArrowSchema *schema);
/* A line for each row: cells with spaces between, null as -, texts as they
   are, lists in brackets.  */
void arrow_test_rows (GString *text, const struct ArrowSchema *schema,
                      const struct ArrowArray *batch);

/* All of a stream, which is released.  A failure is the last line, as
   "ERROR: message".  */
char *arrow_test_text (struct ArrowArrayStream *stream);
/* The same of a query, which must be right.  */
char *arrow_test_query (const struct dg_log *log,
                        const struct dg_arrow_query *query);

#endif /* DG_ARROW_TEST_H */
