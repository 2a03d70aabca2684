/* heap_view.h: the heap over time as a widget: pointing, choosing a moment and
   a series, selecting a span, keys.

   The picture is chart/heap_chart.h's; it is kept until something of it is
   another, and what stands out is drawn over it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_HEAP_VIEW_H
#define DV_HEAP_VIEW_H

#include <gtk/gtk.h>

#include "heap_chart.h"
#include "model/heap/heap_rows.h"

struct dv_heap_view {
  GtkWidget *area;             /* takes the focus */
  /* The pointer is there; NULL: it is not.  */
  void (*pointed) (void *user, const struct dv_heap_hit *hit);
  /* The user has chosen a moment, and a series by its id (DG_NONE: none).  */
  void (*picked) (void *user, uint64_t moment, uint32_t id);
  /* Wants to see the moments [start, end).  */
  void (*zoomed) (void *user, uint64_t start, uint64_t end);
  /* Wants to see all of them; the blocks of a preset.  */
  void (*wants_all) (void *user);
  void (*wants_preset) (void *user, enum dv_heap_preset preset);
  /* Wants a context menu of what is selected; event: NULL by a key.  */
  void (*menu) (void *user, const GdkEvent *event, const GdkRectangle *place);
  /* There is room for so many columns.  */
  void (*resized) (void *user, uint32_t columns);
  void *user;

  /* Of heap_view.c.  */
  struct dv_heap_chart chart;  /* its curve: of `curve` */
  struct dv_heap_layout layout;
  struct dv_heap_curve *curve; /* NULL: nothing is shown */
  uint32_t selected;           /* id of a series; DG_NONE: none */
  uint64_t moment, from_plot;  /* that are marked; DG_NEVER: none */
  cairo_surface_t *picture;    /* NULL: to be drawn */
  bool is_pressed, has_moved;  /* the primary button, the pointer since */
  double press_x, now_x;
};

/* To be zeroed but for the functions.  */
void dv_heap_view_init (struct dv_heap_view *view);
/* The widget may be gone.  */
void dv_heap_view_fini (struct dv_heap_view *view);

/* NULL: shows nothing.  */
void dv_heap_view_set (struct dv_heap_view *view,
                       struct dv_heap_curve *curve);
void dv_heap_view_set_palette (struct dv_heap_view *view,
                               const struct dv_palette *palette);
/* The moment and the series that were chosen.  */
void dv_heap_view_mark (struct dv_heap_view *view, uint64_t moment,
                        uint32_t id);
/* Where the pointer is in the plot; DG_NEVER: nowhere.  */
void dv_heap_view_point_at (struct dv_heap_view *view, uint64_t moment);

#endif /* DV_HEAP_VIEW_H */
