/* scale.h: whole units (bytes of the layout, instructions) to pixels.

   A scale shows span units, from start on, on a number of pixels.  Unit u
   (counted from start) owns the pixels from dv_scale_pixel (u) to
   dv_scale_last (u): one pixel when units are narrower than pixels, several
   when they are wider.  No drawing here, and no clipping.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SCALE_H
#define DV_SCALE_H

#include <stdbool.h>
#include <stdint.h>

struct dv_scale {
  uint64_t start;    /* first unit shown */
  uint64_t span;     /* units shown, > 0 */
  uint32_t pixels;   /* > 0, at most 65535 */
  bool wide;         /* which of the two fixed points `mul` is in */
  uint64_t mul;      /* pixels of a unit; 0: too few for a fixed point */
};

static inline void
dv_scale_init (struct dv_scale *scale, uint64_t start, uint64_t span,
               uint32_t pixels)
{
  scale->start = start;
  scale->span = span;
  scale->pixels = pixels;
  scale->wide = span >= 1u << 16;
  /* Rounded up, so that exact multiples do not fall one pixel short.  Unit u
     goes u / 2^64 of a pixel too far then, which must be less than a unit, or
     the last ones would lie behind the last pixel.  */
  unsigned __int128 one = (unsigned __int128) pixels
                          << (scale->wide ? 64 : 32);
  bool fits = (unsigned __int128) span * span
              < (unsigned __int128) pixels << 64;
  scale->mul = fits ? (uint64_t) ((one + span - 1) / span) : 0;
}

/* The pixel in which unit u <= span begins: floor (u * pixels / span).  */
static inline uint32_t
dv_scale_pixel (const struct dv_scale *scale, uint64_t u)
{
  if (!scale->wide)
    return (uint32_t) ((u * scale->mul) >> 32);
  if (__builtin_expect (scale->mul != 0, 1))
    return (uint32_t) (((unsigned __int128) u * scale->mul) >> 64);
  return (uint32_t) ((unsigned __int128) u * scale->pixels / scale->span);
}

/* The last pixel that unit u < span owns.  */
static inline uint32_t
dv_scale_last (const struct dv_scale *scale, uint64_t u)
{
  uint32_t first = dv_scale_pixel (scale, u);
  if (scale->span >= scale->pixels)
    return first;
  uint32_t next = dv_scale_pixel (scale, u + 1);
  return next > first ? next - 1 : first;
}

/* The first unit that begins in pixel p or behind it; span if none.  */
static inline uint64_t
dv_scale_unit (const struct dv_scale *scale, uint32_t p)
{
  if (p >= scale->pixels)
    return scale->span;
  uint64_t u = (uint64_t) (((unsigned __int128) p * scale->span
                            + scale->pixels - 1) / scale->pixels);
  while (u > 0 && dv_scale_pixel (scale, u - 1) >= p)
    u--;
  while (u < scale->span && dv_scale_pixel (scale, u) < p)
    u++;
  return u;
}

/* The unit that owns pixel p: the one that is drawn there, when units are
   wider than pixels; else the first of those that begin there.  */
static inline uint64_t
dv_scale_owner (const struct dv_scale *scale, uint32_t p)
{
  uint64_t u = dv_scale_unit (scale, p);
  if (u > 0 && (u == scale->span || dv_scale_pixel (scale, u) > p))
    u--;
  return u;
}

#endif /* DV_SCALE_H */
