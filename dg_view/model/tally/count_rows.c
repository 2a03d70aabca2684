/* count_rows.c: rows of tables: their life, their order, and what they mean
   in the plot.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "count_rows.h"

#include <stdlib.h>
#include <string.h>

#include "model/user/command.h"
#include "model/picture/overlay.h"

/* Steps of the work between two looks whether it is to go on.  */
#define STEPS_AT_ONCE 64

/* ---- Making ----------------------------------------------------------- */

static void
row_clear (struct dv_row *row)
{
  g_free (row->name);
  g_free (row->where);
  g_free (row->module);
  g_free (row->detail);
}

static void
rows_clear (void *memory)
{
  struct dv_rows *rows = memory;
  for (uint32_t i = 0; i < rows->rows.n; i++)
    row_clear (dv_rows_edit (rows, i));
  dv_items_fini (&rows->rows);
  g_free (rows->of);
  dv_tally_unref (rows->tally);
}

struct dv_row *
dv_rows_edit (struct dv_rows *rows, uint32_t i)
{
  return &((struct dv_row *) rows->rows.items)[i];
}

bool
dv_rows_add (struct dv_rows *rows, struct dv_row *row)
{
  struct dv_row *added = dv_items_add (&rows->rows, sizeof *added);
  if (added == NULL) {
    row_clear (row);
    return false;
  }
  *added = *row;
  return true;
}

struct dv_rows *
dv_rows_ref (struct dv_rows *rows)
{
  return g_atomic_rc_box_acquire (rows);
}

void
dv_rows_unref (struct dv_rows *rows)
{
  if (rows != NULL)
    g_atomic_rc_box_release_full (rows, rows_clear);
}

bool
dv_rows_step (struct dv_rows_maker *maker)
{
  maker->done++;
  return maker->progress == NULL || maker->done % STEPS_AT_ONCE != 0
         || maker->progress (maker->user, maker->done, maker->total) == 0;
}

struct dv_rows *
dv_rows_new (struct dv_tally *tally, enum dv_rows_kind kind,
             dg_progress_fn progress, void *user, struct dg_error *err)
{
  struct dv_rows *rows = g_atomic_rc_box_new0 (struct dv_rows);
  struct dv_rows_maker maker = { rows, progress, user, 0, 1 };
  int code = 0;
  rows->kind = kind;
  rows->tally = dv_tally_ref (tally);
  switch (kind) {
  case DV_ROWS_FUNCTIONS:
  case DV_ROWS_SOURCE:
    code = dv_rows_make_code (&maker);
    break;
  case DV_ROWS_SITES:
    code = dv_rows_make_sites (&maker);
    break;
  case DV_ROWS_PAGES:
  case DV_ROWS_LINES:
    code = dv_rows_make_places (&maker);
    break;
  case DV_ROWS_THREADS:
    code = dv_rows_make_threads (&maker);
    break;
  }
  if (code == 0)
    return rows;
  if (code == DG_ERR_NOMEM)
    dv_nomem (err);
  else
    *err = (struct dg_error){ DG_ERR_CANCELLED, 0, "cancelled" };
  dv_rows_unref (rows);
  return NULL;
}

/* What rows are ordered by at first.  */
static uint64_t
weight (const struct dv_row *row)
{
  return MAX (dv_count_accesses (&row->count), row->inclusive);
}

struct place_in_order {
  uint64_t weight;
  const char *name;
  uint32_t row;
};

static int
compare_places (const void *a, const void *b)
{
  const struct place_in_order *x = a, *y = b;
  if (x->weight != y->weight)
    return x->weight < y->weight ? 1 : -1;
  int by_name = strcmp (x->name, y->name);
  return by_name != 0 ? by_name : (x->row > y->row) - (x->row < y->row);
}

