/* log_id.c: a name for the recording that a log is of.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <string.h>

#include "log.h"

static void
add_number (GChecksum *sum, uint64_t number)
{
  uint64_t little = GUINT64_TO_LE (number);

  g_checksum_update (sum, (const guchar *) &little, sizeof little);
}

static void
add_string (GChecksum *sum, const char *text)
{
  g_checksum_update (sum, (const guchar *) text, (gssize) strlen (text) + 1);
}

bool
dg_log_id (const struct dg_log *log, char id[DG_LOG_ID_SIZE])
{
  const struct dg_process *process = dg_log_process (log);
  GChecksum *sum;

  id[0] = '\0';
  if (!process)
    return false;
  sum = g_checksum_new (G_CHECKSUM_SHA256);
  add_number (sum, process->pid);
  add_number (sum, process->ppid);
  add_number (sum, process->start_ticks);
  add_number (sum, process->wall_ns);
  add_number (sum, process->page_size);
  add_number (sum, process->line_size);
  add_number (sum, process->flags);
  add_number (sum, process->stack_depth);
  add_string (sum, process->tool_version);
  add_string (sum, process->valgrind_version);
  add_string (sum, process->arch);
  add_string (sum, process->exe);
  add_string (sum, process->cwd);
  add_number (sum, process->argc);
  for (uint32_t i = 0; i < process->argc; i++)
    add_string (sum, process->argv[i]);
  g_strlcpy (id, g_checksum_get_string (sum), DG_LOG_ID_SIZE);
  g_checksum_free (sum);
  return true;
}
