/* patterns_report.c: the rows of code and of places of allocation that
   `dg patterns` shows.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "patterns_state.h"

#include <string.h>

#include "dg_record.h"
#include "base/compare.h"
#include "base/error.h"
#include "base/path.h"
#include "symbols/symbols_special.h"

/* What is shown as one row: the accesses of one kind and size of an
   instruction, a line, or a function.  */
struct row {
  const char *function, *file, *module;  /* of the dg_symbols */
  uint64_t instruction;    /* 0: of several */
  uint32_t line;
  uint16_t size;           /* bytes; 0: of several instructions */
  uint16_t common_size;    /* of all of these; 0: of several sizes */
  uint8_t kind;
  /* By line, also of one stream.  */
  uint8_t pattern;
  uint32_t place;
  int64_t stride;
  uint64_t atomic, repeated;           /* of the accesses: those that are */
  struct dg_pattern_slot_sums sums;
};

enum by { BY_INSTRUCTION, BY_LINE, BY_FUNCTION };

static enum by
by_option (const struct dg_patterns *self)
{
  const char *by = dg_setup_text (self->setup, "by");

  if (strcmp (by, "line") == 0)
    return BY_LINE;
  return strcmp (by, "function") == 0 ? BY_FUNCTION : BY_INSTRUCTION;
}

/* ---- Rows ---- */

static void
begin_row (struct dg_patterns *self, enum by by,
           const struct dg_pattern_slot_sums *sums, struct row *row)
{
  const struct dg_slot *slot;
  struct dg_frame frame = { 0 };
  uint64_t instruction;

  dg_patterns_slot (self, sums->slot, &slot, &instruction);
  if (self->units)
    dg_units_frame (self->units, instruction, 0, sums->icount, &frame);
  else
    dg_symbols_frames (self->symbols, instruction, sums->icount, &frame, 1);
  *row = (struct row) { .function = frame.function, .module = frame.module,
                        .kind = slot->kind };
  if (by != BY_FUNCTION || !frame.function) {
    row->file = frame.file;
    row->line = frame.line;
  }
  if (by == BY_INSTRUCTION || (by == BY_LINE && !frame.file)) {
    row->instruction = instruction;
    row->size = slot->size;
  }
  row->common_size = slot->size;
}

/* Equal names have equal pointers.  */
static guint
row_hash (gconstpointer key)
{
  const struct row *row = key;
  guint hash = g_direct_hash (row->function) ^ g_direct_hash (row->file);

  hash = hash * 31 + g_direct_hash (row->module);
  hash = hash * 31 + dg_hash_uint64 (&row->instruction);
  hash = (hash * 31 + row->line) * 31 + row->size * 2u + row->kind;
  hash = (hash * 31 + row->pattern) * 31 + row->place;
  return hash * 31 + (guint) row->stride;
}

static gboolean
row_equal (gconstpointer a, gconstpointer b)
{
  const struct row *x = a, *y = b;

  return x->function == y->function && x->file == y->file
         && x->module == y->module && x->instruction == y->instruction
         && x->line == y->line && x->size == y->size && x->kind == y->kind
         && x->pattern == y->pattern && x->place == y->place
         && x->stride == y->stride;
}

static int
compare_texts (const char *a, const char *b)
{
  return strcmp (a ? a : "", b ? b : "");
}

/* By accesses, the most first; of equal ones, by name.  */
static int
compare_rows (const void *a, const void *b)
{
  const struct row *x = *(struct row *const *) a;
  const struct row *y = *(struct row *const *) b;

  /* Places are numbered in the order of the log.  */
  return DG_COMPARE (y->sums.accesses, x->sums.accesses)
           ?: compare_texts (x->function, y->function)
           ?: compare_texts (x->file, y->file)
           ?: DG_COMPARE (x->line, y->line)
           ?: DG_COMPARE (x->instruction, y->instruction)
           ?: DG_COMPARE (x->size, y->size) ?: DG_COMPARE (x->kind, y->kind)
           ?: compare_texts (x->module, y->module)
           ?: DG_COMPARE (x->pattern, y->pattern)
           ?: DG_COMPARE (x->stride, y->stride)
           ?: DG_COMPARE (x->place, y->place);
}

