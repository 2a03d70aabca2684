/* feed_packed.c: the runs of a chunk of an archive, decoded some hundred at a
   time.

   What all runs of a head have in common is put together once in each chunk:
   a cache line from which the run and up to four addresses are made without
   a branch.  Where nobody needs addresses, the words of runs are not even
   decompressed: their heads say all, unless some access was not made, which
   the chunk's sums tell.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "feed_packed.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "log/log.h"
#include "log/packed.h"
#include "log/packed_chunk.h"

/* Words of a batch besides the one run that may have any number.  */
#define WORDS_ROOM (DG_UNPACK_ROOM + 8 * DG_FEED_RUNS)
/* How many runs ahead their heads are called for.  */
#define AHEAD 8
/* Addresses that are written at a time.  */
#define COPY 4
/* In place of the first word: addresses are not that simple.  */
#define NOT_SIMPLE UINT8_MAX

/* What a head of the chunk stands for, but for addresses.  */
struct plain_head {
  const struct dg_bbdef *bbdef;       /* NULL: nothing */
  uint32_t context;
  uint16_t n_instrs, n_slots, n_sps;
};

/* Also for them.  Address i is words[word[i]] + disp[i], where words[0] is
   0.  */
struct head {
  const struct dg_packed_block *of;   /* NULL: nothing */
  const struct dg_bbdef *bbdef;
  uint64_t disp[COPY];
  uint32_t context;
  uint16_t n_instrs, n_slots, n_sps, n_entries, n_words;
  uint8_t word[COPY];
} __attribute__ ((aligned (64)));

struct dg_feed_packed {
  const struct dg_log *log;
  struct dg_packed *packed;
  bool needs_addresses, needs_contexts;
  uint64_t mask;               /* of addresses */
  struct dg_unpacker *unpacker;
  struct dg_table bytes;       /* of the chunk's RUNS */
  /* Of the chunk: one of these has n_heads, by has_words.  */
  struct head *heads;
  struct plain_head *plain_heads;
  size_t n_heads, heads_room, plain_room;
  /* The chunk: */
  const struct dg_chunk_entry *chunk;  /* NULL: none */
  bool has_words;
  uint64_t run, end_run;       /* of the log: decoded so far, and at its end */
  size_t move;                 /* index of the next one */
  uint64_t icount;
  uint32_t thread;
  /* Heads of the whole chunk, or of the runs whose words are there; behind
     them is room for AHEAD more.  */
  uint32_t *numbers;
  size_t numbers_room;
  const uint32_t *number;      /* of the next run */
  uint64_t *words, *at, *stop; /* of runs to come */
  /* What is given.  */
  struct dg_run runs[DG_FEED_RUNS + 1];
  uint64_t *addresses;         /* DG_FEED_ADDRESSES and those of any run */
};

struct dg_feed_packed *
dg_feed_packed_new (const struct dg_log *log, bool needs_addresses,
                    bool needs_contexts, struct dg_error *err)
{
  size_t max_entries = log->contents.defs.max_entries;
  struct dg_feed_packed *packed;

  if (needs_contexts && dg_packed_use (log->contents.packed, err) < 0)
    return NULL;
  packed = g_try_new0 (struct dg_feed_packed, 1);
  if (!packed) {
    if (needs_contexts)
      dg_packed_leave (log->contents.packed);
    dg_error_nomem (err);
    return NULL;
  }
  packed->log = log;
  packed->packed = log->contents.packed;
  packed->needs_addresses = needs_addresses;
  packed->needs_contexts = needs_contexts;
  packed->mask = log->format.word_size == 8 ? UINT64_MAX : UINT32_MAX;
  packed->words = g_try_new (uint64_t, WORDS_ROOM);
  packed->addresses = g_try_new (uint64_t,
                                 DG_FEED_ADDRESSES + max_entries + COPY);
  if (!packed->words || !packed->addresses)
    dg_error_nomem (err);
  else
    packed->unpacker = dg_unpacker_new (err);
  if (packed->unpacker)
    return packed;
  dg_feed_packed_free (packed);
  return NULL;
}

void
dg_feed_packed_free (struct dg_feed_packed *packed)
{
  if (!packed)
    return;
  if (packed->needs_contexts)
    dg_packed_leave (packed->packed);
  dg_unpacker_free (packed->unpacker);
  dg_table_fini (&packed->bytes);
  free (packed->heads);
  g_free (packed->plain_heads);
  g_free (packed->numbers);
  g_free (packed->words);
  g_free (packed->addresses);
  g_free (packed);
}

void
dg_feed_packed_close (struct dg_feed_packed *packed)
{
  packed->chunk = NULL;
}

