/* packed_chunk.c: the runs of an archive, chunk by chunk.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "packed_chunk.h"

#include <glib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/error.h"

/* Words of a batch besides the one run that may have any number.  */
#define WORDS_ROOM(batch) (DG_UNPACK_ROOM + 8 * (batch))
/* Heads that are called for at a time.  */
#define CALLED 64

int
dg_packed_chunk_init (struct dg_packed_chunk *chunk, const struct dg_log *log,
                      bool has_contexts, size_t batch, struct dg_error *err)
{
  struct dg_packed *packed = log->contents.packed;

  *chunk = (struct dg_packed_chunk){
    .log = log, .packed = packed, .batch = batch, .thread = 1};
  if (has_contexts && dg_packed_use (packed, err) < 0)
    return DG_ERR_NOMEM;
  chunk->has_contexts = has_contexts;
  chunk->unpacker = dg_unpacker_new (packed->archive->head.version, err);
  if (!chunk->unpacker)
    return DG_ERR_NOMEM;
  chunk->words = g_try_new (uint64_t, WORDS_ROOM (batch));
  if (!chunk->words)
    return dg_error_nomem (err);
  chunk->at = chunk->stop = chunk->words;
  return 0;
}

void
dg_packed_chunk_fini (struct dg_packed_chunk *chunk)
{
  if (chunk->has_contexts)
    dg_packed_leave (chunk->packed);
  dg_unpacker_free (chunk->unpacker);
  dg_table_fini (&chunk->bytes);
  g_free (chunk->words);
  g_free (chunk->numbers);
}

/* ---- Errors ---- */

int
dg_packed_chunk_damaged (const struct dg_packed_chunk *chunk, const char *what,
                         struct dg_error *err)
{
  return dg_error_at (err, DG_ERR_DAMAGED, chunk->entry->runs.offset, "%s",
                      what);
}

int
dg_packed_chunk_no_context (const struct dg_packed_chunk *chunk,
                            struct dg_error *err)
{
  return dg_packed_chunk_damaged (
    chunk, "a run names a context that is not in the log", err);
}

static int
place (const struct dg_packed_chunk *chunk, struct dg_error *why,
       struct dg_error *err)
{
  dg_error_place (why, chunk->entry->runs.offset);
  return dg_error_copy (err, why);
}

/* ---- Chunks ---- */

int
dg_packed_chunk_open (struct dg_packed_chunk *chunk, size_t index,
                      struct dg_error *err)
{
  const struct dg_packed *packed = chunk->packed;
  const struct dg_packed_move *moves = packed->moves.items;
  const struct dg_chunk_entry *entry =
    (const struct dg_chunk_entry *) packed->archive->chunks.items + index;
  int code = dg_archive_lend (&chunk->log->source, &entry->runs, DG_PART_RUNS,
                              &chunk->bytes, &chunk->lent, err);

  if (code < 0)
    return code;
  chunk->entry = entry;
  chunk->run = entry->start.runs;
  chunk->end_run =
    MIN (entry->start.runs + entry->totals.runs, packed->end_run);
  chunk->icount = entry->start.icount;
  chunk->thread = entry->start.thread;
  chunk->move = DG_BISECT (0, packed->moves.n, i, moves[i].run < chunk->run);
  chunk->at = chunk->stop = chunk->words;
  return 0;
}

static bool
is_same (const struct dg_pack_totals *a, const struct dg_pack_totals *b)
{
  return a->runs == b->runs && a->instructions == b->instructions
         && a->entries == b->entries && a->reads == b->reads
         && a->writes == b->writes && a->min_address == b->min_address
         && a->max_address == b->max_address;
}

typedef int begin_fn (struct dg_unpacker *, const struct dg_program_view *,
                      const uint8_t *, size_t, struct dg_error *);

static int
decompress (struct dg_packed_chunk *chunk, begin_fn *unpacker_begin,
            const uint8_t *bytes, size_t n, struct dg_error *err)
{
  struct dg_error why = {0};
  int code = unpacker_begin (chunk->unpacker, &chunk->packed->view,
                             bytes + DG_RUNS_HEAD, n - DG_RUNS_HEAD, &why);

  return code < 0 ? place (chunk, &why, err) : 0;
}

/* The streams of the chunk, wherever its bytes are.  If those in the source
   turn out not to be good, they are read, which shows why.  */
static int
decompress_lent (struct dg_packed_chunk *chunk, begin_fn *unpacker_begin,
                 struct dg_error *err)
{
  const struct dg_source *source = &chunk->log->source;
  const struct dg_part *part = &chunk->entry->runs;
  struct dg_archive_lent *lent = &chunk->lent;
  struct dg_error why = {0};
  int code = 0;

