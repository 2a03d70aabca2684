/* unpack_heads.c: which head each run of a packed chunk has.

   What followed a head is all that the next one depends on, so it is kept in
   a table of its own, of 8 bytes for each head, which stays in the first
   cache; and it is looked up without branches, as neither of the two that are
   expected can be foreseen: from one head to the next, there is one load.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "base/aligned.h"
#include "base/error.h"
#include "unpack_state.h"
#include "base/varint.h"

int
dg_unpacker_damaged (const struct dg_unpacker *unpacker, struct dg_error *err)
{
  return dg_error_set (err, DG_ERR_DAMAGED,
                       "packed runs are damaged at run "
                       "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT,
                       unpacker->runs, unpacker->totals.runs);
}

uint8_t *
dg_unpack_codes (const struct dg_pack_stream *stream, uint64_t first,
                 unsigned n, uint8_t *codes)
{
  const uint8_t *from = stream->bytes + first / 4;
  unsigned skip = first % 4;

  for (unsigned i = 0; i < n + skip; i += 8, from += 2) {
    uint16_t packed;
    uint64_t x;

    memcpy (&packed, from, 2);
    x = GUINT16_FROM_LE (packed);
    x = (x | x << 24) & UINT64_C (0x000000ff000000ff);
    x = (x | x << 12) & UINT64_C (0x000f000f000f000f);
    x = (x | x << 6) & UINT64_C (0x0303030303030303);
    x = GUINT64_TO_LE (x);
    memcpy (codes + i, &x, 8);
  }
  return codes + skip;
}

/* ---- New heads ---- */

bool
dg_unpacker_grow_heads (struct dg_unpacker *unpacker)
{
  size_t room = unpacker->heads_room * (size_t) 2 + 256;
  struct dg_unpack_head *heads;
  struct dg_unpack_follow *follow;
  uint64_t *counts;

  if (unpacker->n_heads < unpacker->heads_room)
    return true;
  follow = g_try_realloc (unpacker->follow, room * sizeof *follow);
  if (!follow)
    return false;
  unpacker->follow = follow;
  counts = g_try_realloc (unpacker->counts, room * sizeof *counts);
  if (!counts)
    return false;
  unpacker->counts = counts;
  heads = dg_aligned_grow (unpacker->heads, sizeof *heads,
                           unpacker->n_heads * sizeof *heads,
                           room * sizeof *heads);
  if (!heads)
    return false;
  unpacker->heads = heads;
  unpacker->heads_room = room;
  return true;
}

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
  struct dg_pack_stream *stream = &unpacker->streams[DG_STREAM_HEADS];
  const uint8_t *at = stream->at;
  uint64_t differs;

  if (!dg_varint_get (&at, stream->bytes + unpacker->sizes[DG_STREAM_HEADS],
                      &differs))
    return false;
  stream->at = (uint8_t *) at;
  *number += (uint32_t) dg_unzigzag (differs);
  return true;
}

ptrdiff_t
dg_unpacker_add_head (struct dg_unpacker *unpacker, struct dg_error *err)
{
  const struct dg_program_variant *variant;
  struct dg_unpack_head *new;
  uint32_t words = 0;
  unsigned length;

  if (!take_near (unpacker, &unpacker->last_variant)
      || !take_near (unpacker, &unpacker->last_node)
      || unpacker->last_variant == 0
      || unpacker->last_variant >= unpacker->program.n.variants
      || unpacker->last_node >= unpacker->program.n.nodes)
    return dg_unpacker_damaged (unpacker, err);
  variant = &unpacker->program.variants[unpacker->last_variant];
  length = variant->n_words + 1u;
  if (unpacker->aim == DG_UNPACK_WORDS
      && find_words (unpacker, variant->block, &words, err) < 0)
    return DG_ERR_NOMEM;
  if (!dg_unpacker_grow_heads (unpacker))
    return dg_error_nomem (err);
  new = &unpacker->heads[unpacker->n_heads];
  memset (new, 0, sizeof *new);
  new->head = (uint64_t) unpacker->last_node << 32
              | unpacker->last_variant << DG_RUN_LENGTH_BITS
              | (length > DG_RUN_LENGTH_MASK ? 0 : length);
  new->n_words = variant->n_words;
  new->sums[0] = variant->n_instrs;
  new->sums[1] = variant->n_entries;
  new->sums[2] = length;
  new->sums[3] = (uint32_t) variant->reads + variant->writes;
  new->place = words;
  unpacker->follow[unpacker->n_heads]
    = (struct dg_unpack_follow){{unpacker->n_heads, unpacker->n_heads}};
  unpacker->counts[unpacker->n_heads] = (uint64_t) variant->n_instrs << 32;
  return unpacker->n_heads++;
}

