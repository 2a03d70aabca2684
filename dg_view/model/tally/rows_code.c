/* rows_code.c: rows of functions and of lines of source.

   Inlined functions are functions: what an instruction does belongs to the
   innermost one.  Each address is looked up once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "rows_make.h"

#include "format.h"
#include "i18n.h"
#include "model/log/numbers.h"
#include "model/log/order.h"

#define MAX_FRAMES 32

/* The functions that an address is in, as rows.  */
struct place {
  uint32_t first, n;       /* of maker->of_places */
};

struct maker {
  struct dv_rows_maker *base;
  const struct dg_log *log;
  struct dv_numbers rows;  /* what makes two rows one: interned names, and the
                           number of the line, or of code without name its
                           own */
  struct dv_items most;    /* uint64_t, by row: accesses of its place */
  struct dv_numbers by_address;
  struct dv_items places;  /* struct place, of by_address */
  struct dv_items of_places;   /* uint32_t: rows */
  struct dv_items seen;    /* uint32_t, by row: 1 + the context that was there
                              last */
};

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
  char *text = *module != '\0' ? g_strdup_printf (_ ("code of %s"), module)
                               : g_strdup_printf (DV_ADDRESS, address);
  g_free (module);
  return text;
}

static uint64_t
number_of (const char *interned)
{
  return (uint64_t) (uintptr_t) interned;
}

/* The row of a frame, made if it is new; DG_NONE: there is no memory.  */
static uint32_t
row_of (struct maker *maker, const struct dg_frame *frame, uint64_t address)
{
  struct dv_rows *rows = maker->base->rows;
  bool by_line = rows->kind == DV_ROWS_SOURCE;
  bool has_line = by_line && frame->file != NULL;
  const char *name = has_line ? NULL : frame->function;
  const char *file = has_line ? frame->file : frame->module;
  uint64_t number = has_line ? frame->line : 0;
  if (!has_line && frame->function == NULL && frame->module == NULL)
    number = address;
  const struct dv_numbers_key key = {number_of (name), number_of (file),
                                     number};
  uint32_t known = dv_numbers_find (&maker->rows, &key);
  if (known != DV_NUMBERS_NONE)
    return known;
  struct dv_row row = { .key = key_of (name, file, number),
                        .file = frame->file, .line = frame->line,
                        .function = frame->function,
                        .module_path = frame->module, .block = DG_NONE };
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
  if (!dv_rows_add (rows, &row)
      || dv_items_add (&maker->most, sizeof (uint64_t)) == NULL
      || dv_items_add (&maker->seen, sizeof (uint32_t)) == NULL
      || !dv_numbers_add (&maker->rows, &key, rows->rows.n - 1))
    return DG_NONE;
  return rows->rows.n - 1;
}

/* ---- Itself ----------------------------------------------------------- */

/* A function's source is where most of its accesses are.  */
static void
note_place (struct maker *maker, uint32_t number, const struct dg_frame *frame,
            uint64_t accesses)
{
  struct dv_rows *rows = maker->base->rows;
  struct dv_row *row = dv_rows_edit (rows, number);
  uint64_t *most = (uint64_t *) maker->most.items + number;
  if (accesses <= *most || frame->file == NULL
      || rows->kind != DV_ROWS_FUNCTIONS)
    return;
  *most = accesses;
  row->file = frame->file;
  row->line = frame->line;
  g_free (row->where);
  row->where = dv_rows_place (row->file, row->line);
}

static int
add_code (struct maker *maker)
{
  struct dv_rows *rows = maker->base->rows;
  const GArray *code = rows->tally->code;
  struct dg_frame frames[MAX_FRAMES];
  rows->of = g_try_new (uint32_t, (gsize) code->len + 1);
  if (rows->of == NULL)
    return DG_ERR_NOMEM;
  for (guint i = 0; i < code->len; i++) {
    const struct dv_tally_code *one = &g_array_index (code,
                                                      struct dv_tally_code, i);
    dv_rows_frames (rows->tally, one->instruction, one->icount, frames,
                    MAX_FRAMES);
    uint32_t number = row_of (maker, &frames[0], one->instruction);
    if (number == DG_NONE)
      return DG_ERR_NOMEM;
    rows->of[i] = number;
    dv_tally_count_add (&dv_rows_edit (rows, number)->count, &one->count);
    note_place (maker, number, &frames[0],
                dv_tally_count_accesses (&one->count));
    if (!dv_rows_step (maker->base))
      return DG_ERR_CANCELLED;
  }
  return 0;
}

