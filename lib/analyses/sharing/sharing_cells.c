/* sharing_cells.c: recent counts of accesses by thread and address.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing_cells.h"

#include <string.h>

void
sharing_cells_init (struct sharing_cells *cells)
{
  memset (cells, 0, sizeof *cells);
  cells->nowhere.page = UINT64_MAX;
  dg_shadow_init (&cells->pages, sizeof (struct sharing_page));
  sharing_cells_set_thread (cells, 0);
}

void
sharing_cells_fini (struct sharing_cells *cells)
{
  struct sharing_plane **planes = cells->planes.items;

  for (size_t i = 0; i < cells->planes.n; i++)
    g_free (planes[i]);
  dg_table_fini (&cells->planes);
  dg_arena_fini (&cells->sheets);
  dg_shadow_fini (&cells->pages);
}

void
sharing_cells_set_thread (struct sharing_cells *cells, uint32_t thread)
{
  cells->thread = thread;
  for (unsigned i = 0; i < SHARING_RECENT; i++)
    cells->recent[i] = &cells->nowhere;
}

bool
sharing_cells_are_full (const struct sharing_cells *cells)
{
  return cells->n_planes * sizeof (struct sharing_plane)
           + cells->n_sheets * sizeof (struct sharing_sheet)
           > SHARING_CELL_BYTES
         || cells->longest > SHARING_PAGE_SHEETS;
}

/* ---- Sheets ------------------------------------------------------------- */

/* NULL: no memory.  */
static struct sharing_sheet *
add_sheet (struct sharing_cells *cells, struct sharing_page *page)
{
  struct sharing_sheet *sheet = dg_arena_alloc (&cells->sheets, sizeof *sheet);

  if (sheet == NULL)
    return NULL;
  *sheet = (struct sharing_sheet) { .page = page->page,
                                    .thread = cells->thread,
                                    .next = page->sheets };
  page->sheets = sheet;
  cells->n_sheets++;
  return sheet;
}

struct sharing_sheet *
sharing_cells_sheet (struct sharing_cells *cells, uint64_t number)
{
  struct sharing_page *page = dg_shadow_get (&cells->pages, number);
  struct sharing_sheet *sheet = page != NULL ? page->sheets : NULL;
  uint32_t n = 1;

  for (; sheet != NULL && sheet->thread != cells->thread; n++)
    sheet = sheet->next;
  if (sheet == NULL && page != NULL) {
    sheet = add_sheet (cells, page);
    cells->longest = MAX (cells->longest, n);
  }
  if (sheet == NULL)
    cells->failed = true;
  else
    cells->recent[number % SHARING_RECENT] = sheet;
  return sheet;
}

struct sharing_plane *
sharing_cells_plane (struct sharing_cells *cells, struct sharing_sheet *sheet,
                     unsigned plane)
{
  struct sharing_plane **planes = cells->planes.items;

  if (cells->n_planes == cells->planes.n) {
    struct sharing_plane *new = g_try_new0 (struct sharing_plane, 1);
    struct sharing_plane **place =
      new != NULL ? dg_table_add (&cells->planes, sizeof *place) : NULL;

    if (place == NULL) {
      g_free (new);
      cells->failed = true;
      return NULL;
    }
    *place = new;
    planes = cells->planes.items;
  }
  sheet->planes[plane] = planes[cells->n_planes++];
  return sheet->planes[plane];
}

/* ---- Gathering ---------------------------------------------------------- */

/* Those of a plane that are in groups of cells from the first address to the
   last.  */
static void
gather_plane (struct sharing_sheet *sheet, unsigned number, uint64_t first,
              uint64_t last, sharing_gather_fn tell, void *user)
{
  struct sharing_plane *plane = sheet->planes[number];
  uint64_t origin = sheet->page << SHARING_PAGE_SHIFT;
  unsigned from = (unsigned) ((first - origin) / SHARING_PLANES);
  unsigned to = (unsigned) ((last - origin) / SHARING_PLANES);
  uint64_t groups = plane->touched;

  groups &= UINT64_MAX << (from / 16);
  groups &= UINT64_MAX >> (63 - to / 16);
  for (; groups != 0; groups &= groups - 1) {
    unsigned group = (unsigned) __builtin_ctzll (groups);
    bool is_whole = true;

    for (unsigned i = group * 16; i < group * 16 + 16; i++) {
      struct sharing_cell *cell = &plane->cells[i];
      uint64_t address = origin + i * SHARING_PLANES + number;

      if (address < first || address > last) {
        is_whole = false;
      } else if ((cell->counts[0] | cell->counts[1]) != 0) {
        tell (user, address, sheet->thread, cell);
        memset (cell, 0, sizeof *cell);
      }
    }
    if (is_whole)
      plane->touched &= ~((uint64_t) 1 << group);
  }
}

static void
gather_sheet (struct sharing_sheet *sheet, uint64_t low, uint64_t last,
              sharing_gather_fn tell, void *user)
{
  uint64_t first = sheet->page << SHARING_PAGE_SHIFT;
  uint64_t end = first + ((uint64_t) 1 << SHARING_PAGE_SHIFT) - 1;

  for (unsigned i = 0; i < SHARING_PLANES; i++)
    if (sheet->planes[i] != NULL && sheet->planes[i]->touched != 0)
      gather_plane (sheet, i, MAX (first, low), MIN (end, last), tell, user);
}

/* Addresses low .. last.  */
static void
gather (struct sharing_cells *cells, uint64_t low, uint64_t last,
        sharing_gather_fn tell, void *user)
{
  struct dg_shadow_walk walk = dg_shadow_range (
    &cells->pages, low >> SHARING_PAGE_SHIFT, last >> SHARING_PAGE_SHIFT);
  struct sharing_page *page;

  while ((page = dg_shadow_next (&walk)) != NULL)
    for (struct sharing_sheet *sheet = page->sheets; sheet != NULL;
         sheet = sheet->next)
      gather_sheet (sheet, low, last, tell, user);
}

void
sharing_cells_gather (struct sharing_cells *cells, uint64_t low, uint64_t high,
                      sharing_gather_fn tell, void *user)
{
  if (high > low)
    gather (cells, low, high - 1, tell, user);
}

void
sharing_cells_gather_all (struct sharing_cells *cells, sharing_gather_fn tell,
                          void *user)
{
  gather (cells, 0, UINT64_MAX, tell, user);
  dg_shadow_clear (&cells->pages);
  dg_arena_fini (&cells->sheets);
  cells->n_sheets = cells->n_planes = cells->longest = 0;
  sharing_cells_set_thread (cells, cells->thread);
}
