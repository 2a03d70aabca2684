/* canvas.h: the widget with the plot: shows a view of a scene, lets the user
   change the view and point at accesses.

   Drawing is plot.h's; counting is done in the background, and until it has
   ended the last picture is shown, stretched to the new view.  If the index
   gives a draft sooner than the right picture, that is shown meanwhile.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CANVAS_H
#define DV_CANVAS_H

#include <gtk/gtk.h>

#include "model/log/highlight.h"
#include "jobs/inquiry.h"
#include "plot/picture.h"
#include "plot/plot.h"
#include "model/log/viewport.h"

/* What the canvas tells its owner; all on the main thread.  */
struct dv_canvas_listener {
  /* The view, its history, or the scene is another.  */
  void (*view_changed) (void *user);
  /* The picture is being made (or not any more).  */
  void (*busy) (void *user, bool busy);
  /* A line about the point under the pointer, and its moment; "" and DG_NEVER
     when there is none.  */
  void (*hover) (void *user, const char *text, uint64_t icount);
  /* The user asked for what is at a point.  The inquiry is the callee's.  */
  void (*picked) (void *user, struct dv_inquiry *inquiry);
  /* That will not be answered any more.  */
  void (*unpicked) (void *user);
  void (*failed) (void *user, const struct dg_error *err);
  /* dv_canvas_bright has another answer.  */
  void (*bright_changed) (void *user);
  /* It is drawn in another way.  */
  void (*look_changed) (void *user);
  void *user;
};

/* Of the accesses that are to stand out.  */
enum dv_bright {
  DV_BRIGHT_NOT_KNOWN,            /* it will not be either, as things are */
  DV_BRIGHT_DUE,                  /* it will be soon */
  DV_BRIGHT_NONE,                 /* there are none in view */
  DV_BRIGHT_SOME
};

enum dv_drag { DV_DRAG_NONE, DV_DRAG_BAND, DV_DRAG_PAN };

struct dv_canvas {
  GtkWidget *widget;              /* owns the canvas: freed with it */
  struct dv_canvas_listener listener;
  struct dv_scene *scene;         /* NULL: none yet */
  struct dv_viewport viewport;
  struct dv_look look;
  char *message;                  /* shown in the middle; NULL: none */

  struct dv_picture *picture;     /* the last one; NULL: none */
  struct dv_view shown;           /* what it shows of the scene; empty:
                                     nothing that could be used */
  bool shown_is_right;            /* though it is of an earlier scene */
  struct dv_job *picture_job;     /* making the next; NULL: none */
  guint picture_timer;            /* it is about to be begun */
  bool gave_up;                   /* not even in another size: it failed, or
                                     see dv_canvas_cancel */
  struct dv_picture *bright;      /* of the highlight; NULL: not there */
  bool bright_failed;
  GArray *sharing;                /* struct dv_shared_line; may be NULL */
  struct dv_view sharing_view;    /* what it is of */
  struct dv_job *layer_job;       /* making one of these; NULL: none */

  struct dv_job *pick_job, *hover_job;
  bool pick_waits;                /* for the picture of this view */
  bool pick_anywhere;             /* however far from the point */
  double pick_x, pick_y;          /* a position and an icount */
  struct dv_highlight *highlight; /* NULL: nothing stands out */
  bool has_mark;
  struct dg_access mark;
  uint64_t moment;                /* somebody points at; DG_NEVER: nobody */

  /* Of canvas_input.c and its like.  */
  enum dv_drag drag;
  enum dv_axis drag_axes;         /* what the rubber band selects */
  double start_x, start_y, at_x, at_y;   /* of the drag, in the widget */
  struct dv_view drag_view;              /* when it, or a pinch, began */
  bool drag_moved;                /* it has changed the view */
  const char *pointer;            /* name of its shape; NULL: the usual */
  GtkGesture *pinch;
  guint hover_timer;
  double hover_x, hover_y;        /* the pointer; -1: it is not here */
  bool has_cursor;                /* of the keyboard; it hides the pointer */
  double cursor_x, cursor_y;      /* fractions of the data area */
  gint64 last_step;               /* when the wheel or a key moved last */
};

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

