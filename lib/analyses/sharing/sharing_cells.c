/* sharing_cells.c: how often threads accessed addresses lately.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing_cells.h"

#include <string.h>

/* Sheets that are allocated at a time.  */
#define PIECE 128

void
sharing_cells_init (struct sharing_cells *cells)
{
  memset (cells, 0, sizeof *cells);
  cells->nowhere.page = UINT64_MAX;
  cells->mask = 255;
  cells->slots = g_new0 (uint32_t, cells->mask + 1);
  sharing_cells_set_thread (cells, 0);
}

static void
free_all (struct dg_table *table)
{
  void **items = table->items;

  for (size_t i = 0; i < table->n; i++)
    g_free (items[i]);
  dg_table_fini (table);
}

/* Puts something of n bytes into a table of what is to be freed.  */
static bool
add_new (struct dg_table *table, size_t n)
{
  void **item = dg_table_add (table, sizeof *item);

  if (item == NULL)
    return false;
  *item = g_try_malloc0 (n);
  if (*item == NULL)
    table->n--;
  return *item != NULL;
}

void
sharing_cells_fini (struct sharing_cells *cells)
{
  free_all (&cells->pieces);
  free_all (&cells->planes);
  g_free (cells->slots);
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

static struct sharing_sheet *
sheet_at (const struct sharing_cells *cells, uint32_t i)
{
  struct sharing_sheet *piece =
    ((struct sharing_sheet **) cells->pieces.items)[i / PIECE];

  return &piece[i % PIECE];
}

/* The slot of a page, or the free one where it would go.  */
static uint32_t *
probe (const struct sharing_cells *cells, uint64_t page)
{
  uint32_t i = (uint32_t) (page * 0x9e3779b97f4a7c15u >> 32);

  for (;; i++) {
    uint32_t *slot = &cells->slots[i & cells->mask];

    if (*slot == 0 || sheet_at (cells, *slot - 1)->page == page)
      return slot;
  }
}

static bool
grow (struct sharing_cells *cells)
{
  uint32_t *old = cells->slots, n = cells->mask + 1;
  uint32_t *slots = g_try_new0 (uint32_t, 2 * (size_t) n);

  if (slots == NULL)
    return false;
  cells->mask = cells->mask * 2 + 1;
  cells->slots = slots;
  for (uint32_t i = 0; i < n; i++)
    if (old[i] != 0)
      *probe (cells, sheet_at (cells, old[i] - 1)->page) = old[i];
  g_free (old);
  return true;
}

static struct sharing_sheet *
add_sheet (struct sharing_cells *cells, uint64_t page, uint32_t *slot)
{
  struct sharing_sheet *sheet;

  if (cells->n_sheets / PIECE == cells->pieces.n
      && !add_new (&cells->pieces, PIECE * sizeof *sheet))
    return NULL;
  sheet = sheet_at (cells, cells->n_sheets++);
  memset (sheet, 0, sizeof *sheet);
  sheet->page = page;
  sheet->thread = cells->thread;
  sheet->next = *slot;
  *slot = cells->n_sheets;
  return sheet;
}

struct sharing_sheet *
sharing_cells_sheet (struct sharing_cells *cells, uint64_t page)
{
  uint32_t *slot = probe (cells, page);
  struct sharing_sheet *sheet = NULL;
  uint32_t n = 1;

  if (*slot == 0) {
    if (cells->n_pages >= cells->mask / 4 * 3) {
      if (!grow (cells)) {
        cells->failed = true;
        return NULL;
      }
      slot = probe (cells, page);
    }
  }
  for (uint32_t i = *slot; i != 0 && sheet == NULL;
       i = sheet_at (cells, i - 1)->next, n++)
    if (sheet_at (cells, i - 1)->thread == cells->thread)
      sheet = sheet_at (cells, i - 1);
  if (sheet == NULL) {
    cells->n_pages += *slot == 0;
    sheet = add_sheet (cells, page, slot);
    if (sheet == NULL) {
      cells->failed = true;
      return NULL;
    }
    cells->longest = MAX (cells->longest, n);
  }
  cells->recent[page % SHARING_RECENT] = sheet;
  return sheet;
}

struct sharing_plane *
sharing_cells_plane (struct sharing_cells *cells, struct sharing_sheet *sheet,
                     unsigned plane)
{
  struct sharing_plane **planes;

  if (cells->n_planes == cells->planes.n
      && !add_new (&cells->planes, sizeof (struct sharing_plane))) {
    cells->failed = true;
    return NULL;
  }
  planes = cells->planes.items;
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

void
sharing_cells_gather (struct sharing_cells *cells, uint64_t low, uint64_t high,
                      sharing_gather_fn tell, void *user)
{
  uint64_t from = low >> SHARING_PAGE_SHIFT;
  uint64_t to = (high - 1) >> SHARING_PAGE_SHIFT;

  if (high <= low)
    return;
  if (to - from >= cells->n_pages) {
    for (uint32_t i = 0; i < cells->n_sheets; i++) {
      struct sharing_sheet *sheet = sheet_at (cells, i);

      if (sheet->page >= from && sheet->page <= to)
        gather_sheet (sheet, low, high - 1, tell, user);
    }
    return;
  }
  for (uint64_t page = from; page <= to; page++)
    for (uint32_t i = *probe (cells, page); i != 0;
         i = sheet_at (cells, i - 1)->next)
      gather_sheet (sheet_at (cells, i - 1), low, high - 1, tell, user);
}

void
sharing_cells_gather_all (struct sharing_cells *cells, sharing_gather_fn tell,
                          void *user)
{
  for (uint32_t i = 0; i < cells->n_sheets; i++)
    gather_sheet (sheet_at (cells, i), 0, UINT64_MAX, tell, user);
  memset (cells->slots, 0,
          ((size_t) cells->mask + 1) * sizeof *cells->slots);
  cells->n_sheets = cells->n_pages = cells->n_planes = cells->longest = 0;
  sharing_cells_set_thread (cells, cells->thread);
}
