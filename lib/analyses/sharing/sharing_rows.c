/* sharing_rows.c: from counts by address, variable, thread and instruction to
   what is told.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/error.h"

/* Writes that are many are as many as this, and one in so many of all
   accesses.  */
#define MANY 100
#define MUCH 1000

/* ---- Order -------------------------------------------------------------- */

static int
compare_items (const void *a, const void *b, void *user)
{
  const struct sharing_count *items = user;
  const struct sharing_key *x = &items[*(const uint32_t *) a].key;
  const struct sharing_key *y = &items[*(const uint32_t *) b].key;

  return DG_COMPARE (x->address, y->address)
         ?: DG_COMPARE (x->variable, y->variable)
         ?: DG_COMPARE (x->thread, y->thread)
         ?: DG_COMPARE (x->instruction, y->instruction);
}

static int
make_order (struct sharing *sharing, struct dg_error *err)
{
  uint32_t n = sharing->counts.n;

  sharing->order = g_try_new (uint32_t, (size_t) n + 1);
  if (sharing->order == NULL)
    return dg_error_nomem (err);
  for (uint32_t i = 0; i < n; i++)
    sharing->order[i] = i;
  g_qsort_with_data (sharing->order, (gint) n, sizeof *sharing->order,
                     compare_items, sharing->counts.items);
  return 0;
}

static const struct sharing_count *
item (const struct sharing *sharing, uint32_t i)
{
  return &sharing->counts.items[sharing->order[i]];
}

/* ---- Pairs -------------------------------------------------------------- */

DG_COMPARE_BY (compare_keys, struct dg_pair, key)

static int
compare_counts (const void *a, const void *b)
{
  const struct dg_pair *x = a, *y = b;

  return DG_COMPARE (y->count, x->count) ?: compare_keys (a, b);
}

size_t
sharing_add_pairs (GArray *to, struct dg_pair *pairs, size_t n)
{
  size_t kept = 0;

  if (n == 0)
    return 0;
  qsort (pairs, n, sizeof *pairs, compare_keys);
  for (size_t i = 0; i < n; i++) {
    if (kept > 0 && pairs[kept - 1].key == pairs[i].key)
      pairs[kept - 1].count += pairs[i].count;
    else
      pairs[kept++] = pairs[i];
  }
  qsort (pairs, kept, sizeof *pairs, compare_counts);
  g_array_append_vals (to, pairs, (guint) kept);
  return kept;
}

bool
sharing_is_uniform (const struct dg_pair *threads, size_t n)
{
  if (n < 2)
    return false;
  /* Twice the second may be more than 64 bits hold.  */
  return threads[1].count > UINT64_MAX / 2
         || threads[0].count < 2 * threads[1].count;
}

bool
sharing_is_left_out (const struct sharing *sharing, uint64_t writes)
{
  return !sharing->has_runtime
         && writes < MAX (MANY, sharing->accesses / MUCH);
}

/* ---- Rows --------------------------------------------------------------- */

static int
compare_named (const struct dg_named *x, const struct dg_named *y)
{
  return strcmp (x->name, y->name)
         ?: g_strcmp0 (x->file, y->file)
         ?: DG_COMPARE (x->line, y->line)
         ?: (int) x->kind - (int) y->kind;
}

static int
compare_rows (const void *a, const void *b)
{
  const struct sharing_row *x = a, *y = b;
  uint64_t m = x->reads + x->writes, n = y->reads + y->writes;

  return DG_COMPARE (n, m)
         ?: DG_COMPARE (x->address, y->address)
         ?: compare_named (x->named, y->named);
}

/* Items first to end - 1 are those of one address and variable.  */
static void
add_row (struct sharing *sharing, uint32_t first, uint32_t end, GArray *rows,
         GArray *pairs)
{
  struct sharing_row row = { .address = item (sharing, first)->key.address,
                             .variable = item (sharing, first)->key.variable,
                             .first = first, .n = end - first };
  guint before = pairs->len;
  bool is_foreign = false;

  for (uint32_t i = first; i < end; i++) {
    const struct sharing_count *count = item (sharing, i);
    struct dg_pair pair = { count->key.thread, count->reads + count->writes };

    row.reads += count->reads;
    row.writes += count->writes;
    is_foreign |= count->is_foreign;
    /* They come by thread.  */
    if (row.n_threads > 0
        && g_array_index (pairs, struct dg_pair, pairs->len - 1).key
             == pair.key) {
      g_array_index (pairs, struct dg_pair, pairs->len - 1).count
        += pair.count;
    } else {
      g_array_append_val (pairs, pair);
      row.n_threads++;
    }
  }
  qsort (&g_array_index (pairs, struct dg_pair, before), row.n_threads,
         sizeof (struct dg_pair), compare_counts);
  /* Stacks that were at one address, one after the other, are not shared.  */
  if (row.n_threads < 2 || !is_foreign
      || (sharing->is_uniform
          && !sharing_is_uniform (
               &g_array_index (pairs, struct dg_pair, before),
               row.n_threads))) {
    g_array_set_size (pairs, before);
    return;
  }
  row.named = dg_variables_named (sharing->variables, row.variable);
  if (row.named->is_runtime
      && sharing_is_left_out (sharing, row.writes)) {
    sharing->runtime_rows++;
    sharing->runtime_accesses += row.reads + row.writes;
    g_array_set_size (pairs, before);
    return;
  }
  g_array_append_val (rows, row);
}

