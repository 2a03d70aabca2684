/* editor.h: a source line in the user's editor.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_EDITOR_H
#define DV_EDITOR_H

#include <stdbool.h>

#include <gio/gio.h>

#include "model/log/data.h"

/* The command's words, with %f, %l and %% replaced; the file is appended if
   the command does not name it.  NULL if the command cannot be parsed.  No
   shell is involved, so nothing in a file's name can do harm.  Free with
   g_strfreev.  */
char **dv_editor_argv (const char *command, const char *file, unsigned line,
                       GError **error);

/* Opens a file of this machine with `command`, else with $DG_EDITOR, else with
   what the desktop uses for such files.  The error's message is complete.  */
bool dv_editor_open (const char *command, const char *file, unsigned line,
                     GError **error);

/* Opens a file that the log's debug information names, wherever it is on this
   machine: see sourcemap.h for `map`; data may be NULL.  */
bool dv_editor_show (const char *command, const char *const *map,
                     const struct dv_data *data, const char *file,
                     unsigned line, GError **error);

#endif /* DV_EDITOR_H */
