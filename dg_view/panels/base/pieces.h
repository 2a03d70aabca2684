/* pieces.h: what several panels are put together from: a sentence where there
   is nothing to show, dim texts, buttons with a picture, messages, and
   questions for files.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PIECES_H
#define DV_PIECES_H

#include <stdbool.h>

#include <gtk/gtk.h>

/* A widget, or a sentence in its place.  */
struct dv_pieces_hinted {
  GtkWidget *stack;            /* to be put somewhere */
  GtkWidget *hint, *content;
};

/* Shows the sentence, which is empty yet.  */
void dv_pieces_hinted_init (struct dv_pieces_hinted *hinted,
                            GtkWidget *content);
void dv_pieces_hinted_say (struct dv_pieces_hinted *hinted, const char *text);
void dv_pieces_hinted_show (struct dv_pieces_hinted *hinted);

/* Empty, and shortened where there is little room.  description: for those who
   cannot see it; align: 0 left, 1 right.  */
GtkWidget *dv_pieces_note_new (const char *description, float align);
/* The whole text is its tool tip.  */
void dv_pieces_note_set (GtkWidget *note, const char *text);

/* clicked (button, user).  */
GtkWidget *dv_pieces_button_new (const char *icon, const char *tip,
                                 GCallback clicked, gpointer user);

/* A dialog over the window of a widget.  */
void dv_pieces_tell (GtkWidget *widget, GtkMessageType type, const char *what,
                     const char *why);

/* Asks for a file, one question at a time.  */
struct dv_pieces_chooser {
  /* The user has chosen one.  */
  void (*chosen) (void *user, const char *path);
  void *user;
  GtkFileChooserNative *native;   /* NULL: nothing is being asked */
};

/* To be zeroed but for `chosen` and `user`.  Returns what is about to be
   shown, to be given a name or filters to, NULL if it is asking already;
   label: of the button.  */
GtkFileChooser *dv_pieces_chooser_new (struct dv_pieces_chooser *chooser,
                                       GtkWidget *widget,
                                       GtkFileChooserAction action,
                                       const char *title, const char *label);
void dv_pieces_chooser_show (struct dv_pieces_chooser *chooser);
/* No answer will come.  */
void dv_pieces_chooser_fini (struct dv_pieces_chooser *chooser);

#endif /* DV_PIECES_H */
