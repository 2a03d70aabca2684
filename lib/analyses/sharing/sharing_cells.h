/* sharing_cells.h: how often threads accessed addresses lately, before anybody
   asks which variables are there.

   A sheet is a page of memory and a thread, and has a cell for each address;
   looking a cell up takes no more than counting does.  When a variable ends,
   the cells of its memory are gathered.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_SHARING_CELLS_H
#define DG_SHARING_CELLS_H

#include <glib.h>

#include "dg_analysis.h"
#include "base/arena.h"
#include "base/shadow.h"
#include "base/table.h"

/* A page has 4096 addresses; those with the same last two bits are together,
   as most accesses are to addresses that end in 00.  */
#define SHARING_PAGE_SHIFT 12
#define SHARING_PLANES     4
#define SHARING_CELLS      (4096 / SHARING_PLANES)

/* Beyond, all cells are gathered.  */
#define SHARING_CELL_BYTES (64u << 20)
/* The same, since the sheets of a page are looked through.  */
#define SHARING_PAGE_SHEETS 128

struct sharing_cell {
  uint32_t counts[2];      /* by enum dg_access_kind */
};

struct sharing_plane {
  uint64_t touched;        /* bit i: one of cells 16 i to 16 i + 15 was */
  struct sharing_cell cells[SHARING_CELLS];
};

struct sharing_sheet {
  uint64_t page;
  uint32_t thread;
  struct sharing_sheet *next;          /* of the same page */
  struct sharing_plane *planes[SHARING_PLANES];    /* NULL: not touched */
};

struct sharing_page {
  uint64_t page;
  struct sharing_sheet *sheets;
};

#define SHARING_RECENT 64

/* One thread's.  */
struct sharing_cells {
  uint32_t thread;         /* that `recent` is about */
  struct sharing_sheet *recent[SHARING_RECENT];    /* by page; never NULL */
  struct sharing_sheet nowhere;
  struct dg_shadow pages;  /* struct sharing_page */
  struct dg_arena sheets;
  uint32_t n_sheets;
  uint32_t longest;        /* sheets of a page, when one was last added */
  struct dg_table planes;  /* struct sharing_plane *: all that were made */
  uint32_t n_planes;       /* of them, those in use */
  bool failed;             /* no memory: what was told since is missing */
};

/* Told of each cell that is not zero.  */
typedef void (*sharing_gather_fn) (void *user, uint64_t address,
                                   uint32_t thread,
                                   const struct sharing_cell *cell);

void sharing_cells_init (struct sharing_cells *cells);
void sharing_cells_fini (struct sharing_cells *cells);
/* Tells of the cells of addresses low .. high - 1, which are zero then.  */
void sharing_cells_gather (struct sharing_cells *cells, uint64_t low,
                           uint64_t high, sharing_gather_fn tell, void *user);
/* The same of all of them, in no order, and forgets the sheets.  */
void sharing_cells_gather_all (struct sharing_cells *cells,
                               sharing_gather_fn tell, void *user);
bool sharing_cells_are_full (const struct sharing_cells *cells);

/* Accesses that follow are this thread's.  */
void sharing_cells_set_thread (struct sharing_cells *cells, uint32_t thread);
/* For sharing_cells_count.  NULL: no memory, and it has failed.  */
struct sharing_sheet *sharing_cells_sheet (struct sharing_cells *cells,
                                           uint64_t page);
struct sharing_plane *sharing_cells_plane (struct sharing_cells *cells,
                                           struct sharing_sheet *sheet,
                                           unsigned plane);

static inline void
sharing_cells_count (struct sharing_cells *cells, uint64_t address,
                     unsigned kind)
{
  uint64_t page = address >> SHARING_PAGE_SHIFT;
  struct sharing_sheet *sheet = cells->recent[page % SHARING_RECENT];
  unsigned cell = address / SHARING_PLANES % SHARING_CELLS;
  struct sharing_plane *plane;

  if (G_UNLIKELY (sheet->page != page)) {
    sheet = sharing_cells_sheet (cells, page);
    if (sheet == NULL)
      return;
  }
  plane = sheet->planes[address % SHARING_PLANES];
  if (G_UNLIKELY (plane == NULL)) {
    plane = sharing_cells_plane (cells, sheet, address % SHARING_PLANES);
    if (plane == NULL)
      return;
  }
  plane->touched |= (uint64_t) 1 << (cell / 16);
  plane->cells[cell].counts[kind & 1]++;
}

#endif /* DG_SHARING_CELLS_H */
