/* plot_file.h: a plot as the bytes of a picture file: for --render, and for
   saving what the window shows.  No GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PLOT_FILE_H
#define DV_PLOT_FILE_H

#include <glib.h>

#include "picture_file.h"
#include "plot.h"

/* Everything belongs to the caller.  */
struct dv_plot_file {
  struct dv_scene *scene;
  struct dv_look look;
  struct dv_view view;               /* empty: nothing matches */
  const char *title;                 /* NULL: none */
  enum dv_format format;
  uint32_t width, height;            /* pixels, or points */
  enum dv_detail detail;
  const struct dv_highlight *highlight;   /* NULL: nothing stands out */
  const char *none;                  /* what to say of a part without accesses;
                                        NULL: that criteria left none */
  bool has_mark;                     /* mark the access below */
  struct dg_access mark;
};

/* NULL and *err on failure.  Any thread.  */
GByteArray *dv_plot_file_bytes (const struct dv_plot_file *file,
                                dg_progress_fn progress, void *user,
                                struct dg_error *err);

/* What a picture of a log is called: program and file.  A new string.  */
char *dv_plot_file_title (const struct dv_data *data);

#endif /* DV_PLOT_FILE_H */
