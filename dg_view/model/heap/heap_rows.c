/* heap_rows.c: rows of the heap table: live bytes by site, function and so on.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "heap_rows.h"

#include <stdlib.h>

#include <libdatagrind.h>

#include "format.h"
#include "model/access/answer.h"
#include "model/log/refs.h"

#define BLOCKS_AT_ONCE 65536

/* ---- Making ------------------------------------------------------------- */

static void
row_clear (void *memory)
{
  struct dv_heap_row *row = memory;
  g_free (row->name);
  g_free (row->where);
  g_free (row->module);
}

static void
rows_clear (void *memory)
{
  struct dv_heap_rows *rows = memory;
  g_array_unref (rows->rows);
  dv_heap_curve_unref (rows->now);
  dv_heap_curve_unref (rows->most);
}

DV_DEFINE_REFS (dv_heap_rows, rows_clear)

/* "input.c:120".  */
static char *
where_text (const struct dg_curve_series *series)
{
  const struct dg_site_frame site = {
    .frame.file = series->file, .frame.line = series->line,
    .column = series->column, .call = series->call,
    .folders = series->folders
  };
  char *text = series->line > 0 ? dg_site_where (&site)
                                : dv_answer_base_name (series->file);
  char *valid = dv_format_shown (text);
  free (text);
  return valid;
}

/* The row of a series, which is added if need be.  */
static struct dv_heap_row *
row_of (struct dv_heap_rows *rows, GHashTable *places,
        const struct dg_curve_series *series)
{
  gpointer key = GUINT_TO_POINTER (series->id), place;
  if (!g_hash_table_lookup_extended (places, key, NULL, &place)) {
    struct dv_heap_row row = { .id = series->id, .rank = series->rank,
                               .function = series->function,
                               .file = series->file, .line = series->line,
                               .stack = series->stack,
                               .stack_icount = series->stack_icount };
    char *module = dv_answer_base_name (series->module);
    row.name = dv_format_shown (series->name);
    row.where = where_text (series);
    row.module = dv_format_shown (module);
    g_free (module);
    place = GUINT_TO_POINTER (rows->rows->len);
    g_hash_table_insert (places, key, place);
    g_array_append_val (rows->rows, row);
  }
  return &g_array_index (rows->rows, struct dv_heap_row,
                         GPOINTER_TO_UINT (place));
}

/* The heap at a single moment.  */
static struct dv_heap_curve *
state_at (struct dv_heap *heap, enum dg_curve_by by, uint64_t moment,
          dg_progress_fn progress, void *user, struct dg_error *err)
{
  const struct dg_curve_options options = {
    .size = sizeof options,
    .start_icount = moment,
    .end_icount = moment + 1,
    .columns = 1,
    .series = DG_CURVE_MAX_SERIES,
    .by = by,
  };
  return dv_heap_curve_new (heap, &options, progress, user, err);
}

/* What was allocated in view.  If there are too many sites to be told one by
   one, that of sites without bytes is of the others.  */
static int
add_allocations (struct dv_heap_rows *rows, GHashTable *places,
                 dg_progress_fn progress, void *user)
{
  const struct dg_curve *curve = rows->now->curve;
  const struct dv_heap *heap = rows->now->heap;
  size_t n = dg_log_n_blocks (curve->log);
  bool has_others = g_hash_table_contains (places, GUINT_TO_POINTER (DG_NONE));
  for (size_t i = 0; i < n; i++) {
    const struct dg_block block = dg_log_block (curve->log, i);
    struct dg_curve_series series = { .id = DG_NONE };
    if (i % BLOCKS_AT_ONCE == 0 && progress != NULL
        && progress (user, i, n) != 0)
      return DG_ERR_CANCELLED;
    if (block.alloc_icount >= rows->end)
      break;
    uint32_t id = block.alloc_icount < rows->start
                    ? DG_NONE : dg_curve_id_of (curve, &block);
    if (id == DG_NONE)
      continue;
    if (g_hash_table_contains (places, GUINT_TO_POINTER (id)))
      series.id = id;
    else if (!has_others)
      dg_curve_describe (curve, id, &series);
    struct dv_heap_row *row = row_of (rows, places, &series);
    row->allocations++;
    rows->allocations++;
    row->temporary += heap->are_temporary[i];
    rows->temporary += heap->are_temporary[i];
  }
  return 0;
}

/* Only those that have any of the blocks.  */
static void
keep_preset (struct dv_heap_rows *rows)
{
  for (guint i = rows->rows->len; i-- > 0 && rows->preset != DV_HEAP_ANY;) {
    const struct dv_heap_row *row = dv_heap_rows_at (rows, i);
    if ((rows->preset == DV_HEAP_TEMPORARY ? row->temporary : row->blocks)
        == 0)
      g_array_remove_index (rows->rows, i);
  }
}

