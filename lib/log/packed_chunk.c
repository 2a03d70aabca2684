/* packed_chunk.c: starts reading one chunk of an archive.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "packed_chunk.h"

#include <glib.h>

#include "base/bisect.h"
#include "base/error.h"

size_t
dg_packed_find_move (const struct dg_packed *packed, uint64_t run)
{
  const struct dg_packed_move *moves = packed->moves.items;
  return DG_BISECT (0, packed->moves.n, i, moves[i].run < run);
}

static bool
is_same (const struct dg_pack_totals *a, const struct dg_pack_totals *b)
{
  return a->runs == b->runs && a->instructions == b->instructions
         && a->entries == b->entries && a->reads == b->reads
         && a->writes == b->writes && a->min_address == b->min_address
         && a->max_address == b->max_address;
}

int
dg_packed_read_chunk (const struct dg_log *log,
                      const struct dg_chunk_entry *chunk,
                      struct dg_table *bytes, struct dg_error *err)
{
  return dg_archive_read (&log->source, &chunk->runs, DG_PART_RUNS, bytes,
                          err);
}

int
dg_packed_begin_chunk (const struct dg_log *log,
                       const struct dg_chunk_entry *chunk,
                       const struct dg_table *bytes, bool has_words,
                       struct dg_unpacker *unpacker, struct dg_error *err)
{
  const uint8_t *at = (const uint8_t *) bytes->items + DG_RUNS_HEAD;
  const struct dg_program_view *view = &log->contents.packed->view;
  size_t n = bytes->n - DG_RUNS_HEAD;
  struct dg_error why = { 0 };
  int code = has_words
               ? dg_unpacker_begin (unpacker, view, at, n, &why)
               : dg_unpacker_begin_heads (unpacker, view, at, n, &why);

  if (code < 0) {
    dg_error_place (&why, chunk->runs.offset);
    return dg_error_copy (err, &why);
  }
  if (!is_same (dg_unpacker_totals (unpacker), &chunk->totals))
    return dg_error_at (err, DG_ERR_DAMAGED, chunk->runs.offset,
                        "a chunk does not have as many runs as the archive "
                        "declares");
  return 0;
}
