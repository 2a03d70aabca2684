/* writer.c: is a log still being written?

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "writer.h"

#include <errno.h>
#include <glib.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/process.h"
#include "base/regular.h"

/* Writers of archives keep them locked.  */
enum dg_writer
dg_writer_of_archive (const struct dg_log *log)
{
  enum dg_writer writer = DG_WRITER_UNKNOWN;
  int fd = dg_regular_open (log->path, NULL);

  if (fd < 0)
    return writer;
  if (flock (fd, LOCK_SH | LOCK_NB) == 0)
    writer = DG_WRITER_NONE;
  else if (errno == EWOULDBLOCK)
    writer = DG_WRITER_ACTIVE;
  close (fd);
  return writer;
}

enum dg_writer
dg_writer_of_raw (const struct dg_log *log)
{
  const struct dg_process *process = dg_log_process (log);

  if (!process || process->start_ticks == 0
      || dg_process_start_ticks (getpid ()) == 0)
    return DG_WRITER_UNKNOWN;
  return dg_process_start_ticks (process->pid) == process->start_ticks
           ? DG_WRITER_ACTIVE
           : DG_WRITER_NONE;
}

enum dg_writer
dg_log_writer (const struct dg_log *log)
{
  if (log->contents.summary.end_why >= 0)
    return DG_WRITER_NONE;
  return log->ops->writer (log);
}
