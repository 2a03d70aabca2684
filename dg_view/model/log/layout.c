/* layout.c: touched pages to segments of the X axis, and look-up both ways.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "layout.h"

#include "order.h"

#include <glib.h>

static size_t
count_segments (const uint64_t *pages, size_t n)
{
  size_t segments = 0;
  for (size_t i = 0; i < n; i++)
    if (i == 0 || pages[i] != pages[i - 1] + 1)
      segments++;
  return segments;
}

void
dv_layout_init (struct dv_layout *layout, const uint64_t *pages, size_t n,
                unsigned page_shift)
{
  layout->n = count_segments (pages, n);
  layout->segments = g_new0 (struct dv_segment, layout->n + 1);
  layout->page_shift = page_shift;
  layout->size = 0;

  struct dv_segment *segment = layout->segments - 1;
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || pages[i] != pages[i - 1] + 1) {
      segment++;
      segment->address = pages[i] << page_shift;
      segment->position = layout->size;
    }
    segment->size += (uint64_t) 1 << page_shift;
    layout->size += (uint64_t) 1 << page_shift;
  }
}

void
dv_layout_fini (struct dv_layout *layout)
{
  g_clear_pointer (&layout->segments, g_free);
  layout->n = 0;
  layout->size = 0;
}

bool
dv_layout_position (const struct dv_layout *layout, uint64_t address,
                    uint64_t *position)
{
  /* The number of segments that begin at or before the address.  */
  size_t low = 0, high = layout->n;
  DV_BISECT (low, high, middle, layout->segments[middle].address <= address);
  if (low > 0) {
    const struct dv_segment *segment = &layout->segments[low - 1];
    uint64_t offset = address - segment->address;
    if (offset < segment->size) {
      *position = segment->position + offset;
      return true;
    }
  }
  *position = low < layout->n ? layout->segments[low].position : layout->size;
  return false;
}

bool
dv_layout_has_part (const struct dv_layout *layout, uint64_t first,
                    uint64_t last, uint64_t x0, uint64_t x1)
{
  uint64_t start;
  return dv_layout_position (layout, first, &start) && start < x1
         && start + (last - first) >= x0;
}

const struct dv_segment *
dv_layout_segment (const struct dv_layout *layout, uint64_t position)
{
  size_t low = 0, high = layout->n;
  DV_BISECT (low, high, middle, layout->segments[middle].position <= position);
  return &layout->segments[low > 0 ? low - 1 : 0];
}

uint64_t
dv_layout_address (const struct dv_layout *layout, uint64_t position)
{
  if (layout->n == 0)
    return 0;
  if (position >= layout->size)
    position = layout->size - 1;
  const struct dv_segment *segment = dv_layout_segment (layout, position);
  return segment->address + (position - segment->position);
}
