/* canvas_parts.h: what the files of the canvas ask of one another; each uses
   those above it here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CANVAS_PARTS_H
#define DV_CANVAS_PARTS_H

#include "canvas.h"

/* ---- canvas_state.c -------------------------------------------------- */

/* Whether the picture is of this view; it may be a draft.  */
bool dv_canvas_has_counts (const struct dv_canvas *canvas);
/* The same, as fine as it will be, and in its colours.  */
bool dv_canvas_has_picture (const struct dv_canvas *canvas);
/* Asks for the menu about a point of the widget.  */
void dv_canvas_ask_menu (struct dv_canvas *canvas, double x, double y);
void dv_canvas_set_pointer (struct dv_canvas *canvas, const char *name);

/* What is made of the canvas as it is now, off the main thread.  */
struct dv_canvas_order {
  struct dv_scene *scene;
  struct dv_view view;
  struct dv_look look;
  struct dv_highlight *highlight; /* NULL: nothing stands out */
  double width, height, scale;
  enum dv_detail detail;
  struct dv_picture *counted; /* to be painted in other colours; NULL: it is
                                 to be counted */
};

struct dv_canvas_order *dv_canvas_order_new (const struct dv_canvas *canvas);
void dv_canvas_order_free (void *order);

/* Zooms at a point of the widget; false: the view is the same.  `remember`:
   in the history.  */
bool dv_canvas_zoom_at (struct dv_canvas *canvas, enum dv_axis axes,
                        double factor, double x, double y, bool remember);

/* ---- canvas_layers.c: what lies over the picture --------------------- */

/* Begins whatever is lacking, if the picture is there; stops that; what there
   is is wrong.  */
void dv_canvas_want_layers (struct dv_canvas *canvas);
void dv_canvas_drop_layers (struct dv_canvas *canvas);
void dv_canvas_forget_layers (struct dv_canvas *canvas);
/* The ruler, if it is of the addresses in view; else NULL.  */
const GArray *dv_canvas_fields (const struct dv_canvas *canvas);

/* ---- canvas_pick.c --------------------------------------------------- */

/* Where the user points, in the widget; `anywhere`: however far the nearest
   access is.  */
void dv_canvas_point_pick (struct dv_canvas *canvas, double x, double y,
                           bool anywhere);
/* Asks what is there if the picture is there; else it waits, and this is
   false.  */
bool dv_canvas_go_on_picking (struct dv_canvas *canvas);
/* The view is another, and the point may not be in it; the scene is another
   than `before`, with axes of the same kind.  */
void dv_canvas_pick_in_view (struct dv_canvas *canvas);
void dv_canvas_move_pick (struct dv_canvas *canvas,
                          const struct dv_scene *before);

/* ---- canvas_hover.c -------------------------------------------------- */

/* Tells what is under the pointer, or the keyboard's cursor, now; does not
   any more.  */
void dv_canvas_hover (struct dv_canvas *canvas);
void dv_canvas_stop_hover (struct dv_canvas *canvas);

/* ---- canvas_band.c --------------------------------------------------- */

/* The view that the rubber band selects; false if it is too small to be meant.
   The rectangle in the widget goes to *area.  */
bool dv_canvas_band (const struct dv_canvas *canvas, struct dv_view *view,
                     struct dv_plot_area *area);
/* A rectangle that stays, with what is said of it; text may be NULL.  */
void dv_canvas_draw_band (const struct dv_canvas *canvas, cairo_t *cr,
                          const struct dv_plot_area *band, bool is_box,
                          const char *text);
/* "4 KiB × 1.2 M instructions", new.  */
char *dv_canvas_band_text (const struct dv_view *view);
/* The rubber band, the keyboard's cursor, the moment that is pointed at.  */
void dv_canvas_draw_input (const struct dv_canvas *canvas, cairo_t *cr);

/* ---- canvas_box.c: the selected rectangle ----------------------------- */

void dv_canvas_draw_box (const struct dv_canvas *canvas, cairo_t *cr);
/* The cursor's point becomes a corner, or the opposite one; false: there is no
   cursor.  */
bool dv_canvas_mark_corner (struct dv_canvas *canvas);
/* Leaves the corner, else the rectangle; false: there is neither.  */
bool dv_canvas_leave_box (struct dv_canvas *canvas);

/* ---- canvas_picture.c ------------------------------------------------ */

/* Sees to it that the right picture is there or being made.  */
void dv_canvas_want_picture (struct dv_canvas *canvas);
/* Asks for the access at a point of the widget; for the nearest of all, if
   nobody has pointed there (`anywhere`).  */
void dv_canvas_pick (struct dv_canvas *canvas, double x, double y,
                     bool anywhere);
/* What stands in the middle of the plot; NULL: nothing.  */
const char *dv_canvas_middle_text (const struct dv_canvas *canvas);
/* For those who cannot see it.  */
void dv_canvas_describe (struct dv_canvas *canvas);

/* ---- canvas_drag.c --------------------------------------------------- */

/* What a drag that begins there selects: in the data both axes, on an axis
   that one; 0: nothing.  */
enum dv_axis dv_canvas_axes_at (const struct dv_canvas *canvas, double x,
                                double y);
void dv_canvas_shape_pointer (struct dv_canvas *canvas, double x, double y);
/* Through the history.  */
void dv_canvas_travel (struct dv_canvas *canvas, bool back);
void dv_canvas_begin_drag (struct dv_canvas *canvas,
                           const GdkEventButton *event);
void dv_canvas_pan (struct dv_canvas *canvas);
/* Ends a drag without effect; false if there was none.  */
bool dv_canvas_cancel_drag (struct dv_canvas *canvas);

/* ---- canvas_scroll.c, canvas_keys.c, canvas_input.c ------------------ */

void dv_canvas_connect_scroll (struct dv_canvas *canvas);
void dv_canvas_connect_keys (struct dv_canvas *canvas);
/* These two, and the mouse.  */
void dv_canvas_connect_input (struct dv_canvas *canvas);

#endif /* DV_CANVAS_PARTS_H */
