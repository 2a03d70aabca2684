/* py_handle.h: a loaded log that Python objects and streams keep together.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PY_HANDLE_H
#define DG_PY_HANDLE_H

#include <stdatomic.h>

#include "dg_arrow.h"
#include "libdatagrind.h"

/* The references are counted without the GIL, as consumers release streams on
   any thread, also when Python has ended.  */
struct py_handle {
  atomic_size_t references;
  struct dg_log *log;
  struct dg_arrow_shared *shared;
};

/* Takes the log, also if it fails: NULL, *err.  source_paths may be NULL.  */
struct py_handle *py_handle_new (struct dg_log *log,
                                 const char *const *source_paths,
                                 struct dg_error *err);
struct py_handle *py_handle_keep (struct py_handle *handle);
/* Any thread.  NULL is allowed.  The last one closes the log.  */
void py_handle_drop (struct py_handle *handle);
/* How many handles there are in this process, for tests of leaks.  */
size_t py_handle_count (void);

#endif /* DG_PY_HANDLE_H */
