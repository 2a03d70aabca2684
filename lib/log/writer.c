/* writer.c: is a log still being written?

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "writer.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/regular.h"

/* When a process began, in ticks since the system did; 0: there is none.  */
static uint64_t
start_of (uint64_t pid)
{
  char *path = g_strdup_printf ("/proc/%" G_GUINT64_FORMAT "/stat", pid);
  char *text = NULL, *at;
  uint64_t ticks = 0;

  if (g_file_get_contents (path, &text, NULL, NULL)) {
    /* The name, in parentheses, may hold anything.  */
    at = strrchr (text, ')');
    for (int field = 2; at && field < 22; field++)
      at = strchr (at + 1, ' ');
    ticks = at ? g_ascii_strtoull (at, NULL, 10) : 0;
  }
  g_free (text);
  g_free (path);
  return ticks;
}

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

  if (!process || process->start_ticks == 0 || start_of (getpid ()) == 0)
    return DG_WRITER_UNKNOWN;
  return start_of (process->pid) == process->start_ticks ? DG_WRITER_ACTIVE
                                                         : DG_WRITER_NONE;
}

enum dg_writer
dg_log_writer (const struct dg_log *log)
{
  if (log->contents.summary.end_why >= 0)
    return DG_WRITER_NONE;
  return log->ops->writer (log);
}
