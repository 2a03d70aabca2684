/* sharing_places.c: where in the source variables are accessed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "sharing.h"

#include <inttypes.h>
#include <string.h>

#include "base/compare.h"
#include "base/path.h"

/* Accesses of a place, before they are put together.  */
struct piece {
  uint32_t variable, thread;
  struct dg_frame frame;               /* without a line: of the module */
  uint64_t address, reads, writes;
  const struct dg_named *named;
};

static void
find_source (struct sharing *sharing, const struct dg_sum *count,
             struct dg_frame *out)
{
  const uint64_t instruction = count->key[SHARING_INSTRUCTION];

  if (sharing->units != NULL)
    dg_units_frame (sharing->units, instruction, 0, count->least, out);
  else
    dg_symbols_frames (sharing->symbols, instruction, count->least, out, 1);
  /* What has no line is distinguished by its function.  */
  if (out->file != NULL && out->line != 0) {
    out->module_offset = 0;
  } else {
    out->file = NULL;
    out->line = 0;
    if (out->function != NULL)
      out->module_offset = 0;
    else if (out->module == NULL)
      out->module_offset = instruction;
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
add_piece (struct sharing_pieces *pieces, const struct piece *piece)
{
  uint64_t hash = hash_piece (piece);
  struct dg_probe probe = dg_lookup_probe (&pieces->lookup, hash);
  uint32_t i;

  while (dg_probe_next (&probe, &i)) {
    struct piece *to = &g_array_index (pieces->all, struct piece, i);

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
  dg_lookup_add (&pieces->lookup, hash, pieces->all->len);
  g_array_append_val (pieces->all, *piece);
}

void
sharing_pieces_init (struct sharing_pieces *pieces, struct sharing *sharing)
{
  *pieces = (struct sharing_pieces){
    .sharing = sharing,
    .all = g_array_new (FALSE, FALSE, sizeof (struct piece)),
  };
}

void
sharing_pieces_add (struct sharing_pieces *pieces, const struct dg_sum *sums,
                    size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const struct dg_sum *sum = &sums[i];
    uint32_t variable = (uint32_t) sum->key[SHARING_VARIABLE];
    struct piece piece = {
      .variable = variable,
      .thread = (uint32_t) sum->key[SHARING_THREAD],
      .address = sum->key[SHARING_ADDRESS],
      .reads = sum->reads,
      .writes = sum->writes,
      .named = dg_variables_named (pieces->sharing->variables, variable) };

    find_source (pieces->sharing, sum, &piece.frame);
    add_piece (pieces, &piece);
  }
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
         ?: sharing_compare_named (x->named, y->named)
         ?: DG_COMPARE (x->address, y->address);
}

GArray *
sharing_places (struct sharing_pieces *from, GArray **pairs_out)
{
  GArray *pieces = from->all;
  GArray *places = g_array_new (FALSE, FALSE, sizeof (struct sharing_place));
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (struct dg_pair));
  GArray *group = g_array_new (FALSE, FALSE, sizeof (struct dg_pair));
  size_t at = 0;

  dg_lookup_fini (&from->lookup);
  g_array_sort (pieces, compare_pieces);
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
  g_clear_pointer (&from->all, g_array_unref);
  *pairs_out = pairs;
  return places;
}

char *
sharing_place_text (const struct sharing_place *place)
{
  const char *path = place->file != NULL ? place->file : place->module;
  const char *base = path != NULL ? dg_path_base (path) : NULL;

  if (place->file != NULL && place->function != NULL)
    return g_strdup_printf ("%s:%u (%s)", base, place->line,
                            place->function);
  if (place->file != NULL)
    return g_strdup_printf ("%s:%u", base, place->line);
  if (place->function != NULL)
    return g_strdup_printf ("%s (%s)", place->function,
                            base != NULL ? base : "?");
  return g_strdup_printf ("%s0x%" PRIx64 "%s%s", base != NULL ? "" : "code ",
                          place->code, base != NULL ? " in " : "",
                          base != NULL ? base : "");
}
