/* diff_program.h: the program's own name, which may change from run to run: a
   file that was built under another name is the same program.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_DIFF_PROGRAM_H
#define DG_DIFF_PROGRAM_H

#include <glib.h>
#include <stdbool.h>

/* The last part of the path of a log's main program; "" if that is not known
   (NULL).  To be freed.  */
char *diff_program_name (const char *path);

/* Whether two texts, or NULL, of programs with these names (NULL: unknown) say
   the same, but for numbers of lines.  */
bool diff_program_is_same (const char *before, const char *program_before,
                           const char *after, const char *program_after);

#endif /* DG_DIFF_PROGRAM_H */