/* Of canvas_layers.c: what lies over the picture.  Begins whatever is
   lacking, if the picture is there; stops that; what there is is wrong.  */
void dv_canvas_want_layers (struct dv_canvas *canvas);
void dv_canvas_drop_layers (struct dv_canvas *canvas);
void dv_canvas_forget_layers (struct dv_canvas *canvas);

/* After canvas->viewport was changed from outside.  */
void dv_canvas_view_changed (struct dv_canvas *canvas);
struct dv_plot_area dv_canvas_area (const struct dv_canvas *canvas);
/* A draft is not enough any more: somebody points at something.  */
void dv_canvas_want_fine (struct dv_canvas *canvas);

/* Of canvas_pick.c.  Asks for the access at a point of the widget; for the
   nearest of all, if nobody has pointed there (`anywhere`).  */
void dv_canvas_pick (struct dv_canvas *canvas, double x, double y,
                     bool anywhere);
/* Whether an answer is still to come.  */
bool dv_canvas_is_picking (const struct dv_canvas *canvas);
/* Nobody wants to know any more.  */
void dv_canvas_stop_pick (struct dv_canvas *canvas);
/* The picture that a pick waits for may be there; the view is another, and
   the point may not be in it; the scene is another than `before`, with axes of
   the same kind.  */
void dv_canvas_go_on_picking (struct dv_canvas *canvas);
void dv_canvas_pick_in_view (struct dv_canvas *canvas);
void dv_canvas_move_pick (struct dv_canvas *canvas,
                          const struct dv_scene *before);

/* ---- Input: mouse, wheel, fingers, keys ------------------------------ */

/* Of canvas_input.c.  */
void dv_canvas_connect_input (struct dv_canvas *canvas);
/* Whether there is anything to point at.  */
bool dv_canvas_has_view (const struct dv_canvas *canvas);
/* Whether a step of the wheel or a key begins a new entry of the history:
   those that follow one another closely are undone as one.  */
bool dv_canvas_begins_gesture (struct dv_canvas *canvas);
void dv_canvas_set_pointer (struct dv_canvas *canvas, const char *name);
/* Activates one of the window's actions, if it is possible now.  `parameter`
   may be NULL, and may be floating.  */
void dv_canvas_activate (struct dv_canvas *canvas, const char *action,
                         GVariant *parameter);
/* Asks for the menu about a point of the widget.  */
void dv_canvas_ask_menu (struct dv_canvas *canvas, double x, double y);
/* Ends a drag without effect; false if there was none.  */
bool dv_canvas_cancel_drag (struct dv_canvas *canvas);

/* Of canvas_scroll.c.  */
void dv_canvas_connect_scroll (struct dv_canvas *canvas);

/* Of canvas_keys.c.  */
void dv_canvas_connect_keys (struct dv_canvas *canvas);

/* Of canvas_hover.c: says what is under the pointer, or the keyboard's
   cursor, now; does not any more.  */
void dv_canvas_hover (struct dv_canvas *canvas);
void dv_canvas_stop_hover (struct dv_canvas *canvas);
/* The point that is meant, in the widget: the cursor, else the pointer; false
   if neither is in the data.  */
bool dv_canvas_point (const struct dv_canvas *canvas, double *x, double *y);
/* What is there; false outside of the data.  */
bool dv_canvas_at (const struct dv_canvas *canvas, double x, double y,
                   uint64_t *position, uint64_t *icount);

/* Of canvas_band.c: the view that the rubber band selects; false if it is too
   small to be meant.  The rectangle in the widget goes to *area.  */
bool dv_canvas_band (const struct dv_canvas *canvas, struct dv_view *view,
                     struct dv_plot_area *area);

/* Of canvas_band.c: the rubber band, the keyboard's cursor, the moment that is
   pointed at.  */
void dv_canvas_draw_input (const struct dv_canvas *canvas, cairo_t *cr);
#endif /* DV_CANVAS_H */
