/* plot_file.c: a plot as the bytes of a PNG, SVG or PDF file.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "plot_file.h"

#include "i18n.h"
#include "model/picture/ruler.h"
#include "model/tally/tally_lines.h"

static void
draw (void *user, cairo_t *cr, double width, double height, GString *texts)
{
  dv_plot_draw (user, cr, width, height, texts);
}

/* What takes time to make, for struct dv_plot, which does not own it.  */
struct content {
  struct dv_picture *picture, *bright;
  GArray *sharing, *fields;
};

static void
content_fini (struct content *content)
{
  dv_picture_unref (content->picture);
  dv_picture_unref (content->bright);
  if (content->sharing != NULL)
    g_array_unref (content->sharing);
  if (content->fields != NULL)
    g_array_unref (content->fields);
}

static bool
make_layers (struct content *content, const struct dv_plot_file *file,
             const struct dv_plot_area *area, dg_progress_fn progress,
             void *user, struct dg_error *err)
{
  if (file->highlight != NULL
      && dv_highlight_has_accesses (file->highlight)) {
    content->bright = dv_picture_highlight (
      file->scene, &file->view, &file->look, file->highlight, area->width,
      area->height, 1, progress, user, err);
    if (content->bright == NULL)
      return false;
  }
  if (file->look.sharing
      && dg_log_summary (file->scene->data->log)->threads > 1) {
    content->sharing = dv_tally_lines_new (file->scene, &file->view,
                                           progress, user, err);
    if (content->sharing == NULL)
      return false;
  }
  if (!file->scene->data->is_glance) {
    content->fields = dv_ruler_new (file->scene, &file->view, area->width,
                                    progress, user, err);
    if (content->fields == NULL)
      return false;
  }
  return true;
}

static bool
prepare (struct dv_plot *plot, const struct dv_plot_file *file,
         struct content *content, dg_progress_fn progress, void *user,
         struct dg_error *err)
{
  const char *none =
    file->none != NULL ? file->none : _ ("No accesses match the filters.");
  if (dv_view_is_empty (&plot->view)) {
    plot->message = dv_view_is_empty (&file->scene->full)
                    ? dv_scene_nothing (file->scene) : none;
    return true;
  }
  struct dv_plot_area area = dv_plot_area (file->scene, &file->look,
                                           plot->title != NULL, file->width,
                                           file->height);
  content->picture = dv_picture_new (file->scene, &plot->view, &plot->look,
                                     area.width, area.height, 1, file->detail,
                                     progress, user, err);
  if (content->picture == NULL
      || !make_layers (content, file, &area, progress, user, err))
    return false;
  plot->picture = content->picture;
  plot->shown = plot->view;
  plot->highlight = file->highlight;
  plot->bright = content->bright;
  plot->sharing = content->sharing;
  plot->fields = content->fields;
  if (content->picture->raster->max == 0)
    plot->message = none;
  return true;
}

GByteArray *
dv_plot_file_bytes (const struct dv_plot_file *file, dg_progress_fn progress,
                    void *user, struct dg_error *err)
{
  struct dv_plot plot = { .scene = file->scene,
                          .look = file->look,
                          .view = file->view,
                          .title = file->title,
                          .has_mark = file->has_mark,
                          .mark = file->mark };
  struct content content = { 0 };
  GByteArray *bytes = NULL;
  if (prepare (&plot, file, &content, progress, user, err))
    bytes = dv_picture_file (&(struct dv_picture_file){
                               .format = file->format,
                               .width = file->width,
                               .height = file->height,
                               .title = file->title,
                               .draw = draw,
                               .user = &plot },
                             err);
  content_fini (&content);
  return bytes;
}

char *
dv_plot_file_title (const struct dv_data *data)
{
  char *file = dv_data_file_name (data);
  char *program = dv_data_program (data);
  char *title = program == NULL ? g_strdup (file)
                : g_strdup_printf ("%s — %s", program, file);
  g_free (program);
  g_free (file);
  return title;
}
