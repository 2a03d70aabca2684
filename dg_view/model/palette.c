/* palette.c: the colours of reads, writes, and all around them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "palette.h"

#include <math.h>
#include <string.h>

#include <dg_record.h>

#include "i18n.h"

/* A single access among millions must still be seen.  */
#define FAINTEST 0.45

/* Density is looked up for counts below this.  */
#define TABLE 4096

/* How far the colours of pixels with several threads lean to `mixed`.  */
#define MIXED 0.5

/* ---- The colours ----------------------------------------------------- */

#define RGB(hex) { ((hex) >> 16 & 255) / 255.0, ((hex) >> 8 & 255) / 255.0, \
                   ((hex) & 255) / 255.0 }

#define DARK_THEME \
  .is_dark = true, .back = RGB (0x1c2026), .ink = RGB (0xdde2e8), \
  .faint = RGB (0x98a1ac), .frame = RGB (0x3a424d), .range = RGB (0x6cb6ff), \
  .event = RGB (0xc9a0ff)
#define LIGHT_THEME \
  .back = RGB (0xffffff), .ink = RGB (0x1f242b), .faint = RGB (0x5d6671), \
  .frame = RGB (0xb4bcc6), .range = RGB (0x2f6fb5), .event = RGB (0x7a4fb5)

#define DARK_AREA \
  .area = RGB (0x0d1014), .gap = RGB (0xffffff), .page = RGB (0x9aa3ad), \
  .line = RGB (0xe07a6a), .message = RGB (0xd5dae0), \
  .block = RGB (0x7fa8d8), .mark = RGB (0xffffff), \
  .highlight = RGB (0x40f0ff), .shared = RGB (0xffb347), \
  .false_shared = RGB (0xff4fd8), .mixed = RGB (0xffffff), \
  .unknown = RGB (0x8d959f), \
  .threads = { RGB (0x00fff0), RGB (0xe68800), RGB (0x7158ff), \
               RGB (0xa9ed82), RGB (0xd800b0), RGB (0xffee00), \
               RGB (0xdd2536), RGB (0xac6d7f) }
#define LIGHT_AREA \
  .area = RGB (0xffffff), .gap = RGB (0x000000), .page = RGB (0x8c95a0), \
  .line = RGB (0xd98a7e), .message = RGB (0x30363d), \
  .block = RGB (0x44689a), .mark = RGB (0x000000), \
  .highlight = RGB (0x00818c), .shared = RGB (0xb96a00), \
  .false_shared = RGB (0xc4109c), .mixed = RGB (0x000000), \
  .unknown = RGB (0x8d959f), \
  .threads = { RGB (0x00c9d4), RGB (0xdd0010), RGB (0x0100ff), \
               RGB (0xffa000), RGB (0x983451), RGB (0xff16ff), \
               RGB (0x5f1e93), RGB (0xafa06d) }

#define CLASSIC \
  .name = "classic", .title = N_("Green and red"), \
  .read = RGB (0x2ee65a), .write = RGB (0xff3b30), .both = RGB (0xffe62e), \
  DARK_AREA
#define SAFE \
  .name = "safe", .title = N_("Blue and orange"), \
  .read = RGB (0x3d8fe0), .write = RGB (0xf0a020), .both = RGB (0xfff8e6), \
  DARK_AREA
#define CONTRAST \
  .name = "contrast", .title = N_("Dark, medium and light"), \
  .read = RGB (0x7b52e0), .write = RGB (0xf08a4b), .both = RGB (0xfff4c2), \
  DARK_AREA
#define PAPER \
  .name = "paper", .title = N_("White paper"), \
  .read = RGB (0x3f9fe0), .write = RGB (0xc23b00), .both = RGB (0x1a0033), \
  LIGHT_AREA

/* By name, then dark and light.  */
static const struct dv_palette palettes[][2] = {
  { { CLASSIC, DARK_THEME }, { CLASSIC, LIGHT_THEME } },
  { { SAFE, DARK_THEME }, { SAFE, LIGHT_THEME } },
  { { CONTRAST, DARK_THEME }, { CONTRAST, LIGHT_THEME } },
  { { PAPER, DARK_THEME }, { PAPER, LIGHT_THEME } },
};

G_STATIC_ASSERT (DV_LANE_SLOTS == 3 * DV_PALETTE_THREADS);

const char *const *
dv_palette_names (void)
{
  static const char *const names[] = { "classic", "safe", "contrast", "paper",
                                       NULL };
  return names;
}

const struct dv_palette *
dv_palette_find (const char *name, bool dark)
{
  if (name == NULL)
    return &palettes[0][dark ? 0 : 1];
  for (guint i = 0; i < G_N_ELEMENTS (palettes); i++)
    if (strcmp (palettes[i][0].name, name) == 0)
      return &palettes[i][dark ? 0 : 1];
  return NULL;
}

struct dv_rgb
dv_palette_blend (const struct dv_rgb *from, const struct dv_rgb *to,
                  double share)
{
  return (struct dv_rgb){ from->r + (to->r - from->r) * share,
                          from->g + (to->g - from->g) * share,
                          from->b + (to->b - from->b) * share };
}

struct dv_rgb
dv_palette_thread (const struct dv_palette *palette, uint32_t thread)
{
  static const struct dv_rgb white = { 1, 1, 1 }, black = { 0, 0, 0 };
  if (thread == 0)
    return palette->unknown;
  const struct dv_rgb *colour
    = &palette->threads[(thread - 1) % DV_PALETTE_THREADS];
  /* As they are, lighter, darker, and again.  */
  switch ((thread - 1) / DV_PALETTE_THREADS % 3) {
  case 1:
    return dv_palette_blend (colour, &white, 0.4);
  case 2:
    return dv_palette_blend (colour, &black, 0.3);
  default:
    return *colour;
  }
}

/* ---- Counts to pixels ------------------------------------------------ */

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
    struct dv_owner owner = raster->owners[cell];
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
    size_t start = (size_t) y * raster->width;
    for (uint32_t x = 0; x < raster->width; x++) {
      const struct dv_cell *cell = &raster->cells[start + x];
      uint64_t n = (uint64_t) cell->count[0] + cell->count[1];
      row[x] = 0;
      if (n == 0)
        continue;
      struct dv_rgb colour = cell_colour (palette, raster, start + x);
      row[x] = pixel (palette, &colour,
                      n < TABLE ? (double) densities[n]
                                : dv_palette_density (n, raster->max));
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
dv_palette_paint_lane (const struct dv_palette *palette,
                       const struct dv_raster *raster, unsigned char *pixels,
                       int stride)
{
  for (uint32_t y = 0; y < raster->height; y++) {
    unsigned char *line = pixels + (size_t) y * (size_t) stride;
    *(uint32_t *) (void *) line
      = lane_pixel (palette, raster->lane + (size_t) y * DV_LANE_SLOTS);
  }
}
