/* pack.c: packing the runs of a chunk.

   The loop over runs is what recording costs on the second processor, so
   nothing in it is looked up that can be predicted, and a run that comes out
   as predicted costs one bit.  Slices of runs are packed, then their lines
   counted (pack_lines.c), while they are in the cache.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pack.h"

#include <glib.h>
#include <string.h>

#include "error.h"
#include "pack_code.h"
#include "pack_lines.h"
#include "varint.h"

#define SLICE_RUNS  256
#define INDEX_MIN   ((size_t) 1 << 12)
#define LENGTH_MAX  DG_RUN_LENGTH_MASK   /* of a run, head included, whose head
                                            says it */

/* Where a block's words are in this chunk.  */
struct block_words {
  uint32_t chunk;          /* valid if that of the packer */
  uint32_t words;
};

struct dg_packer {
  struct dg_program_view program;
  struct dg_stream streams[DG_STREAMS];
  struct dg_streams_coder *coder;
  struct dg_pack_lines *lines;

  struct dg_table heads;       /* struct dg_pack_head */
  struct dg_table words;       /* struct dg_pack_word */
  uint32_t *index;             /* of heads, by hash; 0: free */
  size_t index_room;
  struct block_words *blocks;
  size_t blocks_room;
  uint32_t chunk;

  uint32_t last;               /* number of the last run's head */
  uint64_t bits;               /* of the last runs, the latest on top */
  unsigned n_bits;
  uint64_t n_words;            /* taken, with heads */
  struct dg_pack_totals totals;
  struct dg_table meetings;    /* struct dg_pack_meeting */
  GHashTable *met;             /* pairs of block and node */
};

struct dg_packer *
dg_packer_new (int level, struct dg_error *err)
{
  struct dg_packer *packer = g_try_new0 (struct dg_packer, 1);

  if (!packer) {
    dg_error_nomem (err);
    return NULL;
  }
  packer->met = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                       NULL);
  packer->coder = dg_streams_coder_new (level, err);
  packer->lines = dg_pack_lines_new (err);
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
  dg_pack_lines_free (packer->lines);
  dg_table_fini (&packer->heads);
  dg_table_fini (&packer->words);
  dg_table_fini (&packer->meetings);
  g_free (packer->index);
  g_free (packer->blocks);
  g_clear_pointer (&packer->met, g_hash_table_destroy);
  g_free (packer);
}

/* Room to know where the words of each block are.  */
static int
prepare_blocks (struct dg_packer *packer, struct dg_error *err)
{
  size_t n = packer->program.n.blocks;

  packer->chunk++;
  if (n <= packer->blocks_room && packer->chunk != 0)
    return 0;
  n = MAX (n + n / 2, packer->blocks_room);
  g_free (packer->blocks);
  packer->blocks = g_try_new0 (struct block_words, n + 1);
  packer->blocks_room = packer->blocks ? n : 0;
  packer->chunk = 1;
  return packer->blocks ? 0 : dg_error_nomem (err);
}

static int
prepare_index (struct dg_packer *packer, size_t room, struct dg_error *err)
{
  if (room > packer->index_room) {
    g_free (packer->index);
    packer->index = g_try_new (uint32_t, room);
    packer->index_room = packer->index ? room : 0;
    if (!packer->index)
      return dg_error_nomem (err);
  }
  memset (packer->index, 0, packer->index_room * sizeof *packer->index);
  return 0;
}

int
dg_packer_begin (struct dg_packer *packer,
                 const struct dg_program_view *program, uint64_t address_mask,
                 struct dg_error *err)
{
  packer->program = *program;
  for (int i = 0; i < DG_STREAMS; i++)
    packer->streams[i].at = packer->streams[i].bytes;
  packer->heads.n = packer->words.n = packer->meetings.n = 0;
  packer->last = 0;
  packer->bits = packer->n_bits = 0;
  packer->n_words = 0;
  memset (&packer->totals, 0, sizeof packer->totals);
  packer->totals.min_address = UINT64_MAX;
  g_hash_table_remove_all (packer->met);
  if (prepare_blocks (packer, err) < 0
      || prepare_index (packer, INDEX_MIN, err) < 0)
    return DG_ERR_NOMEM;
  if (!dg_table_add (&packer->heads, sizeof (struct dg_pack_head)))
    return dg_error_nomem (err);
  return dg_pack_lines_begin (packer->lines, program, address_mask, err);
}

