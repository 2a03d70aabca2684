/* pieces.c: widgets that many parts of the window use.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pieces.h"

#include "i18n.h"

/* ---- What widgets are called, and how they look ------------------------ */

void
dv_pieces_name (GtkWidget *widget, const char *name)
{
  atk_object_set_name (gtk_widget_get_accessible (widget), name);
}

void
dv_pieces_describe (GtkWidget *widget, const char *description)
{
  atk_object_set_description (gtk_widget_get_accessible (widget), description);
}

void
dv_pieces_tip (GtkWidget *widget, const char *tip)
{
  gtk_widget_set_tooltip_text (widget, tip);
  dv_pieces_name (widget, tip);
}

void
dv_pieces_class (GtkWidget *widget, const char *style_class)
{
  gtk_style_context_add_class (gtk_widget_get_style_context (widget),
                               style_class);
}

void
dv_pieces_error (GtkWidget *entry, bool is_wrong)
{
  GtkStyleContext *style = gtk_widget_get_style_context (entry);
  if (is_wrong)
    gtk_style_context_add_class (style, GTK_STYLE_CLASS_ERROR);
  else
    gtk_style_context_remove_class (style, GTK_STYLE_CLASS_ERROR);
}

void
dv_pieces_margins (GtkWidget *widget, int start, int end, int top, int bottom)
{
  g_object_set (widget, "margin-start", start, "margin-end", end, "margin-top",
                top, "margin-bottom", bottom, NULL);
}

void
dv_pieces_draw_focus (GtkWidget *area, cairo_t *cr)
{
  if (gtk_widget_has_visible_focus (area))
    gtk_render_focus (gtk_widget_get_style_context (area), cr, 0, 0,
                      gtk_widget_get_allocated_width (area),
                      gtk_widget_get_allocated_height (area));
}

/* ---- Containers -------------------------------------------------------- */

void
dv_pieces_add (GtkWidget *container, ...)
{
  va_list args;
  GtkWidget *child;
  va_start (args, container);
  while ((child = va_arg (args, GtkWidget *)) != NULL)
    gtk_container_add (GTK_CONTAINER (container), child);
  va_end (args);
}

GtkWidget *
dv_pieces_panel_new (GtkWidget *above, GtkWidget *content, gpointer panel,
                     GDestroyNotify free_panel)
{
  GtkWidget *root = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_container_add (GTK_CONTAINER (root), above);
  gtk_box_pack_start (GTK_BOX (root), content, TRUE, TRUE, 0);
  g_object_set_data_full (G_OBJECT (root), "panel", panel, free_panel);
  gtk_widget_show_all (root);
  return root;
}

void
dv_pieces_clear (GtkWidget *container)
{
  gtk_container_foreach (GTK_CONTAINER (container),
                         (GtkCallback) (void (*) (void)) gtk_widget_destroy,
                         NULL);
}

GtkWidget *
dv_pieces_scrolled_new (GtkWidget *child)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (NULL, NULL);
  gtk_container_add (GTK_CONTAINER (scrolled), child);
  return scrolled;
}

GtkWidget *
dv_pieces_scrolled_down_new (GtkWidget *child)
{
  GtkWidget *scrolled = dv_pieces_scrolled_new (child);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  return scrolled;
}

GtkWidget *
dv_pieces_scrolled_list_new (GtkWidget *list, int width, int most_height)
{
  GtkWidget *scrolled = dv_pieces_scrolled_down_new (list);
  g_object_set (scrolled, "propagate-natural-height", TRUE,
                "max-content-height", most_height, NULL);
  gtk_widget_set_size_request (scrolled, width, -1);
  return scrolled;
}

/* ---- A widget or a sentence -------------------------------------------- */

