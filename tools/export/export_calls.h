/* export_calls.h: call trees, in the formats of `dg calls`.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_EXPORT_CALLS_H
#define DG_EXPORT_CALLS_H

#include "analyse/analysis_options.h"
#include "export_format.h"

/* Returns the exit status.  */
int export_calls_run (const struct cli_command *command,
                      const struct export_format *format,
                      struct analysis_options *options, const char *path);

#endif /* DG_EXPORT_CALLS_H */
