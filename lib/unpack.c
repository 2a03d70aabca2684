/* unpack.c: the runs of a packed chunk, and the addresses of their accesses.

   As in pack_slice.c, a slice of runs becomes flat lists first.  The bytes may
   be anything.  What a run refers to is checked before it is used; streams
   have as much room behind their bytes as a slice can take from them, so that
   it is enough to compare once after each whether one was passed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pack.h"

#include <glib.h>
#include <string.h>

#include "error.h"
#include "pack_code.h"
#include "varint.h"

#define SLICE_RUNS  256
#define SLICE_WORDS 1024
#define RUN_WORDS   (DG_RUN_LENGTH_MASK - 1)   /* of a run; wide ones have more */
#define COPY        4        /* lists are written by so many items */
/* Words that a slice may put out, a wide run at its end included, and what it
   can take from a stream.  */
#define SLICE_ROOM  (SLICE_RUNS + SLICE_WORDS + RUN_WORDS + UINT16_MAX)
#define SLACK       (SLICE_ROOM * (size_t) 8)

/* A head of the chunk, numbered from 1 in the order in which they come.  */
struct unpack_head {
  uint64_t head;
  uint32_t words;              /* of its block: the first */
  uint16_t n_words, is_wide;
  uint32_t sums[4];            /* instructions, entries, words with the head */
};

struct unpack_next {
  uint32_t first, second;
};

typedef uint32_t four __attribute__ ((vector_size (16)));

struct dg_unpacker {
  struct dg_program_view program;
  struct dg_streams_coder *coder;
  struct dg_stream streams[DG_STREAMS];
  size_t sizes[DG_STREAMS];
  struct dg_table heads;       /* struct unpack_head */
  struct dg_table next;        /* struct unpack_next, of each head */
  struct dg_table words;       /* struct dg_pack_word */
  uint32_t *blocks;            /* of each block, its first word + 1 */
  size_t blocks_room;
  uint32_t last;
  uint32_t last_variant, last_node;   /* of the last new head */
  struct dg_pack_totals totals;
  uint64_t n_words;            /* of the chunk */
  /* So far: */
  uint64_t runs, words_taken, instructions, entries;
  /* Of the slice: each word's place among words, and in the output.  */
  unsigned n_places;
  uint32_t places[SLICE_WORDS + RUN_WORDS + COPY];
  uint32_t outputs[SLICE_WORDS + RUN_WORDS + COPY];
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
  dg_table_fini (&unpacker->next);
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
  unpacker->heads.n = unpacker->next.n = unpacker->words.n = 0;
  unpacker->runs = unpacker->words_taken = 0;
  unpacker->instructions = unpacker->entries = 0;
  unpacker->last = unpacker->last_variant = unpacker->last_node = 0;
  memset (&unpacker->totals, 0, sizeof unpacker->totals);
  if (!take_totals (unpacker, &at, end)) {
    memset (&unpacker->totals, 0, sizeof unpacker->totals);
    return damaged (unpacker, err);
  }
  code = dg_streams_read (unpacker->coder, at, end - at, DG_STREAMS_MAX,
                          SLACK, unpacker->streams, unpacker->sizes, err);
  if (code < 0)
    return code;
  if (unpacker->sizes[DG_STREAM_HEAD_CODES] != (unpacker->totals.runs + 3) / 4
      || unpacker->sizes[DG_STREAM_WORD_CODES]
           != (unpacker->n_words - unpacker->totals.runs + 3) / 4)
    return damaged (unpacker, err);
  if (prepare_blocks (unpacker, err) < 0)
    return DG_ERR_NOMEM;
  if (!dg_table_add (&unpacker->heads, sizeof (struct unpack_head))
      || !dg_table_add (&unpacker->next, sizeof (struct unpack_next)))
    return dg_error_nomem (err);
  return 0;
}

const struct dg_pack_totals *
dg_unpacker_totals (const struct dg_unpacker *unpacker)
{
  return &unpacker->totals;
}