/* ---- Heads of runs ---- */

static inline uint64_t
take_bytes (struct dg_pack_stream *stream, size_t n)
{
  uint64_t value = 0;

  memcpy (&value, stream->at, n);
  stream->at += n;
  return GUINT64_FROM_LE (value);
}

/* Of runs from number i on, up to the n-th or one whose head is neither of
   the two that are expected; where it ended.  There are no calls, so that all
   can stay in registers.  */
static unsigned __attribute__ ((noinline))
take_foreseen (struct dg_unpack_follow *follow, const uint8_t *codes,
               unsigned i, unsigned n, uint32_t *last, uint32_t *numbers)
{
  uint32_t number = *last;

  for (; i < n; i++) {
    unsigned code = codes[i];

    if (G_UNLIKELY (code > DG_HEAD_SECOND))
      break;
    numbers[i] = number = dg_unpack_follow (follow, number, code);
  }
  *last = number;
  return i;
}

ptrdiff_t
dg_unpacker_take_other (struct dg_unpacker *unpacker, unsigned code,
                        struct dg_error *err)
{
  struct dg_pack_stream *streams = unpacker->streams;
  ptrdiff_t number;

  if (code != DG_HEAD_PLACE) {
    number = dg_unpacker_add_head (unpacker, err);
  } else {
    number = take_bytes (&streams[DG_STREAM_PLACES], 2);
    if (number == DG_PLACE_ESCAPE)
      number = take_bytes (&streams[DG_STREAM_LARGE_PLACES], 4);
    if (number == 0 || number >= (ptrdiff_t) unpacker->n_heads)
      return dg_unpacker_damaged (unpacker, err);
  }
  return number;
}

bool
dg_unpacker_heads_passed (const struct dg_unpacker *unpacker)
{
  for (int i = DG_STREAM_PLACES; i <= DG_STREAM_HEADS; i++)
    if (unpacker->streams[i].at
        > unpacker->streams[i].bytes + unpacker->sizes[i])
      return true;
  return false;
}

int
dg_unpacker_take_numbers (struct dg_unpacker *unpacker, uint32_t *numbers,
                          unsigned n, struct dg_error *err)
{
  const uint8_t *codes
    = dg_unpack_codes (&unpacker->streams[DG_STREAM_HEAD_CODES],
                       unpacker->heads_taken, n, unpacker->head_codes);
  unsigned i = 0;

  for (;; i++) {
    uint32_t last;
    ptrdiff_t number;

    i = take_foreseen (unpacker->follow, codes, i, n, &unpacker->last,
                       numbers);
    if (i == n)
      break;
    last = unpacker->last;
    number = dg_unpacker_take_other (unpacker, codes[i], err);
    if (number < 0)
      return number;
    dg_unpack_push (unpacker->follow, last, number);
    numbers[i] = unpacker->last = number;
  }
  /* Before the first run, nothing is expected.  */
  if (dg_unpacker_heads_passed (unpacker) || (n > 0 && numbers[0] == 0))
    return dg_unpacker_damaged (unpacker, err);
  unpacker->heads_taken += n;
  return 0;
}

/* ---- Without words ---- */

bool
dg_unpacker_is_sum (const struct dg_unpacker *unpacker)
{
  for (int i = DG_STREAM_PLACES; i < DG_STREAMS; i++)
    if (unpacker->streams[i].bytes
        && unpacker->streams[i].at
             != unpacker->streams[i].bytes + unpacker->sizes[i])
      return false;
  return unpacker->words_taken == unpacker->n_words
         && unpacker->instructions == unpacker->totals.instructions
         && unpacker->entries == unpacker->totals.entries;
}

int
dg_unpacker_numbers (struct dg_unpacker *unpacker, uint32_t *numbers,
                     struct dg_error *err)
{
  uint64_t left = unpacker->totals.runs;

  if (unpacker->is_bad)
    return dg_unpacker_damaged (unpacker, err);
  unpacker->is_bad = true;
  while (left > 0) {
    unsigned n = MIN (left, DG_TAKE_RUNS);
    dg_four sums = {0};
    int code = dg_unpacker_take_numbers (unpacker, numbers, n, err);

    if (code < 0)
      return code;
    for (unsigned i = 0; i < n; i++)
      sums += *(const dg_four *) unpacker->heads[numbers[i]].sums;
    unpacker->instructions += sums[0];
    unpacker->entries += sums[1];
    unpacker->words_taken += sums[2];
    unpacker->slots += sums[3];
    unpacker->runs += n;
    numbers += n;
    left -= n;
  }
  return dg_unpacker_is_sum (unpacker) ? 0
                                       : dg_unpacker_damaged (unpacker, err);
}
