/* process.c: what the system reports about processes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "process.h"

#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>

uint64_t
dg_process_start_ticks (uint64_t pid)
{
  char *name = g_strdup_printf ("/proc/%" PRIu64 "/stat", pid);
  char *text = NULL, *at;
  uint64_t ticks = 0;

  if (g_file_get_contents (name, &text, NULL, NULL)) {
    /* The name in the second field may hold anything.  */
    at = strrchr (text, ')');
    for (int field = 2; at && field < 22; field++) {
      at = strchr (at, ' ');
      at = at ? at + 1 : NULL;
    }
    if (at)
      ticks = g_ascii_strtoull (at, NULL, 10);
  }
  g_free (text);
  g_free (name);
  return ticks;
}

bool
dg_process_exe (uint64_t pid, uint64_t *device, uint64_t *inode)
{
  char *name = g_strdup_printf ("/proc/%" PRIu64 "/exe", pid);
  GStatBuf st;
  bool is_there = g_stat (name, &st) == 0;

  if (is_there) {
    *device = st.st_dev;
    *inode = st.st_ino;
  }
  g_free (name);
  return is_there;
}