/* By what they are: the order of merging decides which strides have room.  The
   numbers of those that have a caller are in the order in which workers came
   upon them.  */
static int
compare_slots (const void *a, const void *b, void *data)
{
  const struct dg_patterns *self = data;
  struct dg_pattern_called_slot x =
    dg_patterns_whose (self, ((const struct dg_pattern_slot_sums *) a)->slot);
  struct dg_pattern_called_slot y =
    dg_patterns_whose (self, ((const struct dg_pattern_slot_sums *) b)->slot);

  return DG_COMPARE (x.slot, y.slot) ?: DG_COMPARE (x.caller, y.caller);
}

/* What one instruction does, of several whose sums these are.  */
static enum dg_pattern
pattern_of (const struct dg_pattern_slot_sums *sums)
{
  if (sums->stack * 2 > sums->accesses)
    return DG_PATTERN_STACK;
  return dg_pattern_of (&sums->moves, &sums->chase);
}

/* ---- Streams ---- */

/* Instructions of a line that walk otherwise, or through other memory, are
   rows of their own: in "a[i][k] * b[k][j]", each of the two.  */
static void
set_stream (struct row *row, const struct dg_pattern_slot_sums *sums)
{
  row->place = sums->named * 2 > sums->accesses ? sums->place : 0;
  row->pattern = (uint8_t) pattern_of (sums);
  if (row->pattern == DG_PATTERN_SEQUENTIAL
      || row->pattern == DG_PATTERN_STRIDED)
    row->stride = dg_pattern_moves_stride (&sums->moves).bytes;
}

/* Of instructions with fewer accesses nobody asks.  */
#define FEWEST_SPECIAL 64

static void
add_special (const struct dg_patterns *self, struct row *row,
             const struct dg_pattern_slot_sums *sums)
{
  const struct dg_slot *slot;
  uint64_t instruction;
  const struct dg_bbdef *bbdef;
  enum dg_special special;

  if (sums->accesses < FEWEST_SPECIAL)
    return;
  bbdef = dg_patterns_slot (self, sums->slot, &slot, &instruction);
  special =
    dg_symbols_special (self->symbols, bbdef, slot->iseq, sums->icount);
  row->atomic += special == DG_SPECIAL_ATOMIC ? sums->accesses : 0;
  row->repeated += special == DG_SPECIAL_REPEATED ? sums->accesses : 0;
}

/* NULL: no memory.  The size stays known as long as all have it.  */
static struct row *
find_row (GHashTable *known, GPtrArray *rows, const struct row *key)
{
  struct row *row = g_hash_table_lookup (known, key);

  if (!row) {
    row = g_try_new (struct row, 1);
    if (!row)
      return NULL;
    *row = *key;
    g_hash_table_add (known, row);
    g_ptr_array_add (rows, row);
  }
  if (row->common_size != key->common_size)
    row->common_size = 0;
  return row;
}

/* Of each line, kind and memory, the stream with most accesses: it gets what
   is too little to be one.  */
static GHashTable *
largest_streams (const GPtrArray *rows, struct row *bases)
{
  GHashTable *largest = g_hash_table_new (row_hash, row_equal);

  for (guint i = 0; i < rows->len; i++) {
    struct row *row = rows->pdata[i], *base = &bases[i], *other;

    *base = *row;
    base->pattern = DG_PATTERN_FEW;
    base->stride = 0;
    other = g_hash_table_lookup (largest, base);
    if (!other || compare_rows (&row, &other) < 0)
      g_hash_table_replace (largest, base, row);
  }
  return largest;
}

