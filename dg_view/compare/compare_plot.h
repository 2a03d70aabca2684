/* compare_plot.h: the widget with the plots of two logs and their difference:
   one view for all, which the user changes in any of them.

   Counting is done in the background; until it has ended the last picture is
   shown, stretched to the new view.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_COMPARE_PLOT_H
#define DV_COMPARE_PLOT_H

#include <gtk/gtk.h>

#include "jobs/job.h"
#include "model/log/viewport.h"
#include "plot/pair_plot.h"

/* What the plot tells its owner; all on the main thread.  */
struct dv_compare_listener {
  /* The view, its history, or the logs are others.  */
  void (*view_changed) (void *user);
  /* A picture is being made, or not any more.  */
  void (*busy) (void *user);
  /* The picture of the view is there.  */
  void (*pictured) (void *user, struct dv_pair_counts *counts);
  /* A line about what is under the pointer; "".  */
  void (*hover) (void *user, const char *text);
  /* The user has pointed at an owner; DG_NONE: at nothing.  */
  void (*pointed) (void *user, uint32_t owner);
  void (*failed) (void *user, const struct dg_error *err);
  void *user;
};

struct dv_compare_plot {
  GtkWidget *area;                 /* takes the focus */
  struct dv_compare_listener listener;
  struct dv_pair *pair;            /* NULL: none yet */
  struct dv_viewport viewport;
  const struct dv_palette *palette;
  unsigned parts;                  /* of DV_PAIR_ALL_PARTS */
  uint32_t owner;                  /* stands out; DG_NONE: none does */
  char *names[2], *message;
  struct dv_pair_picture *picture; /* the last one; NULL: none */
  struct dv_job *job;              /* making the next; NULL: none */
  guint timer;                     /* it is about to be begun */
  bool gave_up;                    /* it failed, or was cancelled */

  /* Of compare_input.c.  */
  enum { DV_COMPARE_NO_DRAG, DV_COMPARE_BAND, DV_COMPARE_PAN } drag;
  enum dv_axis drag_axes;
  double start_x, start_y, at_x, at_y;
  struct dv_view drag_view;
  bool drag_moved;
  gint64 last_step;                /* when the wheel or a key moved last */
};

/* To be zeroed but for the listener and the palette.  */
void dv_compare_plot_init (struct dv_compare_plot *plot);
/* The widget may be gone.  */
void dv_compare_plot_fini (struct dv_compare_plot *plot);

/* Shows other logs: all of them.  NULL: none.  */
void dv_compare_plot_set_pair (struct dv_compare_plot *plot,
                               struct dv_pair *pair);
void dv_compare_plot_set_message (struct dv_compare_plot *plot,
                                  const char *message);
void dv_compare_plot_set_palette (struct dv_compare_plot *plot,
                                  const struct dv_palette *palette);
void dv_compare_plot_set_parts (struct dv_compare_plot *plot, unsigned parts);
void dv_compare_plot_set_owner (struct dv_compare_plot *plot, uint32_t owner);
/* Shows all of an owner.  */
void dv_compare_plot_go_to (struct dv_compare_plot *plot, uint32_t owner);

/* After the viewport was changed.  */
void dv_compare_plot_view_changed (struct dv_compare_plot *plot);
/* Ends making the picture; makes it after all.  */
void dv_compare_plot_cancel (struct dv_compare_plot *plot);
void dv_compare_plot_redraw (struct dv_compare_plot *plot);
/* Whether there is anything to point at.  */
bool dv_compare_plot_has_view (const struct dv_compare_plot *plot);
/* What it draws now.  */
struct dv_pair_plot dv_compare_plot_now (const struct dv_compare_plot *plot);

/* ---- For compare_input.c ---------------------------------------------- */

void dv_compare_plot_areas (const struct dv_compare_plot *plot,
                            struct dv_plot_area areas[DV_PAIR_PARTS]);
void dv_compare_input_connect (struct dv_compare_plot *plot);
void dv_compare_input_draw (const struct dv_compare_plot *plot, cairo_t *cr);

#endif /* DV_COMPARE_PLOT_H */
