/* recent.h: logs that were opened lately, by the desktop's list of recent
   files, and logs that lie in the current folder.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_RECENT_H
#define DV_RECENT_H

#include <gtk/gtk.h>

#include "jobs/job.h"

struct dv_recent_log {
  char *uri;
  char *name;       /* of the file, for people */
  char *detail;     /* its folder, or its size and date; likewise */
  gint64 time;      /* when it was opened or written; seconds since 1970 */
};

/* Logs that were opened and still exist, the last first, at most `most`; of
   struct dv_recent_log, owned.  On the main thread.  */
GPtrArray *dv_recent_list (guint most);
/* Notes that a log was opened.  On the main thread.  */
void dv_recent_note (const char *path, bool is_archive);

/* Looks in a folder for files with names of logs, the newest first, at most
   DV_NEARBY_MOST; the result is an array as above.  */
#define DV_NEARBY_MOST 8
struct dv_job *dv_recent_nearby (const char *folder, dv_job_done done,
                                 void *user);

#endif /* DV_RECENT_H */
