/* dump.h: the two ways in which `dg dump` shows a log.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DUMP_H
#define DG_DUMP_H

#include "libdatagrind.h"
#include "base/output.h"

/* Both write the whole log, or what passes the filter if it is not NULL.
   They return 0 or an error of the library, and stop early without one when
   the output fails.  */
int dump_records (const struct dg_log *log, const struct dg_filter *filter,
                  struct output *out, struct dg_error *err);
int dump_accesses (const struct dg_log *log, const struct dg_filter *filter,
                   bool with_values, struct output *out,
                   struct dg_error *err);

#endif /* DG_DUMP_H */
