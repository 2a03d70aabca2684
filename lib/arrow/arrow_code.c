/* arrow_code.c: the names of instructions, as columns.

   Names are looked up once for each address, and again when modules or
   executable pages have come or gone.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "arrow_code.h"

#include <glib.h>
#include <stdlib.h>

#include "base/bisect.h"
#include "base/compare.h"
#include "base/error.h"
#include "dg_record.h"
#include "base/lookup.h"

/* Addresses that are found without the table.  */
#define RECENT_BITS 12
#define RECENT (1u << RECENT_BITS)

/* What is known of an address.  Indices -1: null.  */
struct place {
  uint64_t address;
  int32_t function, file, module;
  uint32_t line;           /* 0: null */
};

struct recent {
  uint64_t address;
  uint32_t place;
};

struct dg_arrow_code {
  struct dg_symbols *symbols;
  /* Names may differ from each of these moments on, in their order.  */
  uint64_t *changes;
  size_t n_changes;
  uint64_t since, until;   /* what is known is of these moments */
  struct dg_lookup lookup;
  struct dg_table places;
  struct recent recent[RECENT];
  uint32_t *rows;          /* the place of each */
  size_t rows_room;
};

/* ---- Changes of code ---- */

static size_t
list_changes (const struct dg_log *log, uint64_t *changes)
{
  size_t n_modules, n_mappings, n = 0;
  const struct dg_module *modules = dg_log_modules (log, &n_modules);
  const struct dg_mapping *mappings = dg_log_mappings (log, &n_mappings);

  for (size_t i = 0; i < n_modules; i++) {
    changes[n++] = modules[i].load_icount;
    changes[n++] = modules[i].unload_icount;
  }
  for (size_t i = 0; i < n_mappings; i++)
    if (mappings[i].protection & DG_PROT_EXEC) {
      changes[n++] = mappings[i].start_icount;
      changes[n++] = mappings[i].end_icount;
    }
  if (n > 0)
    qsort (changes, n, sizeof *changes, dg_compare_u64);
  return DG_UNIQUE (changes, n);
}

struct dg_arrow_code *
dg_arrow_code_new (struct dg_arrow_shared *shared, struct dg_error *err)
{
  const struct dg_log *log = dg_arrow_shared_log (shared);
  struct dg_symbols *symbols = dg_arrow_shared_symbols (shared, err);
  struct dg_arrow_code *code;
  size_t n_modules, n_mappings;

  if (!symbols)
    return NULL;
  dg_log_modules (log, &n_modules);
  dg_log_mappings (log, &n_mappings);
  code = g_try_new0 (struct dg_arrow_code, 1);
  if (code) {
    code->symbols = symbols;
    code->changes = g_try_new (uint64_t, 2 * (n_modules + n_mappings) + 1);
    if (code->changes) {
      code->n_changes = list_changes (log, code->changes);
      return code;
    }
    g_free (code);
  }
  dg_error_nomem (err);
  return NULL;
}

void
dg_arrow_code_free (struct dg_arrow_code *code)
{
  if (!code)
    return;
  g_free (code->changes);
  g_free (code->rows);
  dg_lookup_fini (&code->lookup);
  dg_table_fini (&code->places);
  g_free (code);
}

/* Forgets what is not of this moment.  */
static void
move_to (struct dg_arrow_code *code, uint64_t icount)
{
  size_t i = DG_BISECT (0, code->n_changes, k, code->changes[k] <= icount);

  code->since = i > 0 ? code->changes[i - 1] : 0;
  code->until = i < code->n_changes ? code->changes[i] : DG_NEVER;
  dg_lookup_clear (&code->lookup);
  code->places.n = 0;
  for (unsigned k = 0; k < RECENT; k++)
    code->recent[k].place = DG_NONE;
}

/* ---- Names ---- */

/* -1: null; < -1: an error.  */
static int32_t
index_of (struct dg_arrow_array *array, const char *name,
          struct dg_error *err)
{
  int index = -1;

  if (array && name) {
    index = dg_arrow_text_index (array->text, name, err);
    if (index < 0)
      index = index - 1;
  }
  return index;
}

static int
look_up (struct dg_arrow_code *code, uint64_t address, uint64_t icount,
         const struct dg_arrow_code_columns *columns, struct place *place,
         struct dg_error *err)
{
  struct dg_frame frame[1];