  if (!lent->bytes)
    code = dg_archive_lend (source, part, DG_PART_RUNS, &chunk->bytes, lent,
                            err);
  if (code < 0)
    return code;
  code = decompress (chunk, unpacker_begin, lent->bytes, lent->n, &why);
  if (dg_archive_take_back (source, part, lent))
    return code < 0 ? dg_error_copy (err, &why) : 0;
  code = dg_archive_read (source, part, DG_PART_RUNS, &chunk->bytes, err);
  return code < 0 ? code
                  : decompress (chunk, unpacker_begin, chunk->bytes.items,
                                chunk->bytes.n, err);
}

/* Begins to unpack, and makes room for n heads and those behind.  */
static int
begin (struct dg_packed_chunk *chunk, size_t n, begin_fn *unpacker_begin,
       struct dg_error *err)
{
  int code = decompress_lent (chunk, unpacker_begin, err);

  if (code < 0)
    return code;
  if (!is_same (dg_unpacker_totals (chunk->unpacker), &chunk->entry->totals))
    return dg_packed_chunk_damaged (chunk,
                                    "a chunk does not have as many runs as "
                                    "the archive declares",
                                    err);
  n += DG_PACKED_AHEAD;
  if (n > chunk->numbers_room) {
    g_free (chunk->numbers);
    chunk->numbers = g_try_new0 (uint32_t, n);
    chunk->numbers_room = chunk->numbers ? n : 0;
  }
  chunk->number = chunk->numbers;
  return chunk->numbers ? 0 : dg_error_nomem (err);
}

int
dg_packed_chunk_begin (struct dg_packed_chunk *chunk, struct dg_error *err)
{
  return begin (chunk, chunk->batch, dg_unpacker_begin, err);
}

int
dg_packed_chunk_begin_addresses (struct dg_packed_chunk *chunk,
                                 struct dg_error *err)
{
  return begin (chunk, chunk->batch, dg_unpacker_begin_addresses, err);
}

int
dg_packed_chunk_begin_heads (struct dg_packed_chunk *chunk,
                             struct dg_error *err)
{
  const struct dg_pack_totals *totals = &chunk->entry->totals;
  struct dg_error why = { 0 };
  int code = begin (chunk, totals->runs, dg_unpacker_begin_heads, err);

  if (code < 0)
    return code;
  code = dg_unpacker_numbers (chunk->unpacker, chunk->numbers, &why);
  if (code < 0)
    return place (chunk, &why, err);
  memset (chunk->numbers + totals->runs, 0,
          DG_PACKED_AHEAD * sizeof *chunk->numbers);
  return dg_unpacker_slots (chunk->unpacker) == totals->reads + totals->writes;
}

int
dg_packed_chunk_begin_counts (struct dg_packed_chunk *chunk,
                              struct dg_error *err)
{
  const struct dg_pack_totals *totals = &chunk->entry->totals;
  struct dg_error why = { 0 };
  int code = begin (chunk, 0, dg_unpacker_begin_counts, err);

  if (code < 0)
    return code;
  code = dg_unpacker_count (chunk->unpacker, !chunk->has_contexts, &why);
  if (code < 0)
    return place (chunk, &why, err);
  return dg_unpacker_slots (chunk->unpacker) == totals->reads + totals->writes;
}

/* Of each head, how often it is there, and the instructions before.  Without
   holes, so that arrays can be compared.  */
struct counted {
  uint64_t head, first, times;
};

/* Counts the runs of each head, into n items, new; number 0 has none.  */
static int
count_heads (struct dg_packed_chunk *chunk, begin_fn *unpacker_begin,
             struct counted **items, size_t *n, struct dg_error *err)
{
  struct dg_unpacker *unpacker = chunk->unpacker;
  struct dg_error why = { 0 };
  int code = begin (chunk, 0, unpacker_begin, err);

  if (code < 0)
    return code;
  code = dg_unpacker_count (unpacker, false, &why);
  if (code < 0)
    return place (chunk, &why, err);
  *n = dg_unpacker_heads (unpacker);
  *items = g_try_new0 (struct counted, *n);
  if (!*items)
    return dg_error_nomem (err);
  for (size_t i = 1; i < *n; i++)
    (*items)[i] = (struct counted) {dg_unpacker_head (unpacker, i),
                                    dg_unpacker_first (unpacker, i),
                                    dg_unpacker_times (unpacker, i)};
  return 0;
}

int
dg_packed_chunk_check_counts (struct dg_packed_chunk *chunk,
                              struct dg_error *err)
{
  struct counted *in_order = NULL, *told = NULL;
  size_t n = 0, n_told = 0;
  int code;

