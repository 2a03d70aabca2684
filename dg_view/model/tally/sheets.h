/* sheets.h: counting accesses in sheets: the lines of one page (or of a part
   of it, where it has very many), for one thread.  They are all that an access
   needs; now and then they are added to the sums of all workers.

   Memory: a worker's sheets take at most DV_SHEET_BYTES divided by the number
   of workers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_SHEETS_H
#define DV_SHEETS_H

#include "tally_state.h"

#define DV_SHEET_BYTES (48u << 20)

/* Lines of a sheet, at most: those that are touched are bits of a word.  */
#define DV_SHEET_LINES 64

/* What was done to a line: by DG_ACC_READ and DG_ACC_WRITE, bytes << 32 |
   accesses.  Moments are 1 + the time since the sheets' base; first is 0 if
   nothing was done.  */
struct dv_sheet_cell {
  uint64_t packed[2];
  uint32_t first, last;
};

/* Bytes of a line as bits, each for a 64th of it.  */
struct dv_sheet_bytes {
  uint64_t touched, written;
};

struct dv_sheet {
  uint64_t number;             /* address >> sheet_shift */
  struct dv_sheet_cell *cells;
  struct dv_sheet_bytes *bytes; /* NULL: nobody asks for threads */
  uint32_t *owners;            /* see site_sums.h; NULL: nobody's */
  uint32_t owner_shift;
  uint32_t owner;              /* for `owners` to point to */
  bool counts;                 /* some of it is in the view */
  bool whole;                  /* all of it is */
  uint8_t shard;
  uint32_t thread;
  uint32_t same;               /* the next of that number, + 1; 0: none */
  /* What accesses that touch several lines of a page count too often in
     it.  */
  struct dv_tally_count extra;
};

#define DV_RECENT_SHEETS 512

/* What an access needs of a sheet.  */
struct dv_sheet_recent {
  uint64_t number;
  struct dv_sheet_cell *cells;  /* NULL: it is not wholly in the view */
  const uint32_t *owners;
  uint32_t owner_shift;
  uint32_t index;              /* in the sheets */
};

/* Of one worker.  */
struct dv_sheets {
  /* The same for all.  */
  const struct dv_layout *layout;
  struct dv_view view;
  bool whole_x, by_thread;
  unsigned page_shift, line_shift, sheet_shift;
  uint32_t line_mask;          /* of the numbers within a sheet */

  struct dv_sheet_recent recent[DV_RECENT_SHEETS];   /* of `thread` */
  uint32_t thread;
  uint64_t base;               /* icount that moments count from */
  struct dv_sheet *sheets;
  uint32_t n, most;
  uint32_t reserve;            /* that a run may need */
  uint32_t *owners_of_new;     /* what sheets have at first */
  uint32_t owner_shift_of_new;
  uint32_t *table;             /* number to sheet + 1 */
  uint32_t table_mask;
  struct dv_sheet_cell *cells;  /* for `most` sheets */
  struct dv_sheet_bytes *bytes;
};

/* run_sheets: the most that the accesses of a run may touch.  False: there is
   no memory.  */
bool dv_sheets_init (struct dv_sheets *sheets, const struct dv_scene *scene,
                     const struct dv_view *view, uint32_t run_sheets,
                     unsigned workers);
void dv_sheets_fini (struct dv_sheets *sheets);
/* Whether there is room for whatever a run may need; else what there is must
   be added to the sums first.  */
static inline bool
dv_sheets_have_room (const struct dv_sheets *sheets)
{
  return sheets->n + sheets->reserve <= sheets->most;
}
/* Forgets everything; from now on moments count from `base`.  */
void dv_sheets_clear (struct dv_sheets *sheets, uint64_t base);
/* What is known of a number's owners has changed.  */
void dv_sheets_set_owners (struct dv_sheets *sheets, uint64_t number,
                           uint32_t *owners, unsigned shift);
/* Accesses of another thread follow.  */
void dv_sheets_set_thread (struct dv_sheets *sheets, uint32_t thread);
/* Sets recent: to the sheet of that number, which is made if there is none.
   There must be room.  */
void dv_sheets_get (struct dv_sheets *sheets, uint64_t number,
                    struct dv_sheet_recent *recent);
/* The first of that number, of whatever thread; NULL: there is none.  */
struct dv_sheet *dv_sheets_find (const struct dv_sheets *sheets,
                                 uint64_t number);
/* The next one of its number; NULL: it was the last.  */
static inline struct dv_sheet *
dv_sheets_next (const struct dv_sheets *sheets, const struct dv_sheet *sheet)
{
  return sheet->same == 0 ? NULL : &sheets->sheets[sheet->same - 1];
}

/* Whether a byte of the access is in the view.  */
bool dv_sheets_in_view (struct dv_sheets *sheets, uint64_t address,
                        uint32_t size);
/* Counts an access that is in the view, whatever lines it touches.  */
void dv_sheets_count_any (struct dv_sheets *sheets, uint64_t address,
                          uint32_t size, unsigned kind, uint64_t icount);

static inline struct dv_sheet_recent *
dv_sheets_look (struct dv_sheets *sheets, uint64_t number)
{
  struct dv_sheet_recent *recent
    = &sheets->recent[number % DV_RECENT_SHEETS];
  if (G_UNLIKELY (recent->number != number))
    dv_sheets_get (sheets, number, recent);
  return recent;
}

/* The bits of the bytes from `offset` in a line on.  */
static inline uint64_t
dv_sheet_bits (unsigned line_shift, uint64_t offset, uint64_t size)
{
  uint64_t end = offset + size - 1;
  uint64_t first = line_shift > 6 ? offset >> (line_shift - 6) : offset;
  uint64_t last = line_shift > 6 ? end >> (line_shift - 6) : end;
  return (UINT64_MAX >> (63 - (last - first))) << first;
}

static inline void
dv_sheet_cell_add (struct dv_sheet_cell *cell, uint64_t packed, unsigned kind,
                   uint32_t moment)
{
  if (cell->first == 0)
    cell->first = moment;
  cell->packed[kind] += packed;
  cell->last = moment;
}

/* Addresses >> that are the numbers of sheets.  */
unsigned dv_sheet_shift (const struct dv_data *data);

#endif /* DV_SHEETS_H */
