/* history.h: all accesses to a cache line, or to other memory, in their order,
   a page of rows at a time.

   Decodes the log, and looks names up: for background threads.  Knows no
   GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_HISTORY_H
#define DV_HISTORY_H

#include <glib.h>

#include "model/log/scene.h"

/* Rows of a page: memory is bounded by it, however many accesses there are. */
#define DV_HISTORY_ROWS 1000

/* Accesses of a scene (with its filter) that touch [low, high): how many, and
   in which chunks.  Reference counted; not changed once it was made.  */
struct dv_history {
  struct dv_scene *scene;
  uint64_t low, high;
  uint64_t total, reads, writes;
  GArray *before; /* uint64_t: how many come before each chunk */
};

struct dv_history_row {
  struct dg_access access;
  char *who;    /* "function (file:line)" */
  char *field;  /* "config.limits[3]", or whose memory it is */
  char *thread; /* "1 (main)" */
};

struct dv_history_page {
  struct dv_history *history;
  uint64_t first; /* number of the first row, from 0 */
  GArray *rows;   /* struct dv_history_row, in the order of the log */
};

/* Counts all, and makes the page around an access or, if that is not among
   them, around its icount.  most: rows, at least 1.  Goes through the chunks
   that the index does not rule out, on all processors.  NULL and *err on
   failure, or when it was cancelled.  */
struct dv_history_page *
dv_history_new (struct dv_scene *scene, uint64_t low, uint64_t high,
                const struct dg_access *at, guint most,
                dg_progress_fn progress, void *user, struct dg_error *err);
/* Another page, from this row on.  */
struct dv_history_page *
dv_history_page (struct dv_history *history, uint64_t first, guint most,
                 dg_progress_fn progress, void *user, struct dg_error *err);
/* NULL is fine.  */
void dv_history_page_free (struct dv_history_page *page);

struct dv_history *dv_history_ref (struct dv_history *history);
void dv_history_unref (struct dv_history *history);

/* Where an access is in a page; false: it is not there.  */
bool dv_history_find (const struct dv_history_page *page,
                      const struct dg_access *access, guint *row);

#endif /* DV_HISTORY_H */
