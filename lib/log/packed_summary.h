/* packed_summary.h: what SUMMARY tells of an archive, without its chunks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACKED_SUMMARY_H
#define DG_PACKED_SUMMARY_H

#include "archive/archive.h"
#include "log.h"

/* Of struct dg_log_ops.  */
int dg_packed_load_summary (struct dg_log *log, struct dg_error *err);

/* Summary, process and chunks of a log by the SUMMARY of its archive, or of
   its sidecar.  0 if they are as dg_log_load would say, else DG_ERR_DAMAGED:
   better look at the log; DG_ERR_NOMEM.  */
int dg_packed_take_summary (struct dg_log *log,
                            const struct dg_archive *archive,
                            struct dg_error *err);

#endif /* DG_PACKED_SUMMARY_H */