/* ---- Heads ---- */

static uint32_t *
find_place (const struct dg_packer *packer, uint64_t head)
{
  const struct dg_pack_head *heads = packer->heads.items;
  uint64_t hash = head * UINT64_C (0x9e3779b97f4a7c15);
  size_t mask = packer->index_room - 1;
  size_t i = (hash ^ hash >> 32) & mask;

  while (packer->index[i] != 0 && heads[packer->index[i]].head != head)
    i = (i + 1) & mask;
  return &packer->index[i];
}

static int
grow_index (struct dg_packer *packer, struct dg_error *err)
{
  const struct dg_pack_head *heads = packer->heads.items;

  if (prepare_index (packer, packer->index_room * 2, err) < 0)
    return DG_ERR_NOMEM;
  for (size_t i = 1; i < packer->heads.n; i++)
    *find_place (packer, heads[i].head) = i;
  return 0;
}

/* Index of the first word of a block.  */
static int
find_words (struct dg_packer *packer, uint32_t block, uint32_t *words,
            struct dg_error *err)
{
  struct block_words *of = &packer->blocks[block];

  if (of->chunk != packer->chunk) {
    size_t n = packer->words.n, more = packer->program.blocks[block]->n_words;

    if (n + more > packer->words.room
        && dg_table_reserve (&packer->words, sizeof (struct dg_pack_word),
                             n + more + packer->words.room / 2)
             < 0)
      return dg_error_nomem (err);
    if (more > 0)
      memset ((struct dg_pack_word *) packer->words.items + n, 0,
              more * sizeof (struct dg_pack_word));
    packer->words.n += more;
    of->chunk = packer->chunk;
    of->words = n;
  }
  *words = of->words;
  return 0;
}

/* Notes the pair of block and node if it is new.  */
static int
meet (struct dg_packer *packer, uint32_t block, uint32_t node, uint64_t run,
      struct dg_error *err)
{
  uint64_t pair = (uint64_t) node << 32 | block;
  struct dg_pack_meeting *meeting;

  if (g_hash_table_contains (packer->met, &pair))
    return 0;
  meeting = dg_table_add (&packer->meetings, sizeof *meeting);
  if (!meeting)
    return dg_error_nomem (err);
  meeting->block = block;
  meeting->node = node;
  meeting->run = run;
  g_hash_table_add (packer->met, g_memdup2 (&pair, sizeof pair));
  return 0;
}

/* The head of `left` words and more: does it name what there is, with as many
   words as there are?  */
static int
check_head (const struct dg_packer *packer, uint64_t head, size_t left,
            struct dg_error *err)
{
  uint32_t number = dg_run_variant (head), node = dg_run_node (head);
  unsigned length;

  if (number == 0 || number >= packer->program.n.variants
      || node >= packer->program.n.nodes)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "a run names variant %u of %u and call path %u of "
                         "%u", number, packer->program.n.variants, node,
                         packer->program.n.nodes);
  length = packer->program.variants[number].n_words + 1u;
  if ((head & DG_RUN_LENGTH_MASK) != (length > LENGTH_MAX ? 0 : length))
    return dg_error_set (err, DG_ERR_DAMAGED, "a run of variant %u has %u "
                         "words in its head, %u are right", number,
                         (unsigned) (head & DG_RUN_LENGTH_MASK), length);
  if (length > left)
    return dg_error_set (err, DG_ERR_DAMAGED,
                         "the last run has %zu of its %u words", left, length);
  return 0;
}

