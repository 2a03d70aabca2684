/* loading.h: opening a log, opening it again, and filtering it, in the
   background.

   A part of the window, see host.h.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_LOADING_H
#define DV_LOADING_H

#include "filter_bar.h"
#include "indexing.h"

/* Who follows a log that is still being written.  */
struct dv_loading_listener {
  /* Whether the next log is to be read as one that grows.  */
  bool (*grows) (void *user);
  /* Another log is about to be read; reading has ended, in whatever way.  */
  void (*opened) (void *user);
  void (*loaded) (void *user);
  void *user;
};

struct dv_loading *dv_loading_new (struct dv_host *host,
                                   struct dv_indexing *indexing);
void dv_loading_free (struct dv_loading *loading);
/* Before anything is opened.  */
void dv_loading_listen (struct dv_loading *loading,
                        const struct dv_loading_listener *listener);
/* The row with the conditions.  */
GtkWidget *dv_loading_filter_widget (const struct dv_loading *loading);

void dv_loading_open (struct dv_loading *loading, const char *path);
/* Sets the conditions and filters; NULL: as they are.  */
void dv_loading_filter (struct dv_loading *loading, const char *events,
                        const char *ranges);
/* Reads it again and keeps the view, the filter and, where the same access is
   there, the selection.  If that fails, the old picture stays.  */
void dv_loading_reload (struct dv_loading *loading);
/* Whether a log is being read, not only filtered.  */
bool dv_loading_is_reading (const struct dv_loading *loading);
/* That the log is cut short or damaged, if it is.  */
void dv_loading_tell_flaw (struct dv_loading *loading);

#endif /* DV_LOADING_H */
