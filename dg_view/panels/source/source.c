/* source.c: the panel with the source of what was pointed at.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "panels/base/panel.h"

#include <string.h>

#include "format.h"
#include "i18n.h"
#include "jobs/job.h"
#include "widgets/pieces.h"
#include "source_gutter.h"
#include "source_view.h"
#include "model/calls/sourcefile.h"
#include "model/calls/sourcemap.h"

/* Of a call stack, whose first source is shown.  */
#define MAX_PLACES 64

struct source_panel {
  const struct dv_panel_host *host;
  GtkWidget *root, *title, *edit, *note_bar, *note;
  GtkWidget *stack, *hint_box, *hint, *locate, *scrolled, *view;
  GtkSourceGutterRenderer *gutter;
  struct dv_pieces_chooser locating;
  char *wanted;                /* what is being located */
  struct dv_job *read_job, *lines_job;
  struct dv_tally *tally;      /* the last one; NULL: none */
  char *file;                  /* that is meant, as the debug information has
                                  it; NULL: none */
  unsigned line;
  bool is_shown;               /* its text is in the view */
  bool is_offer;               /* what is read was not asked for as such */
};

/* ---- Reading in the background ----------------------------------------- */

struct place {
  char *file;
  unsigned line;
  char **names;                /* to try */
};

struct reading {
  GPtrArray *places;           /* struct place: the first that is there */
  struct dv_data *data;        /* NULL: no log was read */
};

struct read {
  struct dv_sourcefile *file;
  char *name;                  /* of its place */
  unsigned line;
  bool is_newer;               /* than what ran */
};

static void
place_free (void *memory)
{
  struct place *place = memory;
  g_free (place->file);
  g_strfreev (place->names);
  g_free (place);
}

static void
reading_free (void *memory)
{
  struct reading *reading = memory;
  g_ptr_array_unref (reading->places);
  dv_data_unref (reading->data);
  g_free (reading);
}

static void
read_free (void *memory)
{
  struct read *read = memory;
  dv_sourcefile_free (read->file);
  g_free (read->name);
  g_free (read);
}

/* The first place with a file; else it is the first place that is
   missing.  */
static void *
run_reading (void *input, dg_progress_fn progress, void *user,
             struct dg_error *err)
{
  const struct reading *reading = input;
  struct read *read = g_new0 (struct read, 1);
  for (guint i = 0; i < reading->places->len; i++) {
    const struct place *place = g_ptr_array_index (reading->places, i);
    struct dv_sourcefile *file
      = dv_sourcefile_read (reading->data != NULL ? reading->data->log : NULL,
                            (const char *const *) place->names);
    bool is_there = file->problem == DV_SOURCE_FINE;
    if (read->file != NULL && !is_there) {
      dv_sourcefile_free (file);
      continue;
    }
    dv_sourcefile_free (read->file);
    g_free (read->name);
    read->file = file;
    read->name = g_strdup (place->file);
    read->line = place->line;
    if (is_there)
      break;
  }
  if (reading->data != NULL) {
    int64_t recorded = dv_sourcefile_recorded (reading->data);
    read->is_newer = recorded > 0 && read->file->changed > recorded;
  }
  return read;
}

static const struct dv_job_class reading_class = {
  run_reading, reading_free, read_free
};

struct counting {
  struct dv_tally *tally;
  char *file;
};

static void *
run_counting (void *input, dg_progress_fn progress, void *user,
              struct dg_error *err)
{
  const struct counting *counting = input;
  return dv_source_lines_new (counting->tally, counting->file, progress, user,
                              err);
}

static void
counting_free (void *memory)
{
  struct counting *counting = memory;
  dv_tally_unref (counting->tally);
  g_free (counting->file);
  g_free (counting);
}

static const struct dv_job_class counting_class = {
  run_counting, counting_free, (GDestroyNotify) dv_source_lines_free};

/* ---- Counts ------------------------------------------------------------ */

static void
lines_ready (void *user, void *result, const struct dg_error *err)
{
  struct source_panel *panel = user;
  panel->lines_job = NULL;
  dv_source_gutter_set (panel->gutter, result);
}

