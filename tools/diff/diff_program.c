/* diff_program.c: the program's own name, which may change from run to run.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "diff_program.h"

#include "libdatagrind.h"

#include <stdlib.h>
#include <string.h>

char *
diff_program_name (const char *path)
{
  const char *slash = path != NULL ? strrchr (path, '/') : NULL;

  return g_strdup (slash != NULL ? slash + 1 : path != NULL ? path : "");
}

bool
diff_program_is_same (const char *before, const char *program_before,
                      const char *after, const char *program_after)
{
  char *x, *y;
  bool is_same;

  if (g_strcmp0 (before, after) == 0)
    return true;
  if (before == NULL || after == NULL
      || g_strcmp0 (program_before, program_after) == 0
      || program_before == NULL || program_after == NULL)
    return false;
  x = dg_align_name (before, DG_ALIGN_ANY_PROGRAM, program_before, true);
  y = dg_align_name (after, DG_ALIGN_ANY_PROGRAM, program_after, true);
  is_same = g_strcmp0 (x, y) == 0;
  free (x);
  free (y);
  return is_same;
}
