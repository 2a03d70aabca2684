/* owners.c: the owners of memory, as a worker of the tally needs them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "owners.h"

#include "model/log/order.h"

#include <string.h>

/* Bytes that have a number of their own: blocks are aligned to that.  */
#define GRAIN_SHIFT 3
/* Of a worker's bytes, the part that is for blocks.  */
#define ITEMS_SHARE 4
#define FEWEST      256

enum { UNKNOWN = 0, NOBODY = 1, FIRST_ITEM = 2 };

/* Of addresses: leaves none of their bits that matter.  */
#define ONE_FOR_ALL 63

bool
dv_owners_init (struct dv_owners *owners, const struct dv_data *data,
                uint32_t run_slots, unsigned workers)
{
  memset (owners, 0, sizeof *owners);
  owners->log = data->log;
  owners->n_blocks = dg_log_n_blocks (data->log);
  owners->next_icount = DG_NEVER;
  if (data->space == NULL || owners->n_blocks == 0)
    return true;
  owners->space = data->space;
  owners->sheet_shift = dv_sheet_shift (data);
  /* At most DV_SHEET_OWNERS.  */
  owners->shift = MAX (GRAIN_SHIFT, (int) owners->sheet_shift - 9);
  owners->shift = MIN (owners->shift, owners->sheet_shift);
  owners->mask = (1u << (owners->sheet_shift - owners->shift)) - 1;
  owners->reserve = run_slots;
  size_t bytes = DV_OWNER_BYTES / workers;
  owners->most = MAX (FEWEST + run_slots,
                      (uint32_t) (bytes / ITEMS_SHARE
                                  / sizeof (struct dv_owners_entry)));
  size_t sheet = (owners->mask + 1) * sizeof *owners->numbers;
  owners->most_sheets = MAX (FEWEST + run_slots,
                             (uint32_t) (bytes / ITEMS_SHARE
                                         * (ITEMS_SHARE - 1) / sheet));
  owners->items_memory = g_try_malloc (((size_t) owners->most + 1)
                                       * sizeof (struct dv_owners_entry));
  owners->numbers = g_try_new (uint32_t, (size_t) owners->most_sheets
                                         * (owners->mask + 1));
  if (owners->items_memory == NULL || owners->numbers == NULL)
    return false;
  owners->items = (struct dv_owners_entry *)
    (((uintptr_t) owners->items_memory + sizeof (struct dv_owners_entry) - 1)
     & -(uintptr_t) sizeof (struct dv_owners_entry));
  owners->items[UNKNOWN] = (struct dv_owners_entry){ .block = DG_NONE };
  owners->items[NOBODY] = (struct dv_owners_entry){ .size = UINT64_MAX,
                                             .until = DG_NEVER,
                                             .block = DG_NONE };
  dv_owners_clear (owners, 0);
  return true;
}

void
dv_owners_fini (struct dv_owners *owners)
{
  g_free (owners->items_memory);
  g_free (owners->numbers);
}

void
dv_owners_set_new (struct dv_owners *owners, struct dv_sheets *sheets)
{
  sheets->owners_of_new = owners->space != NULL ? owners->unknown : NULL;
  sheets->owner_shift_of_new = owners->shift;
}

/* The first block that begins after that.  */
static size_t
first_after (const struct dv_owners *owners, uint64_t icount)
{
  size_t low = 0, high = owners->n_blocks;
  DV_BISECT (low, high, middle,
             dg_log_block_extent (owners->log, middle).alloc_icount <= icount);
  return low;
}

static void
set_next (struct dv_owners *owners, size_t next)
{
  owners->next = next;
  owners->next_icount
    = next < owners->n_blocks
        ? dg_log_block_extent (owners->log, next).alloc_icount
        : DG_NEVER;
}

void
dv_owners_clear (struct dv_owners *owners, uint64_t icount)
{
  if (owners->space == NULL)
    return;
  owners->n = FIRST_ITEM;
  owners->n_sheets = 0;
  set_next (owners, first_after (owners, icount));
}

/* Gives the sheets of a place numbers of their own, all `number`.  */
static uint32_t *
make_numbers (struct dv_owners *owners, struct dv_sheets *sheets,
              uint64_t place, uint32_t number)
{
  uint32_t *numbers = owners->numbers
                      + (size_t) owners->n_sheets++ * (owners->mask + 1);
  for (uint32_t i = 0; i <= owners->mask; i++)
    numbers[i] = number;
  dv_sheets_set_owners (sheets, place, numbers, owners->shift);
  return numbers;
}

/* Enters a number for low .. high - 1, as far as they are in the sheet that
   begins at `origin`.  What it has only a part of is entered, too, if
   `parts`.  */
