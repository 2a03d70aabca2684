/* report_rows.c: the rows of a report's tables, packed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "report.h"

#include <glib.h>
#include <string.h>

#include "base/hash.h"
#include "base/varint.h"
#include "report_parts.h"

void
dg_report_rows_fini (struct dg_rows *rows)
{
  g_clear_pointer (&rows->bytes, g_free);
  rows->n_bytes = rows->room = 0;
  dg_table_fini (&rows->starts);
  g_clear_pointer (&rows->order, g_free);
}

/* ---- Writing ---------------------------------------------------------- */

static uint64_t
hash_pairs (const struct dg_pair *pairs, size_t n)
{
  uint64_t hash = dg_hash (n);

  for (size_t i = 0; i < n; i++)
    hash = dg_hash_add (dg_hash_add (hash, pairs[i].key), pairs[i].count);
  return hash;
}

/* A copy of pairs, or an equal one.  */
static const struct kept_pairs *
keep_pairs (struct dg_report *report, const struct dg_pair *pairs, size_t n)
{
  const struct kept_pairs **recent =
    &report->recent_pairs[hash_pairs (pairs, n) % DG_REPORT_RECENT];
  struct kept_pairs *kept = NULL;

  if (*recent != NULL && (*recent)->n == n
      && (n == 0 || memcmp ((*recent)->pairs, pairs, n * sizeof *pairs) == 0))
    return *recent;
  if (n < (SIZE_MAX - sizeof *kept) / sizeof *pairs)
    kept = dg_arena_alloc (&report->arena, sizeof *kept + n * sizeof *pairs);
  if (!kept) {
    report->is_short = true;
    return NULL;
  }
  kept->n = n;
  if (n > 0)
    memcpy (kept->pairs, pairs, n * sizeof *pairs);
  *recent = kept;
  return kept;
}

/* The number of what a cell refers to; that of NULL is 0.  */
static uint64_t
refer (struct dg_report *report, const void *to)
{
  uint32_t *recent =
    &report->recent[dg_hash ((uintptr_t) to) % DG_REPORT_RECENT];
  const void **references = report->references.items, **new;

  if (to == NULL)
    return 0;
  if (*recent != 0 && references[*recent - 1] == to)
    return *recent;
  new = report->references.n < UINT32_MAX
          ? dg_table_add (&report->references, sizeof *new) : NULL;
  if (new == NULL) {
    report->is_short = true;
    return 0;
  }
  *new = to;
  *recent = (uint32_t) report->references.n;
  return *recent;
}

static inline bool
is_signed (enum dg_unit unit)
{
  return unit == DG_UNIT_STEP || unit == DG_UNIT_CHANGE
         || unit == DG_UNIT_CHANGE_BYTES;
}

/* A cell as a number, which is small if the cell is simple.  */
static uint64_t
pack_cell (struct dg_report *report, enum dg_unit unit,
           const struct dg_cell *cell)
{
  uint64_t word;

  /* Of a real number like 0.5, the last bytes are zero.  */
  if (dg_unit_is_real (unit)) {
    memcpy (&word, &cell->real, sizeof word);
    return GUINT64_SWAP_LE_BE (word);
  }
  if (is_signed (unit))
    return dg_zigzag ((int64_t) cell->number);
  switch (unit) {
  case DG_UNIT_TEXT:
    return refer (report, dg_report_keep (report, cell->text));
  case DG_UNIT_PAIRS:
  case DG_UNIT_LIST:
    return refer (report, keep_pairs (report, cell->pairs, cell->n_pairs));
  default:
    return cell->number;
  }
}

/* Room for another row; NULL: no memory.  */
static uint8_t *
add_row (struct dg_rows *rows)
{
  size_t most = (rows->item.n_columns + 1) * DG_VARINT_MAX;

  if (!DG_ARRAY_ROOM (rows->bytes, rows->room, rows->n_bytes + most))
    return NULL;
  if (rows->item.n_rows % DG_ROWS_STEP == 0) {
    size_t *start = dg_table_add (&rows->starts, sizeof *start);

    if (start == NULL)
      return NULL;
    *start = rows->n_bytes;
  }
  return rows->bytes + rows->n_bytes;
}

