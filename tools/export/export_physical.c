/* export_physical.c: where the pages of a program are in physical memory: a
   page gets a frame at its first access, as systems do it.

   Memory: some 50 bytes for each page.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "export_physical.h"

#include "libdatagrind.h"

#include <glib.h>

#define MEMORY_MAX (UINT64_C (1) << 56)
/* Pages that are found without the table.  */
#define RECENT 1024

struct place {
  uint64_t page, frame;
};

struct export_physical {
  unsigned page_bits;
  bool is_scattered, is_full;
  uint64_t n_frames, n_used;
  unsigned frame_bits;     /* 2^frame_bits >= n_frames */
  GHashTable *places;      /* struct place, by page */
  struct place *recent[RECENT];
};

struct export_physical *
export_physical_new (uint32_t page, uint64_t memory, bool is_scattered)
{
  struct export_physical *physical;

  if (memory < page || memory > MEMORY_MAX)
    return NULL;
  physical = g_new0 (struct export_physical, 1);
  physical->page_bits = (unsigned) g_bit_nth_msf (page, -1);
  physical->is_scattered = is_scattered;
  physical->n_frames = memory >> physical->page_bits;
  while (UINT64_C (1) << physical->frame_bits < physical->n_frames)
    physical->frame_bits++;
  /* struct place begins with the page.  */
  physical->places =
    g_hash_table_new_full (dg_hash_uint64, g_int64_equal, g_free, NULL);
  return physical;
}

void
export_physical_free (struct export_physical *physical)
{
  if (physical == NULL)
    return;
  g_hash_table_unref (physical->places);
  g_free (physical);
}

/* Another number of frame_bits bits for each: odd factors and shifts can be
   undone, so that no two numbers become the same.  */
static uint64_t
mix (const struct export_physical *physical, uint64_t number)
{
  uint64_t mask = (UINT64_C (1) << physical->frame_bits) - 1;
  unsigned shift = physical->frame_bits / 2 + 1;

  for (int i = 0; i < 3; i++) {
    number = (number + UINT64_C (0x632be59bd9b4e019)) & mask;
    number = number * UINT64_C (0x9e3779b97f4a7c15) & mask;
    number ^= number >> shift;
  }
  return number;
}

static uint64_t
next_frame (struct export_physical *physical)
{
  uint64_t frame = physical->n_used++;

  if (frame >= physical->n_frames) {
    physical->is_full = true;
    return 0;
  }
  /* Each number is in a circle of numbers that leads back below n_frames.  */
  if (physical->is_scattered)
    do
      frame = mix (physical, frame);
    while (frame >= physical->n_frames);
  return frame;
}

static struct place *
find_place (struct export_physical *physical, uint64_t page)
{
  struct place *place = g_hash_table_lookup (physical->places, &page);

  if (place == NULL) {
    place = g_new (struct place, 1);
    *place = (struct place) {page, next_frame (physical)};
    g_hash_table_add (physical->places, place);
  }
  physical->recent[page % RECENT] = place;
  return place;
}

uint64_t
export_physical_address (struct export_physical *physical, uint64_t address)
{
  uint64_t page = address >> physical->page_bits,
           offset = address & ((UINT64_C (1) << physical->page_bits) - 1);
  const struct place *place = physical->recent[page % RECENT];

  if (G_UNLIKELY (place == NULL || place->page != page))
    place = find_place (physical, page);
  return place->frame << physical->page_bits | offset;
}

bool
export_physical_is_full (const struct export_physical *physical)
{
  return physical != NULL && physical->is_full;
}
