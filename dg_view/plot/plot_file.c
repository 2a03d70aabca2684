/* plot_file.c: a plot as the bytes of a PNG, SVG or PDF file.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "plot_file.h"

#include <string.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>

#include "format.h"
#include "i18n.h"
#include "shared_lines.h"

/* Characters.  */
#define MOST_TITLE 2000

static cairo_status_t
append (void *user, const unsigned char *bytes, unsigned length)
{
  g_byte_array_append (user, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

/* The texts go behind everything else.  */
static void
insert_texts (GByteArray *bytes, const GString *texts)
{
  static const char end[] = "</svg>";
  char *last = g_strrstr_len ((char *) bytes->data, bytes->len, end);
  guint at = last != NULL ? (guint) (last - (char *) bytes->data)
                          : bytes->len;
  g_byte_array_set_size (bytes, at);
  g_byte_array_append (bytes, (const guint8 *) texts->str,
                       (guint) texts->len);
  g_byte_array_append (bytes, (const guint8 *) "</svg>\n", 7);
}

static cairo_surface_t *
new_surface (const struct dv_plot_file *file, GByteArray *bytes)
{
  cairo_surface_t *surface;
  switch (file->format) {
  case DV_FORMAT_PDF:
    surface = cairo_pdf_surface_create_for_stream (append, bytes, file->width,
                                                   file->height);
    if (file->title != NULL) {
      char *title = dv_format_label (file->title, MOST_TITLE);
      cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE,
                                      title);
      g_free (title);
    }
    return surface;
  case DV_FORMAT_SVG:
    return cairo_svg_surface_create_for_stream (append, bytes, file->width,
                                                file->height);
  default:
    return cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) file->width,
                                       (int) file->height);
  }
}

static GByteArray *
encode (const struct dv_plot *plot, const struct dv_plot_file *file,
        struct dg_error *err)
{
  GByteArray *bytes = g_byte_array_new ();
  GString *texts = file->format == DV_FORMAT_SVG ? g_string_new (NULL) : NULL;
  cairo_surface_t *surface = new_surface (file, bytes);
  cairo_t *cr = cairo_create (surface);
  dv_plot_draw (plot, cr, file->width, file->height, texts);
  cairo_status_t status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS && file->format == DV_FORMAT_PNG)
    status = cairo_surface_write_to_png_stream (surface, append, bytes);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (texts != NULL) {
    insert_texts (bytes, texts);
    g_string_free (texts, TRUE);
  }
  if (status == CAIRO_STATUS_SUCCESS)
    return bytes;
  *err = (struct dg_error){ .code = DG_ERR_IO };
  g_strlcpy (err->message, cairo_status_to_string (status),
             sizeof err->message);
  g_byte_array_unref (bytes);
  return NULL;
}

/* What takes time to make, for struct dv_plot, which does not own it.  */
struct content {
  struct dv_picture *picture, *bright;
  GArray *sharing;
};

static void
content_fini (struct content *content)
{
  dv_picture_unref (content->picture);
  dv_picture_unref (content->bright);
  if (content->sharing != NULL)
    g_array_unref (content->sharing);
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
    content->sharing = dv_shared_lines_new (file->scene, &file->view,
                                            progress, user, err);
    if (content->sharing == NULL)
      return false;
  }
  return true;
}

static bool
prepare (struct dv_plot *plot, const struct dv_plot_file *file,
         struct content *content, dg_progress_fn progress, void *user,
         struct dg_error *err)
{
  if (dv_view_is_empty (&plot->view)) {
    plot->message = _("No accesses match the criteria.");
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
  if (content->picture->raster->max == 0)
    plot->message = _("No accesses match the criteria.");
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
    bytes = encode (&plot, file, err);
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

bool
dv_plot_file_format (const char *path, enum dv_format *format)
{
  static const struct {
    const char *suffix;
    enum dv_format format;
  } formats[] = { { ".png", DV_FORMAT_PNG },
                  { ".svg", DV_FORMAT_SVG },
                  { ".pdf", DV_FORMAT_PDF } };
  char *low = g_ascii_strdown (path, -1);
  bool found = false;
  for (size_t i = 0; i < G_N_ELEMENTS (formats) && !found; i++)
    if (g_str_has_suffix (low, formats[i].suffix)) {
      *format = formats[i].format;
      found = true;
    }
  g_free (low);
  return found;
}
