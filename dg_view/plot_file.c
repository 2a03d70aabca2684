/* plot_file.c: a plot as the bytes of a PNG, SVG or PDF file.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "plot_file.h"

#include <string.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>

#include "overlay.h"

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
    if (file->title != NULL)
      cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE,
                                      file->title);
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

/* Fills in what belongs to the data; image and boxes are then the caller's to
   free.  */
static bool
prepare (struct dv_plot *plot, const struct dv_plot_file *file,
         GArray **boxes, dg_progress_fn progress, void *user,
         struct dg_error *err)
{
  const struct dv_scene *scene = plot->scene;
  if (dv_view_is_empty (&plot->view)) {
    plot->message = DV_NO_MATCH;
    return true;
  }
  struct dv_plot_area area = dv_plot_area (scene, plot->title != NULL,
                                           file->width, file->height);
  struct dv_raster *raster
    = dv_raster_new (scene, &plot->view, (uint32_t) area.width,
                     (uint32_t) area.height, file->detail, progress, user,
                     err);
  if (raster == NULL)
    return false;
  *boxes = dv_overlay_for (scene, &plot->view, area.width, area.height);
  plot->boxes = *boxes;
  plot->max = raster->max;
  if (raster->max == 0)
    plot->message = DV_NO_MATCH;
  plot->image = dv_plot_image (raster, plot->look.palette, 1);
  plot->image_view = plot->view;
  dv_raster_free (raster);
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
  GByteArray *bytes = NULL;
  GArray *boxes = NULL;
  if (prepare (&plot, file, &boxes, progress, user, err))
    bytes = encode (&plot, file, err);
  if (plot.image != NULL)
    cairo_surface_destroy (plot.image);
  if (boxes != NULL)
    g_array_unref (boxes);
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
