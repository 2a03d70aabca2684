/* sheets.c: a worker's sheets, in which accesses are counted by line
   and thread.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sheets.h"

#include <string.h>

#include <dg_record.h>

#define FEWEST_SHEETS 256
#define NO_SHEET      UINT64_MAX

unsigned
dv_sheet_shift (const struct dv_data *data)
{
  return MIN (data->page_shift, data->line_shift + 6);
}

bool
dv_sheets_init (struct dv_sheets *sheets, const struct dv_scene *scene,
                const struct dv_view *view, uint32_t run_sheets,
                unsigned workers)
{
  const struct dv_data *data = scene->data;
  memset (sheets, 0, sizeof *sheets);
  sheets->layout = &scene->layout;
  sheets->view = *view;
  sheets->whole_x = view->x0 == 0 && view->x1 >= scene->layout.size;
  sheets->by_thread = dg_log_summary (data->log)->threads > 1;
  sheets->page_shift = data->page_shift;
  sheets->line_shift = data->line_shift;
  sheets->sheet_shift = dv_sheet_shift (data);
  uint32_t lines = 1u << (sheets->sheet_shift - sheets->line_shift);
  sheets->line_mask = lines - 1;
  size_t each = sizeof (struct dv_sheet)
                + lines * (sizeof (struct dv_sheet_cell)
                           + (sheets->by_thread
                              ? sizeof (struct dv_sheet_bytes) : 0));
  sheets->reserve = run_sheets;
  sheets->most = MAX (FEWEST_SHEETS + run_sheets,
                      (uint32_t) (DV_SHEET_BYTES / workers / each));
  sheets->table_mask = 1;
  while (sheets->table_mask < sheets->most * 2)
    sheets->table_mask = sheets->table_mask * 2 + 1;
  sheets->sheets = g_try_new (struct dv_sheet, sheets->most);
  sheets->table = g_try_new (uint32_t, sheets->table_mask + 1);
  sheets->cells = g_try_new (struct dv_sheet_cell,
                             (size_t) sheets->most * lines);
  if (sheets->by_thread)
    sheets->bytes = g_try_new (struct dv_sheet_bytes,
                               (size_t) sheets->most * lines);
  if (sheets->sheets == NULL || sheets->table == NULL || sheets->cells == NULL
      || (sheets->by_thread && sheets->bytes == NULL))
    return false;
  dv_sheets_clear (sheets, 0);
  return true;
}

void
dv_sheets_fini (struct dv_sheets *sheets)
{
  g_free (sheets->sheets);
  g_free (sheets->table);
  g_free (sheets->cells);
  g_free (sheets->bytes);
}

static void
forget_recent (struct dv_sheets *sheets)
{
  for (unsigned i = 0; i < DV_RECENT_SHEETS; i++)
    sheets->recent[i].number = NO_SHEET;
}

void
dv_sheets_clear (struct dv_sheets *sheets, uint64_t base)
{
  sheets->n = 0;
  sheets->base = base;
  memset (sheets->table, 0,
          ((size_t) sheets->table_mask + 1) * sizeof *sheets->table);
  forget_recent (sheets);
}

void
dv_sheets_set_thread (struct dv_sheets *sheets, uint32_t thread)
{
  if (sheets->thread == thread)
    return;
  sheets->thread = thread;
  forget_recent (sheets);
}

static uint32_t *
probe (const struct dv_sheets *sheets, uint64_t number)
{
  uint32_t i = (uint32_t) (number * 0x9e3779b97f4a7c15u >> 32);
  for (;; i++) {
    uint32_t *entry = &sheets->table[i & sheets->table_mask];
    if (*entry == 0 || sheets->sheets[*entry - 1].number == number)
      return entry;
  }
}

struct dv_sheet *
dv_sheets_find (const struct dv_sheets *sheets, uint64_t number)
{
  uint32_t entry = *probe (sheets, number);
  return entry == 0 ? NULL : &sheets->sheets[entry - 1];
}

/* Its page is the unit of the axis, so that a sheet is all there or not at
   all.  */
static void
place_in_view (const struct dv_sheets *sheets, struct dv_sheet *sheet)
{
  uint64_t start, size = (uint64_t) 1 << sheets->sheet_shift;
  sheet->counts = sheet->whole = sheets->whole_x;
  if (sheets->whole_x
      || !dv_layout_position (sheets->layout,
                              sheet->number << sheets->sheet_shift, &start))
    return;
  sheet->counts = start < sheets->view.x1 && start + size > sheets->view.x0;
  sheet->whole = start >= sheets->view.x0 && start + size <= sheets->view.x1;
}

static struct dv_sheet *
add_sheet (struct dv_sheets *sheets, uint64_t number)
{
  uint32_t lines = sheets->line_mask + 1, i = sheets->n++;
  struct dv_sheet *sheet = &sheets->sheets[i];
  *sheet = (struct dv_sheet){ .number = number, .thread = sheets->thread,
                              .owners = sheets->owners_of_new,
                              .owner_shift = sheets->owner_shift_of_new };
  place_in_view (sheets, sheet);
  uint64_t page = number >> (sheets->page_shift - sheets->sheet_shift);
  sheet->shard = (uint8_t) (page * 0x9e3779b97f4a7c15u >> 56);
  if (!sheet->counts)
    return sheet;
  sheet->cells = sheets->cells + (size_t) i * lines;
  memset (sheet->cells, 0, lines * sizeof *sheet->cells);
  if (sheets->by_thread) {
    sheet->bytes = sheets->bytes + (size_t) i * lines;
    memset (sheet->bytes, 0, lines * sizeof *sheet->bytes);
  }
  return sheet;
}