static int
damaged (const struct dg_feed_packed *packed, const char *what,
         struct dg_error *err)
{
  return dg_error_at (err, DG_ERR_DAMAGED, packed->chunk->runs.offset, "%s",
                      what);
}

/* ---- Heads ---- */

/* Those of all runs come at once.  */
static bool
grow_plain_heads (struct dg_feed_packed *packed, size_t n)
{
  if (n <= packed->plain_room)
    return true;
  g_free (packed->plain_heads);
  packed->plain_heads = g_try_new (struct plain_head, n + n / 8);
  packed->plain_room = packed->plain_heads ? n + n / 8 : 0;
  return packed->plain_room > 0;
}

static bool
grow_heads (struct dg_feed_packed *packed, size_t n)
{
  size_t room = n + n / 4 + 256;
  struct head *heads;

  if (!packed->has_words)
    return grow_plain_heads (packed, n);
  if (n <= packed->heads_room)
    return true;
  heads = aligned_alloc (sizeof *heads, room * sizeof *heads);
  if (!heads)
    return false;
  if (packed->n_heads > 0)
    memcpy (heads, packed->heads, packed->n_heads * sizeof *heads);
  free (packed->heads);
  packed->heads = heads;
  packed->heads_room = room;
  return true;
}

/* How the addresses of a head's runs follow from their words.  */
static void
fill_addresses (struct head *head)
{
  for (unsigned i = 0; i < COPY && i < head->n_entries; i++) {
    const struct dg_program_entry *entry = &head->of->entries[i];
    /* DG_PROGRAM_NO_WORD becomes 0, the head.  */
    unsigned word = (uint16_t) (entry->word + 1);

    if (word >= NOT_SIMPLE || (entry->guarded && word != 0)) {
      head->word[0] = NOT_SIMPLE;
      return;
    }
    head->word[i] = word;
    head->disp[i] = entry->disp;
  }
  if (head->n_entries > COPY)
    head->word[0] = NOT_SIMPLE;
}

static void
fill_head (const struct dg_feed_packed *packed, size_t i, uint64_t word)
{
  const struct dg_packed_variant *variant
    = &packed->packed->variants[dg_run_variant (word)];
  uint32_t context = DG_NONE;
  bool is_there = variant->of != NULL;
  struct head *head;

  if (packed->needs_contexts) {
    context = dg_packed_context (packed->packed, variant->block,
                                 dg_run_node (word));
    is_there &= context != DG_NONE;
  }
  if (!packed->has_words) {
    packed->plain_heads[i] = (struct plain_head) {
      .bbdef = is_there ? variant->of->bbdef : NULL, .context = context,
      .n_instrs = variant->n_instrs, .n_slots = variant->n_slots,
      .n_sps = variant->n_sps
    };
    return;
  }
  head = &packed->heads[i];
  memset (head, 0, sizeof *head);
  if (!is_there)
    return;
  head->of = variant->of;
  head->bbdef = variant->of->bbdef;
  head->context = context;
  head->n_instrs = variant->n_instrs;
  head->n_slots = variant->n_slots;
  head->n_sps = variant->n_sps;
  head->n_entries = variant->n_entries;
  head->n_words = variant->n_words;
  fill_addresses (head);
}

/* Calls for the contexts of heads, which are all over two tables.  */
static void
prefetch_contexts (const struct dg_feed_packed *packed, size_t first,
                   size_t end)
{
  const struct dg_packed *of = packed->packed;

  for (size_t i = first; i < end; i++) {
    uint64_t word = dg_unpacker_head (packed->unpacker, i);

    dg_packed_prefetch (of, of->variants[dg_run_variant (word)].block,
                        dg_run_node (word));
  }
  for (size_t i = first; i < end; i++) {
    uint64_t word = dg_unpacker_head (packed->unpacker, i);

    dg_packed_prefetch_context (of, of->variants[dg_run_variant (word)].block,
                                dg_run_node (word));
  }
}

/* Looks up what the heads stand for that the chunk has not had before.  They
   are all over the tables, so they are called for together first.  */
static int
see_heads (struct dg_feed_packed *packed, struct dg_error *err)
{
  const struct dg_packed *of = packed->packed;
  const struct dg_unpacker *unpacker = packed->unpacker;
  size_t n = dg_unpacker_heads (unpacker), first = packed->n_heads;

  if (n == first)
    return 0;
  if (!grow_heads (packed, n))
    return dg_error_nomem (err);
  if (first == 0 && packed->has_words)
    memset (packed->heads, 0, sizeof *packed->heads);
  else if (first == 0)
    memset (packed->plain_heads, 0, sizeof *packed->plain_heads);
  first += first == 0;
  while (first < n) {
    size_t end = MIN (n, first + 64);

    for (size_t i = first; i < end; i++)
      __builtin_prefetch (&of->variants[dg_run_variant (
        dg_unpacker_head (unpacker, i))]);
    for (size_t i = first; i < end; i++)
      __builtin_prefetch (of->variants[dg_run_variant (
        dg_unpacker_head (unpacker, i))].of);
    if (packed->needs_contexts)
      prefetch_contexts (packed, first, end);
    for (size_t i = first; i < end; i++)
      fill_head (packed, i, dg_unpacker_head (unpacker, i));
    first = end;
  }
  packed->n_heads = n;
  return 0;
}

