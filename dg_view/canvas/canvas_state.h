/* canvas_state.h: what the canvas knows.  Others than its own files read it,
   and change nothing but the viewport (see dv_canvas_view_changed).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_CANVAS_STATE_H
#define DV_CANVAS_STATE_H

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
  /* The selected rectangle is another, or there is none any more.  */
  void (*box_changed) (void *user);
  void *user;
};

/* Of the accesses that are to stand out.  */
enum dv_bright {
  DV_BRIGHT_NOT_KNOWN,            /* it will not be either, as things are */
  DV_BRIGHT_DUE,                  /* it will be soon */
  DV_BRIGHT_NONE,                 /* there are none in view */
  DV_BRIGHT_SOME
};

/* BOX: selects a rectangle instead of zooming to it.  */
enum dv_drag { DV_DRAG_NONE, DV_DRAG_BAND, DV_DRAG_BOX, DV_DRAG_PAN };

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
  GArray *sharing;                /* struct dv_tally_line; may be NULL */
  struct dv_view sharing_view;    /* what it is of */
  GArray *fields;                 /* struct dv_ruler_field; may be NULL */
  struct dv_view fields_view;     /* what they are of */
  double fields_width;            /* in so many pixels */
  struct dv_job *layer_job;       /* making one of these; NULL: none */

  struct dv_job *pick_job, *hover_job;
  bool pick_waits;                /* for the picture of this view */
  bool pick_anywhere;             /* however far from the point */
  double pick_x, pick_y;          /* a position and an icount */
  struct dv_highlight *highlight; /* NULL: nothing stands out */
  bool has_mark;
  struct dg_access mark;
  uint64_t moment;                /* somebody points at; DG_NEVER: nobody */
  struct dv_view box;             /* the selected rectangle; empty: none */
  bool counts_box;                /* the tables are about that */

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
  bool has_corner;                /* of a rectangle up to the cursor */
  uint64_t corner_x, corner_y;    /* a position and an icount */
  gint64 last_step;               /* when the wheel or a key moved last */
};

#endif /* DV_CANVAS_STATE_H */
