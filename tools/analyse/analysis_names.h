/* analysis_names.h: which analyses there are, and which of them a command
   names.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ANALYSIS_NAMES_H
#define DG_ANALYSIS_NAMES_H

#include "dg_analysis.h"
#include "base/cli.h"
#include "base/output.h"

/* The analyses of "counts,reuse", built in, of a --plugin in argv, or of a
   plug-in that is found by its name.  Returns a NULL-terminated array, or NULL
   after a message, with the exit status.  own: one more, of the command
   itself, or NULL.  commands: all of dg besides analyses, one of which may
   have been meant; up to a NULL.  */
GPtrArray *
analysis_names_find (const char *names, const struct dg_analysis *own,
                     const struct cli_command *const *commands, int argc,
                     char **argv, int *status);

/* Lines for dg --help.  */
void analysis_names_list (struct output *out);

#endif /* DG_ANALYSIS_NAMES_H */