static int
add_rests (GHashTable *known, GPtrArray *rows, const struct dg_table *rests,
           struct dg_error *err)
{
  const struct row *rest = rests->items, *end = rest + rests->n;
  struct row *bases = g_try_new (struct row, rows->len + 1);
  GHashTable *largest;
  int code = 0;

  if (!bases)
    return dg_error_nomem (err);
  largest = largest_streams (rows, bases);
  for (; rest < end && code == 0; rest++) {
    struct row *row = g_hash_table_lookup (largest, rest), key = *rest;

    memset (&key.sums, 0, sizeof key.sums);
    if (!row)
      row = find_row (known, rows, &key);
    else if (row->common_size != rest->common_size)
      row->common_size = 0;
    if (row)
      dg_pattern_slot_sums_add (&row->sums, &rest->sums);
    else
      code = dg_error_nomem (err);
  }
  g_hash_table_unref (largest);
  g_free (bases);
  return code;
}

static int
make_rows (struct dg_patterns *self, struct dg_report *report, GPtrArray *rows,
           struct dg_error *err)
{
  struct dg_pattern_slot_sums *slots = self->slots.items.items;
  size_t n = self->slots.items.n;
  struct dg_table rests = {0};
  GHashTable *known = g_hash_table_new (row_hash, row_equal);
  enum by by = by_option (self);
  int code = 0;

  if (n > 0)
    g_qsort_with_data (slots, (gint) n, sizeof *slots, compare_slots, self);
  for (size_t i = 0; i < n && code == 0; i++) {
    const struct dg_pattern_slot_sums *sums = &slots[i];
    struct row key, *row;

    begin_row (self, by, sums, &key);
    if (by == BY_LINE)
      set_stream (&key, sums);
    if (by == BY_LINE && key.pattern == DG_PATTERN_FEW) {
      row = dg_table_add (&rests, sizeof *row);
      if (row) {
        *row = key;
        row->sums = *sums;
      }
    } else {
      row = find_row (known, rows, &key);
      if (row)
        dg_pattern_slot_sums_add (&row->sums, sums);
    }
    if (!row)
      code = dg_error_nomem (err);
    if (row)
      add_special (self, row, sums);
    if (code == 0 && (i & 255) == 0)
      code = dg_report_pace (report, i, n, err);
  }
  if (code == 0)
    code = add_rests (known, rows, &rests, err);
  dg_table_fini (&rests);
  g_hash_table_unref (known);
  g_ptr_array_sort (rows, compare_rows);
  return code;
}

/* ---- Cells ---- */

static double
share (uint64_t part, uint64_t total)
{
  return total > 0 ? (double) part / (double) total : 0;
}

/* A stride that fewer of the moves have is none.  */
#define FEWEST_STRIDES 0.1

/* "+8", "-64".  What stays at one address, the stack, which moves with calls,
   and what hardly moves have none that would mean anything.  */
static struct dg_cell
stride_cell (const struct dg_pattern_moves *moves, enum dg_pattern pattern)
{
  struct dg_pattern_stride stride = dg_pattern_moves_stride (moves);
  uint64_t moved = dg_pattern_moves_total (moves) - moves->moves[DG_MOVE_SAME];

  if (pattern == DG_PATTERN_CONSTANT || pattern == DG_PATTERN_STACK
      || pattern == DG_PATTERN_FEW)
    return DG_CELL_EMPTY;
  if (stride.count == 0 || share (stride.count, moved) < FEWEST_STRIDES)
    return DG_CELL_EMPTY;
  return DG_CELL_NUMBER ((uint64_t) stride.bytes);
}

/* Of fewer lines it says nothing.  */
#define FEWEST_FETCHES 16

static struct dg_cell
line_use_cell (const struct dg_pattern_fetches *fetches)
{
  return fetches->lines < FEWEST_FETCHES
           ? DG_CELL_EMPTY
           : DG_CELL_REAL (share (fetches->bytes,
                                  fetches->lines * DG_PATTERN_LINE_BYTES));
}