GArray *
sharing_rows (struct sharing *sharing, GArray **pairs_out,
              struct dg_error *err)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (struct sharing_row));
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (struct dg_pair));
  size_t at = 0;

  *pairs_out = pairs;
  sharing_counts_close (&sharing->counts);
  if (make_order (sharing, err) < 0) {
    g_array_unref (rows);
    return NULL;
  }
  for (uint32_t i = 0, end; i < sharing->counts.n; i = end) {
    const struct sharing_key *key = &item (sharing, i)->key;

    for (end = i + 1; end < sharing->counts.n; end++)
      if (item (sharing, end)->key.address != key->address
          || item (sharing, end)->key.variable != key->variable)
        break;
    add_row (sharing, i, end, rows, pairs);
  }
  for (guint i = 0; i < rows->len; i++) {
    struct sharing_row *row = &g_array_index (rows, struct sharing_row, i);

    row->threads = &g_array_index (pairs, struct dg_pair, at);
    at += row->n_threads;
  }
  g_array_sort (rows, compare_rows);
  /* Who wants no more than rows needs no more than these.  */
  if (!sharing->by_instruction) {
    g_clear_pointer (&sharing->order, g_free);
    sharing_counts_fini (&sharing->counts);
  }
  return rows;
}

/* ---- Places in the source ----------------------------------------------- */

/* Accesses of a place, before they are put together.  */
struct piece {
  uint32_t variable, thread;
  struct dg_frame frame;               /* without a line: of the module */
  uint64_t address, reads, writes;
  const struct dg_named *named;
};

static void
find_source (struct sharing *sharing, const struct sharing_count *count,
             struct dg_frame *out)
{
  if (sharing->units != NULL)
    dg_units_frame (sharing->units, count->key.instruction, 0, count->icount,
                    out);
  else
    dg_symbols_frames (sharing->symbols, count->key.instruction,
                       count->icount, out, 1);
  /* What has no line is distinguished by its function.  */
  if (out->file != NULL && out->line != 0) {
    out->module_offset = 0;
  } else {
    out->file = NULL;
    out->line = 0;
    if (out->function != NULL)
      out->module_offset = 0;
    else if (out->module == NULL)
      out->module_offset = count->key.instruction;
  }
}

/* Strings are interned: equal ones are at one place.  But their order must
   not depend on where that is.  */
static int
compare_pieces (const void *a, const void *b)
{
  const struct piece *x = a, *y = b;

  return DG_COMPARE (x->variable, y->variable)
           ?: DG_COMPARE (x->frame.line, y->frame.line)
           ?: g_strcmp0 (x->frame.file, y->frame.file)
           ?: (x->frame.file != NULL
                 ? 0
                 : g_strcmp0 (x->frame.function, y->frame.function)
                     ?: g_strcmp0 (x->frame.module, y->frame.module))
           ?: DG_COMPARE (x->frame.module_offset, y->frame.module_offset)
           ?: DG_COMPARE (x->thread, y->thread)
           ?: g_strcmp0 (x->frame.function, y->frame.function);
}

static bool
is_same_place (const struct piece *a, const struct piece *b)
{
  return a->variable == b->variable && a->frame.line == b->frame.line
         && a->frame.file == b->frame.file
         && a->frame.module_offset == b->frame.module_offset
         && (a->frame.file != NULL
             || (a->frame.function == b->frame.function
                 && a->frame.module == b->frame.module));
}

static uint64_t
hash_piece (const struct piece *piece)
{
  const struct dg_frame *frame = &piece->frame;
  uint64_t h =
    dg_hash ((uint64_t) piece->variable << 32 | piece->thread);

  h = dg_hash_add (h, (uintptr_t) frame->file);
  h = dg_hash_add (h, (uintptr_t) frame->function);
  h = dg_hash_add (h, (uintptr_t) frame->module);
  return dg_hash_add (h, frame->module_offset << 32 ^ frame->line);
}