/* Counts for the file that is shown, from the last tally.  */
static void
count_lines (struct source_panel *panel)
{
  g_clear_pointer (&panel->lines_job, dv_job_drop);
  if (panel->tally == NULL || !panel->is_shown) {
    dv_source_gutter_set (panel->gutter, NULL);
    return;
  }
  struct counting *counting = g_new0 (struct counting, 1);
  counting->tally = dv_tally_ref (panel->tally);
  counting->file = g_strdup (panel->file);
  panel->lines_job = dv_job_start (&counting_class, counting, lines_ready,
                                   panel);
}

static void
show_tally (GtkWidget *widget, struct dv_tally *tally)
{
  struct source_panel *panel = g_object_get_data (G_OBJECT (widget), "panel");
  struct dv_tally *old = panel->tally;
  panel->tally = tally != NULL ? dv_tally_ref (tally) : NULL;
  bool is_same = old != NULL && tally != NULL
                 && dv_tally_has_same_code (old, tally);
  /* What is being counted is worth having while more comes in.  */
  if (!is_same && (tally == NULL || tally->code_done >= 1
                   || panel->lines_job == NULL))
    count_lines (panel);
  dv_tally_unref (old);
}

/* ---- Messages ---------------------------------------------------------- */

static void
set_title (struct source_panel *panel, const char *path, unsigned line)
{
  char *shown =
    path != NULL ? dv_format_shown (path) : g_strdup (_ ("Source"));
  char *text = line > 0 ? g_strdup_printf ("%s:%u", shown, line)
                        : g_strdup (shown);
  gtk_label_set_text (GTK_LABEL (panel->title), text);
  gtk_widget_set_tooltip_text (panel->title, path != NULL ? text : NULL);
  g_free (text);
  g_free (shown);
}

/* NULL: none.  */
static void
set_note (struct source_panel *panel, const char *text)
{
  gtk_label_set_text (GTK_LABEL (panel->note), text != NULL ? text : "");
  gtk_widget_set_visible (panel->note_bar, text != NULL);
}

static void
show_hint (struct source_panel *panel, const char *text, bool can_locate)
{
  panel->is_shown = false;
  gtk_label_set_text (GTK_LABEL (panel->hint), text);
  gtk_widget_set_visible (panel->locate, can_locate);
  gtk_stack_set_visible_child (GTK_STACK (panel->stack), panel->hint_box);
  gtk_widget_set_sensitive (panel->edit, FALSE);
  set_note (panel, NULL);
}

static void
show_nothing (struct source_panel *panel)
{
  set_title (panel, NULL, 0);
  show_hint (panel,
             _ ("Click in the plot, or select a function, to see its "
                "source."),
             false);
}

static void
show_unknown (struct source_panel *panel)
{
  g_clear_pointer (&panel->read_job, dv_job_drop);
  g_clear_pointer (&panel->file, g_free);
  set_title (panel, NULL, 0);
  show_hint (panel,
             _ ("The source is not known: the module has no debug "
                "information, or it is not on this machine."),
             false);
}

/* How to say where it is: its folder, or, if it has none, itself.  */
static void
append_how_to_map (GString *text, const char *file)
{
  char *folder = g_path_get_dirname (file);
  bool is_bare = strcmp (folder, ".") == 0;
  g_string_append_c (text, '\n');
  /* Translators: what is there by the debug information, and FOLDER or FILE,
     which the reader is to replace.  */
  g_string_append_printf (
    text,
    _ ("If it is elsewhere, choose it, or start dg_view with "
       "--source-map=%s=%s"),
    is_bare ? file : folder, is_bare ? _ ("FILE") : _ ("FOLDER"));
  g_free (folder);
}

