/* pieces.h: what all parts of the window are put together from: labels,
   buttons with a picture, a sentence where there is nothing to show, messages,
   and questions for files.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PIECES_H
#define DV_PIECES_H

#include <stdbool.h>

#include <gtk/gtk.h>

/* ---- What widgets are called, and how they look ------------------------ */

/* For those who cannot see it.  */
void dv_pieces_name (GtkWidget *widget, const char *name);
void dv_pieces_describe (GtkWidget *widget, const char *description);
/* A tool tip that is its name, too.  */
void dv_pieces_tip (GtkWidget *widget, const char *tip);
void dv_pieces_class (GtkWidget *widget, const char *style_class);
/* Whether what an entry says is wrong.  */
void dv_pieces_error (GtkWidget *entry, bool is_wrong);
void dv_pieces_margins (GtkWidget *widget, int start, int end, int top,
                        int bottom);

/* The frame of what has the keyboard, at the end of its "draw".  */
void dv_pieces_draw_focus (GtkWidget *area, cairo_t *cr);

/* ---- Containers -------------------------------------------------------- */

/* Widgets, up to NULL.  */
void dv_pieces_add (GtkWidget *container, ...) G_GNUC_NULL_TERMINATED;
/* What stands above something, which has the room that is left.  It is all
   shown, and its data "panel" is `panel`.  */
GtkWidget *dv_pieces_panel_new (GtkWidget *above, GtkWidget *content,
                                gpointer panel, GDestroyNotify free_panel);
/* Destroys all that is in it.  */
void dv_pieces_clear (GtkWidget *container);
GtkWidget *dv_pieces_scrolled_new (GtkWidget *child);
/* One that is as wide as the child.  */
GtkWidget *dv_pieces_scrolled_down_new (GtkWidget *child);
/* A list in a popover, which is as high as it must be.  */
GtkWidget *dv_pieces_scrolled_list_new (GtkWidget *list, int width,
                                        int most_height);

/* A widget, or a sentence in its place.  */
struct dv_pieces_hinted {
  GtkWidget *stack; /* to be put somewhere */
  GtkWidget *hint, *content;
};

/* Shows the sentence, which is empty yet.  */
void dv_pieces_hinted_init (struct dv_pieces_hinted *hinted,
                            GtkWidget *content);
void dv_pieces_hinted_say (struct dv_pieces_hinted *hinted, const char *text);
void dv_pieces_hinted_show (struct dv_pieces_hinted *hinted);

/* ---- Texts, buttons and choices ---------------------------------------- */

enum dv_pieces_style {
  DV_LEFT = 1,
  DV_WRAP = 2,
  DV_WRAP_NAMES = 4, /* names of files have no spaces */
  DV_SELECTABLE = 8,
  DV_DIM = 16,
  DV_BOLD = 32,
  DV_SHORTEN = 64,         /* where there is little room */
  DV_SHORTEN_MIDDLE = 256, /* names differ at their ends */
  DV_CENTRED = 128,        /* its lines */
};

/* style: of enum dv_pieces_style, or 0.  */
GtkWidget *dv_pieces_label_new (const char *text, unsigned style);

/* Empty, and shortened where there is little room.  description: for those who
   cannot see it; align: 0 left, 1 right.  */
GtkWidget *dv_pieces_note_new (const char *description, float align);
/* The whole text is its tool tip; the second frees it.  */
void dv_pieces_note_set (GtkWidget *note, const char *text);
void dv_pieces_note_take (GtkWidget *note, char *text);

/* clicked (user).  */
GtkWidget *dv_pieces_button_new (const char *icon, const char *tip,
                                 GCallback clicked, gpointer user);

/* labels: N_ (), n of them; changed (combo, user).  */
GtkWidget *dv_pieces_combo_new (const char *const *labels, guint n,
                                guint active, GCallback changed,
                                gpointer user);

/* A dialog over the window of a widget, which is shown until it is closed.  */
GtkWidget *dv_pieces_tell (GtkWidget *widget, GtkMessageType type,
                           const char *what, const char *why);

/* Asks for a file, one question at a time.  */
struct dv_pieces_chooser {
  /* The user has chosen one; what else was asked is still in `native`.  */
  void (*chosen) (void *user, const char *path);
  void *user;
  GtkFileChooserNative *native; /* NULL: nothing is being asked */
};

/* To be zeroed but for `chosen` and `user`.  Returns what is about to be
   shown, to be given a name or filters to, NULL if it is asking already;
   label: of the button.  */
GtkFileChooser *dv_pieces_chooser_new (struct dv_pieces_chooser *chooser,
                                       GtkWidget *widget,
                                       GtkFileChooserAction action,
                                       const char *title, const char *label);
void dv_pieces_chooser_show (struct dv_pieces_chooser *chooser);
/* Asks where to save something; name: that is proposed.  */
void dv_pieces_chooser_save (struct dv_pieces_chooser *chooser,
                             GtkWidget *widget, const char *title,
                             const char *name);
/* No answer will come.  */
void dv_pieces_chooser_fini (struct dv_pieces_chooser *chooser);

#endif /* DV_PIECES_H */
