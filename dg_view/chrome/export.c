/* export.c: saving the picture, or the part of the log that it shows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export.h"

#include <sys/stat.h>

#include "format.h"
#include "host/info.h"
#include "host/activities.h"
#include "i18n.h"
#include "plot/plot_file.h"
#include "widgets/pieces.h"

struct dv_export {
  struct dv_host *host;
  struct dv_pieces_chooser chooser;
  struct dv_job *job;        /* saving; NULL: nothing */
  char *path;                /* of the job's file */
  bool of_picture;           /* what the chooser, then the job, saves */
  char *part;                /* the last part of a log that was saved */
};

/* ---- The picture, in the background ---------------------------------- */
/* What jobs give is the path.  */

struct picture {
  struct dv_scene *scene;
  struct dv_plot_file file;
  struct dv_highlight *highlight;   /* NULL: nothing stands out */
  char *title, *path;
};

static void
picture_free (void *memory)
{
  struct picture *picture = memory;
  dv_scene_unref (picture->scene);
  dv_highlight_unref (picture->highlight);
  g_free (picture->title);
  g_free (picture->path);
  g_free (picture);
}

static void *
run_picture (void *input, dg_progress_fn progress, void *user,
             struct dg_error *err)
{
  const struct picture *picture = input;
  GByteArray *bytes = dv_plot_file_bytes (&picture->file, progress, user,
                                          err);
  if (bytes == NULL)
    return NULL;
  int code = dg_output_save (picture->path, bytes->data, bytes->len, err);
  g_byte_array_unref (bytes);
  return code == 0 ? g_strdup (picture->path) : NULL;
}

static const struct dv_job_class picture_class = {
  run_picture, picture_free, g_free
};

/* ---- A part of the log, in the background ---------------------------- */

struct part {
  struct dv_scene *scene;
  struct dg_cut_options options;
  char *path;
};

static void
part_free (void *memory)
{
  struct part *part = memory;
  dv_scene_unref (part->scene);
  g_free (part->path);
  g_free (part);
}

static void *
run_part (void *input, dg_progress_fn progress, void *user,
          struct dg_error *err)
{
  struct part *part = input;
  static const struct dg_pack_options usual = {.size = sizeof usual};
  if (g_str_has_suffix (part->path, ".dgz"))
    part->options.pack = &usual;
  part->options.filter = part->scene->filter;
  if (dg_log_cut (part->scene->data->log, part->path, &part->options,
                  progress, user, err) < 0)
    return NULL;
  return g_strdup (part->path);
}

static const struct dv_job_class part_class = {
  run_part, part_free, g_free
};

/* ---- The end of a job ------------------------------------------------ */

static void
open_part (void *user)
{
  const struct dv_export *export = user;
  struct dv_host *host = export->host;
  if (export->part == NULL)
    return;
  host->open (host->user, export->part);
}

static void
saved (void *user, void *result, const struct dg_error *err)
{
  struct dv_export *export = user;
  struct dv_host *host = export->host;
  char *shown = dv_format_shown (export->path);
  export->job = NULL;
  dv_activities_watch (host->progress);
  if (result == NULL) {
    char *why = g_strdup_printf ("%s: %s", shown, err->message);
    dv_host_error (host,
                   export->of_picture
                     ? _ ("The picture cannot be saved.")
                     : _ ("The part of the log cannot be saved."),
                   why);
    g_free (why);
  } else {
    char *text = g_strdup_printf (
      export->of_picture ? _ ("The picture was saved as %s.")
                         : _ ("The part that is shown was saved as %s."),
      shown);
    if (!export->of_picture) {
      g_free (export->part);
      export->part = g_strdup (export->path);
    }
    dv_info_offer (host->info, GTK_MESSAGE_INFO, text,
                   export->of_picture ? NULL : _ ("_Open It"), open_part,
                   export);
    g_free (text);
  }
  g_free (shown);
  g_free (result);
  dv_export_scene_changed (export);
}

