/* bookmark.h: views that were given a name, kept from one start to the
   next.

   A key file, bookmarks.ini in the user's configuration folder, with a group
   for each recording.  What cannot be read in it is as if it were not there.
   Knows neither logs nor GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_BOOKMARK_H
#define DV_BOOKMARK_H

#include "model/log/look.h"
#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* Recordings, the last used ones, and bookmarks of each.  */
#define DV_BOOKMARK_LOGS 200
#define DV_BOOKMARK_MOST 99

/* Addresses [address_start, address_end) and instructions [icount_start,
   icount_end); 0 and UINT64_MAX: all that there is.  */
struct dv_bookmark {
  char *name;                    /* one line, valid UTF-8, not empty */
  uint64_t address_start, address_end, icount_start, icount_end;
  char *events, *ranges;         /* the filter; "" without */
  enum dv_colouring colouring;   /* what the colours showed */
};

/* For struct dv_bookmark *, which it frees.  */
GPtrArray *dv_bookmark_list_new (void);
/* Adds a copy, with its name made fit; false if there are too many.  */
bool dv_bookmark_add (GPtrArray *bookmarks,
                      const struct dv_bookmark *bookmark);
/* A new string: one line, no more than people can read; "" if nothing is
   left.  */
char *dv_bookmark_name (const char *name);

/* The user's file; a new string.  */
char *dv_bookmark_path (void);
/* Those of the recording `id`, any text; none if there are none.  */
GPtrArray *dv_bookmark_load (const char *path, const char *id);
/* Writes them in place of those of `id`; other groups stay as they are in the
   file by now.  `log` is for people who read the file.  False and *error on
   failure.  */
bool dv_bookmark_save (const char *path, const char *id, const char *log,
                       const GPtrArray *bookmarks, GError **error);

#endif /* DV_BOOKMARK_H */
