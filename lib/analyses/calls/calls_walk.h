/* calls_walk.h: calls over time, thread by thread, for files of viewers: where
   each of the longest calls begins and ends, one within the other.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CALLS_WALK_H
#define DG_CALLS_WALK_H

#include "calls_spans.h"

struct calls_walker {
  void *user;
  /* The calls of a thread follow, up to the next one or the end.  name: of the
     thread, for people.  */
  void (*thread) (void *user, uint32_t thread, const char *name);
  /* Calls of begin and end match as brackets do, and icount never decreases,
     nor does own: instructions of the thread until then.  */
  void (*begin) (void *user, uint32_t function, uint64_t icount,
                 uint64_t own);
  void (*end) (void *user, uint32_t function, uint64_t icount, uint64_t own);
};

/* 0, DG_ERR_CANCELLED or DG_ERR_NOMEM.  */
int calls_walk (const struct dg_log *log, struct calls_spans *spans,
                const struct calls_walker *walker, struct dg_report *report,
                struct dg_error *err);

/* Notes which calls are omitted from a file.  */
void calls_walk_note (const struct calls_spans *spans, const char *path,
                      struct dg_report *report);

/* A string of JSON.  */
void calls_walk_text (FILE *file, const char *text);
/* The name of the program.  */
const char *calls_walk_program (const struct dg_log *log);

#endif /* DG_CALLS_WALK_H */
