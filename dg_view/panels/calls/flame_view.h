/* flame_view.h: the flame graph as a widget: zooming, selecting, keys.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_FLAME_VIEW_H
#define DV_FLAME_VIEW_H

#include <gtk/gtk.h>

#include "flame_draw.h"

struct dv_flame_view {
  GtkWidget *area;             /* takes the focus */
  GtkWidget *scrolled;         /* around it */
  struct dv_calltree *tree;    /* NULL: nothing is shown */
  enum dv_call_weight weight;
  uint32_t zoom;               /* a node */
  struct dv_flame_look look;   /* with what is selected and looked for */
  /* The user has selected or zoomed.  */
  void (*changed) (void *user);
  /* Wants a context menu of what is selected; event: NULL by a key.  */
  void (*menu) (void *user, const GdkEvent *event, const GdkRectangle *place);
  void *user;

  /* Of flame_view.c.  */
  struct dv_flame_layout *layout;   /* NULL: to be made */
  uint8_t *matches;            /* of what was looked for; NULL: nothing */
  guint width_source;
};

/* To be zeroed but for the functions.  */
void dv_flame_view_init (struct dv_flame_view *view);
/* The widgets may be gone.  */
void dv_flame_view_fini (struct dv_flame_view *view);

/* Shows a tree; what is zoomed and selected stays where the same path exists.
   NULL: shows nothing.  */
void dv_flame_view_set_tree (struct dv_flame_view *view,
                             struct dv_calltree *tree);
void dv_flame_view_set_weight (struct dv_flame_view *view,
                               enum dv_call_weight weight);
void dv_flame_view_set_root_below (struct dv_flame_view *view,
                                   bool root_below);
/* Marks what has TEXT in its name; "": nothing.  */
void dv_flame_view_search (struct dv_flame_view *view, const char *text);

/* Makes a node as wide as everything, and the selected one.  */
void dv_flame_view_zoom (struct dv_flame_view *view, uint32_t node);
void dv_flame_view_select (struct dv_flame_view *view, uint32_t node);

#endif /* DV_FLAME_VIEW_H */
