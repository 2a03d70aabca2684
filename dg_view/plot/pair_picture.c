/* pair_picture.c: counts of two logs as images.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pair_plot.h"

#include <dg_record.h>
#include <math.h>

#include "model/log/refs.h"
#include "model/picture/paint.h"

static void
picture_clear (void *memory)
{
  struct dv_pair_picture *picture = memory;
  for (int i = 0; i < DV_PAIR_PARTS; i++)
    if (picture->images[i] != NULL)
      cairo_surface_destroy (picture->images[i]);
  dv_pair_counts_unref (picture->counts);
}

DV_DEFINE_REFS (dv_pair_picture, picture_clear)

static uint32_t
pixel (const struct dv_palette *palette, const struct dv_rgb *colour,
       double density)
{
  struct dv_rgb c = dv_palette_blend (&palette->area, colour, density);
  return 0xff000000u | (uint32_t) lround (c.r * 255) << 16
         | (uint32_t) lround (c.g * 255) << 8 | (uint32_t) lround (c.b * 255);
}

/* The logs have one scale, so that their colours can be compared.  */
static uint32_t
pixel_of (const struct dv_pair_counts *counts,
          const struct dv_palette *palette, enum dv_pair_part part,
          uint32_t x, uint32_t y)
{
  uint64_t most = MAX (counts->most[0], counts->most[1]);
  uint64_t n[2] = { dv_pair_counts_at (counts, 0, x, y),
                    dv_pair_counts_at (counts, 1, x, y) };
  const struct dv_rgb *colour;
  if (part == DV_PAIR_DIFFERENCE) {
    if (n[0] + n[1] == 0)
      return 0;
    colour = n[1] == 0 ? &palette->before
             : n[0] == 0 ? &palette->after : &palette->same;
    return pixel (palette, colour,
                  dv_paint_density (MAX (n[0], n[1]), most));
  }
  if (n[part] == 0)
    return 0;
  const uint32_t *count =
    counts->cells[part][(size_t) y * counts->width + x].count;
  colour = count[DG_ACC_READ] > 0 && count[DG_ACC_WRITE] > 0 ? &palette->both
           : count[DG_ACC_READ] > 0 ? &palette->read : &palette->write;
  return pixel (palette, colour, dv_paint_density (n[part], most));
}

static cairo_surface_t *
paint (const struct dv_pair_counts *counts, const struct dv_palette *palette,
       enum dv_pair_part part, double scale)
{
  cairo_surface_t *image =
    cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) counts->width,
                                (int) counts->height);
  if (cairo_surface_status (image) != CAIRO_STATUS_SUCCESS)
    return image;
  cairo_surface_flush (image);
  unsigned char *pixels = cairo_image_surface_get_data (image);
  int stride = cairo_image_surface_get_stride (image);
  for (uint32_t y = 0; y < counts->height; y++) {
    unsigned char *line = pixels + (size_t) y * (size_t) stride;
    uint32_t *row = (uint32_t *) (void *) line;
    for (uint32_t x = 0; x < counts->width; x++)
      row[x] = pixel_of (counts, palette, part, x, y);
  }
  cairo_surface_mark_dirty (image);
  cairo_surface_set_device_scale (image, scale, scale);
  return image;
}

/* Takes the counts over.  */
static struct dv_pair_picture *
picture_of (struct dv_pair_counts *counts, const struct dv_palette *palette,
            double scale)
{
  struct dv_pair_picture *picture =
    g_atomic_rc_box_new0 (struct dv_pair_picture);
  unsigned parts = dv_pair_plot_parts (counts->pair, DV_PAIR_ALL_PARTS);
  picture->counts = counts;
  picture->palette = palette;
  for (int i = 0; i < DV_PAIR_PARTS; i++)
    if ((parts >> i & 1) != 0)
      picture->images[i] =
        paint (counts, palette, (enum dv_pair_part) i, scale);
  return picture;
}

struct dv_pair_picture *
dv_pair_picture_new (struct dv_pair *pair, const struct dv_view *view,
                     const struct dv_palette *palette, double width,
                     double height, double scale, bool is_draft,
                     dg_progress_fn progress, void *user,
                     struct dg_error *err)
{
  struct dv_pair_counts *counts = dv_pair_counts_new (
    pair, view, (uint32_t) CLAMP (width * scale, 1, DV_PAIR_MOST_SIDE),
    (uint32_t) CLAMP (height * scale, 1, DV_PAIR_MOST_SIDE), is_draft,
    progress, user, err);
  return counts != NULL ? picture_of (counts, palette, scale) : NULL;
}

struct dv_pair_picture *
dv_pair_picture_repaint (const struct dv_pair_picture *picture,
                         const struct dv_palette *palette)
{
  double scale, unused;
  cairo_surface_get_device_scale (picture->images[0], &scale, &unused);
  return picture_of (dv_pair_counts_ref (picture->counts), palette, scale);
}
