/* owners.h: counting accesses by heap block.

   Asking the library for the block of each access would take longer than all
   else.  So a worker remembers the owners of the places that it meets: a
   sheet has a number for every few bytes, or one for all of it, which leads
   to a block (or none) with the addresses and the time for which that is
   right.  Blocks that begin while the worker reads on are entered when their
   moment comes; what is not known, or is no longer right, is asked and
   entered.

   Memory: DV_OWNER_BYTES divided by the number of workers, each.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DV_OWNERS_H
#define DV_OWNERS_H

#include "sheets.h"

#define DV_OWNER_BYTES (48u << 20)

/* Numbers for a sheet, at most.  */
#define DV_SHEET_OWNERS 512

/* In a cache line of its own.  */
struct __attribute__ ((aligned (64))) dv_owners_entry {
  uint64_t low, size;          /* addresses */
  uint64_t until;              /* moments before that */
  uint64_t packed[2];          /* as those of a line */
  uint32_t block;              /* DG_NONE: nobody's */
};

/* Of one worker.  */
struct dv_owners {
  const struct dg_space *space;   /* NULL: nobody knows */
  const struct dg_log *log;
  size_t n_blocks;
  unsigned sheet_shift, shift; /* of a sheet, of the bytes for a number */
  uint32_t mask;               /* of the numbers within a sheet */
  size_t next;                 /* the first block that has not begun */
  uint64_t next_icount;        /* when it will */
  struct dv_owners_entry *items; /* [0]: not known; [1]: nobody's, for ever */
  void *items_memory;
  uint32_t n, most;
  uint32_t *numbers;           /* for `most_sheets` */
  uint32_t n_sheets, most_sheets;
  uint32_t reserve;            /* items, and sheets, that a run may need */
  uint32_t unknown[DV_SHEET_OWNERS];   /* all 0: of new sheets */
};

/* run_slots: the most accesses of a run.  Without a space, or heap blocks,
   nothing is anybody's.  False: there is no memory.  */
bool dv_owners_init (struct dv_owners *owners, const struct dv_data *data,
                     uint32_t run_slots, unsigned workers);
void dv_owners_fini (struct dv_owners *owners);
/* Says what sheets have as owners when they are made.  */
void dv_owners_set_new (struct dv_owners *owners, struct dv_sheets *sheets);
/* Whether there is room for whatever a run may need.  */
static inline bool
dv_owners_have_room (const struct dv_owners *owners)
{
  return owners->n + owners->reserve <= owners->most
         && owners->n_sheets + owners->reserve <= owners->most_sheets;
}
/* Forgets everything, together with the sheets; `icount` is that of the run
   that follows.  */
void dv_owners_clear (struct dv_owners *owners, uint64_t icount);
/* Blocks begin; to be called when next_icount has come.  False when there is
   no room for all: clear, and go on.  */
bool dv_owners_begin (struct dv_owners *owners, struct dv_sheets *sheets,
                      uint64_t icount);
/* Finds out whose an address of a sheet is.  */
struct dv_owners_entry *dv_owners_ask (struct dv_owners *owners,
                                struct dv_sheets *sheets, uint64_t address,
                                uint64_t icount);

/* Counts an access, of which the first byte is in the sheet.  */
static inline void
dv_owners_count (struct dv_owners *owners, struct dv_sheets *sheets,
                 const struct dv_sheet_recent *sheet, uint32_t mask,
                 uint64_t address, uint64_t packed, unsigned kind,
                 uint64_t icount)
{
  if (sheet->owners == NULL)
    return;
  struct dv_owners_entry *owner
    = &owners->items[sheet->owners[address >> sheet->owner_shift & mask]];
  if (G_UNLIKELY (address - owner->low >= owner->size
                  || icount >= owner->until))
    owner = dv_owners_ask (owners, sheets, address, icount);
  owner->packed[kind] += packed;
}

#endif /* DV_OWNERS_H */