/* What was there under that name is still there.  */
static void
cancel (void *user)
{
  struct dv_export *export = user;
  g_clear_pointer (&export->job, dv_job_drop);
  dv_info_tell (export->host->info, GTK_MESSAGE_INFO,
                _ ("Saving was cancelled."));
  dv_export_scene_changed (export);
}

/* ---- Starting -------------------------------------------------------- */

/* The sizes that are offered; the first is the plot's own.  */
static const struct {
  const char *id, *label;
  uint32_t width, height;
} sizes[] = {
  {"window", N_ ("As in the window"), 0, 0},
  {"1200x800", N_ ("1200 × 800"), 1200, 800},
  {"1920x1080", N_ ("1920 × 1080"), 1920, 1080},
  {"3840x2160", N_ ("3840 × 2160"), 3840, 2160},
};

static void
set_size (struct dv_plot_file *file, const char *id, GtkWidget *plot)
{
  file->width = (uint32_t) MAX (gtk_widget_get_allocated_width (plot), 200);
  file->height = (uint32_t) MAX (gtk_widget_get_allocated_height (plot), 150);
  for (guint i = 1; i < G_N_ELEMENTS (sizes); i++)
    if (g_strcmp0 (sizes[i].id, id) == 0) {
      file->width = sizes[i].width;
      file->height = sizes[i].height;
    }
}

static void
save_picture (struct dv_export *export, const char *size,
              enum dv_format format)
{
  struct dv_host *host = export->host;
  struct dv_canvas *canvas = host->canvas;
  struct picture *picture = g_new0 (struct picture, 1);
  picture->scene = dv_scene_ref (canvas->scene);
  picture->title = host->options->title != NULL
                     ? g_strdup (host->options->title)
                     : dv_plot_file_title (canvas->scene->data);
  picture->path = g_strdup (export->path);
  picture->file = (struct dv_plot_file){
    .scene = picture->scene,
    .look = canvas->look,
    .view = canvas->viewport.now,
    .title = *picture->title != '\0' ? picture->title : NULL,
    .format = format,
    .detail =
      picture->scene->data->is_glance ? DV_DETAIL_GOOD : DV_DETAIL_EXACT,
    .none = _ ("No accesses in this part."),
    .has_mark = canvas->has_mark,
    .mark = canvas->mark,
  };
  /* Of a glance nothing can be decoded.  */
  if (canvas->highlight != NULL && !picture->scene->data->is_glance)
    picture->highlight = dv_highlight_ref (canvas->highlight);
  picture->file.highlight = picture->highlight;
  set_size (&picture->file, size, canvas->widget);
  export->job = dv_job_start (&picture_class, picture, saved, export);
}

static void
save_part (struct dv_export *export)
{
  struct dv_canvas *canvas = export->host->canvas;
  const struct dv_scene *scene = canvas->scene;
  const struct dv_view *now = &canvas->viewport.now, *full = &scene->full;
  struct part *part = g_new0 (struct part, 1);
  part->scene = dv_scene_ref (canvas->scene);
  part->path = g_strdup (export->path);
  part->options.size = sizeof part->options;
  part->options.start_icount = now->y0 > full->y0 ? now->y0 : 0;
  part->options.end_icount = now->y1 < full->y1 ? now->y1 : 0;
  if (now->x0 > full->x0 || now->x1 < full->x1) {
    part->options.low = dv_layout_address (&scene->layout, now->x0);
    part->options.high = dv_layout_address (&scene->layout, now->x1 - 1) + 1;
  }
  export->job = dv_job_start (&part_class, part, saved, export);
}

static bool
is_same_file (const char *a, const char *b)
{
  struct stat x, y;
  return stat (a, &x) == 0 && stat (b, &y) == 0 && x.st_dev == y.st_dev
         && x.st_ino == y.st_ino;
}

/* NULL: it can be saved there.  */
static const char *
objection (const struct dv_export *export, const char *path,
           enum dv_format *format)
{
  if (is_same_file (path, export->host->path))
    return _ ("This is the log itself. Choose another name.");
  if (export->of_picture && !dv_format_of_file (path, format))
    return _ ("The name must end in .png, .svg or .pdf, which selects the "
              "format.");
  return NULL;
}