/* ---- Chunks ---- */

/* The heads of all runs, if they say all: 1, 0, < 0.  */
static int
open_heads (struct dg_feed_packed *packed, struct dg_error *err)
{
  const struct dg_chunk_entry *chunk = packed->chunk;
  struct dg_error why = { 0 };
  size_t n = chunk->totals.runs + AHEAD;
  int code = dg_packed_begin_chunk (packed->log, chunk, &packed->bytes, false,
                                    packed->unpacker, err);

  if (code < 0)
    return code;
  if (n > packed->numbers_room) {
    g_free (packed->numbers);
    packed->numbers = g_try_new0 (uint32_t, n);
    packed->numbers_room = packed->numbers ? n : 0;
    if (!packed->numbers)
      return dg_error_nomem (err);
  }
  code = dg_unpacker_numbers (packed->unpacker, packed->numbers, &why);
  if (code < 0) {
    dg_error_place (&why, chunk->runs.offset);
    return dg_error_copy (err, &why);
  }
  memset (packed->numbers + chunk->totals.runs, 0,
          AHEAD * sizeof *packed->numbers);
  return dg_unpacker_slots (packed->unpacker)
         == chunk->totals.reads + chunk->totals.writes;
}

static int
open_words (struct dg_feed_packed *packed, struct dg_error *err)
{
  size_t n = DG_FEED_RUNS + AHEAD;

  if (n > packed->numbers_room) {
    g_free (packed->numbers);
    packed->numbers = g_try_new0 (uint32_t, n);
    packed->numbers_room = packed->numbers ? n : 0;
    if (!packed->numbers)
      return dg_error_nomem (err);
  }
  packed->at = packed->stop = packed->words;
  return dg_packed_begin_chunk (packed->log, packed->chunk, &packed->bytes,
                                true, packed->unpacker, err);
}

int
dg_feed_packed_open (struct dg_feed_packed *packed, size_t index,
                     struct dg_error *err)
{
  const struct dg_packed *of = packed->packed;
  const struct dg_chunk_entry *chunk;
  int code;

  packed->chunk = NULL;
  if (index >= of->n_chunks)
    return 0;
  chunk = (const struct dg_chunk_entry *) of->archive->chunks.items + index;
  packed->chunk = chunk;
  packed->n_heads = 0;
  packed->has_words = packed->needs_addresses;
  code = dg_packed_read_chunk (packed->log, chunk, &packed->bytes, err);
  if (code == 0 && !packed->has_words) {
    code = open_heads (packed, err);
    if (code > 0)
      code = see_heads (packed, err);
    else if (code == 0)
      packed->has_words = true;
  }
  if (code == 0 && packed->has_words)
    code = open_words (packed, err);
  if (code < 0) {
    packed->chunk = NULL;
    return code;
  }
  packed->number = packed->numbers;
  packed->run = chunk->start.runs;
  packed->end_run = MIN (chunk->start.runs + chunk->totals.runs, of->end_run);
  packed->icount = chunk->start.icount;
  packed->thread = chunk->start.thread;
  packed->move = dg_packed_find_move (of, packed->run);
  return 0;
}

/* How many runs come before the thread or the icount changes.  */
static uint64_t
runs_to_move (struct dg_feed_packed *packed)
{
  const struct dg_packed_move *moves = packed->packed->moves.items;
  size_t n = packed->packed->moves.n;
  uint64_t left = packed->end_run - packed->run;

  for (; packed->move < n && moves[packed->move].run <= packed->run;
       packed->move++) {
    packed->icount = moves[packed->move].icount;
    packed->thread = moves[packed->move].thread;
  }
  if (packed->move < n)
    left = MIN (left, moves[packed->move].run - packed->run);
  return left;
}

static int __attribute__ ((cold))
no_context (const struct dg_feed_packed *packed, struct dg_error *err)
{
  return damaged (packed, "a run names a context that is not in the log", err);
}

/* ---- Runs ---- */

