/* rows.c: rows of tables, and what they mean in the plot.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "rows.h"

#include "model/user/command.h"
#include "rows_make.h"
#include "model/picture/overlay.h"

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
    dv_items_nomem (err);
  else
    *err = (struct dg_error){ DG_ERR_CANCELLED, 0, "cancelled" };
  dv_rows_unref (rows);
  return NULL;
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
