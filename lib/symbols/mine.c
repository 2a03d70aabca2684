/* mine.c: distinguishes a program's own code from library code.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "libdatagrind.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "allocator_names.h"
#include "base/error.h"
#include "base/path.h"

struct dg_mine {
  enum dg_mine_what what;
  const char *program;     /* the log's; NULL: there is none */
};

/* ---- The program ------------------------------------------------------ */

static bool
is_base (const char *path, const char *prefix)
{
  return g_str_has_prefix (dg_path_base (path), prefix);
}

static const struct dg_module *
find_module (const struct dg_module *modules, size_t n, const char *path)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp (modules[i].file, path) == 0)
      return &modules[i];
  return NULL;
}

/* A name as it was called, as that is where the program was started, and where
   links lead, if it is still there.  */
static const struct dg_module *
find_path (const struct dg_module *modules, size_t n, const char *name,
           const char *cwd)
{
  const struct dg_module *found = find_module (modules, n, name);
  char *path, *real;

  if (found != NULL || name[0] == '\0')
    return found;
  path = g_canonicalize_filename (name, cwd[0] == '/' ? cwd : "/");
  found = find_module (modules, n, path);
  if (found == NULL) {
    real = realpath (path, NULL);
    found = real != NULL ? find_module (modules, n, real) : NULL;
    free (real);
  }
  g_free (path);
  return found;
}

/* The recorder may know no more than the last part of the name.  */
static const struct dg_module *
find_executable (const struct dg_module *modules, size_t n,
                 const struct dg_process *process)
{
  const struct dg_module *found = find_path (modules, n, process->exe,
                                             process->cwd);

  if (found == NULL && process->argc > 0)
    found = find_path (modules, n, process->argv[0], process->cwd);
  for (size_t i = 0; i < n && found == NULL; i++)
    if (strcmp (dg_path_base (modules[i].file), process->exe) == 0)
      found = &modules[i];
  return found;
}

/* The first that is not what every program has.  Of the same moment, the
   dynamic linker and Valgrind's own come behind the program.  */
static const struct dg_module *
find_first (const struct dg_module *modules, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!dg_allocator_module_is_preload (modules[i].file)
        && !is_base (modules[i].file, "exp-datagrind-")
        && !is_base (modules[i].file, "ld-linux")
        && !is_base (modules[i].file, "ld.so")
        && !is_base (modules[i].file, "ld-2."))
      return &modules[i];
  return NULL;
}

const char *
dg_log_program (const struct dg_log *log)
{
  const struct dg_process *process = dg_log_process (log);
  const struct dg_module *found = NULL;
  size_t n;
  const struct dg_module *modules = dg_log_modules (log, &n);

  if (process != NULL)
    found = find_executable (modules, n, process);
  if (found == NULL)
    found = find_first (modules, n);
  return found != NULL ? found->file : NULL;
}

bool
dg_module_is_runtime (const char *module)
{
  static const char *const names[] = {
    "ld-2.", "ld-linux", "ld-musl", "ld.so", "ld64.so", "libc++.so",
    "libc++abi.so", "libc-2.", "libc.musl-", "libc.so", "libdl-2.",
    "libdl.so", "libgcc_s", "libgomp.so", "libm-2.", "libm.so", "libpthread-",
    "libpthread.so", "librt-2.", "librt.so", "libstdc++.so"
  };

  if (dg_allocator_module_is_preload (module))
    return true;
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    if (is_base (module, names[i]))
      return true;
  return false;
}

/* ---- Frames ----------------------------------------------------------- */

struct dg_mine *
dg_mine_new (const struct dg_log *log, enum dg_mine_what what,
             struct dg_error *err)
{
  struct dg_mine *mine = g_try_new (struct dg_mine, 1);

  if (mine == NULL) {
    dg_error_nomem (err);
    return NULL;
  }
  mine->what = what;
  mine->program = dg_log_program (log);
  return mine;
}

void
dg_mine_free (struct dg_mine *mine)
{
  g_free (mine);
}

static bool
is_of_system (const char *file)
{
  return g_str_has_prefix (file, "/usr/include/")
         || g_str_has_prefix (file, "/usr/lib/")
         || g_str_has_prefix (file, "/usr/lib32/")
         || g_str_has_prefix (file, "/usr/lib64/")
         || g_str_has_prefix (file, "/usr/local/include/")
         || dg_allocator_source_is_standard (file);
}

bool
dg_mine_has (const struct dg_mine *mine, const struct dg_frame *frame)
{
  if (mine->what == DG_MINE_SCRIPT)
    return g_strcmp0 (frame->module, DG_SCRIPT_MODULE) == 0;
  if (mine->what == DG_MINE_PROGRAM
      && (frame->module == NULL || mine->program == NULL
          || strcmp (frame->module, mine->program) != 0))
    return false;
  if (frame->file != NULL)
    return !is_of_system (frame->file);
  return frame->function == NULL
         || (!dg_allocator_function_is_standard (frame->function)
             && !dg_allocator_is_known (frame->function));
}