/* Adds a head that the chunk meets for the first time, at `run`; its number,
   or an error.  */
static ptrdiff_t
add_head (struct dg_packer *packer, uint64_t head, uint64_t run,
          struct dg_error *err)
{
  uint32_t number = dg_run_variant (head), words = 0;
  const struct dg_program_variant *variant
    = &packer->program.variants[number];
  struct dg_pack_head *new;

  if (packer->heads.n * 2 >= packer->index_room
      && grow_index (packer, err) < 0)
    return DG_ERR_NOMEM;
  if (find_words (packer, variant->block, &words, err) < 0
      || meet (packer, variant->block, dg_run_node (head), run, err) < 0
      || dg_pack_lines_add_head (packer->lines, number, err) < 0)
    return DG_ERR_NOMEM;
  new = dg_table_add (&packer->heads, sizeof *new);
  if (!new)
    return dg_error_nomem (err);
  new->head = head;
  new->first = new->second = packer->heads.n - 1;
  new->words = words;
  new->n_words = variant->n_words;
  *find_place (packer, head) = packer->heads.n - 1;
  return packer->heads.n - 1;
}

static inline void
put_bytes (struct dg_stream *stream, const void *bytes, size_t n)
{
  memcpy (stream->at, bytes, n);
  stream->at += n;
}

/* The number of a head that was not predicted, which is noted in the streams,
   and its code.  The head and its `left` words are checked before anything is
   changed.  */
static ptrdiff_t
look_up_head (struct dg_packer *packer, uint64_t head, size_t left,
              uint64_t run, unsigned *code, struct dg_error *err)
{
  struct dg_stream *streams = packer->streams;
  struct dg_pack_head *heads = packer->heads.items;
  uint32_t number = heads[packer->last].second;

  if (check_head (packer, head, left, err) < 0)
    return DG_ERR_DAMAGED;
  if (number != 0 && heads[number].head == head) {
    *code = DG_HEAD_SECOND;
  } else if ((number = *find_place (packer, head)) != 0) {
    uint16_t place = MIN (number, DG_PLACE_ESCAPE);

    *code = DG_HEAD_PLACE;
    put_bytes (&streams[DG_STREAM_PLACES], &place, sizeof place);
    if (place == DG_PLACE_ESCAPE)
      put_bytes (&streams[DG_STREAM_4], &number, sizeof number);
  } else {
    ptrdiff_t added = add_head (packer, head, run, err);

    if (added < 0)
      return added;
    *code = DG_HEAD_NEW;
    number = added;
    put_bytes (&streams[DG_STREAM_HEADS], &head, sizeof head);
    heads = packer->heads.items;
  }
  heads[packer->last].second = heads[packer->last].first;
  heads[packer->last].first = number;
  return number;
}

/* ---- Runs ---- */

/* Where bytes of each class of words go; class 0 has none.  */
struct sinks {
  uint8_t *at[DG_WORD_CODES];
};
static const uint8_t class_sizes[DG_WORD_CODES] = { 0, 1, 2, 4 };

/* Puts what a word differs by, and says its code.  */
static inline unsigned
put_word (struct sinks *sinks, struct dg_stream *large, uint64_t z)
{
  unsigned code = (z != 0) + (z > UINT8_MAX) + (z > UINT16_MAX);
  uint64_t small = z;

  if (G_UNLIKELY (z >= DG_WORD_ESCAPE)) {
    memcpy (large->at, &z, sizeof z);
    large->at += sizeof z;
    small = DG_WORD_ESCAPE;
  }
  memcpy (sinks->at[code], &small, sizeof small);
  sinks->at[code] += class_sizes[code];
  return code;
}

/* What the word differs by from its prediction.  */
static inline uint64_t
predict (struct dg_pack_word *word, uint64_t value)
{
  uint64_t stride = value - word->last;
  uint64_t differs = stride - word->stride;

  word->last = value;
  word->stride = stride;
  return dg_zigzag (differs);
}

