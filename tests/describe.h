/* describe.h: everything that the library says of a log, as text, so that
   tests can compare two.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DESCRIBE_H
#define DG_DESCRIBE_H

#include <glib.h>

#include "libdatagrind.h"

/* All that dg_log_load gathers, but for what depends on the bytes of the
   file: sizes and offsets, unless with_offsets.  To be freed.  */
char *describe_contents (const struct dg_log *log, bool with_offsets);

/* Every access and the number of runs, as dg_reader gives them; an error ends
   it, with its message.  */
char *describe_accesses (const struct dg_log *log);

/* The same accesses, read chunk by chunk.  */
char *describe_chunked (const struct dg_log *log);

/* Every value that an instruction gave the stack pointer.  */
char *describe_sps (const struct dg_log *log);

/* Every record, as dg_reader_record gives it, without offsets.  */
char *describe_records (const struct dg_log *log);

#endif /* DG_DESCRIBE_H */
