/* unpack.c: the runs of a packed chunk, and the addresses of their accesses.

   The bytes may be anything.  What a run refers to is checked before it is
   used; streams have as much room behind their bytes as the runs of one call
   can take from them, so that it is enough to compare once after each call
   whether one was passed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pack.h"

#include <glib.h>
#include <string.h>

#include "error.h"
#include "pack_code.h"
#include "varint.h"

/* Words, heads included, that are decoded before streams are looked at; a run
   may have 65535 more.  */
#define BATCH_WORDS 4096
/* What they can take from a stream.  */
#define SLACK       ((BATCH_WORDS + 65536 + 16) * (size_t) 8)

struct dg_unpacker {
  struct dg_program_view program;
  struct dg_streams_coder *coder;
  struct dg_stream streams[DG_STREAMS];
  size_t sizes[DG_STREAMS];
  struct dg_table heads;       /* struct dg_pack_head */
  struct dg_table words;       /* struct dg_pack_word */
  uint32_t *blocks;            /* of each block, its first word + 1 */
  size_t blocks_room;
  uint32_t last;
  struct dg_pack_totals totals;
  uint64_t n_words;            /* of the chunk */
  uint64_t runs, taken;        /* so far: runs, words */
  uint64_t instructions, entries;
};

struct dg_unpacker *
dg_unpacker_new (struct dg_error *err)
{
  struct dg_unpacker *unpacker = g_try_new0 (struct dg_unpacker, 1);

  if (!unpacker) {
    dg_error_nomem (err);
    return NULL;
  }
  unpacker->coder = dg_streams_coder_new (0, err);
  if (!unpacker->coder) {
    g_free (unpacker);
    return NULL;
  }
  return unpacker;
}

void
dg_unpacker_free (struct dg_unpacker *unpacker)
{
  if (!unpacker)
    return;
  for (int i = 0; i < DG_STREAMS; i++)
    g_free (unpacker->streams[i].bytes);
  dg_streams_coder_free (unpacker->coder);
  dg_table_fini (&unpacker->heads);
  dg_table_fini (&unpacker->words);
  g_free (unpacker->blocks);
  g_free (unpacker);
}

static int __attribute__ ((cold))
damaged (const struct dg_unpacker *unpacker, struct dg_error *err)
{
  return dg_error_set (err, DG_ERR_DAMAGED, "packed runs are damaged at run "
                       "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT,
                       unpacker->runs, unpacker->totals.runs);
}

/* Takes what stands before the streams.  */
static bool
take_totals (struct dg_unpacker *unpacker, const uint8_t **at,
             const uint8_t *end)
{
  struct dg_pack_totals *t = &unpacker->totals;

  return dg_varint_get (at, end, &t->runs)
         && dg_varint_get (at, end, &t->instructions)
         && dg_varint_get (at, end, &t->entries)
         && dg_varint_get (at, end, &t->reads)
         && dg_varint_get (at, end, &t->writes)
         && dg_varint_get (at, end, &t->min_address)
         && dg_varint_get (at, end, &t->max_address)
         && dg_varint_get (at, end, &unpacker->n_words)
         && unpacker->n_words <= DG_PACK_WORDS_MAX
         && t->runs <= unpacker->n_words
         && t->instructions <= t->runs * UINT8_MAX
         && t->entries <= t->runs * UINT16_MAX && t->reads <= t->entries
         && t->writes <= t->entries - t->reads;
}

static int
prepare_blocks (struct dg_unpacker *unpacker, struct dg_error *err)
{
  size_t n = unpacker->program.n.blocks;

  if (n > unpacker->blocks_room) {
    g_free (unpacker->blocks);
    unpacker->blocks = g_try_new (uint32_t, n);
    unpacker->blocks_room = unpacker->blocks ? n : 0;
    if (!unpacker->blocks)
      return dg_error_nomem (err);
  }
  if (n > 0)
    memset (unpacker->blocks, 0, n * sizeof *unpacker->blocks);
  return 0;
}

int
dg_unpacker_begin (struct dg_unpacker *unpacker,
                   const struct dg_program_view *program,
                   const uint8_t *bytes, size_t n, struct dg_error *err)
{
  const uint8_t *at = bytes, *end = bytes + n;
  int code;

  unpacker->program = *program;
  unpacker->heads.n = unpacker->words.n = 0;
  unpacker->runs = unpacker->taken = 0;
  unpacker->instructions = unpacker->entries = 0;
  unpacker->last = 0;
  memset (&unpacker->totals, 0, sizeof unpacker->totals);
  if (!take_totals (unpacker, &at, end)) {
    memset (&unpacker->totals, 0, sizeof unpacker->totals);
    return damaged (unpacker, err);
  }
  code = dg_streams_read (unpacker->coder, at, end - at, DG_STREAMS_MAX,
                          SLACK, unpacker->streams, unpacker->sizes, err);
  if (code < 0)
    return code;
  if (unpacker->sizes[DG_STREAM_BITS] != (unpacker->totals.runs + 7) / 8)
    return damaged (unpacker, err);
  if (prepare_blocks (unpacker, err) < 0)
    return DG_ERR_NOMEM;
  if (!dg_table_add (&unpacker->heads, sizeof (struct dg_pack_head)))
    return dg_error_nomem (err);
  return 0;
}