static void
show_problem (struct source_panel *panel, const struct dv_sourcefile *file)
{
  static const char *const texts[] = {
    [DV_SOURCE_MISSING] = N_ ("This source is not on this machine."),
    [DV_SOURCE_NO_FILE] = N_ ("This is not a file."),
    [DV_SOURCE_UNREADABLE] = N_ ("This source cannot be read."),
    [DV_SOURCE_TOO_LARGE] = N_ ("This source is larger than 8 MiB. An editor "
                                "may show it."),
    [DV_SOURCE_BINARY] = N_ ("This file is not a text file."),
    [DV_SOURCE_LONG_LINES] = N_ ("This file has lines that are too long to "
                                 "show. An editor may show them."),
  };
  char *shown = dv_format_shown (file->path != NULL ? file->path
                                                            : panel->file);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "%s\n\n%s", shown, _ (texts[file->problem]));
  if (file->problem == DV_SOURCE_MISSING)
    append_how_to_map (text, shown);
  if (file->why != NULL)
    g_string_append_printf (text, "\n%s", file->why);
  show_hint (panel, text->str, true);
  gtk_widget_set_sensitive (panel->edit, file->path != NULL);
  g_string_free (text, TRUE);
  g_free (shown);
}

/* ---- Showing ----------------------------------------------------------- */

static void
mark_line (struct source_panel *panel)
{
  GtkTextBuffer *buffer
    = gtk_text_view_get_buffer (GTK_TEXT_VIEW (panel->view));
  dv_source_view_mark (panel->view, panel->line);
  char *text = (int) panel->line > gtk_text_buffer_get_line_count (buffer)
                 ? g_strdup (_ ("The line is no longer in this file"))
                 : g_strdup_printf (_ ("Line %u is marked"), panel->line);
  dv_pieces_describe (panel->view, text);
  g_free (text);
}

static void
show_read (struct source_panel *panel, const struct read *read)
{
  const struct dv_sourcefile *file = read->file;
  panel->is_shown = true;
  dv_source_view_set_text (panel->view, file->path, file->text,
                           file->length);
  mark_line (panel);
  gtk_stack_set_visible_child (GTK_STACK (panel->stack), panel->scrolled);
  gtk_widget_set_sensitive (panel->edit, TRUE);
  if (read->is_newer)
    set_note (panel, _ ("This source was changed after the program was "
                        "recorded. Lines may have moved."));
  else if (file->was_converted)
    set_note (panel, _ ("This file is not UTF-8. It is shown as Latin-1."));
  else
    set_note (panel, NULL);
}

static void
read_ready (void *user, void *result, const struct dg_error *err)
{
  struct source_panel *panel = user;
  struct read *read = result;
  panel->read_job = NULL;
  g_free (panel->file);
  panel->file = g_strdup (read->name);
  panel->line = read->line;
  set_title (panel, read->file->path != NULL ? read->file->path
                                             : panel->file, panel->line);
  if (read->file->problem == DV_SOURCE_FINE)
    show_read (panel, read);
  else
    show_problem (panel, read->file);
  count_lines (panel);
  /* What shows sources may be hidden, and then nobody knew that one is
     missing.  */
  if (panel->is_offer)
    panel->host->offer_source (panel->host->user, panel->file, panel->line);
  read_free (read);
}

static void
add_place (struct source_panel *panel, struct reading *reading,
           const char *file, unsigned line)
{
  const struct dv_panel_host *host = panel->host;
  struct place *place = g_new0 (struct place, 1);
  place->file = g_strdup (file);
  place->line = line;
  place->names = dv_sourcefile_names (host->source_map (host->user),
                                      host->data (host->user), file);
  g_ptr_array_add (reading->places, place);
}

static struct reading *
reading_new (struct source_panel *panel)
{
  struct reading *reading = g_new0 (struct reading, 1);
  struct dv_data *data = panel->host->data (panel->host->user);
  reading->places = g_ptr_array_new_with_free_func (place_free);
  reading->data = data != NULL ? dv_data_ref (data) : NULL;
  return reading;
}

/* Takes the reading over.  */
static void
start_reading (struct source_panel *panel, struct reading *reading,
               bool is_offer)
{
  dv_job_drop (panel->read_job);
  panel->is_offer = is_offer;
  panel->read_job = dv_job_start (&reading_class, reading, read_ready, panel);
}

/* The text is there already: another line of it.  */
static bool
is_at_hand (const struct source_panel *panel, const char *file)
{
  return panel->is_shown && panel->read_job == NULL
         && strcmp (panel->file, file) == 0;
}

