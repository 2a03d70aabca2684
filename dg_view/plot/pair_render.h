/* pair_render.h: --render of two logs, or of one by owner.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PAIR_RENDER_H
#define DV_PAIR_RENDER_H

#include "model/pair/pair.h"
#include "model/user/options.h"
#include "pair_plot.h"

/* What is drawn to a file.  Everything belongs to the caller.  */
struct dv_pair_file {
  struct dv_pair *pair;
  const struct dv_palette *palette;
  unsigned parts;
  struct dv_view view;               /* empty: all of it */
  const char *title;                 /* NULL: none */
  const char *names[2];
  enum dv_format format;
  uint32_t width, height;            /* pixels, or points */
  bool is_draft;                     /* it may be coarse */
};

/* NULL and *err on failure.  Any thread.  */
GByteArray *dv_pair_file_bytes (const struct dv_pair_file *file,
                                dg_progress_fn progress, void *user,
                                struct dg_error *err);

/* Loads a log for a pair, with its owners; filters are the options'.  NULL and
   *err on failure.  */
struct dv_scene *dv_pair_load (const char *path,
                               const struct dv_options *options,
                               dg_progress_fn progress, void *user,
                               struct dg_error *err);

/* The picture that the options say, of a pair.  NULL and *err on failure.  */
GByteArray *dv_pair_render (struct dv_pair *pair,
                            const struct dv_options *options,
                            dg_progress_fn progress, void *user,
                            struct dg_error *err);

#endif /* DV_PAIR_RENDER_H */