static inline void
put_bit (struct dg_packer *packer, unsigned bit)
{
  packer->bits = packer->bits >> 1 | (uint64_t) bit << 63;
  if (++packer->n_bits == 64) {
    struct dg_stream *stream = &packer->streams[DG_STREAM_BITS];

    memcpy (stream->at, &packer->bits, sizeof packer->bits);
    stream->at += sizeof packer->bits;
    packer->n_bits = 0;
  }
}

/* Packs the n words of a run of any length.  */
static void
put_long_run (struct dg_packer *packer, struct sinks *sinks, unsigned code,
              struct dg_pack_word *words, const uint64_t *values, unsigned n)
{
  struct dg_stream *codes = &packer->streams[DG_STREAM_CODES];
  struct dg_stream *large = &packer->streams[DG_STREAM_8];
  uint8_t *start = codes->at;
  unsigned any = code, filled = 2, byte = code;

  for (unsigned i = 0; i < n; i++) {
    code = put_word (sinks, large, predict (&words[i], values[i]));
    any |= code;
    byte |= code << filled;
    filled += 2;
    if (filled == 8) {
      *codes->at++ = byte;
      byte = filled = 0;
    }
  }
  if (filled > 0)
    *codes->at++ = byte;
  if (any == 0)
    codes->at = start;
  put_bit (packer, any != 0);
}

/* The same for a run of up to 31 words.  */
static inline void
put_run (struct dg_packer *packer, struct sinks *sinks, unsigned code,
         struct dg_pack_word *words, const uint64_t *values, unsigned n)
{
  uint64_t z[DG_RUN_LENGTH_MASK], any = code, codes = code;
  struct dg_stream *out = &packer->streams[DG_STREAM_CODES];
  struct dg_stream *large = &packer->streams[DG_STREAM_8];

  for (unsigned i = 0; i < n; i++)
    any |= z[i] = predict (&words[i], values[i]);
  if (any == 0) {
    put_bit (packer, 0);
    return;
  }
  for (unsigned i = 0; i < n; i++)
    codes |= (uint64_t) put_word (sinks, large, z[i]) << (2 * i + 2);
  memcpy (out->at, &codes, sizeof codes);
  out->at += (n + 4) / 4;
  put_bit (packer, 1);
}

/* Packs up to SLICE_RUNS runs and fills in their heads' numbers; how many.
   *at moves behind them.  Stops at a bad one: *code.  */
static size_t
pack_slice (struct dg_packer *packer, const uint64_t **at,
            const uint64_t *end, uint32_t *numbers, int *result,
            struct dg_error *err)
{
  struct dg_stream *streams = packer->streams;
  struct dg_pack_head *heads = packer->heads.items;
  uint8_t nowhere[8];
  struct sinks sinks = { { nowhere, streams[DG_STREAM_1].at,
                           streams[DG_STREAM_2].at,
                           streams[DG_STREAM_4].at } };
  const uint64_t *p = *at;
  size_t n_runs = 0;

  while (p < end && n_runs < SLICE_RUNS) {
    uint32_t number = heads[packer->last].first;
    const struct dg_pack_head *head = &heads[number];
    unsigned code = DG_HEAD_FIRST;
    struct dg_pack_word *words;

    if (G_UNLIKELY (head->head != *p || head->n_words >= end - p
                    || number == 0)) {
      ptrdiff_t found;

      streams[DG_STREAM_4].at = sinks.at[3];
      found = look_up_head (packer, *p, end - p,
                            packer->totals.runs + n_runs, &code, err);
      sinks.at[3] = streams[DG_STREAM_4].at;
      if (found < 0) {
        *result = found;
        break;
      }
      number = found;
      heads = packer->heads.items;
      head = &heads[number];
    }
    words = (struct dg_pack_word *) packer->words.items + head->words;
    if (G_LIKELY (head->n_words < LENGTH_MAX))
      put_run (packer, &sinks, code, words, p + 1, head->n_words);
    else
      put_long_run (packer, &sinks, code, words, p + 1, head->n_words);
    packer->last = number;
    p += head->n_words + 1;
    numbers[n_runs++] = number;
  }
  streams[DG_STREAM_1].at = sinks.at[1];
  streams[DG_STREAM_2].at = sinks.at[2];
  streams[DG_STREAM_4].at = sinks.at[3];
  *at = p;
  return n_runs;
}