  dg_symbols_frames (code->symbols, address, icount, frame, 1);
  *place = (struct place) {
    .address = address,
    .function = index_of (columns->function, frame->function, err),
    .file = index_of (columns->file, frame->file, err),
    .module = index_of (columns->module, frame->module, err),
    .line = frame->line
  };
  if (place->function < -1)
    return place->function + 1;
  if (place->file < -1)
    return place->file + 1;
  return place->module < -1 ? place->module + 1 : 0;
}

/* The number of the place of an address, DG_NONE and *err on failure.  */
static __attribute__ ((noinline)) uint32_t
find (struct dg_arrow_code *code, uint64_t address, uint64_t icount,
      const struct dg_arrow_code_columns *columns, struct dg_error *err)
{
  uint64_t hash = dg_hash (address);
  struct dg_probe probe = dg_lookup_probe (&code->lookup, hash);
  const struct place *places = code->places.items;
  struct place found, *place;
  uint32_t i;

  while (dg_probe_next (&probe, &i))
    if (places[i].address == address)
      return i;
  if (look_up (code, address, icount, columns, &found, err) < 0)
    return DG_NONE;
  place = dg_lookup_add_item (&code->lookup, hash, &code->places,
                              sizeof *place);
  if (!place) {
    dg_error_nomem (err);
    return DG_NONE;
  }
  *place = found;
  return code->places.n - 1;
}

static int
find_rows (struct dg_arrow_code *code, const uint64_t *icount,
           const uint64_t *instruction, size_t n,
           const struct dg_arrow_code_columns *columns, struct dg_error *err)
{
  for (size_t i = 0; i < n; i++) {
    uint64_t address = instruction[i];
    struct recent *recent
      = &code->recent[dg_hash (address) >> (64 - RECENT_BITS)];

    if (recent->address != address || recent->place == DG_NONE) {
      recent->address = address;
      recent->place = find (code, address, icount[i], columns, err);
      if (recent->place == DG_NONE)
        return DG_ERR_NOMEM;
    }
    code->rows[i] = recent->place;
  }
  return 0;
}

/* ---- Columns ---- */

#define FILL_NAMES(array, member)                            \
  for (size_t i = 0; (array) && i < n; i++) {                \
    int32_t index_ = places[rows[i]].member;                 \
                                                             \
    (array)->index[row + i] = MAX (index_, 0);               \
    if (G_UNLIKELY (index_ < 0))                             \
      dg_arrow_array_clear ((array), row + i);               \
  }

static void
fill (const struct dg_arrow_code *code, size_t n, size_t row,
      const struct dg_arrow_code_columns *columns)
{
  const struct place *const places = code->places.items;
  const uint32_t *const rows = code->rows;

  FILL_NAMES (columns->function, function);
  FILL_NAMES (columns->file, file);
  FILL_NAMES (columns->module, module);
  for (size_t i = 0; columns->line && i < n; i++) {
    uint32_t line = places[rows[i]].line;

    columns->line->u32[row + i] = line;
    if (line == 0)
      dg_arrow_array_clear (columns->line, row + i);
  }
}

int
dg_arrow_code_fill (struct dg_arrow_code *code, const uint64_t *icount,
                    const uint64_t *instruction, size_t n, size_t row,
                    const struct dg_arrow_code_columns *columns,
                    struct dg_error *err)
{
  if (n > code->rows_room) {
    g_free (code->rows);
    code->rows_room = 0;
    code->rows = g_try_new (uint32_t, n);
    if (!code->rows)
      return dg_error_nomem (err);
    code->rows_room = n;
  }
  for (size_t done = 0, end; done < n; done = end) {
    if (icount[done] < code->since || icount[done] >= code->until
        || code->until == 0)
      move_to (code, icount[done]);
    for (end = done; end < n && icount[end] >= code->since
                     && icount[end] < code->until; end++)
      ;
    if (end == done)
      end = n;             /* DG_NEVER itself */
    if (find_rows (code, icount + done, instruction + done, end - done,
                   columns, err) < 0)
      return DG_ERR_NOMEM;
    fill (code, end - done, row + done, columns);
  }
  return 0;
}