struct dv_heap_rows *
dv_heap_rows_new (struct dv_heap_curve *curve, enum dv_heap_preset preset,
                  uint64_t moment, dg_progress_fn progress, void *user,
                  struct dg_error *err)
{
  struct dv_heap *heap = curve->heap;
  enum dg_curve_by by = curve->curve->by;
  uint64_t peak = curve->curve->peak_icount;
  struct dv_heap_curve *now
    = state_at (heap, by, moment, progress, user, err);
  if (now == NULL)
    return NULL;
  struct dv_heap_curve *most = peak == moment ? dv_heap_curve_ref (now)
    : state_at (heap, by, peak, progress, user, err);
  if (most == NULL) {
    dv_heap_curve_unref (now);
    return NULL;
  }
  struct dv_heap_rows *rows = g_atomic_rc_box_new0 (struct dv_heap_rows);
  rows->now = now;
  rows->most = most;
  rows->preset = preset;
  rows->start = curve->curve->start_icount;
  rows->end = curve->curve->end_icount;
  rows->rows = g_array_new (FALSE, FALSE, sizeof (struct dv_heap_row));
  g_array_set_clear_func (rows->rows, row_clear);
  GHashTable *places = g_hash_table_new (NULL, NULL);
  for (size_t i = 0; i < now->curve->n_series; i++) {
    const struct dg_curve_series *series = &now->curve->series[i];
    struct dv_heap_row *row = row_of (rows, places, series);
    row->bytes = series->peak_bytes;
    row->blocks = series->peak_blocks;
  }
  for (size_t i = 0; i < most->curve->n_series; i++) {
    const struct dg_curve_series *series = &most->curve->series[i];
    struct dv_heap_row *row = row_of (rows, places, series);
    row->peak_bytes = series->peak_bytes;
    row->peak_blocks = series->peak_blocks;
  }
  int code = add_allocations (rows, places, progress, user);
  g_hash_table_unref (places);
  if (code < 0) {
    dv_heap_rows_unref (rows);
    if (err != NULL)
      *err = (struct dg_error){ .code = code, .message = "cancelled" };
    return NULL;
  }
  keep_preset (rows);
  return rows;
}

/* ---- Cells -------------------------------------------------------------- */

const struct dv_heap_row *
dv_heap_rows_at (const struct dv_heap_rows *rows, guint i)
{
  return &g_array_index (rows->rows, struct dv_heap_row, i);
}

double
dv_heap_rows_share (const struct dv_heap_rows *rows,
                    const struct dv_heap_row *row)
{
  uint64_t all = rows->now->curve->peak_bytes;
  return all > 0 ? (double) row->bytes / (double) all : 0;
}

bool
dv_heap_column_is_number (enum dv_heap_column column)
{
  return column >= DV_HEAP_SHARE && column <= DV_HEAP_PEAK_BLOCKS;
}

static uint64_t
number_of (const struct dv_heap_row *row, enum dv_heap_column column)
{
  switch (column) {
  case DV_HEAP_SHARE:
  case DV_HEAP_BYTES:
    return row->bytes;
  case DV_HEAP_BLOCKS:
    return row->blocks;
  case DV_HEAP_PEAK_BYTES:
    return row->peak_bytes;
  case DV_HEAP_PEAK_BLOCKS:
    return row->peak_blocks;
  case DV_HEAP_N_TEMPORARY:
    return row->temporary;
  default:
    return 0;
  }
}

/* Of the blocks that the site allocates in view.  */
static double
temporary_share (const struct dv_heap_row *row)
{
  return row->allocations > 0
           ? (double) row->temporary / (double) row->allocations : 0;
}

static const char *
text_of (const struct dv_heap_row *row, enum dv_heap_column column)
{
  return column == DV_HEAP_WHERE ? row->where
         : column == DV_HEAP_MODULE ? row->module : row->name;
}

char *
dv_heap_rows_text (const struct dv_heap_rows *rows,
                   const struct dv_heap_row *row, enum dv_heap_column column)
{
  char text[32];
  if (column == DV_HEAP_SHARE) {
    dg_number_text_percent (text, sizeof text, dv_heap_rows_share (rows, row));
    return g_strdup (text);
  }
  if (column == DV_HEAP_TEMPORARY_SHARE) {
    if (row->allocations == 0)
      return g_strdup ("");
    dg_number_text_percent (text, sizeof text, temporary_share (row));
    return g_strdup (text);
  }
  if (!dv_heap_column_is_number (column))
    return g_strdup (text_of (row, column));
  dg_number_text (text, sizeof text, number_of (row, column));
  return g_strdup (text);
}

int
dv_heap_rows_compare (const struct dv_heap_row *a,
                      const struct dv_heap_row *b,
                      enum dv_heap_column column)
{
  if ((a->id == DG_NONE) != (b->id == DG_NONE))
    return a->id == DG_NONE ? -1 : 1;
  if (!dv_heap_column_is_number (column))
    return g_utf8_collate (text_of (a, column), text_of (b, column));
  if (column == DV_HEAP_TEMPORARY_SHARE) {
    double more = temporary_share (a), less = temporary_share (b);
    return (more > less) - (more < less);
  }
  uint64_t x = number_of (a, column), y = number_of (b, column);
  return (x > y) - (x < y);
}

GPtrArray *
dv_heap_rows_stack (const struct dv_heap_rows *rows,
                    const struct dv_heap_row *row)
{
  const struct dv_answer_asking asking = { .data = rows->now->heap->data };
  if (row->stack.n == 0)
    return NULL;
  return dv_answer_stack (&asking, row->stack.sites, row->stack.n,
                          row->stack_icount);
}
