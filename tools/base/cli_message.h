/* cli_message.h: what commands say on standard error, and their exit status.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CLI_MESSAGE_H
#define DG_CLI_MESSAGE_H

#include <glib.h>

#include "libdatagrind.h"

/* Exit status, of every command.  */
enum { CLI_OK = 0, CLI_FAILURE = 1, CLI_USAGE = 2 };

/* "dg: ..." and a newline; returns CLI_FAILURE.  */
int cli_fail (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* The same, of something that is not a failure.  */
void cli_warn (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Of a source file that could not be read although it is here.  Most often it
   is not, which is not worth a word.  */
void cli_warn_of_source (const struct dg_log *log, const char *path,
                         const struct dg_error *error);

#endif /* DG_CLI_MESSAGE_H */
