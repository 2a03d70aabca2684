/* cli_message.c: what commands say on standard error.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "cli_message.h"

#include "printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

/* "dg: ..." and a newline.  */
static void G_GNUC_PRINTF (1, 0) say (const char *format, va_list args)
{
  char *text = g_strdup_vprintf (format, args);
  /* Names of files, and what a log says, may hold anything.  */
  char *safe = printable_text (text);

  fprintf (stderr, "dg: %s\n", safe);
  g_free (safe);
  g_free (text);
}

int
cli_fail (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  say (format, args);
  va_end (args);
  return CLI_FAILURE;
}

void
cli_warn (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  say (format, args);
  va_end (args);
}

void
cli_warn_of_source (const struct dg_log *log, const char *path,
                    const struct dg_error *error)
{
  bool is_here = dg_log_has_source (log, path) || access (path, R_OK) == 0;

  if (error->code == DG_ERR_NOMEM || (error->code == DG_ERR_IO && is_here))
    cli_warn ("warning: %s: %s", path, error->message);
}