const struct dg_pack_totals *
dg_unpacker_totals (const struct dg_unpacker *unpacker)
{
  return &unpacker->totals;
}

/* ---- Heads ---- */

/* Index of the first word of a block.  Blocks of 65535 words are many bytes
   for few, so they are bounded together, too.  */
static int
find_words (struct dg_unpacker *unpacker, uint32_t block, uint32_t *words,
            struct dg_error *err)
{
  uint32_t *of = &unpacker->blocks[block];

  if (*of == 0) {
    size_t n = unpacker->words.n;
    size_t more = unpacker->program.blocks[block]->n_words;

    if (n + more > unpacker->words.room
        && dg_table_reserve (&unpacker->words, sizeof (struct dg_pack_word),
                             n + more + unpacker->words.room / 2)
             < 0)
      return dg_error_nomem (err);
    if (more > 0)
      memset ((struct dg_pack_word *) unpacker->words.items + n, 0,
              more * sizeof (struct dg_pack_word));
    unpacker->words.n += more;
    *of = n + 1;
  }
  *words = *of - 1;
  return 0;
}

static ptrdiff_t
add_head (struct dg_unpacker *unpacker, uint64_t head, struct dg_error *err)
{
  uint32_t number = dg_run_variant (head), words = 0;
  const struct dg_program_variant *variant;
  struct dg_pack_head *new;
  unsigned length;

  if (number == 0 || number >= unpacker->program.n.variants
      || dg_run_node (head) >= unpacker->program.n.nodes)
    return damaged (unpacker, err);
  variant = &unpacker->program.variants[number];
  length = variant->n_words + 1u;
  if ((head & DG_RUN_LENGTH_MASK)
      != (length > DG_RUN_LENGTH_MASK ? 0 : length))
    return damaged (unpacker, err);
  if (find_words (unpacker, variant->block, &words, err) < 0)
    return DG_ERR_NOMEM;
  new = dg_table_add (&unpacker->heads, sizeof *new);
  if (!new)
    return dg_error_nomem (err);
  new->head = head;
  new->first = new->second = unpacker->heads.n - 1;
  new->words = words;
  new->n_words = variant->n_words;
  new->n_instrs = variant->n_instrs;
  new->n_entries = variant->n_entries;
  return unpacker->heads.n - 1;
}

static inline uint64_t
take_bytes (struct dg_stream *stream, size_t n)
{
  uint64_t value = 0;

  memcpy (&value, stream->at, n);
  stream->at += n;
  return value;
}

/* The number of the next head, of which the code is known.  */
static ptrdiff_t
next_head (struct dg_unpacker *unpacker, unsigned code, struct dg_error *err)
{
  struct dg_stream *streams = unpacker->streams;
  struct dg_pack_head *heads = unpacker->heads.items;
  ptrdiff_t number;

  switch (code) {
  case DG_HEAD_FIRST:
    return heads[unpacker->last].first;
  case DG_HEAD_SECOND:
    number = heads[unpacker->last].second;
    break;
  case DG_HEAD_PLACE:
    number = take_bytes (&streams[DG_STREAM_PLACES], 2);
    if (number == DG_PLACE_ESCAPE)
      number = take_bytes (&streams[DG_STREAM_4], 4);
    if (number >= (ptrdiff_t) unpacker->heads.n)
      return damaged (unpacker, err);
    break;
  default:
    number = add_head (unpacker, take_bytes (&streams[DG_STREAM_HEADS], 8),
                       err);
    if (number < 0)
      return number;
    heads = unpacker->heads.items;
  }
  heads[unpacker->last].second = heads[unpacker->last].first;
  heads[unpacker->last].first = number;
  return number;
}

/* ---- Runs ---- */

static inline uint64_t
next_value (struct dg_pack_word *word, uint64_t differs)
{
  word->stride += differs;
  word->last += word->stride;
  return word->last;
}

/* What a word of this code differs by from its prediction.  */
static inline uint64_t
take_word (struct dg_stream *streams, unsigned code)
{
  uint64_t z;

  switch (code) {
  case 0:
    return 0;
  case 1:
    z = take_bytes (&streams[DG_STREAM_1], 1);
    break;
  case 2:
    z = take_bytes (&streams[DG_STREAM_2], 2);
    break;
  default:
    z = take_bytes (&streams[DG_STREAM_4], 4);
    if (z == DG_WORD_ESCAPE)
      z = take_bytes (&streams[DG_STREAM_8], 8);
  }
  return dg_unzigzag (z);
}

/* The words of a run that was not all predicted, whose codes begin with the
   head's.  */
