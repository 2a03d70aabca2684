/* flame_heap.h: the flame graph of what is allocated at the instructions that
   the plot shows, or of what they take by the time model; or a sentence while
   there is none.

   The tree is made in the background, one at a time, and only while somebody
   wants it; the old one stays until the new one is there.  The time model
   takes seconds: how far it is stands in the note, and it ends when nobody
   wants the tree any more.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_FLAME_HEAP_H
#define DV_FLAME_HEAP_H

#include "flame_view.h"
#include "jobs/job.h"
#include "model/log/scene.h"
#include "widgets/pieces.h"

struct dv_flame_heap {
  struct dv_flame_view view;       /* its functions are the panel's */
  struct dv_pieces_hinted hinted;  /* its stack is to be put somewhere */
  GtkWidget *note;                 /* a line about what is shown */

  bool is_time;                    /* the caller's: of the time model */

  /* Of flame_heap.c.  */
  guint timer;                     /* shows the progress; 0: none */
  struct dv_scene *scene;          /* NULL: no log */
  uint64_t start, end;             /* instructions in view */
  bool is_wanted, is_due, is_made; /* made: of this scene and view */
  struct dv_job *job;              /* NULL: nothing is going on */
};

/* To be zeroed but for the functions of the view, and is_time.  */
void dv_flame_heap_init (struct dv_flame_heap *heap);
/* The widgets may be gone.  */
void dv_flame_heap_fini (struct dv_flame_heap *heap);

/* As struct dv_panel.show_view.  */
void dv_flame_heap_set_view (struct dv_flame_heap *heap,
                             struct dv_scene *scene,
                             const struct dv_view *view);
/* Whether it is to be seen.  */
void dv_flame_heap_want (struct dv_flame_heap *heap, bool is_wanted);

#endif /* DV_FLAME_HEAP_H */
