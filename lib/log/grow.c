/* grow.c: logs that are read while they are written.

   A loaded log is read-only, for any number of threads, so it cannot grow
   itself: another one is made, with copies of its tables, to which what is
   new is added.  What tables point to (strings, stacks, definitions) is not
   copied; it is in memory that both have in common.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "flow.h"
#include "growth.h"
#include "load.h"
#include "log.h"
#include "packed.h"
#include "places.h"

/* ---- Copies ---- */

/* All but threads, which resuming brings, and what is in common.  */
static int
copy_contents (struct dg_contents *to, const struct dg_contents *from,
               struct dg_error *err)
{
  const struct {
    struct dg_table *to;
    const struct dg_table *from;
    size_t size;
  } tables[] = {
    {&to->defs.bbdefs, &from->defs.bbdefs, sizeof (void *)},
    {&to->defs.contexts, &from->defs.contexts, sizeof (struct dg_context)},
    {&to->defs.by_context, &from->defs.by_context, sizeof (void *)},
#define COPY(name, type) {&to->name, &from->name, sizeof (struct type)},
    DG_CONTENTS_TABLES (COPY)
#undef COPY
  };

  for (size_t i = 0; i < G_N_ELEMENTS (tables); i++)
    if (dg_table_copy (tables[i].to, tables[i].from, tables[i].size) < 0)
      return dg_error_nomem (err);
  if (dg_store_copy (&to->blocks, &from->blocks) < 0)
    return dg_error_nomem (err);
  to->defs.max_entries = from->defs.max_entries;
  to->orders = from->orders;
  to->n_judged = from->n_judged;
  to->summary = from->summary;
  to->process = from->process;
  to->has_process = from->has_process;
  if (from->packed)
    to->packed = dg_packed_copy (from->packed, err);
  return from->packed && !to->packed ? DG_ERR_NOMEM : 0;
}

/* The same file, as long as it is now, with the contents of `from`; what
   belongs to the newest goes to it.  */
static int
next_log (struct dg_log *from, uint64_t size, struct dg_log **next,
          struct dg_error *err)
{
  struct dg_log *log = g_try_new0 (struct dg_log, 1);
  int code = 0;

  if (!log)
    return dg_error_nomem (err);
  log->path = g_strdup (from->path);
  /* What grows is not mapped.  */
  log->source = from->source;
  log->source.size = size;
  log->source.mapped = NULL;
  log->ops = from->ops;
  log->header = from->header;
  log->header.file_size = size;
  log->format = from->format;
  log->part_min_bytes = from->part_min_bytes;
  log->piece_accesses = from->piece_accesses;
  log->places = dg_places_share (from->places);
  log->repetitions = from->repetitions;
  log->blocks = from->blocks;
  if (log->source.fd >= 0) {
    log->source.fd = fcntl (from->source.fd, F_DUPFD_CLOEXEC, 0);
    if (log->source.fd < 0)
      code = dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  }
  if (code == 0)
    code = copy_contents (&log->contents, &from->contents, err);
  if (code < 0) {
    dg_log_close (log);
    return code;
  }
  log->shared = from->shared;
  g_atomic_int_inc (&log->shared->users);
  log->growth = from->growth;
  from->growth = NULL;
  *next = log;
  return 0;
}

/* ---- Loading ---- */

int
dg_log_load_growing (struct dg_log *log, unsigned workers,
                     dg_progress_fn progress, void *user,
                     struct dg_error *err)
{
  if (log->load_called)
    return dg_error_set (err, DG_ERR_INVALID, "the log is already loaded");
  if (log->blocks == DG_BLOCKS_LIVE)
    return dg_error_set (err, DG_ERR_INVALID,
                         "a log that keeps live blocks cannot grow");
  dg_contents_fini (&log->contents);
  log->growth = g_new0 (struct dg_growth, 1);
  log->shared = g_new0 (struct dg_growth_shared, 1);
  log->shared->users = 1;
  return dg_load_growing (log, workers, progress, user, err);
}

/* How large the file is; < 0 if it is not there as it was.  */
static int
look_at_file (const struct dg_log *log, uint64_t *size, struct dg_error *err)
{
  struct stat here, there;

  if (fstat (log->source.fd, &here) < 0)
    return dg_error_set (err, DG_ERR_IO, "%s", g_strerror (errno));
  if (stat (log->path, &there) < 0)
    return dg_error_set (err, DG_ERR_IO, "%s",
                         errno == ENOENT ? "the file is no longer there"
                                         : g_strerror (errno));
  if (here.st_dev != there.st_dev || here.st_ino != there.st_ino)
    return dg_error_set (err, DG_ERR_IO, "the file was replaced");
  *size = here.st_size;
  if (*size < log->source.size)
    return dg_error_set (err, DG_ERR_IO, "the file was truncated");
  return 0;
}

int
dg_log_grow (struct dg_log *log, unsigned workers, dg_progress_fn progress,
             void *user, struct dg_log **grown, struct dg_error *flaw,
             struct dg_error *err)
{
  struct dg_error why = { 0 };
  uint64_t size = log->source.size;
  int code;

  *grown = NULL;
  if (!log->growth || log->source.fd < 0)
    return dg_error_set (err, DG_ERR_INVALID, "this log cannot grow");
  code = look_at_file (log, &size, err);
  if (code < 0 || size == log->source.size)
    return code;
  code = next_log (log, size, grown, err);
  if (code < 0)
    return code;
  code = dg_load_growing (*grown, workers, progress, user, &why);
  if (code == DG_ERR_TRUNCATED || code == DG_ERR_DAMAGED || code == 0) {
    *flaw = why;
    flaw->code = code;
    return 1;
  }
  dg_log_close (*grown);
  *grown = NULL;
  return dg_error_copy (err, &why);
}

bool
dg_log_can_grow (const struct dg_log *log)
{
  return log->growth != NULL;
}
