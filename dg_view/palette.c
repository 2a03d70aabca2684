/* palette.c: the colours of reads, writes, and all around them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "palette.h"

#include <math.h>
#include <stdbool.h>

#include <dg_record.h>

/* A single access among millions must still be seen.  */
#define FAINTEST 0.45

/* Density is looked up for counts below this.  */
#define TABLE 4096

#define RGB(hex) { ((hex) >> 16 & 255) / 255.0, ((hex) >> 8 & 255) / 255.0, \
                   ((hex) & 255) / 255.0 }
#define DATA_COLOURS \
  .area = RGB (0x0d1014), .gap = RGB (0xffffff), .page = RGB (0x9aa3ad), \
  .line = RGB (0xe07a6a), .message = RGB (0xd5dae0), \
  .read = RGB (0x2ee65a), .write = RGB (0xff3b30), .both = RGB (0xffe62e), \
  .block = RGB (0x7fa8d8), .mark = RGB (0xffffff)

static const struct dv_palette dark = {
  .back = RGB (0x1c2026), .ink = RGB (0xdde2e8), .faint = RGB (0x98a1ac),
  .frame = RGB (0x3a424d), .range = RGB (0x6cb6ff), .event = RGB (0xc9a0ff),
  DATA_COLOURS
};

static const struct dv_palette light = {
  .back = RGB (0xffffff), .ink = RGB (0x1f242b), .faint = RGB (0x5d6671),
  .frame = RGB (0xb4bcc6), .range = RGB (0x2f6fb5), .event = RGB (0x7a4fb5),
  DATA_COLOURS
};

const struct dv_palette *
dv_palette_dark (void)
{
  return &dark;
}

const struct dv_palette *
dv_palette_light (void)
{
  return &light;
}

double
dv_palette_density (uint64_t n, uint64_t max)
{
  if (n == 0)
    return 0;
  if (n >= max || max <= 1)
    return 1;
  return FAINTEST + (1 - FAINTEST) * log ((double) n) / log ((double) max);
}

static uint32_t
pixel (const struct dv_rgb *colour, double density)
{
  /* Opaque, but for the darkness of the area that it stands on.  */
  uint32_t r = (uint32_t) lround (colour->r * density * 255);
  uint32_t g = (uint32_t) lround (colour->g * density * 255);
  uint32_t b = (uint32_t) lround (colour->b * density * 255);
  return 0xff000000u | r << 16 | g << 8 | b;
}

static uint32_t
cell_pixel (const struct dv_palette *palette, const struct dv_cell *cell,
            double density)
{
  bool read = cell->count[DG_ACC_READ] > 0;
  bool written = cell->count[DG_ACC_WRITE] > 0;
  return pixel (read && written ? &palette->both
                : read ? &palette->read : &palette->write, density);
}

void
dv_palette_paint (const struct dv_palette *palette,
                  const struct dv_raster *raster, unsigned char *pixels,
                  int stride)
{
  float densities[TABLE];
  for (unsigned i = 0; i < TABLE; i++)
    densities[i] = (float) dv_palette_density (i, raster->max);
  for (uint32_t y = 0; y < raster->height; y++) {
    unsigned char *line = pixels + (size_t) y * (size_t) stride;
    uint32_t *row = (uint32_t *) (void *) line;
    const struct dv_cell *cell = dv_raster_cell (raster, 0, y);
    for (uint32_t x = 0; x < raster->width; x++, cell++) {
      uint64_t n = (uint64_t) cell->count[0] + cell->count[1];
      row[x] = n == 0 ? 0
               : cell_pixel (palette, cell,
                             n < TABLE ? (double) densities[n]
                                       : dv_palette_density (n, raster->max));
    }
  }
}