/* ---- Heads ---- */

/* Index of the first word of a block.  */
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

/* A number near the one before it.  */
static bool
take_near (struct dg_unpacker *unpacker, uint32_t *number)
{
  struct dg_stream *stream = &unpacker->streams[DG_STREAM_HEADS];
  const uint8_t *at = stream->at;
  uint64_t differs;

  if (!dg_varint_get (&at, stream->bytes + unpacker->sizes[DG_STREAM_HEADS],
                      &differs))
    return false;
  stream->at = (uint8_t *) at;
  *number += (uint32_t) dg_unzigzag (differs);
  return true;
}

/* Adds a head that is new; its number, or an error.  */
static ptrdiff_t
add_head (struct dg_unpacker *unpacker, struct dg_error *err)
{
  const struct dg_program_variant *variant;
  struct unpack_head *new;
  struct unpack_next *next;
  uint32_t words = 0;
  unsigned length;

  if (!take_near (unpacker, &unpacker->last_variant)
      || !take_near (unpacker, &unpacker->last_node)
      || unpacker->last_variant == 0
      || unpacker->last_variant >= unpacker->program.n.variants
      || unpacker->last_node >= unpacker->program.n.nodes)
    return damaged (unpacker, err);
  variant = &unpacker->program.variants[unpacker->last_variant];
  length = variant->n_words + 1u;
  if (find_words (unpacker, variant->block, &words, err) < 0)
    return DG_ERR_NOMEM;
  new = dg_table_add (&unpacker->heads, sizeof *new);
  next = dg_table_add (&unpacker->next, sizeof *next);
  if (!new || !next)
    return dg_error_nomem (err);
  new->head = (uint64_t) unpacker->last_node << 32
              | unpacker->last_variant << DG_RUN_LENGTH_BITS
              | (length > DG_RUN_LENGTH_MASK ? 0 : length);
  new->words = words;
  new->n_words = variant->n_words;
  new->is_wide = variant->n_words > RUN_WORDS;
  new->sums[0] = variant->n_instrs;
  new->sums[1] = variant->n_entries;
  new->sums[2] = length;
  next->first = next->second = unpacker->heads.n - 1;
  return unpacker->heads.n - 1;
}

static inline uint64_t
take_bytes (struct dg_stream *stream, size_t n)
{
  uint64_t value = 0;

  memcpy (&value, stream->at, n);
  stream->at += n;
  return GUINT64_FROM_LE (value);
}

/* The number of a head that is not one of the two that were expected.  */
static ptrdiff_t __attribute__ ((noinline))
take_head (struct dg_unpacker *unpacker, unsigned code, struct dg_error *err)
{
  struct dg_stream *streams = unpacker->streams;
  uint64_t number;

  if (code == DG_HEAD_NEW)
    return add_head (unpacker, err);
  number = take_bytes (&streams[DG_STREAM_PLACES], 2);
  if (number == DG_PLACE_ESCAPE)
    number = take_bytes (&streams[DG_STREAM_LARGE_PLACES], 4);
  return number < unpacker->heads.n ? (ptrdiff_t) number
                                    : damaged (unpacker, err);
}

/* ---- Runs ---- */

/* Notes where the words of a run are and go.  */
static inline void
add_places (struct dg_unpacker *unpacker, const struct unpack_head *head,
            uint32_t output)
{
  uint32_t *places = unpacker->places + unpacker->n_places;
  uint32_t *outputs = unpacker->outputs + unpacker->n_places;
  four count = { 0, 1, 2, 3 }, place = count + head->words;
  four to = count + output;

  for (unsigned i = 0;;) {
    memcpy (places + i, &place, sizeof place);
    memcpy (outputs + i, &to, sizeof to);
    i += COPY;
    if (G_LIKELY (i >= head->n_words))
      break;
    place += COPY;
    to += COPY;
  }
  unpacker->n_places += head->n_words;
}

