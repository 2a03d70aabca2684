/* rows_state.c: the life of rows, their order, and texts for them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "rows_state.h"

#include <stdlib.h>

#include "format.h"
#include "model/log/refs.h"

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

DV_DEFINE_REFS (dv_rows, rows_clear)

bool
dv_rows_step (struct dv_rows_maker *maker)
{
  maker->done++;
  return maker->progress == NULL || maker->done % STEPS_AT_ONCE != 0
         || maker->progress (maker->user, maker->done, maker->total) == 0;
}

/* ---- Order ------------------------------------------------------------ */

/* What rows are ordered by at first.  */
static uint64_t
weight (const struct dv_row *row)
{
  return MAX (dv_tally_count_accesses (&row->count), row->inclusive);
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
  return text != NULL ? dv_format_shown (text) : g_strdup ("");
}

char *
dv_rows_place (const char *file, uint32_t line)
{
  if (file == NULL)
    return g_strdup ("");
  char *base = g_path_get_basename (file);
  char *valid = dv_format_shown (base);
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
