/* sourcefile.h: reading a source for people to look at.  No GTK; blocks, so
   for background threads.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SOURCEFILE_H
#define DV_SOURCEFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

#include "model/log/data.h"

#define DV_SOURCE_MAX_BYTES ((size_t) 8 << 20)
/* Of a line: longer ones take the text widget minutes.  */
#define DV_SOURCE_MAX_LINE  ((size_t) 20000)

enum dv_source_problem {
  DV_SOURCE_FINE,
  DV_SOURCE_MISSING,           /* none of the names is a file's */
  DV_SOURCE_NO_FILE,           /* a folder, a device, a pipe */
  DV_SOURCE_UNREADABLE,        /* see `why` */
  DV_SOURCE_TOO_LARGE, DV_SOURCE_BINARY, DV_SOURCE_LONG_LINES
};

struct dv_sourcefile {
  enum dv_source_problem problem;
  char *path;                  /* that was found; NULL: MISSING */
  char *why;                   /* of the system; NULL: nothing to say */
  char *text;                  /* UTF-8, NULL unless FINE; lines end where
                                  compilers see their ends */
  size_t length;
  bool was_converted;          /* it was no UTF-8, and taken for Latin-1 */
  int64_t changed;             /* when, in seconds since 1970 */
};

/* The first of the names (NULL-terminated) that is there: in the log, which
   may be NULL, or on this machine.  */
struct dv_sourcefile *dv_sourcefile_read (const struct dg_log *log,
                                          const char *const *names);
/* NULL is fine.  */
void dv_sourcefile_free (struct dv_sourcefile *file);

/* What is read: a new string of valid UTF-8 from bytes that may be anything;
   NULL with *problem if it cannot be shown.  */
char *dv_sourcefile_text (const char *bytes, size_t n, bool *was_converted,
                          enum dv_source_problem *problem);

/* All names to try for a file of the log's debug information; see sourcemap.h.
   Names that are not absolute begin where the program ran, or where the log
   is.  data may be NULL.  Free with g_strfreev.  */
char **dv_sourcefile_names (const char *const *map,
                            const struct dv_data *data, const char *file);
/* The first of them that is a regular file; NULL: none is.  A new string.  */
char *dv_sourcefile_find (const char *const *map, const struct dv_data *data,
                          const char *file);

/* Since when sources may be others than those that ran, in seconds since 1970;
   0: not known.  */
int64_t dv_sourcefile_recorded (const struct dv_data *data);

#endif /* DV_SOURCEFILE_H */
