/* writer.h: is a log still being written?

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_WRITER_H
#define DG_WRITER_H

#include "log.h"

/* Of one that has no end record: struct dg_log_ops.  */
enum dg_writer dg_writer_of_raw (const struct dg_log *log);
enum dg_writer dg_writer_of_archive (const struct dg_log *log);

#endif /* DG_WRITER_H */
