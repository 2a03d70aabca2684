/* paint.c: the pixels of a raster, by a palette.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "paint.h"

#include <math.h>

#include <dg_record.h>

/* A single access among millions must still be seen.  */
#define FAINTEST 0.45

/* Density is looked up for counts below this.  */
#define TABLE 4096

/* How far the colours of pixels with several threads lean to `mixed`.  */
#define MIXED 0.5

G_STATIC_ASSERT (DV_LANE_SLOTS == 3 * DV_PALETTE_THREADS);

double
dv_paint_density (uint64_t n, uint64_t max)
{
  if (n == 0)
    return 0;
  if (n >= max || max <= 1)
    return 1;
  return FAINTEST + (1 - FAINTEST) * log ((double) n) / log ((double) max);
}

struct dv_rgb
dv_paint_heat (const struct dv_palette *palette, double heat)
{
  if (heat < 0)
    return dv_palette_blend (&palette->area, &palette->unknown, 0.35);
  return heat < 0.5
           ? dv_palette_blend (&palette->good, &palette->middling, 2 * heat)
           : dv_palette_blend (&palette->middling, &palette->bad,
                               2 * heat - 1);
}

static uint32_t
pixel (const struct dv_palette *palette, const struct dv_rgb *colour,
       double density)
{
  /* Opaque, but for the area that it stands on.  */
  struct dv_rgb c = dv_palette_blend (&palette->area, colour, density);
  uint32_t r = (uint32_t) lround (c.r * 255);
  uint32_t g = (uint32_t) lround (c.g * 255);
  uint32_t b = (uint32_t) lround (c.b * 255);
  return 0xff000000u | r << 16 | g << 8 | b;
}

static struct dv_rgb
cell_colour (const struct dv_palette *palette, const struct dv_raster *raster,
             size_t cell)
{
  if (raster->owners != NULL) {
    struct dv_raster_owner owner = raster->owners[cell];
    struct dv_rgb colour = dv_palette_thread (palette, owner.thread);
    return !owner.is_mixed ? colour
           : dv_palette_blend (&colour, &palette->mixed, MIXED);
  }
  const uint32_t *count = raster->cells[cell].count;
  if (count[DG_ACC_READ] > 0 && count[DG_ACC_WRITE] > 0)
    return palette->both;
  return count[DG_ACC_READ] > 0 ? palette->read : palette->write;
}

void
dv_paint_raster (const struct dv_palette *palette,
                  const struct dv_raster *raster, unsigned char *pixels,
                  int stride)
{
  float densities[TABLE];
  for (unsigned i = 0; i < TABLE; i++)
    densities[i] = (float) dv_paint_density (i, raster->max);
  for (uint32_t y = 0; y < raster->height; y++) {
    unsigned char *line = pixels + (size_t) y * (size_t) stride;
    uint32_t *row = (uint32_t *) (void *) line;
    size_t start = (size_t) y * raster->width;
    for (uint32_t x = 0; x < raster->width; x++) {
      const struct dv_raster_cell *cell = &raster->cells[start + x];
      uint64_t n = (uint64_t) cell->count[0] + cell->count[1];
      row[x] = 0;
      if (n == 0)
        continue;
      if (raster->heat != NULL) {
        struct dv_rgb heat =
          dv_paint_heat (palette, (double) raster->heat[start + x]);
        row[x] = pixel (palette, &heat, 1);
        continue;
      }
      struct dv_rgb colour = cell_colour (palette, raster, start + x);
      row[x] = pixel (palette, &colour,
                      n < TABLE ? (double) densities[n]
                                : dv_paint_density (n, raster->max));
    }
  }
}

/* A row is mixed if its other threads executed more than a tenth.  */
static uint32_t
lane_pixel (const struct dv_palette *palette, const uint64_t *row)
{
  uint64_t sum = 0;
  uint32_t most = 0;
  for (uint32_t i = 0; i < DV_LANE_SLOTS; i++) {
    sum += row[i];
    if (row[i] > row[most])
      most = i;
  }
  if (sum == 0)
    return 0;
  struct dv_rgb colour = dv_palette_thread (palette, most + 1);
  if (sum - row[most] > sum / 10)
    colour = dv_palette_blend (&colour, &palette->mixed, MIXED);
  return pixel (palette, &colour, 1);
}

void
dv_paint_lane (const struct dv_palette *palette,
                       const struct dv_raster *raster, unsigned char *pixels,
                       int stride)
{
  for (uint32_t y = 0; y < raster->height; y++) {
    unsigned char *line = pixels + (size_t) y * (size_t) stride;
    *(uint32_t *) (void *) line
      = lane_pixel (palette, raster->lane + (size_t) y * DV_LANE_SLOTS);
  }
}
