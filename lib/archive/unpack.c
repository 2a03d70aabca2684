/* unpack.c: the runs of a packed chunk, and the addresses of their accesses.

   The loops are in unpack_slice.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pack.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "unpack_state.h"
#include "base/varint.h"

struct dg_unpacker *
dg_unpacker_new (unsigned version, struct dg_error *err)
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
  unpacker->n_streams = version == 1 ? DG_STREAMS_VERSION_1 : DG_STREAMS;
  unpacker->avoids_avx2 = !dg_unpack_has_avx2 ();
  if (!unpacker->avoids_avx2)
    dg_unpack_fill_picks (&unpacker->picks);
  return unpacker;
}

void
dg_unpacker_free (struct dg_unpacker *unpacker)
{
  if (!unpacker)
    return;
  g_free (unpacker->all.bytes);
  dg_streams_coder_free (unpacker->coder);
  free (unpacker->heads);
  free (unpacker->forms);
  free (unpacker->values);
  g_free (unpacker->follow);
  g_free (unpacker->counts);
  dg_table_fini (&unpacker->words);
  g_free (unpacker->blocks);
  g_free (unpacker->variants);
  g_free (unpacker);
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

/* Number 0 stands before the first run.  */
static int
prepare_heads (struct dg_unpacker *unpacker, struct dg_error *err)
{
  unpacker->n_heads = 0;
  if (!dg_unpacker_grow_heads (unpacker))
    return dg_error_nomem (err);
  memset (unpacker->heads, 0, sizeof *unpacker->heads);
  unpacker->follow[0] = (struct dg_unpack_follow){{0}};
  unpacker->counts[0] = 0;
  unpacker->n_heads = 1;
  unpacker->last = unpacker->last_variant = unpacker->last_node = 0;
  unpacker->heads_taken = 0;
  unpacker->ahead = unpacker->n_ahead = 0;
  return 0;
}

static int
begin (struct dg_unpacker *unpacker, const struct dg_program_view *program,
       const uint8_t *bytes, size_t n, enum dg_unpack_aim aim,
       struct dg_error *err)
{
  const uint8_t *at = bytes, *end = bytes + n;
  bool has_words = aim >= DG_UNPACK_WORDS;
  unsigned streams = has_words                 ? DG_STREAMS_OF_RUNS
                     : aim == DG_UNPACK_COUNTS ? DG_STREAMS_OF_COUNTS
                                               : DG_STREAMS_OF_HEADS;
  int code;

  unpacker->program = *program;
  unpacker->aim = aim;
  unpacker->is_bad = true;
  unpacker->words.n = unpacker->n_values = unpacker->n_forms = 0;
  unpacker->runs = unpacker->words_taken = 0;
  unpacker->instructions = unpacker->entries = unpacker->slots = 0;
  memset (&unpacker->totals, 0, sizeof unpacker->totals);
  if (!take_totals (unpacker, &at, end)) {
    memset (&unpacker->totals, 0, sizeof unpacker->totals);
    return dg_unpacker_damaged (unpacker, err);
  }
  code = dg_streams_read (unpacker->coder, unpacker->n_streams, at, end - at,
                          DG_STREAMS_MAX, DG_TAKE_SLACK, streams,
                          &unpacker->all, unpacker->streams, unpacker->sizes,
                          err);
  if (code < 0)
    return code;
  if (unpacker->sizes[DG_STREAM_HEAD_CODES] != (unpacker->totals.runs + 3) / 4
      || unpacker->sizes[DG_STREAM_WORD_CODES]
           != (unpacker->n_words - unpacker->totals.runs + 3) / 4)
    return dg_unpacker_damaged (unpacker, err);
  if (has_words && prepare_blocks (unpacker, err) < 0)
    return DG_ERR_NOMEM;
  code = prepare_heads (unpacker, err);
  unpacker->is_bad = code < 0;
  return code;
}

int
dg_unpacker_begin (struct dg_unpacker *unpacker,
                   const struct dg_program_view *program, const uint8_t *bytes,
                   size_t n, struct dg_error *err)
{
  return begin (unpacker, program, bytes, n, DG_UNPACK_WORDS, err);
}