/* Puts the heads of up to n_runs runs into `out`, their numbers into `numbers`
   unless that is NULL, and notes where their words go.  Ends behind a wide
   run, which is in *wide and has no places.  The output words, or an
   error.  */
static ptrdiff_t
take_heads (struct dg_unpacker *unpacker, uint64_t *out, size_t n_runs,
            uint32_t *numbers, const struct unpack_head **wide,
            struct dg_error *err)
{
  const uint8_t *codes = unpacker->streams[DG_STREAM_HEAD_CODES].bytes;
  const struct unpack_head *heads = unpacker->heads.items;
  struct unpack_next *nexts = unpacker->next.items;
  uint64_t run = unpacker->runs, end = run + n_runs;
  uint32_t last = unpacker->last, n_out = 0;
  four sums = { 0 };

  unpacker->n_places = 0;
  for (; run < end && unpacker->n_places < SLICE_WORDS; run++) {
    unsigned code = codes[run / 4] >> (run % 4 * 2) & 3;
    struct unpack_next *next = &nexts[last], before = *next;
    uint32_t number = code ? before.second : before.first;
    const struct unpack_head *head;
    four more;

    if (G_UNLIKELY (code > DG_HEAD_SECOND)) {
      ptrdiff_t taken = take_head (unpacker, code, err);

      if (taken < 0)
        return taken;
      number = taken;
      heads = unpacker->heads.items;
      nexts = unpacker->next.items;
      next = &nexts[last];
    }
    if (G_UNLIKELY (number == 0))
      return damaged (unpacker, err);
    next->second = code ? before.first : before.second;
    next->first = number;
    last = number;
    head = &heads[number];
    memcpy (&more, head->sums, sizeof more);
    sums += more;
    out[n_out++] = head->head;
    if (numbers)
      *numbers++ = number;
    if (G_UNLIKELY (head->is_wide)) {
      *wide = head;
      run++;
      break;
    }
    add_places (unpacker, head, n_out);
    n_out += head->n_words;
  }
  unpacker->last = last;
  unpacker->runs = run;
  unpacker->instructions += sums[0];
  unpacker->entries += sums[1];
  unpacker->words_taken += sums[2];
  return n_out;
}

/* What a word differs by that needs more than two bytes.  */
static uint64_t __attribute__ ((noinline))
take_large (struct dg_unpacker *unpacker)
{
  struct dg_stream *streams = unpacker->streams;
  uint64_t z = take_bytes (&streams[DG_STREAM_4], 4);

  return z == DG_WORD_ESCAPE ? take_bytes (&streams[DG_STREAM_8], 8) : z;
}

/* The next n words of the chunk, of which `first` were before.  */
static void
take_words (struct dg_unpacker *unpacker, uint64_t first, uint64_t *out,
            unsigned n)
{
  static const uint16_t masks[] = { 0, UINT8_MAX, UINT16_MAX, 0 };
  const uint8_t *codes = unpacker->streams[DG_STREAM_WORD_CODES].bytes;
  uint8_t *bytes = unpacker->streams[DG_STREAM_1].at;
  uint8_t *pairs = unpacker->streams[DG_STREAM_2].at;
  struct dg_pack_word *words = unpacker->words.items;

  for (unsigned i = 0; i < n; i++) {
    unsigned code = codes[(first + i) / 4] >> ((first + i) % 4 * 2) & 3;
    const uint8_t *from = code == 2 ? pairs : bytes;
    struct dg_pack_word *word = &words[unpacker->places[i]];
    uint16_t pair;
    uint64_t z;

    memcpy (&pair, from, sizeof pair);
    z = GUINT16_FROM_LE (pair) & masks[code];
    if (G_UNLIKELY (code == 3)) {
      z = take_large (unpacker);
    } else {
      bytes += code & 1;
      pairs += code & 2;
    }
    word->stride += dg_unzigzag (z);
    word->last += word->stride;
    out[unpacker->outputs[i]] = word->last;
  }
  unpacker->streams[DG_STREAM_1].at = bytes;
  unpacker->streams[DG_STREAM_2].at = pairs;
}

