/* loading_parts.h: what the files of loading.c share.  On the main thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_LOADING_PARTS_H
#define DV_LOADING_PARTS_H

#include "window_parts.h"

/* ---- loading.c ------------------------------------------------------- */

/* What the background is doing for window->load_job, translated.  */
const char *dv_loading_phase (const struct dv_window *window);
/* Ends loading or filtering; what was shown stays.  */
void dv_loading_cancel (struct dv_window *window);
/* Filters by what the entries say.  */
void dv_loading_apply (struct dv_window *window);

/* ---- loading_info.c -------------------------------------------------- */

void dv_loading_hide_info (struct dv_window *window);

/* ---- loading_filter.c ------------------------------------------------ */

/* The entries say what the scene shows.  */
void dv_loading_restore_entries (struct dv_window *window);
/* What is wrong with the entries; NULL: nothing.  */
void dv_loading_mark_entries (struct dv_window *window,
                              const struct dg_error *err);
/* Another log: other labels to complete conditions with.  */
void dv_loading_update_entries (struct dv_window *window);

#endif /* DV_LOADING_PARTS_H */
