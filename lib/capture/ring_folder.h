/* ring_folder.h: the private folder in which rings are asked for and given
   (dg_ring.h).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_RING_FOLDER_H
#define DG_RING_FOLDER_H

#include <glib.h>

#include "libdatagrind.h"

struct dg_ring_folder {
  char *path;              /* absolute */
  int watch;               /* of inotify */
  GDir *dir;               /* open, so that it can be emptied when no more
                              files can be opened */
};

/* Makes a folder in `directory` (NULL: where there is room for `bytes`) and
   removes those that dead captures have left there.  */
int dg_ring_folder_init (struct dg_ring_folder *folder,
                         const char *directory, uint64_t bytes,
                         struct dg_error *err);
/* Removes it.  */
void dg_ring_folder_fini (struct dg_ring_folder *folder);

/* Appends the processes that want a ring and were not told of (uint64_t).  */
void dg_ring_folder_requests (const struct dg_ring_folder *folder,
                              GArray *pids);
/* "FOLDER/PID.SUFFIX", to be freed.  */
char *dg_ring_folder_file (const struct dg_ring_folder *folder,
                           uint64_t pid, const char *suffix);
/* It has its answer, or is gone.  */
void dg_ring_folder_forget (const struct dg_ring_folder *folder,
                            uint64_t pid);
/* Answers that there is no ring.  An empty text says nothing to the user.  */
void dg_ring_folder_refuse (const struct dg_ring_folder *folder,
                            uint64_t pid, const char *text);

#endif /* DG_RING_FOLDER_H */