/* Adds one to those that it can be told from; a variable has many addresses,
   and few places where it is accessed.  */
static void
add_piece (GArray *pieces, struct dg_lookup *lookup, const struct piece *piece)
{
  uint64_t hash = hash_piece (piece);
  struct dg_probe probe = dg_lookup_probe (lookup, hash);
  uint32_t i;

  while (dg_probe_next (&probe, &i)) {
    struct piece *to = &g_array_index (pieces, struct piece, i);

    if (!is_same_place (to, piece) || to->thread != piece->thread
        || to->frame.function != piece->frame.function
        || to->frame.module != piece->frame.module)
      continue;
    to->reads += piece->reads;
    to->writes += piece->writes;
    to->address = MIN (to->address, piece->address);
    return;
  }
  /* Without memory it is not found again, and another one like it does no
     harm.  */
  dg_lookup_add (lookup, hash, pieces->len);
  g_array_append_val (pieces, *piece);
}

static GArray *
collect_pieces (struct sharing *sharing, const GArray *rows)
{
  GArray *pieces = g_array_new (FALSE, FALSE, sizeof (struct piece));
  struct dg_lookup lookup = { 0 };

  for (guint i = 0; i < rows->len; i++) {
    const struct sharing_row *row =
      &g_array_index (rows, struct sharing_row, i);

    for (uint32_t k = row->first; k < row->first + row->n; k++) {
      const struct sharing_count *count = item (sharing, k);
      struct piece piece = { .variable = row->variable,
                             .thread = count->key.thread,
                             .address = row->address,
                             .reads = count->reads,
                             .writes = count->writes,
                             .named = row->named };

      find_source (sharing, count, &piece.frame);
      add_piece (pieces, &lookup, &piece);
    }
  }
  dg_lookup_fini (&lookup);
  g_array_sort (pieces, compare_pieces);
  return pieces;
}

static int
compare_places (const void *a, const void *b)
{
  const struct sharing_place *x = a, *y = b;
  uint64_t m = x->reads + x->writes, n = y->reads + y->writes;

  return DG_COMPARE (n, m)
         ?: g_strcmp0 (x->file, y->file)
         ?: DG_COMPARE (x->line, y->line)
         ?: g_strcmp0 (x->function, y->function)
         ?: g_strcmp0 (x->module, y->module)
         ?: DG_COMPARE (x->code, y->code)
         ?: compare_named (x->named, y->named)
         ?: DG_COMPARE (x->address, y->address);
}

GArray *
sharing_places (struct sharing *sharing, const GArray *rows,
                GArray **pairs_out)
{
  GArray *pieces = collect_pieces (sharing, rows);
  GArray *places = g_array_new (FALSE, FALSE, sizeof (struct sharing_place));
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (struct dg_pair));
  GArray *group = g_array_new (FALSE, FALSE, sizeof (struct dg_pair));
  size_t at = 0;

  for (guint i = 0, end; i < pieces->len; i = end) {
    const struct piece *first = &g_array_index (pieces, struct piece, i);
    struct sharing_place place = { .named = first->named,
                                   .variable = first->variable,
                                   .function = first->frame.function,
                                   .module = first->frame.module,
                                   .code = first->frame.module_offset,
                                   .file = first->frame.file,
                                   .line = first->frame.line,
                                   .address = first->address };

    g_array_set_size (group, 0);
    for (end = i; end < pieces->len; end++) {
      const struct piece *piece = &g_array_index (pieces, struct piece, end);
      struct dg_pair pair = { piece->thread, piece->reads + piece->writes };

      if (!is_same_place (first, piece))
        break;
      place.reads += piece->reads;
      place.writes += piece->writes;
      place.address = MIN (place.address, piece->address);
      g_array_append_val (group, pair);
    }
    place.n_threads = sharing_add_pairs (
      pairs, (struct dg_pair *) (void *) group->data, group->len);
    g_array_append_val (places, place);
  }
  for (guint i = 0; i < places->len; i++) {
    struct sharing_place *place =
      &g_array_index (places, struct sharing_place, i);

    place->threads = &g_array_index (pairs, struct dg_pair, at);
    at += place->n_threads;
  }
  g_array_sort (places, compare_places);
  g_array_unref (group);
  g_array_unref (pieces);
  *pairs_out = pairs;
  return places;
}
