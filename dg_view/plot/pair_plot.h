/* pair_plot.h: the picture of two logs on common axes: each of them, and the
   difference, one above the other.

   The window that compares and --render draw with this and nothing else, so
   their pictures are the same.  Knows cairo, but no GTK.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PAIR_PLOT_H
#define DV_PAIR_PLOT_H

#include <cairo.h>

#include "model/log/look.h"
#include "model/pair/pair_counts.h"
#include "plot.h"

/* One above the other, in this order.  */
enum dv_pair_part {
  DV_PAIR_BEFORE,          /* reads and writes of the first log */
  DV_PAIR_AFTER,           /* of the second */
  DV_PAIR_DIFFERENCE,      /* which of them has accesses: three colours */
  DV_PAIR_PARTS
};
#define DV_PAIR_ALL_PARTS 7u       /* bits 1 << enum dv_pair_part */

/* What the background makes for one view.  Reference counted, for any thread;
   not changed once it was made.  */
struct dv_pair_picture {
  struct dv_pair_counts *counts;
  const struct dv_palette *palette;
  cairo_surface_t *images[DV_PAIR_PARTS];    /* to be shown at 1 / scale;
                                                NULL: there is no such part */
};

/* For parts of width x height pixels, each `scale` device pixels wide and
   high.  NULL and *err on failure.  */
struct dv_pair_picture *
dv_pair_picture_new (struct dv_pair *pair, const struct dv_view *view,
                     const struct dv_palette *palette, double width,
                     double height, double scale, bool is_draft,
                     dg_progress_fn progress, void *user,
                     struct dg_error *err);
/* The same counts in other colours.  */
struct dv_pair_picture *
dv_pair_picture_repaint (const struct dv_pair_picture *picture,
                         const struct dv_palette *palette);
struct dv_pair_picture *dv_pair_picture_ref (struct dv_pair_picture *picture);
/* NULL is fine.  */
void dv_pair_picture_unref (struct dv_pair_picture *picture);

/* What to draw.  Everything belongs to the caller.  */
struct dv_pair_plot {
  const struct dv_pair *pair;      /* NULL: nothing is known yet */
  const struct dv_palette *palette;
  unsigned parts;                  /* of DV_PAIR_ALL_PARTS */
  struct dv_view view;
  const char *title;               /* NULL: none */
  const char *message;             /* in the middle; NULL: none */
  const char *names[2];            /* of the logs */
  /* Of this view, or another, until there is one; NULL: not yet there.  */
  const struct dv_pair_picture *picture;
  uint32_t owner;                  /* stands out; DG_NONE: none does */
};

/* Where the data of the parts go in a picture of the given size; all are
   equally large.  A part that is not shown has a height of 0.  */
void dv_pair_plot_areas (const struct dv_pair *pair, unsigned parts,
                         bool has_title, double width, double height,
                         struct dv_plot_area areas[DV_PAIR_PARTS]);
/* The parts that there are of those that are wanted: one log has one.  */
unsigned dv_pair_plot_parts (const struct dv_pair *pair, unsigned wanted);

/* svg: see dv_text_init.  */
void dv_pair_plot_draw (const struct dv_pair_plot *plot, cairo_t *cr,
                        double width, double height, GString *svg);

#endif /* DV_PAIR_PLOT_H */