static void
take_words (struct dg_unpacker *unpacker, struct dg_pack_word *words,
            uint64_t *out, unsigned n)
{
  struct dg_stream *streams = unpacker->streams;
  const uint8_t *codes = streams[DG_STREAM_CODES].at;

  for (unsigned i = 0; i < n; i++) {
    unsigned code = codes[(i + 1) / 4] >> ((i + 1) % 4 * 2) & 3;

    out[i] = next_value (&words[i], take_word (streams, code));
  }
  streams[DG_STREAM_CODES].at += (n + 4) / 4;
}

/* Did one of the streams end before what was taken from it?  */
static bool
is_passed (const struct dg_unpacker *unpacker)
{
  for (int i = 1; i < DG_STREAMS; i++)
    if (unpacker->streams[i].at
        > unpacker->streams[i].bytes + unpacker->sizes[i])
      return true;
  return false;
}

/* Decodes runs up to number `end` or until `stop` is reached, beyond which
   the last may go by its words.  The words behind them, NULL: an error.  */
static inline __attribute__ ((always_inline)) uint64_t *
take_runs (struct dg_unpacker *unpacker, uint64_t end, uint64_t *out,
           const uint64_t *stop, uint32_t *numbers, int *result,
           struct dg_error *err)
{
  const uint8_t *bits = unpacker->streams[DG_STREAM_BITS].bytes;

  while (unpacker->runs < end && out < stop) {
    uint64_t run = unpacker->runs;
    const struct dg_pack_head *heads = unpacker->heads.items, *head;
    bool is_predicted = !(bits[run / 8] >> run % 8 & 1);
    ptrdiff_t number = heads[unpacker->last].first;
    struct dg_pack_word *words;

    if (!is_predicted) {
      number = next_head (unpacker,
                          *unpacker->streams[DG_STREAM_CODES].at & 3, err);
      if (number < 0) {
        *result = number;
        return NULL;
      }
      heads = unpacker->heads.items;
    }
    if (number == 0) {
      *result = damaged (unpacker, err);
      return NULL;
    }
    head = &heads[number];
    words = (struct dg_pack_word *) unpacker->words.items + head->words;
    *out++ = head->head;
    if (numbers)
      *numbers++ = number;
    if (is_predicted)
      for (unsigned i = 0; i < head->n_words; i++)
        out[i] = next_value (&words[i], 0);
    else
      take_words (unpacker, words, out, head->n_words);
    out += head->n_words;
    unpacker->instructions += head->n_instrs;
    unpacker->entries += head->n_entries;
    unpacker->last = number;
    unpacker->runs++;
  }
  return out;
}

/* At the end: is all as the totals said, and nothing left over?  */
static int
check_end (const struct dg_unpacker *unpacker, struct dg_error *err)
{
  if (unpacker->taken != unpacker->n_words
      || unpacker->instructions != unpacker->totals.instructions
      || unpacker->entries != unpacker->totals.entries)
    return damaged (unpacker, err);
  for (int i = 1; i < DG_STREAMS; i++)
    if (unpacker->streams[i].at
        != unpacker->streams[i].bytes + unpacker->sizes[i])
      return damaged (unpacker, err);
  return 0;
}

static inline __attribute__ ((always_inline)) ptrdiff_t
unpack (struct dg_unpacker *unpacker, uint64_t *words, size_t room,
        size_t max_runs, size_t *n_words, uint32_t *numbers,
        struct dg_error *err)
{
  uint64_t start = unpacker->runs, end = unpacker->totals.runs;
  uint64_t *out = words, *stop = words + (room - UINT16_MAX - 1);
  int code = 0;

  end = MIN (end, start + max_runs);
  while (unpacker->runs < end && out < stop) {
    uint64_t *from = out;

    out = take_runs (unpacker, end, out, MIN (stop, out + BATCH_WORDS),
                     numbers ? numbers + (unpacker->runs - start) : NULL,
                     &code, err);
    if (!out)
      return code;
    unpacker->taken += out - from;
    if (is_passed (unpacker) || unpacker->taken > unpacker->n_words)
      return damaged (unpacker, err);
  }
  if (unpacker->runs == unpacker->totals.runs
      && check_end (unpacker, err) < 0)
    return DG_ERR_DAMAGED;
  *n_words = out - words;
  return unpacker->runs - start;
}

ptrdiff_t
dg_unpacker_runs (struct dg_unpacker *unpacker, uint64_t *words, size_t room,
                  size_t max_runs, size_t *n_words, struct dg_error *err)
{
  return unpack (unpacker, words, room, max_runs, n_words, NULL, err);
}

ptrdiff_t
dg_unpacker_numbered (struct dg_unpacker *unpacker, uint64_t *words,
                      size_t room, size_t max_runs, size_t *n_words,
                      uint32_t *numbers, struct dg_error *err)
{
  return unpack (unpacker, words, room, max_runs, n_words, numbers, err);
}

void
dg_unpack_addresses (const struct dg_program_block *block,
                     const struct dg_program_variant *variant,
                     const uint64_t *words, uint64_t mask,
                     uint64_t *addresses)
{
  for (unsigned i = 0; i < variant->n_entries; i++)
    addresses[i] = dg_program_address (&block->entries[i], words, mask);
}
