/* tally_view.h: what is made of the tally of the plot's view, in the
   background, and shown by a panel; or a sentence, while there is nothing.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_TALLY_VIEW_H
#define DV_TALLY_VIEW_H

#include "jobs/job.h"
#include "model/tally/tally.h"
#include "widgets/pieces.h"

/* Not on the main thread; NULL and *err on failure.  */
typedef void *(*dv_tally_view_make) (struct dv_tally *tally, unsigned kind,
                                     dg_progress_fn progress, void *user,
                                     struct dg_error *err);

struct dv_tally_view_class {
  dv_tally_view_make make;
  void (*free) (void *made);
  /* Shows what was made, which is to be referenced if it is kept; NULL:
     nothing any more.  Returns whether it has any accesses.  */
  bool (*show) (void *user, void *made);
  const char *failed; /* N_ (): why nothing was made follows */
  /* Bits, by kind: those that are made of the tally's tables of code only, and
     so not again while these are the same.  */
  unsigned code_kinds;
};

struct dv_tally_view {
  struct dv_pieces_hinted hinted; /* its stack is to be put somewhere */
  GtkWidget *note;

  /* Of tally_view.c.  */
  const struct dv_tally_view_class *class;
  unsigned kind;
  const char *hint;
  void *user;
  bool is_filled;         /* something is shown */
  struct dv_job *job;     /* NULL: nothing is going on */
  struct dv_tally *tally; /* that the job is about, or that was last */
  struct dv_tally *next;  /* to be done after that; NULL: none */
};

/* To be zeroed.  kind: for `make`; note: a line about what is shown, which
   dv_pieces_note_new has made; hint: N_ (): what will be here.  */
void dv_tally_view_init (struct dv_tally_view *view,
                         const struct dv_tally_view_class *class,
                         unsigned kind, GtkWidget *content, GtkWidget *note,
                         const char *hint, void *user);
/* The widgets may be gone.  */
void dv_tally_view_fini (struct dv_tally_view *view);

/* As struct dv_panel.show_tally.  What is made of other tallies than the
   latest is shown only if it was begun, so that something is seen while
   tallies come in quickly.  */
void dv_tally_view_set (struct dv_tally_view *view, struct dv_tally *tally);

#endif /* DV_TALLY_VIEW_H */