void
dg_rows_add (struct dg_rows *rows, const struct dg_cell *cells)
{
  const struct dg_report_item *item = &rows->item;
  uint64_t empty = 0;
  uint8_t *at;

  if (rows == &rows->report->lost)
    return;
  at = add_row (rows);
  if (!at) {
    rows->report->is_short = true;
    return;
  }
  for (size_t i = 0; i < item->n_columns; i++)
    if (cells[i].is_empty
        || (item->columns[i].unit == DG_UNIT_TEXT && !cells[i].text))
      empty |= UINT64_C (1) << i;
  at = dg_varint_put (at, empty);
  for (size_t i = 0; i < item->n_columns; i++)
    if (!(empty >> i & 1))
      at = dg_varint_put (at, pack_cell (rows->report, item->columns[i].unit,
                                         &cells[i]));
  rows->n_bytes = (size_t) (at - rows->bytes);
  rows->item.n_rows++;
}

void
dg_report_arrange (struct dg_rows *rows, uint32_t *order, size_t n)
{
  g_assert (rows->order == NULL);
  if (n == rows->item.n_rows) {
    rows->order = order;
    return;
  }
  g_assert (rows->report->is_short);
  g_free (order);
}

void
dg_report_replace (struct dg_rows *rows, const struct dg_cell *cells)
{
  if (rows == &rows->report->lost)
    return;
  rows->starts.n = rows->n_bytes = rows->item.n_rows = 0;
  dg_rows_add (rows, cells);
}

/* ---- Reading ---------------------------------------------------------- */

static void
unpack_cell (const struct dg_rows *rows, enum dg_unit unit, uint64_t word,
             struct dg_cell *cell)
{
  const void *const *references = rows->report->references.items;
  const struct kept_pairs *kept;

  if (dg_unit_is_real (unit)) {
    word = GUINT64_SWAP_LE_BE (word);
    memcpy (&cell->real, &word, sizeof word);
    return;
  }
  if (is_signed (unit)) {
    cell->number = (uint64_t) dg_unzigzag (word);
    return;
  }
  switch (unit) {
  case DG_UNIT_TEXT:
    cell->text = word > 0 ? references[word - 1] : NULL;
    cell->is_empty = !cell->text;
    break;
  case DG_UNIT_PAIRS:
  case DG_UNIT_LIST:
    kept = word > 0 ? references[word - 1] : NULL;
    cell->is_empty = !kept;
    cell->pairs = kept ? kept->pairs : NULL;
    cell->n_pairs = kept ? kept->n : 0;
    break;
  default:
    cell->number = word;
  }
}

/* As dg_varint_get; most numbers of a row are below 128.  */
static inline uint64_t
get (const uint8_t **at, const uint8_t *end)
{
  uint64_t value = 0;

  if (G_LIKELY (**at < 0x80))
    return *(*at)++;
  dg_varint_get (at, end, &value);
  return value;
}

/* Where a row begins.  */
static const uint8_t *
find_row (const struct dg_rows *rows, uint64_t row)
{
  const size_t *starts = rows->starts.items;
  const uint8_t *at = rows->bytes + starts[row / DG_ROWS_STEP];
  const uint8_t *end = rows->bytes + rows->n_bytes;
  unsigned n_columns = (unsigned) rows->item.n_columns;

  for (uint64_t i = row % DG_ROWS_STEP; i > 0; i--) {
    uint64_t empty = get (&at, end);
    unsigned n = n_columns - (unsigned) __builtin_popcountll (empty);

    /* Each number ends with a byte below 0x80.  */
    while (n > 0)
      n -= *at++ < 0x80;
  }
  return at;
}

void
dg_report_row (const struct dg_report_item *item, uint64_t row,
               struct dg_cell *cells)
{
  const struct dg_rows *rows = (const struct dg_rows *) item;
  const uint8_t *end = rows->bytes + rows->n_bytes, *at;
  uint64_t empty;

  g_assert (row < item->n_rows);
  at = find_row (rows, rows->order != NULL ? rows->order[row] : row);
  empty = get (&at, end);
  for (size_t i = 0; i < item->n_columns; i++) {
    struct dg_cell *cell = &cells[i];

    memset (cell, 0, sizeof *cell);
    cell->is_empty = empty >> i & 1;
    if (cell->is_empty)
      continue;
    unpack_cell (rows, item->columns[i].unit, get (&at, end), cell);
  }
}
