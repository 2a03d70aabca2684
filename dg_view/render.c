/* render.c: --render.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "render.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <gio/gio.h>

#include "overlay.h"
#include "plot.h"
#include "select.h"

#define USUAL_WIDTH  1200
#define USUAL_HEIGHT 800

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

/* The picture as the file's bytes; NULL if cairo fails, with its reason.  */
static GByteArray *
encode (const struct dv_plot *plot, const struct dv_options *options,
        uint32_t width, uint32_t height, const char **why)
{
  GByteArray *bytes = g_byte_array_new ();
  GString *texts = NULL;
  cairo_surface_t *surface;
  if (options->format == DV_FORMAT_PDF) {
    surface = cairo_pdf_surface_create_for_stream (append, bytes, width,
                                                   height);
    if (plot->title != NULL)
      cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE,
                                      plot->title);
  } else if (options->format == DV_FORMAT_SVG) {
    surface = cairo_svg_surface_create_for_stream (append, bytes, width,
                                                   height);
    texts = g_string_new (NULL);
  } else {
    surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) width,
                                          (int) height);
  }
  cairo_t *cr = cairo_create (surface);
  dv_plot_draw (plot, cr, width, height, texts);
  cairo_status_t status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS && options->format == DV_FORMAT_PNG)
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
  *why = cairo_status_to_string (status);
  g_byte_array_unref (bytes);
  return NULL;
}

static int
write_picture (const struct dv_plot *plot, const struct dv_options *options,
               uint32_t width, uint32_t height)
{
  const char *why = NULL;
  GByteArray *bytes = encode (plot, options, width, height, &why);
  if (bytes == NULL) {
    g_printerr ("dg_view: %s: %s\n", options->render, why);
    return 1;
  }
  FILE *file = fopen (options->render, "wb");
  bool good = file != NULL
              && fwrite (bytes->data, 1, bytes->len, file) == bytes->len;
  int saved = errno;
  if (file != NULL && fclose (file) != 0) {
    saved = good ? errno : saved;
    good = false;
  }
  if (!good)
    g_printerr ("dg_view: %s: %s\n", options->render, g_strerror (saved));
  g_byte_array_unref (bytes);
  return good ? 0 : 1;
}

static char *
usual_title (const struct dv_data *data)
{
  char *file = dv_data_file_name (data);
  char *program = dv_data_program (data);
  char *title = program == NULL ? g_strdup (file)
                : g_strdup_printf ("%s — %s", program, file);
  g_free (program);
  g_free (file);
  return title;
}

/* Fills in what belongs to the data; the raster and boxes are then the
   caller's to free.  */
static int
prepare (struct dv_plot *plot, const struct dv_options *options,
         uint32_t width, uint32_t height, GArray **boxes,
         struct dg_error *err)
{
  const struct dv_scene *scene = plot->scene;
  if (!dv_select_view (scene, options, &plot->view)) {
    plot->message = DV_NO_MATCH;
    return 0;
  }
  struct dv_plot_area area = dv_plot_area (scene, true, width, height);
  struct dv_raster *raster
    = dv_raster_new (scene, &plot->view, (uint32_t) area.width,
                     (uint32_t) area.height,
                     options->exact ? DV_DETAIL_FINE : DV_DETAIL_GOOD, NULL,
                     NULL, err);
  if (raster == NULL)
    return err->code;
  *boxes = dv_overlay_for (scene, &plot->view, area.width, area.height);
  plot->boxes = *boxes;
  plot->max = raster->max;
  if (raster->max == 0)
    plot->message = DV_NO_MATCH;
  plot->image = dv_plot_image (raster, plot->look.palette, 1);
  plot->image_view = plot->view;
  dv_raster_free (raster);
  return 0;
}

int
dv_render (const struct dv_options *options)
{
  struct dg_error err = { 0 };
  struct dv_scene *scene = NULL;
  GArray *boxes = NULL;
  char *title = NULL;
  int status = 1;
  uint32_t width = options->width != 0 ? options->width : USUAL_WIDTH;
  uint32_t height = options->height != 0 ? options->height : USUAL_HEIGHT;
  struct dv_plot plot = { 0 };
  plot.look.palette = dv_palette_find (options->palette,
                                       options->theme != DV_THEME_LIGHT);
  plot.look.colouring = options->by_thread ? DV_COLOUR_THREAD
                                           : DV_COLOUR_KIND;

  struct dv_data *data = dv_data_new (options->path, false, NULL, NULL,
                                      &err);
  if (data == NULL)
    goto out;
  if (data->flaw.code != 0)
    g_printerr ("dg_view: %s: %s\n", options->path, data->flaw.message);
  scene = dv_scene_new (data, options->events, options->ranges, NULL, NULL,
                        &err);
  if (scene == NULL)
    goto out;
  title = options->title != NULL ? g_strdup (options->title)
                                 : usual_title (data);
  plot.scene = scene;
  plot.title = *title != '\0' ? title : NULL;
  if (prepare (&plot, options, width, height, &boxes, &err) != 0)
    goto out;
  status = write_picture (&plot, options, width, height);
  if (data->flaw.code != 0)
    status = 1;

out:
  if (err.code == DG_ERR_FILTER)
    status = 2;
  if (err.code != 0)
    g_printerr ("dg_view: %s%s%s\n",
                err.code == DG_ERR_FILTER ? "" : options->path,
                err.code == DG_ERR_FILTER ? "" : ": ", err.message);
  if (plot.image != NULL)
    cairo_surface_destroy (plot.image);
  if (boxes != NULL)
    g_array_unref (boxes);
  g_free (title);
  dv_scene_unref (scene);
  dv_data_unref (data);
  return status;
}
