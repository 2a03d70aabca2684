/* heap_file.c: the heap over time as a picture file.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_file.h"

#include "i18n.h"
#include "picture_file.h"

/* As dg heap --render has it.  */
#define WIDTH  1200
#define HEIGHT 675

static void
draw (void *user, cairo_t *cr, double width, double height, GString *texts)
{
  const struct dv_heap_chart *chart = user;
  struct dv_heap_layout layout;
  dv_heap_chart_layout (chart, cr, width, height, &layout);
  dv_heap_chart_draw (chart, &layout, cr, texts);
}

void
dv_heap_file_free (struct dv_heap_file *file)
{
  dv_heap_curve_unref (file->curve);
  g_free (file->title);
  g_free (file->path);
  g_free (file);
}

int
dv_heap_file_save (const struct dv_heap_file *file, struct dg_error *err)
{
  struct dv_heap_chart chart = {
    .curve = file->curve->curve,
    .palette = file->palette,
    .title = file->title,
    .has_legend = true,
    .selected = dv_heap_curve_find (file->curve, file->selected),
  };
  struct dv_picture_file picture = {
    .width = WIDTH, .height = HEIGHT, .title = file->title,
    .draw = draw, .user = &chart,
  };
  if (!dv_format_of_file (file->path, &picture.format)) {
    err->code = DG_ERR_INVALID;
    g_strlcpy (err->message,
               _ ("The name must end in .png, .svg or .pdf, which selects the "
                  "format."),
               sizeof err->message);
    return DG_ERR_INVALID;
  }
  GByteArray *bytes = dv_picture_file (&picture, err);
  if (bytes == NULL)
    return err->code;
  int code = dg_output_save (file->path, bytes->data, bytes->len, err);
  g_byte_array_unref (bytes);
  return code;
}