/* Up to `max` runs by their heads.  */
static size_t
take_heads (struct dg_feed_packed *packed, size_t max)
{
  const struct plain_head *const heads = packed->plain_heads;
  const uint32_t *number = packed->number, *const end = number + max;
  const uint32_t thread = packed->thread;
  uint64_t icount = packed->icount;
  size_t n = 0;

  for (; number < end; number++) {
    const struct plain_head *head = &heads[*number];

    if (G_UNLIKELY (!head->bbdef))
      break;
    __builtin_prefetch (&heads[number[AHEAD]]);
    packed->runs[n] = (struct dg_run) {
      .icount = icount, .context = head->context, .thread = thread,
      .n_instrs = head->n_instrs, .n_slots = head->n_slots,
      .n_sps = head->n_sps, .bbdef = head->bbdef
    };
    icount += head->n_instrs;
    n += head->n_instrs != 0;
  }
  packed->run += number - packed->number;
  packed->number = number;
  packed->icount = icount;
  return n;
}

/* Runs and addresses of the words that are there, as far as there is room.
   mask: packed->mask.  */
static inline __attribute__ ((always_inline)) size_t
take_words (struct dg_feed_packed *packed, uint64_t mask)
{
  const struct head *const heads = packed->heads;
  const uint32_t *number = packed->number, thread = packed->thread;
  uint64_t *at = packed->at, *const stop = packed->stop;
  uint64_t *out = packed->addresses;
  uint64_t *const full = out + DG_FEED_ADDRESSES, icount = packed->icount;
  size_t n = 0;

  for (; at < stop && out < full; number++) {
    const struct head *head = &heads[*number];

    if (G_UNLIKELY (!head->of))
      break;
    __builtin_prefetch (&heads[number[AHEAD]]);
    packed->runs[n] = (struct dg_run) {
      .icount = icount, .context = head->context, .thread = thread,
      .n_instrs = head->n_instrs, .n_slots = head->n_slots,
      .n_sps = head->n_sps, .bbdef = head->bbdef, .addresses = out
    };
    *at = 0;
    if (G_LIKELY (head->word[0] != NOT_SIMPLE)) {
#pragma GCC unroll 4
      for (unsigned i = 0; i < COPY; i++)
        out[i] = (at[head->word[i]] + head->disp[i]) & mask;
    } else {
      const struct dg_program_entry *entry = head->of->entries;

      for (unsigned i = 0; i < head->n_entries; i++)
        out[i] = dg_program_address (&entry[i], at + 1, mask);
    }
    out += head->n_entries;
    at += 1 + head->n_words;
    icount += head->n_instrs;
    n += head->n_instrs != 0;
  }
  packed->number = number;
  packed->at = at;
  packed->icount = icount;
  return n;
}

/* Unpacks the words of the next runs, at most `max`.  */
static int
unpack (struct dg_feed_packed *packed, size_t max, struct dg_error *err)
{
  struct dg_error why = { 0 };
  size_t n_words;
  ptrdiff_t n = dg_unpacker_numbered (packed->unpacker, packed->words,
                                      WORDS_ROOM, max, &n_words,
                                      packed->numbers, &why);

  if (n < 0) {
    dg_error_place (&why, packed->chunk->runs.offset);
    return dg_error_copy (err, &why);
  }
  if (n == 0)
    return damaged (packed, "a chunk has fewer runs than it declares",
                    err);
  packed->run += n;
  packed->at = packed->words;
  packed->stop = packed->words + n_words;
  packed->number = packed->numbers;
  return see_heads (packed, err);
}

static bool
is_at_bad_run (const struct dg_feed_packed *packed)
{
  return packed->has_words
           ? packed->at < packed->stop && !packed->heads[*packed->number].of
           : packed->run < packed->end_run
               && !packed->plain_heads[*packed->number].bbdef;
}

int
dg_feed_packed_next (struct dg_feed_packed *packed,
                     struct dg_decoded *decoded, struct dg_error *err)
{
  size_t n = 0;

  if (!packed->chunk)
    return 0;
  while (n == 0) {
    bool has_more = packed->has_words && packed->at < packed->stop;

    if (!has_more) {
      uint64_t max = MIN (runs_to_move (packed), DG_FEED_RUNS);
      int code = 0;

      if (max == 0)
        return 0;
      if (packed->has_words)
        code = unpack (packed, max, err);
      else
        n = take_heads (packed, max);
      if (code < 0)
        return code;
    }
    if (packed->has_words)
      n = packed->mask == UINT64_MAX ? take_words (packed, UINT64_MAX)
                                     : take_words (packed, UINT32_MAX);
    /* What stands before a bad run is given first.  */
    if (n == 0 && is_at_bad_run (packed))
      return no_context (packed, err);
  }
  decoded->runs = packed->runs;
  decoded->n_runs = n;
  decoded->end_icount = packed->icount;
  return 1;
}