/* ---- With what it called ---------------------------------------------- */

/* false: there is no memory.  */
static bool
place_of (struct maker *maker, uint64_t address, uint64_t icount,
          struct place *place)
{
  const struct dv_numbers_key key = { address, 0, 0 };
  uint32_t known = dv_numbers_find (&maker->by_address, &key);
  struct dg_frame frames[MAX_FRAMES];
  if (known != DV_NUMBERS_NONE) {
    *place = ((const struct place *) maker->places.items)[known];
    return true;
  }
  size_t n = dv_rows_frames (maker->base->rows->tally, address, icount,
                             frames, MAX_FRAMES);
  *place = (struct place){ maker->of_places.n, (uint32_t) n };
  for (size_t i = 0; i < n; i++) {
    uint32_t row = row_of (maker, &frames[i], address);
    uint32_t *item = dv_items_add (&maker->of_places, sizeof row);
    if (row == DG_NONE || item == NULL)
      return false;
    *item = row;
  }
  struct place *added = dv_items_add (&maker->places, sizeof *added);
  if (added == NULL)
    return false;
  *added = *place;
  return dv_numbers_add (&maker->by_address, &key, maker->places.n - 1);
}

/* Counts for a row, once for each context.  */
static void
see (struct maker *maker, uint32_t number, uint32_t mark, uint64_t accesses)
{
  uint32_t *seen = (uint32_t *) maker->seen.items + number;
  if (*seen == mark)
    return;
  *seen = mark;
  dv_rows_edit (maker->base->rows, number)->inclusive += accesses;
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
  guint after = 0, n = tally->code->len, high = n;
  DV_BISECT (
    after, high, middle,
    g_array_index (tally->code, struct dv_tally_code, middle).instruction
      <= instruction);
  return n > 0 ? g_array_index (tally->code, struct dv_tally_code,
                                MAX (after, 1) - 1)
                   .icount
               : tally->view.y0;
}

static int
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
    uint64_t n = dv_tally_count_accesses (&c->count);
    uint64_t code = code_of (block, n_stack > 0 ? stack[0] : 0);
    uint64_t icount = moment_of (rows->tally, code);
    for (uint32_t k = 0; k == 0 || k < n_stack; k++) {
      struct place place;
      if (!place_of (maker, k == 0 ? code : stack[k], icount, &place))
        return DG_ERR_NOMEM;
      for (uint32_t r = 0; r < place.n; r++)
        see (maker, ((const uint32_t *) maker->of_places.items)[place.first
                                                                + r],
             i + 1, n);
    }
    if (!dv_rows_step (maker->base))
      return DG_ERR_CANCELLED;
  }
  for (uint32_t i = 0; i < rows->rows.n; i++) {
    struct dv_row *row = dv_rows_edit (rows, i);
    row->inclusive =
      MAX (row->inclusive, dv_tally_count_accesses (&row->count));
  }
  return 0;
}

int
dv_rows_make_code (struct dv_rows_maker *base)
{
  struct dv_rows *rows = base->rows;
  struct maker maker = { .base = base,
                         .log = rows->tally->scene->data->log };
  base->total = (uint64_t) rows->tally->code->len
                + (rows->kind == DV_ROWS_FUNCTIONS
                   ? rows->tally->contexts->len : 0);
  int code = add_code (&maker);
  if (code == 0 && rows->kind == DV_ROWS_FUNCTIONS)
    code = add_callers (&maker);
  if (code == 0)
    code = dv_rows_finish (rows);
  dv_numbers_fini (&maker.rows);
  dv_items_fini (&maker.most);
  dv_numbers_fini (&maker.by_address);
  dv_items_fini (&maker.places);
  dv_items_fini (&maker.of_places);
  dv_items_fini (&maker.seen);
  return code;
}
