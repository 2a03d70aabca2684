/* path.c: parts of the names of files.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "path.h"

#include <string.h>

const char *
dg_path_base (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash != NULL ? slash + 1 : path;
}

const char *
dg_path_tail (const char *path, unsigned folders)
{
  const char *tail = dg_path_base (path);

  for (; folders > 0 && tail > path; folders--)
    for (tail--; tail > path && tail[-1] != '/';)
      tail--;
  return tail;
}