static char *
name_of (const struct row *row)
{
  const char *function = row->function ? row->function : "???";

  if (row->file && row->line > 0)
    return g_strdup_printf ("%s (%s:%u)", function, dg_path_base (row->file),
                            row->line);
  if (row->module && row->instruction > 0)
    return g_strdup_printf ("%s (in %s, 0x%" G_GINT64_MODIFIER "x)", function,
                            dg_path_base (row->module), row->instruction);
  if (row->module)
    return g_strdup_printf ("%s (in %s)", function,
                            dg_path_base (row->module));
  return g_strdup_printf ("%s (0x%" G_GINT64_MODIFIER "x)", function,
                          row->instruction);
}

static const struct dg_column code_columns[] = {
  { "accesses", "Accesses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "share", "Share", DG_UNIT_PERCENT, 0 },
  { "access", "Kind", DG_UNIT_TEXT, DG_COLUMN_ID },
  { "size", "Size", DG_UNIT_NUMBER, DG_COLUMN_ID },
  { "pattern", "Pattern", DG_UNIT_TEXT, 0 },
  { "stride", "Stride", DG_UNIT_STEP, 0 },
  { "stride_share", "Of moves", DG_UNIT_PERCENT, 0 },
  { "far_share", "Far", DG_UNIT_PERCENT, 0 },
  { "line_use_share", "Of line", DG_UNIT_PERCENT, 0 },
  { "fetched_lines", "Lines", DG_UNIT_COUNT,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "atomic", "Atomic", DG_UNIT_COUNT,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "repeated", "Repeated", DG_UNIT_COUNT,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "same_moves", "Same", DG_UNIT_COUNT,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "next_moves", "Next", DG_UNIT_COUNT,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "strided_moves", "Strided", DG_UNIT_COUNT,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "near_moves", "Near", DG_UNIT_COUNT,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "far_moves", "Far moves", DG_UNIT_COUNT,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_TOTAL },
  { "name", "Where", DG_UNIT_TEXT, DG_COLUMN_LAST | DG_COLUMN_ID },
  { "variable", "Memory", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY },
  { "function", "Function", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY | DG_COLUMN_ID },
  { "file", "File", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY | DG_COLUMN_ID },
  { "line", "Line", DG_UNIT_NUMBER, DG_COLUMN_JSON_ONLY | DG_COLUMN_ID },
  { "module", "Module", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY | DG_COLUMN_ID },
  { "instruction", "Instruction", DG_UNIT_ADDRESS,
    DG_COLUMN_JSON_ONLY | DG_COLUMN_ID }
};

static struct dg_cell
number_or_none (uint64_t number)
{
  return number > 0 ? DG_CELL_NUMBER (number) : DG_CELL_EMPTY;
}

static void
add_code_row (struct dg_patterns *self, struct dg_rows *rows,
              const struct row *row, uint64_t total)
{
  const struct dg_pattern_slot_sums *sums = &row->sums;
  const struct dg_pattern_moves *moves = &sums->moves;
  uint64_t all = dg_pattern_moves_total (moves);
  uint64_t moved = all - moves->moves[DG_MOVE_SAME];
  bool has_name = sums->named * 2 > sums->accesses && sums->place > 0;
  const char *site =
    has_name
      ? g_array_index (self->places, struct dg_pattern_place, sums->place).name
      : NULL;
  char *where = name_of (row);
  char *name = site ? g_strdup_printf ("%s: %s", where, site)
                    : g_strdup (where);
  struct dg_cell cells[] = {
    DG_CELL_NUMBER (sums->accesses),
    DG_CELL_REAL (share (sums->accesses, total)),
    DG_CELL_TEXT (row->kind == DG_ACC_READ ? "read" : "write"),
    number_or_none (row->common_size),
    DG_CELL_TEXT (dg_pattern_name (pattern_of (sums))),
    stride_cell (moves, pattern_of (sums)),
    DG_CELL_REAL (share (dg_pattern_moves_stride (moves).count, moved)),
    DG_CELL_REAL (share (moves->moves[DG_MOVE_FAR], all)),
    line_use_cell (&sums->fetches),
    DG_CELL_NUMBER (sums->fetches.lines),
    DG_CELL_NUMBER (row->atomic),
    DG_CELL_NUMBER (row->repeated),
    DG_CELL_NUMBER (moves->moves[DG_MOVE_SAME]),
    DG_CELL_NUMBER (moves->moves[DG_MOVE_NEXT]),
    DG_CELL_NUMBER (moves->moves[DG_MOVE_STRIDE]),
    DG_CELL_NUMBER (moves->moves[DG_MOVE_NEAR]),
    DG_CELL_NUMBER (moves->moves[DG_MOVE_FAR]),
    DG_CELL_TEXT (name), DG_CELL_TEXT (site), DG_CELL_TEXT (row->function),
    DG_CELL_TEXT (row->file), number_or_none (row->line),
    DG_CELL_TEXT (row->module), number_or_none (row->instruction)
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (code_columns));
  if (cells[5].is_empty)
    cells[6] = DG_CELL_EMPTY;
  if (all == 0)
    cells[7] = DG_CELL_EMPTY;
  dg_rows_add (rows, cells);
  g_free (where);
  g_free (name);
}

/* ---- Sites ---- */

static const struct dg_column site_columns[] = {
  { "accesses", "Accesses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
  { "read_share", "Reads", DG_UNIT_PERCENT, 0 },
  { "pattern", "Pattern", DG_UNIT_TEXT, 0 },
  { "stride", "Stride", DG_UNIT_STEP, 0 },
  { "same_share", "Same", DG_UNIT_PERCENT, 0 },
  { "next_share", "Next", DG_UNIT_PERCENT, 0 },
  { "strided_share", "Strided", DG_UNIT_PERCENT, 0 },
  { "near_share", "Near", DG_UNIT_PERCENT, 0 },
  { "far_share", "Far", DG_UNIT_PERCENT, 0 },
  { "name", "Heap blocks of", DG_UNIT_TEXT, DG_COLUMN_LAST | DG_COLUMN_ID },
  { "type", "Type", DG_UNIT_TEXT, DG_COLUMN_JSON_ONLY | DG_COLUMN_ID }
};

struct site_row {
  const struct dg_pattern_site_sums *sums;
  const struct dg_pattern_place *place;
};

static int
compare_sites (const void *a, const void *b)
{
  const struct site_row *x = a, *y = b;
  uint64_t n = x->sums->reads + x->sums->writes;
  uint64_t m = y->sums->reads + y->sums->writes;

  return DG_COMPARE (m, n) ?: strcmp (x->place->name, y->place->name);
}

static void
add_site_row (struct dg_rows *rows, const struct site_row *row)
{
  const struct dg_pattern_site_sums *sums = row->sums;
  const uint64_t *n = sums->moves.moves;
  uint64_t all = dg_pattern_moves_total (&sums->moves);
  uint64_t accesses = sums->reads + sums->writes;
  enum dg_pattern pattern = dg_pattern_of (&sums->moves, &sums->chase);
  const struct dg_cell cells[] = {
    DG_CELL_NUMBER (accesses),
    DG_CELL_REAL (share (sums->reads, accesses)),
    DG_CELL_TEXT (dg_pattern_name (pattern)),
    stride_cell (&sums->moves, pattern),
    DG_CELL_REAL (share (n[DG_MOVE_SAME], all)),
    DG_CELL_REAL (share (n[DG_MOVE_NEXT], all)),
    DG_CELL_REAL (share (n[DG_MOVE_STRIDE], all)),
    DG_CELL_REAL (share (n[DG_MOVE_NEAR], all)),
    DG_CELL_REAL (share (n[DG_MOVE_FAR], all)),
    DG_CELL_TEXT (row->place->name), DG_CELL_TEXT (row->place->type)
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (site_columns));
  dg_rows_add (rows, cells);
}

static void
report_sites (struct dg_patterns *self, struct dg_report *report)
{
  GArray *sorted = g_array_new (FALSE, FALSE, sizeof (struct site_row));
  const struct dg_pattern_site_sums *sites = self->sites.items.items;
  struct dg_rows *rows;

  for (size_t i = 0; i < self->sites.items.n; i++) {
    struct site_row row = {.sums = &sites[i]};

    row.place =
      &g_array_index (self->places, struct dg_pattern_place, row.sums->place);
    g_array_append_val (sorted, row);
  }
  g_array_sort (sorted, compare_sites);
  rows = dg_report_table (report, "sites", "By allocation site",
                          site_columns, G_N_ELEMENTS (site_columns));
  for (guint i = 0; i < sorted->len; i++)
    add_site_row (rows, &g_array_index (sorted, struct site_row, i));
  g_array_unref (sorted);
}

/* ---- All ---- */

/* How much of all there is of each pattern.  */
static void
report_totals (const struct dg_patterns *self, struct dg_report *report,
               const GPtrArray *rows, uint64_t total)
{
  static const struct dg_column columns[] = {
    { "pattern", "Pattern", DG_UNIT_TEXT, 0 },
    { "accesses", "Accesses", DG_UNIT_COUNT, DG_COLUMN_TOTAL },
    { "share", "Share", DG_UNIT_PERCENT, 0 }
  };
  static const enum dg_pattern order[] = {
    DG_PATTERN_STACK, DG_PATTERN_CONSTANT, DG_PATTERN_SEQUENTIAL,
    DG_PATTERN_STRIDED, DG_PATTERN_LOCAL, DG_PATTERN_CHASING,
    DG_PATTERN_GATHER, DG_PATTERN_RANDOM, DG_PATTERN_UNSURE,
    DG_PATTERN_MIXED, DG_PATTERN_FEW
  };
  uint64_t sums[G_N_ELEMENTS (order)] = { 0 };
  struct dg_rows *table;

  for (guint i = 0; i < rows->len; i++) {
    const struct row *row = rows->pdata[i];

    sums[pattern_of (&row->sums)] += row->sums.accesses;
  }
  dg_report_total (report, "accesses", "Accesses", DG_UNIT_COUNT, total);
  dg_report_count (report, "sample",
                   self->sample > 1 ? "Examined: one stretch in" : NULL,
                   self->sample);
  table = dg_report_table (report, "patterns", "Sites", columns,
                           G_N_ELEMENTS (columns));
  dg_rows_show_all (table);
  for (size_t i = 0; i < G_N_ELEMENTS (order); i++) {
    const struct dg_cell cells[] = {
      DG_CELL_TEXT (dg_pattern_name (order[i])),
      DG_CELL_NUMBER (sums[order[i]]),
      DG_CELL_REAL (share (sums[order[i]], total))
    };

    dg_rows_add (table, cells);
  }
}

int
dg_patterns_report (void *data, struct dg_report *report, struct dg_error *err)
{
  struct dg_patterns *self = data;
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_free);
  int code = make_rows (self, report, rows, err);
  uint64_t total = 0;
  struct dg_rows *table;

  for (guint i = 0; i < rows->len; i++)
    total += ((struct row *) rows->pdata[i])->sums.accesses;
  if (code == 0) {
    report_totals (self, report, rows, total);
    table = dg_report_table (report, "rows", "By code",
                             code_columns, G_N_ELEMENTS (code_columns));
    for (guint i = 0; i < rows->len; i++)
      add_code_row (self, table, rows->pdata[i], total);
    report_sites (self, report);
    code = dg_patterns_report_fields (self, report, err);
    dg_report_note (report,
                    "Far accesses without a stride defeat prefetchers: dg "
                    "cache --by=line shows what they cost, dg reuse how large "
                    "a cache would hold the data.");
  }
  g_ptr_array_unref (rows);
  return code;
}
