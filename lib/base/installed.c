/* installed.c: where files are that are installed with the library.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "installed.h"

#include <dlfcn.h>
#include <glib.h>
#include <stdint.h>

#include "path.h"

char *
dg_installed (const char *path)
{
  char *folder, *beside;
  Dl_info info;

  /* If the library is linked into a program, dladdr returns the name by which
     the program was called, which may be relative to any folder.  */
  if (!dladdr ((void *) (uintptr_t) dg_installed, &info)
      || info.dli_fname == NULL || !g_path_is_absolute (info.dli_fname))
    return g_strdup (path);
  folder = g_path_get_dirname (info.dli_fname);
  beside = g_build_filename (folder, "datagrind", dg_path_base (path), NULL);
  g_free (folder);
  if (g_file_test (beside, G_FILE_TEST_EXISTS))
    return beside;
  g_free (beside);
  return g_strdup (path);
}