void
dv_pieces_hinted_init (struct dv_pieces_hinted *hinted, GtkWidget *content)
{
  hinted->content = content;
  hinted->hint = dv_pieces_label_new (NULL, DV_WRAP | DV_CENTRED | DV_DIM);
  hinted->stack = gtk_stack_new ();
  dv_pieces_add (hinted->stack, hinted->hint, content, NULL);
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

/* ---- Texts, buttons and choices ---------------------------------------- */

GtkWidget *
dv_pieces_label_new (const char *text, unsigned style)
{
  GtkLabel *label = GTK_LABEL (gtk_label_new (text));
  if (style & DV_LEFT)
    gtk_label_set_xalign (label, 0);
  gtk_label_set_line_wrap (label, (style & (DV_WRAP | DV_WRAP_NAMES)) != 0);
  if (style & DV_WRAP_NAMES)
    gtk_label_set_line_wrap_mode (label, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (label, (style & DV_SELECTABLE) != 0);
  if (style & DV_SHORTEN)
    gtk_label_set_ellipsize (label, PANGO_ELLIPSIZE_END);
  if (style & DV_SHORTEN_MIDDLE)
    gtk_label_set_ellipsize (label, PANGO_ELLIPSIZE_MIDDLE);
  if (style & DV_CENTRED)
    gtk_label_set_justify (label, GTK_JUSTIFY_CENTER);
  if (style & DV_DIM)
    dv_pieces_class (GTK_WIDGET (label), GTK_STYLE_CLASS_DIM_LABEL);
  if (style & DV_BOLD) {
    PangoAttrList *bold = pango_attr_list_new ();
    pango_attr_list_insert (bold, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
    gtk_label_set_attributes (label, bold);
    pango_attr_list_unref (bold);
  }
  return GTK_WIDGET (label);
}

GtkWidget *
dv_pieces_note_new (const char *description, float align)
{
  GtkWidget *note = dv_pieces_label_new (NULL, DV_SHORTEN | DV_DIM);
  gtk_label_set_xalign (GTK_LABEL (note), align);
  dv_pieces_describe (note, description);
  return note;
}

void
dv_pieces_note_set (GtkWidget *note, const char *text)
{
  gtk_label_set_text (GTK_LABEL (note), text);
  gtk_widget_set_tooltip_text (note, *text != '\0' ? text : NULL);
}

void
dv_pieces_note_take (GtkWidget *note, char *text)
{
  dv_pieces_note_set (note, text);
  g_free (text);
}

GtkWidget *
dv_pieces_button_new (const char *icon, const char *tip, GCallback clicked,
                      gpointer user)
{
  GtkWidget *button =
    gtk_button_new_from_icon_name (icon, GTK_ICON_SIZE_BUTTON);
  dv_pieces_tip (button, tip);
  g_signal_connect_swapped (button, "clicked", clicked, user);
  return button;
}

GtkWidget *
dv_pieces_combo_new (const char *const *labels, guint n, guint active,
                     GCallback changed, gpointer user)
{
  GtkWidget *combo = gtk_combo_box_text_new ();
  for (guint i = 0; i < n; i++)
    gtk_combo_box_text_append_text (GTK_COMBO_BOX_TEXT (combo), _ (labels[i]));
  gtk_combo_box_set_active (GTK_COMBO_BOX (combo), (int) active);
  g_signal_connect (combo, "changed", changed, user);
  return combo;
}

/* People copy messages to ask others about them.  */
static void
make_selectable (GtkWidget *widget, gpointer data)
{
  if (GTK_IS_LABEL (widget)) {
    gtk_label_set_selectable (GTK_LABEL (widget), TRUE);
    gtk_label_set_line_wrap_mode (GTK_LABEL (widget), PANGO_WRAP_WORD_CHAR);
  }
}

GtkWidget *
dv_pieces_tell (GtkWidget *widget, GtkMessageType type, const char *what,
                const char *why)
{
  GtkWidget *dialog =
    gtk_message_dialog_new (GTK_WINDOW (gtk_widget_get_toplevel (widget)),
                            GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                            type, GTK_BUTTONS_CLOSE, "%s", what);
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s",
                                            why);
  gtk_window_set_title (GTK_WINDOW (dialog), "Datagrind");
  gtk_container_foreach (GTK_CONTAINER (gtk_message_dialog_get_message_area (
                           GTK_MESSAGE_DIALOG (dialog))),
                         make_selectable, NULL);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_CLOSE);
  gtk_widget_grab_focus (gtk_dialog_get_widget_for_response (
    GTK_DIALOG (dialog), GTK_RESPONSE_CLOSE));
  g_signal_connect (dialog, "response", G_CALLBACK (gtk_widget_destroy), NULL);
  gtk_widget_show (dialog);
  return dialog;
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
  char *path = response != GTK_RESPONSE_ACCEPT
                 ? NULL
                 : gtk_file_chooser_get_filename (GTK_FILE_CHOOSER (native));
  if (path != NULL)
    chooser->chosen (chooser->user, path);
  chooser->native = NULL;
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
    _ ("_Cancel"));
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
dv_pieces_chooser_save (struct dv_pieces_chooser *chooser, GtkWidget *widget,
                        const char *title, const char *name)
{
  GtkFileChooser *files = dv_pieces_chooser_new (
    chooser, widget, GTK_FILE_CHOOSER_ACTION_SAVE, title, _ ("_Save"));
  if (files == NULL)
    return;
  gtk_file_chooser_set_current_name (files, name);
  dv_pieces_chooser_show (chooser);
}

void
dv_pieces_chooser_fini (struct dv_pieces_chooser *chooser)
{
  g_clear_object (&chooser->native);
}
