/* export_stream.h: a pass over a log that gives a format its instructions.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_EXPORT_STREAM_H
#define DG_EXPORT_STREAM_H

#include "export_format.h"

/* An analysis: filters, threads, windows and progress are as in all others.
   Its dg_setup_user is a struct export.  */
extern const struct dg_analysis export_stream;

#endif /* DG_EXPORT_STREAM_H */
