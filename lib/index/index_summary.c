/* index_summary.c: what a log is, by its sidecar: for raw logs, which would
   have to be read as a whole otherwise.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "index.h"

#include "base/error.h"
#include "log/packed_summary.h"

int
dg_index_load_summary (struct dg_log *log, struct dg_error *err)
{
  struct dg_archive *sidecar;
  struct dg_source source;
  char *path;
  int code;

  if (log->load_called)
    return dg_error_set (err, DG_ERR_INVALID, "the log is already loaded");
  if (log->header.is_archive)
    return dg_error_set (err, DG_ERR_INVALID, "the log is an archive");
  path = dg_index_sidecar (log);
  code = dg_index_open_file (log, path, &source, &sidecar, err);
  g_free (path);
  if (code < 0)
    return code;
  /* What is wrong with a log is known when it is read.  */
  if (sidecar->summary.complete != DG_COMPLETE_YES)
    code = dg_error_set (err, DG_ERR_INVALID, "the log is incomplete");
  dg_contents_fini (&log->contents);
  if (code == 0)
    code = dg_packed_take_summary (log, sidecar, err);
  if (code < 0)
    dg_contents_fini (&log->contents);
  dg_source_close (&source);
  dg_archive_free (sidecar);
  return code;
}