  if (chunk->packed->archive->head.version == 1)
    return 0;
  code = count_heads (chunk, dg_unpacker_begin_heads, &in_order, &n, err);
  if (code == 0)
    code = count_heads (chunk, dg_unpacker_begin_counts, &told, &n_told, err);
  if (code == 0
      && (n != n_told || memcmp (in_order, told, n * sizeof *told) != 0))
    code = dg_packed_chunk_damaged (
      chunk, "a chunk does not count its runs as they are", err);
  g_free (in_order);
  g_free (told);
  return code;
}

/* ---- Batches ---- */

uint64_t
dg_packed_chunk_left (struct dg_packed_chunk *chunk)
{
  const struct dg_packed_move *moves = chunk->packed->moves.items;
  size_t n = chunk->packed->moves.n;
  uint64_t left = chunk->end_run - chunk->run;

  for (; chunk->move < n && moves[chunk->move].run <= chunk->run;
       chunk->move++) {
    chunk->icount = moves[chunk->move].icount;
    chunk->thread = moves[chunk->move].thread;
  }
  if (chunk->move < n)
    left = MIN (left, moves[chunk->move].run - chunk->run);
  return left;
}

static int
too_short (const struct dg_packed_chunk *chunk, struct dg_error *err)
{
  return dg_packed_chunk_damaged (
    chunk, "a chunk has fewer runs than it declares", err);
}

int
dg_packed_chunk_unpack (struct dg_packed_chunk *chunk, uint64_t max,
                        struct dg_error *err)
{
  struct dg_error why = {0};
  size_t n_words;
  ptrdiff_t n;

  max = MIN (max, chunk->end_run - chunk->run);
  if (max == 0)
    return 0;
  n = dg_unpacker_numbered (chunk->unpacker, chunk->words,
                            WORDS_ROOM (chunk->batch), MIN (max, chunk->batch),
                            &n_words, chunk->numbers, &why);
  if (n < 0)
    return place (chunk, &why, err);
  if (n == 0)
    return too_short (chunk, err);
  chunk->run += n;
  chunk->at = chunk->words;
  chunk->stop = chunk->words + n_words;
  chunk->number = chunk->numbers;
  return 1;
}

ptrdiff_t
dg_packed_chunk_addresses (struct dg_packed_chunk *chunk, uint64_t max,
                           uint64_t *addresses, size_t enough,
                           struct dg_error *err)
{
  struct dg_error why = {0};
  ptrdiff_t n;

  max = MIN (max, chunk->end_run - chunk->run);
  if (max == 0)
    return 0;
  n = dg_unpacker_addresses (chunk->unpacker,
                             chunk->log->format.word_size == 8 ? UINT64_MAX
                                                               : UINT32_MAX,
                             MIN (max, chunk->batch), chunk->numbers,
                             addresses, enough, &why);
  if (n < 0)
    return place (chunk, &why, err);
  if (n == 0)
    return too_short (chunk, err);
  chunk->run += n;
  chunk->number = chunk->numbers;
  return n;
}

/* ---- Heads ---- */

size_t
dg_packed_chunk_call (const struct dg_packed_chunk *chunk, size_t first,
                      size_t n)
{
  const struct dg_packed *packed = chunk->packed;
  const struct dg_packed_variant *variants = packed->variants;
  uint64_t words[CALLED];

  n = MIN (n - first, CALLED);
  for (size_t i = 0; i < n; i++) {
    words[i] = dg_unpacker_head (chunk->unpacker, first + i);
    __builtin_prefetch (&variants[dg_run_variant (words[i])]);
  }
  for (size_t i = 0; i < n; i++)
    __builtin_prefetch (variants[dg_run_variant (words[i])].of);
  if (!chunk->has_contexts)
    return first + n;
  for (size_t i = 0; i < n; i++)
    dg_packed_prefetch (packed, variants[dg_run_variant (words[i])].block,
                        dg_run_node (words[i]));
  for (size_t i = 0; i < n; i++)
    dg_packed_prefetch_context (packed,
                                variants[dg_run_variant (words[i])].block,
                                dg_run_node (words[i]));
  return first + n;
}

const struct dg_packed_variant *
dg_packed_chunk_head (const struct dg_packed_chunk *chunk, size_t i,
                      uint32_t *context)
{
  uint64_t word = dg_unpacker_head (chunk->unpacker, i);
  const struct dg_packed_variant *variant =
    &chunk->packed->variants[dg_run_variant (word)];

  *context = DG_NONE;
  if (chunk->has_contexts) {
    *context =
      dg_packed_context (chunk->packed, variant->block, dg_run_node (word));
    if (*context == DG_NONE)
      return NULL;
  }
  return variant->of ? variant : NULL;
}