static void
chosen (void *user, const char *path)
{
  struct dv_export *export = user;
  struct dv_host *host = export->host;
  enum dv_format format = DV_FORMAT_PNG;
  if (host->canvas->scene == NULL || export->job != NULL)
    return;
  const char *why = objection (export, path, &format);
  if (why != NULL) {
    dv_host_error (host, _ ("It cannot be saved under this name."), why);
    return;
  }
  g_free (export->path);
  export->path = g_strdup (path);
  if (export->of_picture)
    save_picture (export,
                  gtk_file_chooser_get_choice (
                    GTK_FILE_CHOOSER (export->chooser.native), "size"),
                  format);
  else
    save_part (export);
  dv_export_scene_changed (export);
  dv_activities_watch (host->progress);
}

/* ---- Asking where ---------------------------------------------------- */

static void
add_sizes (GtkFileChooser *chooser)
{
  const char *ids[G_N_ELEMENTS (sizes) + 1] = { NULL };
  const char *labels[G_N_ELEMENTS (sizes) + 1] = { NULL };
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    ids[i] = sizes[i].id;
    labels[i] = _ (sizes[i].label);
  }
  gtk_file_chooser_add_choice (chooser, "size", _ ("Size"), ids, labels);
  gtk_file_chooser_set_choice (chooser, "size", ids[0]);
}

static void
ask (struct dv_export *export, const char *title, const char *suffix)
{
  struct dv_host *host = export->host;
  GtkFileChooser *chooser =
    dv_pieces_chooser_new (&export->chooser, host->window,
                           GTK_FILE_CHOOSER_ACTION_SAVE, title, _ ("_Save"));
  char *folder = g_path_get_dirname (host->path);
  char *base = g_filename_display_basename (host->path);
  char *name = g_strconcat (base, suffix, NULL);
  gtk_file_chooser_set_current_folder (chooser, folder);
  gtk_file_chooser_set_current_name (chooser, name);
  if (export->of_picture)
    add_sizes (chooser);
  g_free (name);
  g_free (base);
  g_free (folder);
  dv_pieces_chooser_show (&export->chooser);
}

static bool
can_save (const struct dv_export *export)
{
  const struct dv_host *host = export->host;
  return host->canvas->scene != NULL && export->job == NULL
         && export->chooser.native == NULL;
}

static void
do_save (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  struct dv_export *export = data;
  if (!can_save (export))
    return;
  export->of_picture =
    g_str_equal (g_action_get_name (G_ACTION (action)), "save-picture");
  if (export->of_picture)
    ask (export, _ ("Save the Picture"), ".png");
  else
    ask (export, _ ("Save the Part of the Log That Is Shown"), "-part.dgz");
}

/* ---- Life ------------------------------------------------------------ */

struct dv_export *
dv_export_new (struct dv_host *host)
{
  static const GActionEntry actions[] = {
    {"save-picture", do_save},
    {"save-part", do_save},
  };
  struct dv_export *export = g_new0 (struct dv_export, 1);
  const struct dv_activity activity = {N_ ("Saving"), &export->job, cancel,
                                       export};
  export->host = host;
  export->chooser.chosen = chosen;
  export->chooser.user = export;
  dv_host_add_actions (host, actions, G_N_ELEMENTS (actions), export);
  dv_activities_add (host->progress, DV_ACTIVITY_SAVING, &activity);
  dv_host_enable (host, "save-picture", false);
  dv_host_enable (host, "save-part", false);
  return export;
}

void
dv_export_free (struct dv_export *export)
{
  dv_job_drop (export->job);
  dv_pieces_chooser_fini (&export->chooser);
  g_free (export->path);
  g_free (export->part);
  g_free (export);
}

void
dv_export_scene_changed (struct dv_export *export)
{
  struct dv_host *host = export->host;
  const struct dv_scene *scene = host->canvas->scene;
  bool is_free = scene != NULL && export->job == NULL;
  dv_host_enable (host, "save-picture", is_free);
  /* A glance has no definitions.  */
  dv_host_enable (host, "save-part",
                  is_free && !scene->data->is_glance
                    && !dv_view_is_empty (&scene->full));
}
