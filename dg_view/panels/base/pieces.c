/* pieces.c: widgets that several panels use.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pieces.h"

#include "i18n.h"

static void
make_dim (GtkWidget *label)
{
  gtk_style_context_add_class (gtk_widget_get_style_context (label),
                               "dim-label");
}

/* ---- A widget or a sentence -------------------------------------------- */

void
dv_pieces_hinted_init (struct dv_pieces_hinted *hinted, GtkWidget *content)
{
  hinted->content = content;
  hinted->hint = gtk_label_new (NULL);
  gtk_label_set_line_wrap (GTK_LABEL (hinted->hint), TRUE);
  gtk_label_set_justify (GTK_LABEL (hinted->hint), GTK_JUSTIFY_CENTER);
  make_dim (hinted->hint);
  hinted->stack = gtk_stack_new ();
  gtk_container_add (GTK_CONTAINER (hinted->stack), hinted->hint);
  gtk_container_add (GTK_CONTAINER (hinted->stack), content);
}

void
dv_pieces_hinted_say (struct dv_pieces_hinted *hinted, const char *text)
{
  gtk_label_set_text (GTK_LABEL (hinted->hint), text);
  gtk_stack_set_visible_child (GTK_STACK (hinted->stack), hinted->hint);
}

void
dv_pieces_hinted_show (struct dv_pieces_hinted *hinted)
{
  gtk_stack_set_visible_child (GTK_STACK (hinted->stack), hinted->content);
}

/* ---- Texts and buttons ------------------------------------------------- */

GtkWidget *
dv_pieces_note_new (const char *description, float align)
{
  GtkWidget *note = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (note), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (note), align);
  make_dim (note);
  atk_object_set_description (gtk_widget_get_accessible (note), description);
  return note;
}

void
dv_pieces_note_set (GtkWidget *note, const char *text)
{
  gtk_label_set_text (GTK_LABEL (note), text);
  gtk_widget_set_tooltip_text (note, *text != '\0' ? text : NULL);
}

GtkWidget *
dv_pieces_button_new (const char *icon, const char *tip, GCallback clicked,
                      gpointer user)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon,
                                                     GTK_ICON_SIZE_BUTTON);
  gtk_widget_set_tooltip_text (button, tip);
  atk_object_set_name (gtk_widget_get_accessible (button), tip);
  g_signal_connect (button, "clicked", clicked, user);
  return button;
}

void
dv_pieces_tell (GtkWidget *widget, GtkMessageType type, const char *what,
                const char *why)
{
  GtkWidget *dialog = gtk_message_dialog_new (
    GTK_WINDOW (gtk_widget_get_toplevel (widget)),
    GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, type,
    GTK_BUTTONS_CLOSE, "%s", what);
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s",
                                            why);
  gtk_window_set_title (GTK_WINDOW (dialog), "Datagrind");
  g_signal_connect (dialog, "response", G_CALLBACK (gtk_widget_destroy),
                    NULL);
  gtk_widget_show (dialog);
}

/* ---- Files ------------------------------------------------------------- */

static gboolean
drop_later (gpointer native)
{
  g_object_unref (native);
  return G_SOURCE_REMOVE;
}

static void
answered (GtkNativeDialog *native, gint response, gpointer data)
{
  struct dv_pieces_chooser *chooser = data;
  char *path = response != GTK_RESPONSE_ACCEPT ? NULL
    : gtk_file_chooser_get_filename (GTK_FILE_CHOOSER (native));
  chooser->native = NULL;
  if (path != NULL)
    chooser->chosen (chooser->user, path);
  g_free (path);
  /* It is still at work on the event that ended it.  */
  g_idle_add (drop_later, native);
}

GtkFileChooser *
dv_pieces_chooser_new (struct dv_pieces_chooser *chooser, GtkWidget *widget,
                       GtkFileChooserAction action, const char *title,
                       const char *label)
{
  if (chooser->native != NULL)
    return NULL;
  chooser->native = gtk_file_chooser_native_new (
    title, GTK_WINDOW (gtk_widget_get_toplevel (widget)), action, label,
    _("_Cancel"));
  g_signal_connect (chooser->native, "response", G_CALLBACK (answered),
                    chooser);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser->native), TRUE);
  gtk_file_chooser_set_do_overwrite_confirmation (
    GTK_FILE_CHOOSER (chooser->native), TRUE);
  return GTK_FILE_CHOOSER (chooser->native);
}

void
dv_pieces_chooser_show (struct dv_pieces_chooser *chooser)
{
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser->native));
}

void
dv_pieces_chooser_fini (struct dv_pieces_chooser *chooser)
{
  g_clear_object (&chooser->native);
}