void
dv_sheets_get (struct dv_sheets *sheets, uint64_t number,
               struct dv_sheet_recent *recent)
{
  uint32_t *entry = probe (sheets, number);
  struct dv_sheet *sheet = *entry == 0 ? NULL : &sheets->sheets[*entry - 1];
  while (sheet != NULL && sheet->thread != sheets->thread)
    sheet = dv_sheets_next (sheets, sheet);
  if (sheet == NULL) {
    sheet = add_sheet (sheets, number);
    sheet->same = *entry;
    *entry = sheets->n;
    /* Owners are the same for all threads.  */
    if (sheet->same != 0) {
      sheet->owners = sheets->sheets[sheet->same - 1].owners;
      sheet->owner_shift = sheets->sheets[sheet->same - 1].owner_shift;
    }
  }
  *recent = (struct dv_sheet_recent){
    number, sheet->whole ? sheet->cells : NULL, sheet->owners,
    sheet->owner_shift, (uint32_t) (sheet - sheets->sheets) };
}

void
dv_sheets_set_owners (struct dv_sheets *sheets, uint64_t number,
                      uint32_t *owners, unsigned shift)
{
  struct dv_sheet_recent *recent
    = &sheets->recent[number % DV_RECENT_SHEETS];
  struct dv_sheet *sheet = dv_sheets_find (sheets, number);
  for (; sheet != NULL; sheet = dv_sheets_next (sheets, sheet)) {
    sheet->owners = owners;
    sheet->owner_shift = shift;
  }
  if (recent->number == number) {
    recent->owners = owners;
    recent->owner_shift = shift;
  }
}

/* Where an access ends; none goes beyond the last address.  */
static uint64_t
last_byte (uint64_t address, uint32_t size)
{
  return size - 1 > UINT64_MAX - address ? UINT64_MAX : address + size - 1;
}

/* Whether bytes first .. last, which lie in a sheet, are in the view.  */
static bool
part_in_view (const struct dv_sheets *sheets, const struct dv_sheet *sheet,
              uint64_t first, uint64_t last)
{
  if (sheet->whole || !sheet->counts)
    return sheet->counts;
  return dv_layout_has_part (sheets->layout, first, last, sheets->view.x0,
                             sheets->view.x1);
}

bool
dv_sheets_in_view (struct dv_sheets *sheets, uint64_t address, uint32_t size)
{
  uint64_t last = last_byte (address, size);
  uint64_t number = address >> sheets->sheet_shift;
  if (sheets->whole_x)
    return true;
  for (; number <= last >> sheets->sheet_shift; number++) {
    const struct dv_sheet *sheet
      = &sheets->sheets[dv_sheets_look (sheets, number)->index];
    uint64_t origin = number << sheets->sheet_shift;
    uint64_t end = origin + (((uint64_t) 1 << sheets->sheet_shift) - 1);
    if (part_in_view (sheets, sheet, MAX (address, origin), MIN (last, end)))
      return true;
  }
  return false;
}

/* What an access that touches `lines` lines of a page counts too often.  */
static void
add_extra (struct dv_sheet *sheet, uint64_t lines, uint32_t size,
           unsigned kind)
{
  if (sheet == NULL || lines < 2)
    return;
  if (kind == DG_ACC_WRITE) {
    sheet->extra.writes += lines - 1;
    sheet->extra.written_bytes += (lines - 1) * size;
  } else {
    sheet->extra.reads += lines - 1;
    sheet->extra.read_bytes += (lines - 1) * size;
  }
}

void
dv_sheets_count_any (struct dv_sheets *sheets, uint64_t address,
                     uint32_t size, unsigned kind, uint64_t icount)
{
  uint64_t last = last_byte (address, size);
  uint64_t line_size = (uint64_t) 1 << sheets->line_shift;
  uint32_t moment = 1 + (uint32_t) (icount - sheets->base);
  unsigned per_page = sheets->page_shift - sheets->line_shift;
  struct dv_sheet *of_page = NULL;   /* the first that has a line of it */
  uint64_t lines = 0;                /* of the page that were touched */
  uint64_t first = address >> sheets->line_shift;
  for (uint64_t line = first; line <= last >> sheets->line_shift; line++) {
    uint64_t origin = line << sheets->line_shift;
    struct dv_sheet *sheet = &sheets->sheets[
      dv_sheets_look (sheets, origin >> sheets->sheet_shift)->index];
    if (line != first && (line & (((uint64_t) 1 << per_page) - 1)) == 0) {
      add_extra (of_page, lines, size, kind);
      of_page = NULL;
      lines = 0;
    }
    if (!part_in_view (sheets, sheet, origin, origin + (line_size - 1)))
      continue;
    uint64_t from = MAX (address, origin);
    uint64_t to = MIN (last, origin + (line_size - 1));
    unsigned i = (unsigned) line & sheets->line_mask;
    dv_sheet_cell_add (&sheet->cells[i], 1 | (uint64_t) size << 32, kind,
                       moment);
    if (sheets->by_thread) {
      uint64_t bits = dv_sheet_bits (sheets->line_shift, from - origin,
                                     to - from + 1);
      sheet->bytes[i].touched |= bits;
      sheet->bytes[i].written |= kind == DG_ACC_WRITE ? bits : 0;
    }
    of_page = of_page != NULL ? of_page : sheet;
    lines++;
  }
  add_extra (of_page, lines, size, kind);
}