static void
fill (const struct dv_owners *owners, uint32_t *numbers, uint64_t origin,
      uint64_t low, uint64_t high, bool parts, uint32_t number)
{
  uint64_t size = (uint64_t) 1 << owners->sheet_shift;
  uint64_t round = parts ? 0 : ((uint64_t) 1 << owners->shift) - 1;
  uint64_t first = low > origin ? low - origin : 0;
  uint64_t end = high - origin < size ? high - origin : size;
  first = (first + round) >> owners->shift;
  end = (end + (parts ? ((uint64_t) 1 << owners->shift) - 1 : 0))
        >> owners->shift;
  for (uint64_t i = first; i < end; i++)
    numbers[i] = number;
}

static uint32_t
add_item (struct dv_owners *owners, uint64_t low, uint64_t size,
          uint32_t block)
{
  owners->items[owners->n] = (struct dv_owners_entry){
    .low = low, .size = size, .block = block,
    .until = dg_log_block_extent (owners->log, block).free_icount };
  return owners->n++;
}

struct dv_owners_entry *
dv_owners_ask (struct dv_owners *owners, struct dv_sheets *sheets,
               uint64_t address, uint64_t icount)
{
  uint64_t low, high;
  uint64_t place = address >> owners->sheet_shift;
  uint64_t origin = place << owners->sheet_shift;
  struct dv_sheet *sheet = dv_sheets_find (sheets, place);
  uint32_t *numbers = sheet->owners, number = NOBODY;
  uint32_t block = dg_space_block (owners->space, address, icount, &low,
                                   &high);
  if (block != DG_NONE)
    number = add_item (owners, low, high - low, block);
  if (low <= origin
      && high - origin >= (uint64_t) 1 << owners->sheet_shift) {
    sheet->owner = number;
    dv_sheets_set_owners (sheets, place,
                          number == NOBODY ? NULL : &sheet->owner,
                          ONE_FOR_ALL);
    return &owners->items[number];
  }
  if (numbers == owners->unknown)
    numbers = make_numbers (owners, sheets, place, UNKNOWN);
  fill (owners, numbers, origin, low, high, false, number);
  if (number != NOBODY)
    numbers[address >> owners->shift & owners->mask] = number;
  return &owners->items[number];
}

/* A block begins, on top of what is in that place.  Sheets of which nothing is
   known yet stay so.  False: no room.  */
static bool
begin_in_sheet (struct dv_owners *owners, struct dv_sheets *sheets,
                const struct dv_sheet *sheet, size_t block, uint32_t *number)
{
  const struct dg_block_extent b = dg_log_block_extent (owners->log, block);
  uint32_t *numbers = sheet->owners;
  if (numbers == owners->unknown)
    return true;
  if (!dv_owners_have_room (owners))
    return false;
  if (numbers == NULL || sheet->owner_shift == ONE_FOR_ALL)
    numbers = make_numbers (owners, sheets, sheet->number,
                            numbers == NULL ? NOBODY : *numbers);
  if (*number == UNKNOWN)
    *number = add_item (owners, b.address, b.size, (uint32_t) block);
  uint64_t room = UINT64_MAX - b.address;
  fill (owners, numbers, sheet->number << owners->sheet_shift, b.address,
        b.address + MIN (b.size, room), true, *number);
  return true;
}

static bool
begin (struct dv_owners *owners, struct dv_sheets *sheets, size_t block)
{
  const struct dg_block_extent b = dg_log_block_extent (owners->log, block);
  uint64_t last = b.size - 1 > UINT64_MAX - b.address
                  ? UINT64_MAX : b.address + b.size - 1;
  uint64_t from = b.address >> owners->sheet_shift;
  uint64_t to = last >> owners->sheet_shift;
  uint32_t number = UNKNOWN;
  if (to - from < sheets->n) {
    for (uint64_t i = from; i <= to; i++) {
      struct dv_sheet *sheet = dv_sheets_find (sheets, i);
      if (sheet != NULL
          && !begin_in_sheet (owners, sheets, sheet, block, &number))
        return false;
    }
    return true;
  }
  for (uint32_t i = 0; i < sheets->n; i++) {
    struct dv_sheet *sheet = &sheets->sheets[i];
    if (sheet->number >= from && sheet->number <= to
        && !begin_in_sheet (owners, sheets, sheet, block, &number))
      return false;
  }
  return true;
}

bool
dv_owners_begin (struct dv_owners *owners, struct dv_sheets *sheets,
                 uint64_t icount)
{
  size_t i = owners->next;
  for (; i < owners->n_blocks; i++) {
    const struct dg_block_extent b = dg_log_block_extent (owners->log, i);
    if (b.alloc_icount > icount)
      break;
    if (b.size == 0 || b.free_icount <= icount || sheets->n == 0)
      continue;
    if (!begin (owners, sheets, i))
      return false;
  }
  set_next (owners, i);
  return true;
}