/* The rows in that order, as many as are kept; now: where each went.  */
static int
put_in_order (struct dv_rows *rows, const struct place_in_order *order,
              uint32_t *now)
{
  uint32_t n = rows->rows.n, kept = MIN (n, DV_MOST_ROWS);
  struct dv_row *sorted = g_try_new (struct dv_row, kept + 1);
  if (sorted == NULL)
    return DG_ERR_NOMEM;
  for (uint32_t i = 0; i < n; i++) {
    struct dv_row *row = dv_rows_edit (rows, order[i].row);
    now[order[i].row] = i < kept ? i : DG_NONE;
    if (i < kept)
      sorted[i] = *row;
    else
      row_clear (row);
  }
  dv_items_fini (&rows->rows);
  rows->rows = (struct dv_items){ sorted, kept, kept + 1 };
  return 0;
}

int
dv_rows_finish (struct dv_rows *rows)
{
  uint32_t n = rows->rows.n;
  struct place_in_order *order = g_try_new (struct place_in_order,
                                            (gsize) n + 1);
  uint32_t *now = g_try_new (uint32_t, (gsize) n + 1);
  int code = DG_ERR_NOMEM;
  if (order != NULL && now != NULL) {
    for (uint32_t i = 0; i < n; i++) {
      const struct dv_row *row = dv_rows_at (rows, i);
      order[i] = (struct place_in_order){ weight (row), row->name, i };
    }
    qsort (order, n, sizeof *order, compare_places);
    code = put_in_order (rows, order, now);
  }
  if (code == 0) {
    rows->n = MAX (rows->n, n);
    rows->most = n > 0 ? weight (dv_rows_at (rows, 0)) : 0;
    guint n_of = rows->of == NULL ? 0
                 : rows->kind == DV_ROWS_SITES ? rows->tally->sites->len
                                               : rows->tally->code->len;
    for (guint i = 0; i < n_of; i++)
      if (rows->of[i] != DG_NONE)
        rows->of[i] = now[rows->of[i]];
  }
  g_free (now);
  g_free (order);
  return code;
}

/* ---- Texts ------------------------------------------------------------ */

char *
dv_rows_text (const char *text)
{
  return text != NULL ? g_utf8_make_valid (text, -1) : g_strdup ("");
}

char *
dv_rows_place (const char *file, uint32_t line)
{
  if (file == NULL)
    return g_strdup ("");
  char *base = g_path_get_basename (file);
  char *valid = g_utf8_make_valid (base, -1);
  char *text = line != 0 ? g_strdup_printf ("%s:%u", valid, line)
                         : g_strdup (valid);
  g_free (valid);
  g_free (base);
  return text;
}

size_t
dv_rows_frames (const struct dv_tally *tally, uint64_t address,
                uint64_t icount, struct dg_frame *frames, size_t max)
{
  struct dg_symbols *symbols = tally->scene->data->symbols;
  if (symbols != NULL)
    return dg_symbols_frames (symbols, address, icount, frames, max);
  frames[0] = (struct dg_frame){ 0 };
  return 1;
}

/* ---- In the plot ------------------------------------------------------ */

static uint64_t
end_of (uint64_t address, uint64_t size)
{
  return size > UINT64_MAX - address ? UINT64_MAX : address + size;
}

static void
add_code (const struct dv_rows *rows, guint i, struct dv_highlight *highlight)
{
  const GArray *code = rows->tally->code;
  for (guint k = 0; k < code->len; k++)
    if (rows->of[k] == i)
      dv_highlight_add_code (
        highlight, g_array_index (code, struct dv_tally_code, k).instruction);
}

/* Stacks are kept once each, so that they are compared by place.  */
static void
add_blocks (const struct dv_rows *rows, guint i,
            struct dv_highlight *highlight)
{
  const struct dv_tally *tally = rows->tally;
  const struct dg_log *log = tally->scene->data->log;
  size_t n = dg_log_n_blocks (log), boxes = 0;
  GHashTable *stacks = g_hash_table_new (NULL, NULL);
  struct dv_view box;
  for (guint k = 0; k < tally->sites->len; k++) {
    uint32_t block = g_array_index (tally->sites, struct dv_tally_site,
                                    k).block;
    struct dg_stack stack = dg_log_block (log, block).alloc_stack;
    if (rows->of[k] == i)
      g_hash_table_add (stacks, (gpointer) stack.sites);
  }
  for (size_t k = 0; k < n && boxes < DV_MOST_BOXES; k++) {
    struct dg_block_extent at = dg_log_block_extent (log, k);
    if (at.alloc_icount >= tally->view.y1)
      break;
    if (at.free_icount <= tally->view.y0
        || !g_hash_table_contains (stacks,
                                   dg_log_block (log, k).alloc_stack.sites)
        || !dv_overlay_block (tally->scene, &tally->view, k, &box))
      continue;
    dv_highlight_add_box (highlight, &box);
    boxes++;
  }
  g_hash_table_unref (stacks);
}

