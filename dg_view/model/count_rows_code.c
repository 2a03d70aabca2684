/* count_rows_code.c: rows of functions and of lines of source.

   Inlined functions are functions: what an instruction does belongs to the
   innermost one.  Each address is looked up once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "count_rows.h"

#include <string.h>

#include "i18n.h"

#define MAX_FRAMES 32

/* The functions that an address is in, as rows.  */
struct place {
  uint64_t address;
  uint32_t n;
  uint32_t rows[];
};

struct maker {
  struct dv_rows_maker *base;
  const struct dg_log *log;
  GHashTable *rows;        /* struct identity to row + 1 */
  GHashTable *places;      /* struct place, by address */
  uint32_t *seen;          /* by row: 1 + the context that was there last */
  guint n_seen;
};

/* What makes two rows one.  Names are interned.  */
struct identity {
  const char *name, *file;
  uint64_t number;         /* of the line; of code without name, its own */
};

static guint
identity_hash (gconstpointer key)
{
  const struct identity *id = key;
  uint64_t h = (uint64_t) (uintptr_t) id->name * 31
               + (uint64_t) (uintptr_t) id->file * 7 + id->number;
  return (guint) (h * 0x9e3779b97f4a7c15u >> 32);
}

static gboolean
identity_equal (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (struct identity)) == 0;
}

/* A number for names, which is the same whenever they are.  */
static uint64_t
key_of (const char *name, const char *file, uint64_t number)
{
  uint64_t key = number;
  key = key * 0x9e3779b97f4a7c15u + (name != NULL ? g_str_hash (name) : 0);
  return key * 0x9e3779b97f4a7c15u + (file != NULL ? g_str_hash (file) : 0);
}

static char *
base_name (const char *path)
{
  char *base = path != NULL ? g_path_get_basename (path) : NULL;
  char *text = dv_rows_text (base);
  g_free (base);
  return text;
}

/* For code of which nothing is known but where it is.  */
static char *
nameless (const struct dg_frame *frame, uint64_t address)
{
  char *module = base_name (frame->module);
  char *text = *module != '\0'
               ? g_strdup_printf (_("code of %s"), module)
               : g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", address);
  g_free (module);
  return text;
}

/* The row of a frame, made if it is new.  */
static uint32_t
row_of (struct maker *maker, const struct dg_frame *frame, uint64_t address)
{
  struct dv_rows *rows = maker->base->rows;
  bool by_line = rows->kind == DV_ROWS_SOURCE;
  bool has_line = by_line && frame->file != NULL;
  struct identity id = { .name = by_line ? NULL : frame->function,
                         .file = has_line ? frame->file : frame->module,
                         .number = has_line ? frame->line : 0 };
  if (!has_line && frame->function == NULL && frame->module == NULL)
    id.number = address;
  else if (by_line && !has_line)
    id.name = frame->function;
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (maker->rows, &id));
  if (known != 0)
    return known - 1;
  struct dv_row row = { .key = key_of (id.name, id.file, id.number),
                        .file = frame->file, .line = frame->line,
                        .function = frame->function, .block = DG_NONE };
  char *function = frame->function != NULL ? dv_rows_text (frame->function)
                                           : nameless (frame, address);
  row.module = base_name (frame->module);
  if (has_line) {
    row.name = dv_rows_place (frame->file, frame->line);
    row.where = function;
  } else {
    row.name = function;
    row.where = dv_rows_place (frame->file, frame->line);
  }
  g_array_append_val (rows->rows, row);
  g_hash_table_insert (maker->rows, g_memdup2 (&id, sizeof id),
                       GUINT_TO_POINTER (rows->rows->len));
  return rows->rows->len - 1;
}

/* ---- Itself ----------------------------------------------------------- */

/* A function's source is where most of its accesses are.  */
static bool
add_code (struct maker *maker)
{
  struct dv_rows *rows = maker->base->rows;
  const GArray *code = rows->tally->code;
  GArray *most = g_array_new (FALSE, TRUE, sizeof (uint64_t));
  struct dg_frame frames[MAX_FRAMES];
  bool go_on = true;
  rows->of = g_new (uint32_t, code->len + 1);
  for (guint i = 0; i < code->len && go_on; i++) {
    const struct dv_tally_code *one = &g_array_index (code,
                                                      struct dv_tally_code, i);
    dv_rows_frames (rows->tally, one->instruction, one->icount, frames,
                    MAX_FRAMES);
    uint32_t number = row_of (maker, &frames[0], one->instruction);
    struct dv_row *row = &g_array_index (rows->rows, struct dv_row, number);
    uint64_t n = dv_count_accesses (&one->count);
    rows->of[i] = number;
    dv_count_add (&row->count, &one->count);
    if (most->len <= number)
      g_array_set_size (most, number + 1);
    if (n > g_array_index (most, uint64_t, number)
        && frames[0].file != NULL && rows->kind == DV_ROWS_FUNCTIONS) {
      g_array_index (most, uint64_t, number) = n;
      row->file = frames[0].file;
      row->line = frames[0].line;
      g_free (row->where);
      row->where = dv_rows_place (row->file, row->line);
    }
    go_on = dv_rows_step (maker->base);
  }
  g_array_unref (most);
  return go_on;
}

