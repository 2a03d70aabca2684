/* lens.h: where an address is in a view, in pixels.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_LENS_H
#define DV_LENS_H

#include "model/log/pagemap.h"
#include "raster_state.h"

/* Where an address is in the view.  */
struct dv_lens {
  struct dv_scale x;
  struct dv_pagemap pages;     /* of the view; value: position - view.x0 */
  uint64_t page_mask;
  unsigned page_shift;
};

void dv_lens_init (struct dv_lens *lens, const struct dv_scene *scene,
                   const struct dv_raster *raster);
void dv_lens_fini (struct dv_lens *lens);

#endif /* DV_LENS_H */