/* Room in all streams for what n words may become.  */
static int
reserve (struct dg_packer *packer, size_t n, struct dg_error *err)
{
  static const uint8_t most[DG_STREAMS] = {
    [DG_STREAM_BITS] = 1,   [DG_STREAM_CODES] = 1, [DG_STREAM_1] = 1,
    [DG_STREAM_2] = 2,      [DG_STREAM_4] = 4,     [DG_STREAM_8] = 8,
    [DG_STREAM_PLACES] = 2, [DG_STREAM_HEADS] = 8,
  };

  for (int i = 0; i < DG_STREAMS; i++)
    if (!dg_stream_reserve (&packer->streams[i], n * most[i]))
      return dg_error_nomem (err);
  return 0;
}

int
dg_packer_runs (struct dg_packer *packer, const uint64_t *words, size_t n,
                struct dg_error *err)
{
  const uint64_t *at = words, *end = words + n;
  uint32_t numbers[SLICE_RUNS];
  int code;

  if (n > DG_PACK_WORDS_MAX - packer->n_words)
    return dg_error_set (err, DG_ERR_INVALID, "a chunk has too many runs");
  code = reserve (packer, n, err);
  while (at < end && code == 0) {
    const uint64_t *from = at;
    size_t n_runs = pack_slice (packer, &at, end, numbers, &code, err);

    dg_pack_lines_count (packer->lines, from, numbers, n_runs,
                         &packer->totals);
  }
  packer->n_words += at - words;
  return code;
}

const struct dg_pack_totals *
dg_packer_totals (const struct dg_packer *packer)
{
  return &packer->totals;
}

/* The rest of the bits.  */
static void
finish_bits (struct dg_packer *packer)
{
  struct dg_stream *stream = &packer->streams[DG_STREAM_BITS];
  uint64_t bits = packer->bits;
  unsigned n = packer->n_bits;

  if (n == 0)
    return;
  bits >>= 64 - n;
  memcpy (stream->at, &bits, sizeof bits);
  stream->at += (n + 7) / 8;
  packer->bits = packer->n_bits = 0;
}

int
dg_packer_end (struct dg_packer *packer, struct dg_table *out,
               const struct dg_pack_meeting **meetings, size_t *n_meetings,
               struct dg_error *err)
{
  const struct dg_pack_totals *t = &packer->totals;
  uint8_t *at;

  if (reserve (packer, 0, err) < 0
      || dg_pack_lines_finish (packer->lines, &packer->totals, err) < 0
      || dg_table_reserve (out, 1, out->n + 8 * DG_VARINT_MAX) < 0)
    return dg_error_nomem (err);
  finish_bits (packer);
  at = dg_varint_put ((uint8_t *) out->items + out->n, t->runs);
  at = dg_varint_put (at, t->instructions);
  at = dg_varint_put (at, t->entries);
  at = dg_varint_put (at, t->reads);
  at = dg_varint_put (at, t->writes);
  at = dg_varint_put (at, t->min_address);
  at = dg_varint_put (at, t->max_address);
  at = dg_varint_put (at, packer->n_words);
  out->n = at - (uint8_t *) out->items;
  if (meetings) {
    *meetings = packer->meetings.items;
    *n_meetings = packer->meetings.n;
  }
  return dg_streams_write (packer->coder, packer->streams, out, err);
}

int
dg_packer_lines (struct dg_packer *packer,
                 const struct dg_line_count **counts, size_t *n,
                 struct dg_error *err)
{
  return dg_pack_lines_list (packer->lines, counts, n, err);
}