int
dg_unpacker_begin_addresses (struct dg_unpacker *unpacker,
                             const struct dg_program_view *program,
                             const uint8_t *bytes, size_t n,
                             struct dg_error *err)
{
  return begin (unpacker, program, bytes, n, DG_UNPACK_ADDRESSES, err);
}

int
dg_unpacker_begin_heads (struct dg_unpacker *unpacker,
                         const struct dg_program_view *program,
                         const uint8_t *bytes, size_t n, struct dg_error *err)
{
  return begin (unpacker, program, bytes, n, DG_UNPACK_HEADS, err);
}

int
dg_unpacker_begin_counts (struct dg_unpacker *unpacker,
                          const struct dg_program_view *program,
                          const uint8_t *bytes, size_t n, struct dg_error *err)
{
  return begin (unpacker, program, bytes, n,
                unpacker->n_streams == DG_STREAMS ? DG_UNPACK_COUNTS
                                                  : DG_UNPACK_HEADS,
                err);
}

const struct dg_pack_totals *
dg_unpacker_totals (const struct dg_unpacker *unpacker)
{
  return &unpacker->totals;
}

/* ---- Runs ---- */

int
dg_unpacker_check_end (const struct dg_unpacker *unpacker,
                       struct dg_error *err)
{
  if (unpacker->words_taken != unpacker->n_words
      || unpacker->instructions != unpacker->totals.instructions
      || unpacker->entries != unpacker->totals.entries)
    return dg_unpacker_damaged (unpacker, err);
  for (int i = DG_STREAM_1; i <= DG_STREAM_HEADS; i++)
    if (unpacker->streams[i].at
        != unpacker->streams[i].bytes + unpacker->sizes[i])
      return dg_unpacker_damaged (unpacker, err);
  return 0;
}

ptrdiff_t
dg_unpacker_numbered (struct dg_unpacker *unpacker, uint64_t *words,
                      size_t room, size_t max_runs, size_t *n_words,
                      uint32_t *numbers, struct dg_error *err)
{
  uint64_t start = unpacker->runs, end = unpacker->totals.runs;
  uint64_t *out = words, *stop = words + (room - DG_TAKE_ROOM);

  if (unpacker->is_bad)
    return dg_unpacker_damaged (unpacker, err);
  end = MIN (end, start + max_runs);
  while (unpacker->runs < end && out <= stop) {
    uint64_t run = unpacker->runs;
    uint32_t *to = numbers ? numbers + (run - start) : NULL;
    ptrdiff_t n = dg_unpacker_slice (unpacker, out, end - run, to, err);

    if (n < 0) {
      /* Streams may be taken from beyond their end but once.  */
      unpacker->is_bad = true;
      return n;
    }
    out += n;
  }
  if (unpacker->runs == unpacker->totals.runs
      && dg_unpacker_check_end (unpacker, err) < 0)
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

uint64_t
dg_unpacker_slots (const struct dg_unpacker *unpacker)
{
  return unpacker->slots;
}

size_t
dg_unpacker_heads (const struct dg_unpacker *unpacker)
{
  return unpacker->n_heads;
}

uint64_t
dg_unpacker_head (const struct dg_unpacker *unpacker, size_t number)
{
  return unpacker->heads[number].head;
}

void
dg_unpack_addresses (const struct dg_program_block *block,
                     const struct dg_program_variant *variant,
                     const uint64_t *words, uint64_t mask, uint64_t *addresses)
{
  static const uint64_t zero;
  const struct dg_program_entry *entry = block->entries;
  unsigned n = variant->n_entries;

  if (G_UNLIKELY (!variant->is_plain)) {
    for (unsigned i = 0; i < n; i++)
      addresses[i] = dg_program_address (&entry[i], words, mask);
    return;
  }
  /* Without branches: which entries are constant cannot be foreseen.  */
  for (unsigned i = 0; i < n; i++) {
    const uint64_t *word = &words[entry[i].word];

    word = entry[i].word == DG_PROGRAM_NO_WORD ? &zero : word;
    addresses[i] = (*word + (uint64_t) entry[i].disp) & mask;
  }
}