/* The words of a wide run, whose head is there.  */
static void
take_wide (struct dg_unpacker *unpacker, const struct unpack_head *head,
           uint64_t first, uint64_t *out)
{
  for (unsigned done = 0; done < head->n_words; done += SLICE_WORDS) {
    unsigned part = MIN (head->n_words - done, SLICE_WORDS);

    for (unsigned i = 0; i < part; i++) {
      unpacker->places[i] = head->words + done + i;
      unpacker->outputs[i] = done + i;
    }
    take_words (unpacker, first + done, out, part);
  }
}

/* Did one of the streams end before what was taken from it?  */
static bool
is_passed (const struct dg_unpacker *unpacker)
{
  for (int i = DG_STREAM_1; i < DG_STREAMS; i++)
    if (unpacker->streams[i].at
        > unpacker->streams[i].bytes + unpacker->sizes[i])
      return true;
  return unpacker->words_taken > unpacker->n_words;
}

_Static_assert (SLICE_ROOM <= DG_UNPACK_ROOM, "room");

/* One slice of up to n_runs runs; the words put out, or an error.  */
static ptrdiff_t
take_slice (struct dg_unpacker *unpacker, uint64_t *out, size_t n_runs,
            uint32_t *numbers, struct dg_error *err)
{
  uint64_t first = unpacker->words_taken - unpacker->runs;
  const struct unpack_head *wide = NULL;
  ptrdiff_t n = take_heads (unpacker, out, n_runs, numbers, &wide, err);

  /* Before words are taken: their codes are where they are counted to be.  */
  if (n < 0 || is_passed (unpacker))
    return n < 0 ? n : damaged (unpacker, err);
  take_words (unpacker, first, out, unpacker->n_places);
  if (wide) {
    take_wide (unpacker, wide, first + unpacker->n_places, out + n);
    n += wide->n_words;
  }
  return is_passed (unpacker) ? damaged (unpacker, err) : n;
}

/* At the end: is all as the totals said, and nothing left over?  */
static int
check_end (const struct dg_unpacker *unpacker, struct dg_error *err)
{
  if (unpacker->words_taken != unpacker->n_words
      || unpacker->instructions != unpacker->totals.instructions
      || unpacker->entries != unpacker->totals.entries)
    return damaged (unpacker, err);
  for (int i = DG_STREAM_1; i < DG_STREAMS; i++)
    if (unpacker->streams[i].at
        != unpacker->streams[i].bytes + unpacker->sizes[i])
      return damaged (unpacker, err);
  return 0;
}

ptrdiff_t
dg_unpacker_numbered (struct dg_unpacker *unpacker, uint64_t *words,
                      size_t room, size_t max_runs, size_t *n_words,
                      uint32_t *numbers, struct dg_error *err)
{
  uint64_t start = unpacker->runs, end = unpacker->totals.runs;
  uint64_t *out = words, *stop = words + (room - SLICE_ROOM);

  end = MIN (end, start + max_runs);
  while (unpacker->runs < end && out <= stop) {
    ptrdiff_t n = take_slice (unpacker, out,
                              MIN (end - unpacker->runs, SLICE_RUNS),
                              numbers ? numbers + (unpacker->runs - start)
                                      : NULL, err);

    if (n < 0)
      return n;
    out += n;
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
  return dg_unpacker_numbered (unpacker, words, room, max_runs, n_words, NULL,
                               err);
}

size_t
dg_unpacker_heads (const struct dg_unpacker *unpacker)
{
  return unpacker->heads.n;
}

uint64_t
dg_unpacker_head (const struct dg_unpacker *unpacker, size_t number)
{
  return ((const struct unpack_head *) unpacker->heads.items)[number].head;
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