/* ---- With what it called ---------------------------------------------- */

static const struct place *
place_of (struct maker *maker, uint64_t address, uint64_t icount)
{
  struct place *place = g_hash_table_lookup (maker->places, &address);
  struct dg_frame frames[MAX_FRAMES];
  if (place != NULL)
    return place;
  size_t n = dv_rows_frames (maker->base->rows->tally, address, icount,
                             frames, MAX_FRAMES);
  place = g_malloc (sizeof *place + n * sizeof *place->rows);
  place->address = address;
  place->n = (uint32_t) n;
  for (size_t i = 0; i < n; i++)
    place->rows[i] = row_of (maker, &frames[i], address);
  g_hash_table_insert (maker->places, &place->address, place);
  return place;
}

/* Counts for a row, once for each context.  */
static void
see (struct maker *maker, uint32_t number, uint32_t mark, uint64_t accesses)
{
  struct dv_rows *rows = maker->base->rows;
  if (number >= maker->n_seen) {
    guint n = MAX (number + 1, maker->n_seen * 2);
    maker->seen = g_renew (uint32_t, maker->seen, n);
    memset (maker->seen + maker->n_seen, 0,
            (n - maker->n_seen) * sizeof *maker->seen);
    maker->n_seen = n;
  }
  if (maker->seen[number] == mark)
    return;
  maker->seen[number] = mark;
  g_array_index (rows->rows, struct dv_row, number).inclusive += accesses;
}

/* The first access of a block stands for all: what is inlined into a part of
   it is a detail of its own row.  */
static uint64_t
code_of (const struct dg_bbdef *block, uint64_t address)
{
  return block->n_slots > 0 ? block->instrs[block->slots[0].iseq].address
         : address;
}

/* A moment at which it ran: modules come and go.  */
static uint64_t
moment_of (const struct dv_tally *tally, uint64_t instruction)
{
  guint low = 0, high = tally->code->len;
  while (low + 1 < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (tally->code, struct dv_tally_code, middle).instruction
        <= instruction)
      low = middle;
    else
      high = middle;
  }
  return high > 0 ? g_array_index (tally->code, struct dv_tally_code,
                                   low).icount : tally->view.y0;
}

static bool
add_callers (struct maker *maker)
{
  struct dv_rows *rows = maker->base->rows;
  const GArray *contexts = rows->tally->contexts;
  for (guint i = 0; i < contexts->len; i++) {
    const struct dv_tally_context *c = &g_array_index (
      contexts, struct dv_tally_context, i);
    uint64_t stack[DG_STACK_MAX];
    uint32_t n_stack = dg_log_context_stack (maker->log, c->context, stack);
    const struct dg_bbdef *block = dg_log_bbdef (
      maker->log, dg_log_context (maker->log, c->context).bbdef);
    uint64_t n = dv_count_accesses (&c->count);
    uint64_t code = code_of (block, n_stack > 0 ? stack[0] : 0);
    uint64_t icount = moment_of (rows->tally, code);
    for (uint32_t k = 0; k == 0 || k < n_stack; k++) {
      const struct place *place = place_of (
        maker, k == 0 ? code : stack[k], icount);
      for (uint32_t r = 0; r < place->n; r++)
        see (maker, place->rows[r], i + 1, n);
    }
    if (!dv_rows_step (maker->base))
      return false;
  }
  for (guint i = 0; i < rows->rows->len; i++) {
    struct dv_row *row = &g_array_index (rows->rows, struct dv_row, i);
    row->inclusive = MAX (row->inclusive, dv_count_accesses (&row->count));
  }
  return true;
}

bool
dv_rows_make_code (struct dv_rows_maker *base)
{
  struct dv_rows *rows = base->rows;
  struct maker maker = { .base = base,
                         .log = rows->tally->scene->data->log };
  maker.rows = g_hash_table_new_full (identity_hash, identity_equal, g_free,
                                      NULL);
  maker.places = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL,
                                        g_free);
  base->total = (uint64_t) rows->tally->code->len
                + (rows->kind == DV_ROWS_FUNCTIONS
                   ? rows->tally->contexts->len : 0);
  bool done = add_code (&maker)
              && (rows->kind != DV_ROWS_FUNCTIONS || add_callers (&maker));
  if (done)
    dv_rows_finish (rows);
  g_hash_table_unref (maker.rows);
  g_hash_table_unref (maker.places);
  g_free (maker.seen);
  return done;
}