static void
move_to (struct source_panel *panel, unsigned line)
{
  const char *title = gtk_label_get_text (GTK_LABEL (panel->title));
  const char *colon = strrchr (title, ':');
  char *path = g_strndup (title, colon != NULL && panel->line > 0
                                 ? (gsize) (colon - title) : strlen (title));
  panel->line = line;
  set_title (panel, path, line);
  mark_line (panel);
  g_free (path);
}

static void
show_source (GtkWidget *widget, const char *file, unsigned line)
{
  struct source_panel *panel = g_object_get_data (G_OBJECT (widget), "panel");
  if (*file == '\0') {
    show_unknown (panel);
  } else if (is_at_hand (panel, file)) {
    move_to (panel, line);
  } else {
    struct reading *reading = reading_new (panel);
    add_place (panel, reading, file, line);
    start_reading (panel, reading, false);
  }
}

/* The first frame whose source is here, from the innermost.  */
static void
show (GtkWidget *widget, const struct dv_pick *pick,
      const struct dv_answer *answer)
{
  struct source_panel *panel = g_object_get_data (G_OBJECT (widget), "panel");
  if (answer == NULL || answer->is_nothing)
    return;
  struct reading *reading = reading_new (panel);
  for (guint i = 0; i < answer->stack->len; i++) {
    const struct dv_frame *frame = g_ptr_array_index (answer->stack, i);
    if (*frame->file != '\0' && reading->places->len < MAX_PLACES)
      add_place (panel, reading, frame->file, frame->line);
  }
  if (reading->places->len > 0) {
    start_reading (panel, reading, true);
  } else {
    reading_free (reading);
    show_unknown (panel);
  }
}

/* ---- Buttons ----------------------------------------------------------- */

static void
edit_clicked (struct source_panel *panel)
{
  if (panel->file != NULL)
    panel->host->edit_source (panel->host->user, panel->file, panel->line);
}

static void
located (void *user, const char *path)
{
  struct source_panel *panel = user;
  /* Something else may be shown by now.  */
  if (g_strcmp0 (panel->file, panel->wanted) != 0)
    return;
  char *pair = dv_sourcemap_pair (panel->file, path);
  if (pair == NULL || !g_utf8_validate (pair, -1, NULL)) {
    show_hint (panel,
               _ ("This location cannot be saved: its name contains a "
                  "'=' or is not UTF-8."),
               false);
  } else {
    char *file = g_strdup (panel->file);
    panel->host->map_source (panel->host->user, pair);
    panel->is_shown = false;
    show_source (panel->root, file, panel->line);
    g_free (file);
  }
  g_free (pair);
}

/* Where the file was, as far as there is such a folder; else where the log
   is.  */
static char *
folder_to_start (const struct source_panel *panel)
{
  struct dv_data *data = panel->host->data (panel->host->user);
  char *folder = g_path_get_dirname (
    g_path_is_absolute (panel->file) || data == NULL
    ? panel->file : dg_log_path (data->log));
  while (strlen (folder) > 1 && !g_file_test (folder, G_FILE_TEST_IS_DIR)) {
    char *above = g_path_get_dirname (folder);
    g_free (folder);
    folder = above;
  }
  return folder;
}

static void
locate_clicked (struct source_panel *panel)
{
  if (panel->file == NULL)
    return;
  char *base = g_path_get_basename (panel->file);
  char *shown = dv_format_shown (base);
  /* Translators: a file's name.  */
  char *title = g_strdup_printf (_ ("Where is %s?"), shown);
  GtkFileChooser *files =
    dv_pieces_chooser_new (&panel->locating, panel->root,
                           GTK_FILE_CHOOSER_ACTION_OPEN, title, _ ("_Open"));
  if (files != NULL) {
    char *folder = folder_to_start (panel);
    gtk_file_chooser_set_current_folder (files, folder);
    g_free (folder);
    g_free (panel->wanted);
    panel->wanted = g_strdup (panel->file);
    dv_pieces_chooser_show (&panel->locating);
  }
  g_free (title);
  g_free (shown);
  g_free (base);
}

/* ---- Making ------------------------------------------------------------ */

