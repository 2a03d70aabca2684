/* palette.h: colours.  No drawing.

   A palette says how data look and, by the theme, what stands around them.
   In all of them reads, writes and both differ in lightness, too, and not in
   hue alone; all but the classic one can be distinguished whatever colours one
   sees, and so can areas in all of them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_PALETTE_H
#define DV_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

struct dv_rgb { double r, g, b; };

/* Colours of threads, before they come again in another shade.  */
#define DV_PALETTE_THREADS 8
/* Likewise, of areas that lie one on the other.  */
#define DV_PALETTE_SERIES 9

struct dv_palette {
  const char *name;        /* for --palette */
  const char *title;       /* N_ (), for people */
  bool is_dark;            /* the theme, not the data area */
  struct dv_rgb back, ink, faint, frame;       /* around the data */
  /* In the data area, which has the same colours in both themes: they are part
     of what the picture says.  */
  struct dv_rgb area, gap, page, line, message;
  struct dv_rgb read, write, both;             /* at full density */
  struct dv_rgb threads[DV_PALETTE_THREADS];   /* the same */
  struct dv_rgb mixed;     /* what the colours of pixels lean to in which
                              several threads meet */
  struct dv_rgb unknown;   /* it is not known yet which thread it was */
  /* Of two logs: accesses of the first only, of the second only, of both.  */
  struct dv_rgb before, after, same;
  struct dv_rgb good, middling, bad;           /* how caches are used */
  struct dv_rgb block, mark, highlight;
  struct dv_rgb shared, false_shared;          /* cache lines */
  struct dv_rgb range, event;                  /* in the strips beside it */
  /* Areas on the theme's background, and what has none of its own.  */
  struct dv_rgb series[DV_PALETTE_SERIES], others;
};

/* The names of all palettes, NULL-terminated; the usual one is the first.  */
const char *const *dv_palette_names (void);
/* NULL if there is none of that name; a name of NULL is the usual one's.
   Palettes live as long as the program.  */
const struct dv_palette *dv_palette_find (const char *name, bool dark);

/* The colour of a thread, numbered from 1, here and in tables; 0: unknown.  */
struct dv_rgb dv_palette_thread (const struct dv_palette *palette,
                                 uint32_t thread);

/* The colour of an area, numbered from 0.  */
struct dv_rgb dv_palette_series (const struct dv_palette *palette,
                                 uint32_t number);

/* `share` of `to` and the rest of `from`.  */
struct dv_rgb dv_palette_blend (const struct dv_rgb *from,
                                const struct dv_rgb *to, double share);

#endif /* DV_PALETTE_H */
