/* picture_file.c: a picture as the bytes of a PNG, SVG or PDF file.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "picture_file.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>

#include "format.h"

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
new_surface (const struct dv_picture_file *file, GByteArray *bytes)
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

GByteArray *
dv_picture_file (const struct dv_picture_file *file, struct dg_error *err)
{
  GByteArray *bytes = g_byte_array_new ();
  GString *texts = file->format == DV_FORMAT_SVG ? g_string_new (NULL) : NULL;
  double scale = file->format == DV_FORMAT_PNG && file->scale > 0
                   ? file->scale
                   : 1;
  cairo_surface_t *surface = new_surface (file, bytes);
  cairo_surface_set_device_scale (surface, scale, scale);
  cairo_t *cr = cairo_create (surface);
  file->draw (file->user, cr, file->width / scale, file->height / scale,
              texts);
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
