/* canvas.h: the widget with the plot: shows a view of a scene, lets the user
   change the view and point at accesses.

   Drawing is plot.h's; counting is done in the background, and until it has
   ended the last picture is shown, stretched to the new view.  If the index
   gives a draft sooner than the right picture, that is shown meanwhile.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CANVAS_H
#define DV_CANVAS_H

#include "canvas_state.h"

struct dv_canvas *dv_canvas_new (const struct dv_canvas_listener *listener,
                                 const struct dv_look *look);

/* Shows a scene (NULL: nothing): the part `view`, or all of it if that is NULL
   or empty.  */
void dv_canvas_set_scene (struct dv_canvas *canvas, struct dv_scene *scene,
                          const struct dv_view *view);
/* The scene is another, but its axes are the same: whatever can stays.  */
void dv_canvas_replace_scene (struct dv_canvas *canvas,
                              struct dv_scene *scene);
/* The scene has grown: the view and its history are kept by addresses and
   instructions, and who looks at everything, or at the newest, goes on
   doing so.  */
void dv_canvas_grow_scene (struct dv_canvas *canvas, struct dv_scene *scene);
/* How it is drawn from now on.  */
void dv_canvas_set_look (struct dv_canvas *canvas,
                         const struct dv_look *look);
void dv_canvas_set_message (struct dv_canvas *canvas, const char *message);
/* Marks an access in the plot; NULL: none.  */
void dv_canvas_set_mark (struct dv_canvas *canvas,
                         const struct dg_access *access);
/* A line at a moment, until the next call; DG_NEVER: none.  */
void dv_canvas_set_moment (struct dv_canvas *canvas, uint64_t icount);
/* Selects a rectangle; NULL: none.  counts: the tables are about it.  */
void dv_canvas_set_box (struct dv_canvas *canvas, const struct dv_view *box,
                        bool counts);
/* What tables are about: the rectangle, or what is in view.  */
const struct dv_view *dv_canvas_counted (const struct dv_canvas *canvas);
/* What stands out in the plot, until the next call; NULL: nothing.  */
void dv_canvas_set_highlight (struct dv_canvas *canvas,
                              struct dv_highlight *highlight);

/* Whether any of these accesses is in view.  */
enum dv_bright dv_canvas_bright (const struct dv_canvas *canvas);

/* What goes on that is worth showing; NULL: nothing.  */
struct dv_job *dv_canvas_job (const struct dv_canvas *canvas);
/* Ends that; the picture that is there stays, and dv_canvas_redraw, or another
   view, begins again.  */
void dv_canvas_cancel (struct dv_canvas *canvas);
void dv_canvas_redraw (struct dv_canvas *canvas);
/* Whether the right picture is there, as fine as it will be.  */
bool dv_canvas_is_drawn (const struct dv_canvas *canvas);

/* After canvas->viewport was changed from outside.  */
void dv_canvas_view_changed (struct dv_canvas *canvas);
struct dv_plot_area dv_canvas_area (const struct dv_canvas *canvas);
/* Whether there is anything to point at.  */
bool dv_canvas_has_view (const struct dv_canvas *canvas);
/* Whether an answer to a click is still to come; nobody wants to know it any
   more.  */
bool dv_canvas_is_picking (const struct dv_canvas *canvas);
void dv_canvas_stop_pick (struct dv_canvas *canvas);
/* The point that is meant, in the widget: the cursor, else the pointer; false
   if neither is in the data.  */
bool dv_canvas_point (const struct dv_canvas *canvas, double *x, double *y);
/* What is there; false outside of the data.  */
bool dv_canvas_at (const struct dv_canvas *canvas, double x, double y,
                   uint64_t *position, uint64_t *icount);
/* Asks what is at a point of the widget, see dv_inquiry_at; NULL while there
   is no picture of the view.  */
struct dv_job *dv_canvas_ask (const struct dv_canvas *canvas,
                              enum dv_inquiry_kind kind, double x, double y,
                              double reach, dv_job_done done, void *user);
/* Whether a step of the wheel or a key begins a new entry of the history:
   those that follow one another closely are undone as one.  */
bool dv_canvas_begins_gesture (struct dv_canvas *canvas);
/* Activates one of the window's actions, if it is possible now.  `parameter`
   may be NULL, and may be floating.  */
void dv_canvas_activate (struct dv_canvas *canvas, const char *action,
                         GVariant *parameter);

#endif /* DV_CANVAS_H */