static GtkWidget *
new_head (struct source_panel *panel)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_container_set_border_width (GTK_CONTAINER (bar), 4);
  panel->title = dv_pieces_label_new (NULL, DV_LEFT | DV_SELECTABLE);
  gtk_label_set_ellipsize (GTK_LABEL (panel->title), PANGO_ELLIPSIZE_START);
  gtk_widget_set_can_focus (panel->title, FALSE);
  gtk_widget_set_margin_start (panel->title, 6);
  dv_pieces_describe (panel->title, _ ("Source file"));
  panel->edit =
    dv_pieces_button_new ("text-editor-symbolic", _ ("Open in the editor"),
                          G_CALLBACK (edit_clicked), panel);
  gtk_box_pack_start (GTK_BOX (bar), panel->title, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (bar), panel->edit, FALSE, FALSE, 0);
  return bar;
}

static GtkWidget *
new_note (struct source_panel *panel)
{
  panel->note_bar = gtk_info_bar_new ();
  gtk_info_bar_set_message_type (GTK_INFO_BAR (panel->note_bar),
                                 GTK_MESSAGE_WARNING);
  panel->note = dv_pieces_label_new (NULL, DV_WRAP | DV_LEFT);
  gtk_widget_show (panel->note);
  gtk_container_add (GTK_CONTAINER (gtk_info_bar_get_content_area (
    GTK_INFO_BAR (panel->note_bar))), panel->note);
  gtk_widget_set_no_show_all (panel->note_bar, TRUE);
  return panel->note_bar;
}

static GtkWidget *
new_hint (struct source_panel *panel)
{
  panel->hint_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  gtk_widget_set_valign (panel->hint_box, GTK_ALIGN_CENTER);
  gtk_container_set_border_width (GTK_CONTAINER (panel->hint_box), 18);
  panel->hint =
    dv_pieces_label_new (NULL, DV_WRAP_NAMES | DV_CENTRED | DV_DIM);
  panel->locate = gtk_button_new_with_mnemonic (_ ("_Locate…"));
  gtk_widget_set_halign (panel->locate, GTK_ALIGN_CENTER);
  gtk_widget_set_no_show_all (panel->locate, TRUE);
  gtk_widget_set_tooltip_text (panel->locate,
                               _ ("Choose the file, and use its folder for "
                                  "other files, too"));
  g_signal_connect_swapped (panel->locate, "clicked",
                            G_CALLBACK (locate_clicked), panel);
  dv_pieces_add (panel->hint_box, panel->hint, panel->locate, NULL);
  return panel->hint_box;
}

static void
panel_free (gpointer data)
{
  struct source_panel *panel = data;
  dv_pieces_chooser_fini (&panel->locating);
  g_free (panel->wanted);
  dv_job_drop (panel->read_job);
  dv_job_drop (panel->lines_job);
  dv_tally_unref (panel->tally);
  g_free (panel->file);
  g_free (panel);
}

static GtkWidget *
make (const struct dv_panel_host *host)
{
  struct source_panel *panel = g_new0 (struct source_panel, 1);
  panel->host = host;
  panel->view = dv_source_view_new ();
  panel->locating.chosen = located;
  panel->locating.user = panel;
  panel->gutter = dv_source_gutter_new (GTK_SOURCE_VIEW (panel->view));
  dv_pieces_name (panel->view, _ ("Source"));
  panel->scrolled = dv_pieces_scrolled_new (panel->view);
  panel->stack = gtk_stack_new ();
  dv_pieces_add (panel->stack, new_hint (panel), panel->scrolled, NULL);
  panel->root = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  dv_pieces_add (panel->root, new_head (panel), new_note (panel), NULL);
  gtk_box_pack_start (GTK_BOX (panel->root), panel->stack, TRUE, TRUE, 0);
  g_object_set_data_full (G_OBJECT (panel->root), "panel", panel,
                          panel_free);
  gtk_widget_show_all (panel->root);
  show_nothing (panel);
  return panel->root;
}

const struct dv_panel dv_panel_source = {.id = "source",
                                         .title = N_ ("Source"),
                                         .place = DV_PANEL_SOURCE,
                                         .make = make,
                                         .show = show,
                                         .show_tally = show_tally,
                                         .show_source = show_source};
