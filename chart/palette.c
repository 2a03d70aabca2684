/* palette.c: the colours of reads, writes, and all around them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "palette.h"

#include <glib.h>
#include <string.h>

#include "i18n.h"

/* ---- The colours ----------------------------------------------------- */

#define RGB(hex) { ((hex) >> 16 & 255) / 255.0, ((hex) >> 8 & 255) / 255.0, \
                   ((hex) & 255) / 255.0 }

#define DARK_THEME \
  .is_dark = true, .back = RGB (0x1c2026), .ink = RGB (0xdde2e8), \
  .faint = RGB (0x98a1ac), .frame = RGB (0x3a424d), .range = RGB (0x6cb6ff), \
  .event = RGB (0xc9a0ff), .others = RGB (0x454c55)
#define LIGHT_THEME \
  .back = RGB (0xffffff), .ink = RGB (0x1f242b), .faint = RGB (0x5d6671), \
  .frame = RGB (0xb4bcc6), .range = RGB (0x2f6fb5), .event = RGB (0x7a4fb5), \
  .others = RGB (0xdde1e6)

/* What is distinguished by most on the theme's background, whatever colours
   one sees; neighbours differ the most.  */
#define DARK_SERIES \
  .series = { RGB (0x33bbee), RGB (0xe9c46a), RGB (0x7570b3), \
              RGB (0xfb9a99), RGB (0x59a14f), RGB (0xd45087), \
              RGB (0xa6cee3), RGB (0x997700), RGB (0xbcbd22) }
#define LIGHT_SERIES \
  .series = { RGB (0x4477aa), RGB (0xe9c46a), RGB (0x994455), \
              RGB (0x33bbee), RGB (0xaaaa00), RGB (0xfb9a99), \
              RGB (0xa6761d), RGB (0xa6cee3), RGB (0xe15759) }
/* Stronger: those of Okabe and Ito, "Color Universal Design", 2008, and two
   more.  */
#define STRONG_SERIES \
  .series = { RGB (0x0072b2), RGB (0xe69f00), RGB (0x56b4e9), \
              RGB (0xd55e00), RGB (0xf0e442), RGB (0x009e73), \
              RGB (0xcc79a7), RGB (0x882255), RGB (0x332288) }

#define DARK_AREA \
  .area = RGB (0x0d1014), .gap = RGB (0xffffff), .page = RGB (0x9aa3ad), \
  .line = RGB (0xe07a6a), .message = RGB (0xd5dae0), \
  .block = RGB (0x7fa8d8), .mark = RGB (0xffffff), \
  .highlight = RGB (0x40f0ff), .shared = RGB (0xffb347), \
  .false_shared = RGB (0xff4fd8), .mixed = RGB (0xffffff), \
  .unknown = RGB (0x8d959f), .before = RGB (0x2f8fff), \
  .after = RGB (0xff8a1f), .same = RGB (0xe4e7ea), \
  .good = RGB (0x2f5f9e), .middling = RGB (0x9b9690), \
  .bad = RGB (0xffe04a), \
  .threads = { RGB (0x00fff0), RGB (0xe68800), RGB (0x7158ff), \
               RGB (0xa9ed82), RGB (0xd800b0), RGB (0xffee00), \
               RGB (0xdd2536), RGB (0xac6d7f) }
#define LIGHT_AREA \
  .area = RGB (0xffffff), .gap = RGB (0x000000), .page = RGB (0x8c95a0), \
  .line = RGB (0xd98a7e), .message = RGB (0x30363d), \
  .block = RGB (0x44689a), .mark = RGB (0x000000), \
  .highlight = RGB (0x00818c), .shared = RGB (0xb96a00), \
  .false_shared = RGB (0xc4109c), .mixed = RGB (0x000000), \
  .unknown = RGB (0x8d959f), .before = RGB (0x56a8f0), \
  .after = RGB (0xd55e00), .same = RGB (0x3c3f44), \
  .good = RGB (0xb4d3f2), .middling = RGB (0x8d8577), \
  .bad = RGB (0x7a1600), \
  .threads = { RGB (0x00c9d4), RGB (0xdd0010), RGB (0x0100ff), \
               RGB (0xffa000), RGB (0x983451), RGB (0xff16ff), \
               RGB (0x5f1e93), RGB (0xafa06d) }

#define CLASSIC                                                             \
  .name = "classic", .title = N_ ("Green and red"), .read = RGB (0x2ee65a), \
  .write = RGB (0xff3b30), .both = RGB (0xffe62e), DARK_AREA
#define SAFE                                                               \
  .name = "safe", .title = N_ ("Blue and orange"), .read = RGB (0x3d8fe0), \
  .write = RGB (0xf0a020), .both = RGB (0xfff8e6), DARK_AREA
#define CONTRAST                                                           \
  .name = "contrast", .title = N_ ("Dark, medium and light"),              \
  .read = RGB (0x7b52e0), .write = RGB (0xf08a4b), .both = RGB (0xfff4c2), \
  DARK_AREA
#define PAPER                                                           \
  .name = "paper", .title = N_ ("White paper"), .read = RGB (0x3f9fe0), \
  .write = RGB (0xc23b00), .both = RGB (0x1a0033), LIGHT_AREA

/* By name, then dark and light.  */
static const struct dv_palette palettes[][2] = {
  { { CLASSIC, DARK_THEME, DARK_SERIES },
    { CLASSIC, LIGHT_THEME, LIGHT_SERIES } },
  { { SAFE, DARK_THEME, DARK_SERIES }, { SAFE, LIGHT_THEME, LIGHT_SERIES } },
  { { CONTRAST, DARK_THEME, STRONG_SERIES },
    { CONTRAST, LIGHT_THEME, STRONG_SERIES } },
  { { PAPER, DARK_THEME, DARK_SERIES },
    { PAPER, LIGHT_THEME, LIGHT_SERIES } },
};

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

/* As they are, lighter, darker, and again.  */
static struct dv_rgb
pick (const struct dv_rgb *colours, uint32_t n, uint32_t number)
{
  static const struct dv_rgb white = { 1, 1, 1 }, black = { 0, 0, 0 };
  const struct dv_rgb *colour = &colours[number % n];
  switch (number / n % 3) {
  case 1:
    return dv_palette_blend (colour, &white, 0.4);
  case 2:
    return dv_palette_blend (colour, &black, 0.3);
  default:
    return *colour;
  }
}

struct dv_rgb
dv_palette_thread (const struct dv_palette *palette, uint32_t thread)
{
  return thread == 0 ? palette->unknown
                     : pick (palette->threads, DV_PALETTE_THREADS,
                             thread - 1);
}

struct dv_rgb
dv_palette_series (const struct dv_palette *palette, uint32_t number)
{
  return pick (palette->series, DV_PALETTE_SERIES, number);
}
