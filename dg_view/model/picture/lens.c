/* lens.c: the pages of a view.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "lens.h"

/* With the pages of the view, those that are partly seen included.  */
void
dv_lens_init (struct dv_lens *lens, const struct dv_scene *scene,
              const struct dv_raster *raster)
{
  const struct dv_layout *layout = &scene->layout;
  const struct dv_view *view = &raster->view;
  lens->x = raster->x;
  lens->page_shift = layout->page_shift;
  lens->page_mask = ((uint64_t) 1 << layout->page_shift) - 1;
  uint64_t position = view->x0 & ~lens->page_mask;
  dv_pagemap_init (&lens->pages,
                   (size_t) ((view->x1 - position) >> lens->page_shift) + 1);
  for (; position < view->x1; position += lens->page_mask + 1) {
    uint64_t address = dv_layout_address (layout, position);
    dv_pagemap_insert (&lens->pages, address >> lens->page_shift,
                       (int64_t) (position - view->x0));
  }
}

void
dv_lens_fini (struct dv_lens *lens)
{
  dv_pagemap_fini (&lens->pages);
}
