/* pack.c: packing the runs of a chunk: what a chunk knows of its heads, and
   its bytes.  The loops are in pack_slice.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pack.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lines.h"
#include "pack_state.h"
#include "base/varint.h"

#define RESERVE_WORDS ((size_t) 1 << 16)
/* Bytes of a number up to DG_PACK_WORDS_MAX.  */
#define TIMES_MAX 4

struct dg_packer *
dg_packer_new (int level, struct dg_error *err)
{
  struct dg_packer *packer = g_try_new0 (struct dg_packer, 1);

  if (!packer) {
    dg_error_nomem (err);
    return NULL;
  }
  packer->coder = dg_streams_coder_new (level, err);
  packer->lines = dg_lines_new (err);
  if (!packer->coder || !packer->lines) {
    dg_packer_free (packer);
    return NULL;
  }
  return packer;
}

void
dg_packer_free (struct dg_packer *packer)
{
  if (!packer)
    return;
  for (int i = 0; i < DG_STREAMS; i++)
    g_free (packer->streams[i].bytes);
  dg_streams_coder_free (packer->coder);
  dg_lines_free (packer->lines);
  dg_table_fini (&packer->infos);
  dg_table_fini (&packer->steps);
  dg_table_fini (&packer->words);
  dg_table_fini (&packer->wide);
  dg_table_fini (&packer->new_contexts);
  g_free (packer->slots);
  g_free (packer->blocks);
  g_free (packer->variants);
  free (packer->heads);
  g_free (packer);
}

/* ---- A new chunk ---- */

/* Room for n things that are known or not, none of which is: chunk 0 never
   is the packer's.  */
static bool
prepare_known (struct dg_pack_known **known, size_t *room, size_t n,
               bool is_new)
{
  if (n <= *room && !is_new)
    return true;
  n = MAX (n + n / 2, *room);
  g_free (*known);
  *known = g_try_new0 (struct dg_pack_known, n + 1);
  *room = *known ? n : 0;
  return *known;
}

int
dg_packer_begin (struct dg_packer *packer,
                 const struct dg_program_view *program, uint64_t address_mask,
                 struct dg_error *err)
{
  bool is_new = ++packer->chunk == 0;

  packer->program = *program;
  packer->mask = address_mask;
  packer->chunk += is_new;
  for (int i = 0; i < DG_STREAMS; i++)
    packer->streams[i].at = packer->streams[i].bytes;
  packer->infos.n = packer->steps.n = 0;
  packer->words.n = packer->new_contexts.n = 0;
  packer->last = 0;
  packer->told = 1;
  packer->last_variant = packer->last_node = packer->last_first = 0;
  packer->n_words = packer->room = 0;
  packer->slice.n_head_codes = packer->slice.n_word_codes = 0;
  memset (&packer->totals, 0, sizeof packer->totals);
  packer->totals.min_address = UINT64_MAX;
  dg_lines_begin (packer->lines, address_mask);
  if (!prepare_known (&packer->blocks, &packer->blocks_room, program->n.blocks,
                      is_new)
      || !prepare_known (&packer->variants, &packer->variants_room,
                         program->n.variants, is_new)
      || dg_table_reserve (&packer->steps, sizeof (struct dg_step), 1024) < 0
      || !dg_packer_begin_heads (packer))
    return dg_error_nomem (err);
  return 0;
}

/* ---- Runs ---- */

/* Room in all streams for what n words may become.  */
static int
reserve (struct dg_packer *packer, size_t n, struct dg_error *err)
{
  static const uint8_t most[DG_STREAMS] = {
    [DG_STREAM_HEAD_CODES] = 1, [DG_STREAM_WORD_CODES] = 1,
    [DG_STREAM_1] = 1,          [DG_STREAM_2] = 2,
    [DG_STREAM_4] = 4,          [DG_STREAM_8] = 8,
    [DG_STREAM_PLACES] = 2,     [DG_STREAM_LARGE_PLACES] = 4,
    [DG_STREAM_HEADS] = 10,     [DG_STREAM_FIRSTS] = 5,
  };

  for (int i = 0; i < DG_STREAMS; i++)
    if (!dg_pack_stream_reserve (&packer->streams[i], n * most[i]))
      return dg_error_nomem (err);
  if (dg_table_reserve (&packer->wide, sizeof (uint64_t), UINT16_MAX) < 0)
    return dg_error_nomem (err);
  return 0;
}

int
dg_packer_runs (struct dg_packer *packer, const uint64_t *words, size_t n,
                struct dg_error *err)
{
  int result = 0;

  if (n > DG_PACK_WORDS_MAX - packer->n_words)
    return dg_error_set (err, DG_ERR_LIMIT, "a chunk has too many runs");
  /* Calls may be many and small.  */
  if (n > packer->room) {
    size_t room = MAX (n, RESERVE_WORDS);

    result = reserve (packer, room, err);
    if (result < 0)
      return result;
    packer->room = room;
  }
  packer->room -= n;
  packer->n_words += dg_packer_slices (packer, words, n, &result, err);
  return result;
}

const struct dg_pack_totals *
dg_packer_totals (const struct dg_packer *packer)
{
  return &packer->totals;
}

/* How many runs each of the chunk's heads has.  */
static int
put_times (struct dg_packer *packer, struct dg_error *err)
{
  struct dg_pack_stream *stream = &packer->streams[DG_STREAM_TIMES];

  if (!dg_pack_stream_reserve (stream, packer->told * (size_t) TIMES_MAX))
    return dg_error_nomem (err);
  for (uint32_t i = 1; i < packer->told; i++)
    stream->at = dg_varint_put (stream->at, packer->heads[i].runs);
  return 0;
}

int
dg_packer_end (struct dg_packer *packer, struct dg_table *out,
               const struct dg_pack_new_context **new_contexts,
               size_t *n_new_contexts, struct dg_error *err)
{
  const struct dg_pack_totals *t = &packer->totals;
  uint8_t *at;

  if (reserve (packer, 0, err) < 0 || put_times (packer, err) < 0)
    return DG_ERR_NOMEM;
  dg_packer_finish_codes (packer);
  dg_pack_lines_finish (packer);
  if (packer->lines->is_short
      || dg_table_reserve (out, 1, out->n + 8 * DG_VARINT_MAX) < 0)
    return dg_error_nomem (err);
  at = dg_varint_put ((uint8_t *) out->items + out->n, t->runs);
  at = dg_varint_put (at, t->instructions);
  at = dg_varint_put (at, t->entries);
  at = dg_varint_put (at, t->reads);
  at = dg_varint_put (at, t->writes);
  at = dg_varint_put (at, t->min_address);
  at = dg_varint_put (at, t->max_address);
  at = dg_varint_put (at, packer->n_words);
  out->n = at - (uint8_t *) out->items;
  if (new_contexts) {
    *new_contexts = packer->new_contexts.items;
    *n_new_contexts = packer->new_contexts.n;
  }
  return dg_streams_write (packer->coder, DG_STREAMS, packer->streams, out,
                           err);
}

int
dg_packer_lines (struct dg_packer *packer, const struct dg_line_count **counts,
                 size_t *n, struct dg_error *err)
{
  return dg_lines_end (packer->lines, counts, n, err);
}