static void
add_thread (const struct dv_rows *rows, guint i,
            struct dv_highlight *highlight)
{
  struct dv_view box = rows->tally->view;
  const struct dv_row *row = dv_rows_at (rows, i);
  if (row->first_icount < row->last_icount) {
    box.y0 = MAX (box.y0, row->first_icount);
    box.y1 = MIN (box.y1, row->last_icount);
  }
  if (box.y0 < box.y1)
    dv_highlight_add_box (highlight, &box);
}

struct dv_highlight *
dv_rows_highlight (const struct dv_rows *rows, guint i)
{
  const struct dv_row *row = dv_rows_at (rows, i);
  struct dv_highlight *highlight = dv_highlight_new (row->name);
  struct dv_view box;
  switch (rows->kind) {
  case DV_ROWS_FUNCTIONS:
  case DV_ROWS_SOURCE:
    add_code (rows, i, highlight);
    break;
  case DV_ROWS_SITES:
    if (row->block != DG_NONE)
      add_blocks (rows, i, highlight);
    break;
  case DV_ROWS_PAGES:
  case DV_ROWS_LINES:
    if (dv_rows_view (rows, i, &box))
      dv_highlight_add_box (highlight, &box);
    break;
  case DV_ROWS_THREADS:
    add_thread (rows, i, highlight);
    break;
  }
  dv_highlight_finish (highlight);
  return highlight;
}

bool
dv_rows_view (const struct dv_rows *rows, guint i, struct dv_view *view)
{
  const struct dv_row *row = dv_rows_at (rows, i);
  const struct dv_data *data = rows->tally->scene->data;
  switch (rows->kind) {
  case DV_ROWS_PAGES:
  case DV_ROWS_LINES:
    return dv_overlay_place (rows->tally->scene, &rows->tally->view,
                             row->address,
                             end_of (row->address, (uint64_t) 1
                                     << (rows->kind == DV_ROWS_PAGES
                                         ? data->page_shift
                                         : data->line_shift)),
                             row->first_icount, row->last_icount + 1, view);
  case DV_ROWS_SITES:
    return row->block != DG_NONE
           && dv_overlay_block (
             rows->tally->scene, &rows->tally->view,
             row->block, view);
  case DV_ROWS_THREADS:
    *view = rows->tally->view;
    view->y0 = MAX (view->y0, row->first_icount);
    view->y1 = MIN (view->y1, row->last_icount);
    return view->y0 < view->y1;
  case DV_ROWS_FUNCTIONS:
  case DV_ROWS_SOURCE:
    break;
  }
  return false;
}

/* ---- Conditions ------------------------------------------------------- */

/* A file that is told relative to some folder is known by its base name.  */
static char *
file_condition (const char *file)
{
  if (file == NULL || g_path_is_absolute (file))
    return dv_command_condition ("file:", file);
  char *base = g_path_get_basename (file);
  char *text = dv_command_condition ("file:", base);
  g_free (base);
  return text;
}

char *
dv_rows_condition (const struct dv_rows *rows, guint i, bool *is_range)
{
  const struct dv_row *row = dv_rows_at (rows, i);
  *is_range = rows->kind == DV_ROWS_SITES;
  switch (rows->kind) {
  case DV_ROWS_FUNCTIONS:
  case DV_ROWS_SITES:
    return row->function != NULL
           ? dv_command_condition ("fn:", row->function)
           : dv_command_condition ("dso:", row->module);
  case DV_ROWS_SOURCE:
    return file_condition (row->file);
  default:
    return NULL;
  }
}
