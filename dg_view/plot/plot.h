/* plot.h: the whole picture: data, grid, axes, bands, legend, title.

   The window and --render draw with this and nothing else, so their pictures
   are the same.  Knows cairo, but no GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PLOT_H
#define DV_PLOT_H

#include <stdbool.h>

#include <cairo.h>
#include <glib.h>

#include "model/log/highlight.h"
#include "model/log/look.h"
#include "picture.h"
#include "model/log/scene.h"

/* What to draw.  Everything belongs to the caller.  */
struct dv_plot {
  const struct dv_scene *scene;      /* NULL: nothing is known yet */
  struct dv_look look;
  struct dv_view view;
  const char *title;                 /* NULL: none */
  const char *message;               /* in the middle; NULL: none */
  /* Of this view, or another, until there is one; NULL: not yet there.  */
  const struct dv_picture *picture;
  struct dv_view shown;              /* what of the scene it shows */
  const struct dv_highlight *highlight;  /* what stands out; NULL: nothing */
  const struct dv_picture *bright;   /* of the highlight; NULL: not (yet) */
  const GArray *sharing;             /* struct dv_tally_line; may be NULL */
  const GArray *fields;              /* struct dv_ruler_field; may be NULL */
  bool has_mark;                     /* mark the access below */
  struct dg_access mark;
};

/* In pixels; the data area stands on whole ones.  */
struct dv_plot_area {
  double x, y, width, height;
};

/* Where the data go in a picture of the given size; at least 1 x 1.  */
struct dv_plot_area dv_plot_area (const struct dv_scene *scene,
                                  const struct dv_look *look, bool has_title,
                                  double width, double height);

/* svg: see dv_text_init.  */
void dv_plot_draw (const struct dv_plot *plot, cairo_t *cr, double width,
                   double height, GString *svg);

#endif /* DV_PLOT_H */
