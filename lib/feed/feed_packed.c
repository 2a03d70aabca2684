/* feed_packed.c: the runs of a chunk of an archive, decoded some hundred at a
   time.

   What all runs of a head have in common is put together once in each chunk:
   a cache line from which the run and up to four addresses are made without
   a branch.  Where nobody needs addresses, the words of runs are not even
   decompressed: their heads say all, unless some access was not made, which
   the chunk's sums tell.  Where nobody needs their order, either, runs are
   only counted, head by head.

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

/* Addresses that are written at a time.  */
#define COPY 4
/* Words that a head's addresses refer to are below that.  */
#define WORDS_MAX UINT8_MAX

/* What a head of the chunk stands for, but for addresses.  */
struct plain_head {
  const struct dg_bbdef *bbdef;       /* NULL: nothing */
  uint32_t context;
  uint16_t n_instrs, n_slots, n_sps;
};

/* How the addresses of a run follow from its words.  */
enum form {
  FEW,                         /* all are made at a time */
  MANY,                        /* those from LISTED on are in the entries */
  GUARDED                      /* so are all, and some may not be made */
};
/* In place of the displacement of that one are the entries.  */
#define LISTED (COPY - 1)

/* Also for them.  Address i is words[word[i]] + disp[i], where words[0] is
   0.  */
struct head {
  const struct dg_bbdef *bbdef;       /* NULL: nothing */
  union {
    uint64_t disp[COPY];
    struct {
      uint64_t before[LISTED];
      const struct dg_program_entry *entries;
    };
  };
  uint32_t context;
  uint16_t n_slots, n_sps, n_entries, n_words;
  uint8_t n_instrs, form;
  uint8_t word[COPY];
} __attribute__ ((aligned (64)));

G_STATIC_ASSERT (sizeof (struct head) == 64);

struct dg_feed_packed {
  bool needs_addresses;
  uint64_t mask;               /* of addresses */
  /* Without words, its heads are those of all of its runs.  */
  struct dg_packed_chunk chunk;
  bool has_words;
  /* Its runs are only counted; given so far: those of heads below that.  */
  bool is_counted;
  size_t next_head;
  /* Of the chunk: one of these has n_heads, by has_words.  */
  struct head *heads;
  struct plain_head *plain_heads;
  size_t n_heads, heads_room, plain_room;
  /* What is given.  */
  struct dg_run runs[DG_FEED_RUNS + 1];
  uint32_t times[DG_FEED_RUNS + 1];
  uint64_t n_slots;            /* of all, unless they are counted */
  uint64_t *addresses;         /* DG_FEED_ADDRESSES and those of any run */
};

struct dg_feed_packed *
dg_feed_packed_new (const struct dg_log *log, bool needs_addresses,
                    bool needs_contexts, struct dg_error *err)
{
  size_t max_entries = log->contents.defs.max_entries;
  struct dg_feed_packed *packed;

  packed = g_try_new0 (struct dg_feed_packed, 1);
  if (!packed) {
    dg_error_nomem (err);
    return NULL;
  }
  packed->needs_addresses = needs_addresses;
  packed->mask = log->format.word_size == 8 ? UINT64_MAX : UINT32_MAX;
  if (dg_packed_chunk_init (&packed->chunk, log, needs_contexts, DG_FEED_RUNS,
                            err)
      == 0) {
    packed->addresses =
      g_try_new (uint64_t, DG_FEED_ADDRESSES + max_entries + COPY);
    if (packed->addresses)
      return packed;
    dg_error_nomem (err);
  }
  dg_feed_packed_free (packed);
  return NULL;
}

void
dg_feed_packed_free (struct dg_feed_packed *packed)
{
  if (!packed)
    return;
  dg_packed_chunk_fini (&packed->chunk);
  free (packed->heads);
  g_free (packed->plain_heads);
  g_free (packed->addresses);
  g_free (packed);
}

void
dg_feed_packed_close (struct dg_feed_packed *packed)
{
  packed->chunk.entry = NULL;
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

/* DG_PROGRAM_NO_WORD becomes 0, the head.  */
static inline uint16_t
word_of (const struct dg_program_entry *entry)
{
  return entry->word + 1;
}

/* How the addresses of a head's runs follow from their words.  */
static void
fill_addresses (struct head *head, const struct dg_program_entry *entries)
{
  unsigned n = head->n_entries;

  head->form = n <= COPY ? FEW : MANY;
  for (unsigned i = 0; i < n; i++)
    if ((i < COPY && word_of (&entries[i]) >= WORDS_MAX)
        || (entries[i].guarded && word_of (&entries[i]) != 0))
      head->form = GUARDED;
  if (head->form != FEW)
    head->entries = entries;
  if (head->form == GUARDED)
    return;
  n = head->form == FEW ? n : LISTED;
  for (unsigned i = 0; i < n; i++) {
    head->word[i] = word_of (&entries[i]);
    head->disp[i] = entries[i].disp;
  }
}

static void
fill_head (const struct dg_feed_packed *packed, size_t i)
{
  uint32_t context;
  const struct dg_packed_variant *variant =
    dg_packed_chunk_head (&packed->chunk, i, &context);
  struct head *head;

  if (!packed->has_words) {
    packed->plain_heads[i] =
      !variant ? (struct plain_head){.bbdef = NULL}
               : (struct plain_head){.bbdef = variant->of->bbdef,
                                     .context = context,
                                     .n_instrs = variant->n_instrs,
                                     .n_slots = variant->n_instrs > 0
                                                  ? variant->n_slots : 0,
                                     .n_sps = variant->n_sps};
    return;
  }
  head = &packed->heads[i];
  memset (head, 0, sizeof *head);
  if (!variant)
    return;
  head->bbdef = variant->of->bbdef;
  head->context = context;
  head->n_instrs = variant->n_instrs;
  /* Runs of no instructions are not given.  */
  head->n_slots = variant->n_instrs > 0 ? variant->n_slots : 0;
  head->n_sps = variant->n_sps;
  head->n_entries = variant->n_entries;
  head->n_words = variant->n_words;
  fill_addresses (head, variant->of->entries);
}

/* Looks up what the heads stand for that the chunk has not had before.  */
static int
see_heads (struct dg_feed_packed *packed, struct dg_error *err)
{
  size_t n = dg_unpacker_heads (packed->chunk.unpacker), i = packed->n_heads;

  if (n == i)
    return 0;
  if (!grow_heads (packed, n))
    return dg_error_nomem (err);
  if (i == 0 && packed->has_words)
    memset (packed->heads, 0, sizeof *packed->heads);
  else if (i == 0)
    memset (packed->plain_heads, 0, sizeof *packed->plain_heads);
  i += i == 0;
  while (i < n) {
    size_t end = dg_packed_chunk_call (&packed->chunk, i, n);

    for (; i < end; i++)
      fill_head (packed, i);
  }
  packed->n_heads = n;
  return 0;
}

/* ---- Chunks ---- */

/* Whether thread and icount go on from the chunk's first run to its last.  */
static bool
is_uniform (struct dg_feed_packed *packed)
{
  struct dg_packed_chunk *chunk = &packed->chunk;
  uint64_t runs = chunk->entry->totals.runs;

  return chunk->end_run - chunk->run == runs
         && dg_packed_chunk_left (chunk) == runs;
}

/* Only counts the chunk's runs.  Those of heads that stand for nothing are
   better met in their order.  */
static int
count_runs (struct dg_feed_packed *packed, struct dg_error *err)
{
  int code = dg_packed_chunk_begin_counts (&packed->chunk, err);

  if (code > 0)
    code = see_heads (packed, err);
  else if (code == 0)
    packed->has_words = true;
  if (code < 0 || packed->has_words)
    return code;
  packed->is_counted = true;
  packed->next_head = 1;
  for (size_t i = 1; i < packed->n_heads; i++)
    if (!packed->plain_heads[i].bbdef)
      packed->is_counted = false;
  if (!packed->is_counted)
    packed->n_heads = 0;
  return 0;
}

int
dg_feed_packed_open (struct dg_feed_packed *packed, size_t index,
                     bool takes_alike, struct dg_error *err)
{
  struct dg_packed_chunk *chunk = &packed->chunk;
  int code;

  chunk->entry = NULL;
  if (index >= chunk->packed->n_chunks)
    return 0;
  packed->n_heads = 0;
  packed->has_words = packed->needs_addresses;
  packed->is_counted = false;
  code = dg_packed_chunk_open (chunk, index, err);
  if (code == 0 && takes_alike && !packed->has_words && is_uniform (packed))
    code = count_runs (packed, err);
  if (code == 0 && !packed->has_words && !packed->is_counted) {
    code = dg_packed_chunk_begin_heads (chunk, err);
    if (code > 0)
      code = see_heads (packed, err);
    else if (code == 0)
      packed->has_words = true;
  }
  if (code == 0 && packed->has_words)
    code = dg_packed_chunk_begin (chunk, err);
  if (code < 0)
    chunk->entry = NULL;
  return code;
}

/* ---- Runs ---- */

/* Heads, and how often each of them was.  */
static size_t
take_counted (struct dg_feed_packed *packed)
{
  const struct dg_unpacker *unpacker = packed->chunk.unpacker;
  size_t n = 0, i = packed->next_head;

  for (; i < packed->n_heads && n < DG_FEED_RUNS; i++) {
    const struct plain_head *head = &packed->plain_heads[i];

    packed->runs[n] = (struct dg_run) {
      .icount = packed->chunk.icount + dg_unpacker_first (unpacker, i),
      .context = head->context, .thread = packed->chunk.thread,
      .n_instrs = head->n_instrs, .n_slots = head->n_slots,
      .n_sps = head->n_sps, .bbdef = head->bbdef
    };
    packed->times[n] = dg_unpacker_times (unpacker, i);
    n += head->n_instrs != 0;
  }
  packed->next_head = i;
  return n;
}

/* Up to `max` runs by their heads.  */
static size_t
take_heads (struct dg_feed_packed *packed, size_t max)
{
  const struct plain_head *const heads = packed->plain_heads;
  const uint32_t *number = packed->chunk.number, *const end = number + max;
  const uint32_t thread = packed->chunk.thread;
  uint64_t icount = packed->chunk.icount, slots = 0;
  size_t n = 0;

  for (; number < end; number++) {
    const struct plain_head *head = &heads[*number];

    if (G_UNLIKELY (!head->bbdef))
      break;
    __builtin_prefetch (&heads[number[DG_PACKED_AHEAD]]);
    packed->runs[n] = (struct dg_run) {
      .icount = icount, .context = head->context, .thread = thread,
      .n_instrs = head->n_instrs, .n_slots = head->n_slots,
      .n_sps = head->n_sps, .bbdef = head->bbdef
    };
    icount += head->n_instrs;
    slots += head->n_slots;
    n += head->n_instrs != 0;
  }
  packed->n_slots = slots;
  packed->chunk.run += number - packed->chunk.number;
  packed->chunk.number = number;
  packed->chunk.icount = icount;
  return n;
}

/* Those of a head's addresses that are in the entries; words: of the run,
   with its head.  */
static inline __attribute__ ((always_inline)) void
take_listed (const struct head *head, const uint64_t *words, uint64_t mask,
             uint64_t *out)
{
  const struct dg_program_entry *entry = head->entries;
  unsigned n = head->n_entries;

  if (G_UNLIKELY (head->form == GUARDED)) {
    for (unsigned i = 0; i < n; i++)
      out[i] = dg_program_address (&entry[i], words + 1, mask);
    return;
  }
  for (unsigned i = LISTED; i < n; i++)
    out[i] = (words[word_of (&entry[i])] + (uint64_t) entry[i].disp) & mask;
}

/* Runs and addresses of the words that are there, as far as there is room.
   mask: packed->mask.  */
static inline __attribute__ ((always_inline)) size_t
take_words (struct dg_feed_packed *packed, uint64_t mask)
{
  const struct head *const heads = packed->heads;
  const uint32_t *number = packed->chunk.number, thread = packed->chunk.thread;
  uint64_t *at = packed->chunk.at, *const stop = packed->chunk.stop;
  uint64_t *out = packed->addresses;
  uint64_t *const full = out + DG_FEED_ADDRESSES,
                  icount = packed->chunk.icount;
  uint64_t slots = 0;
  size_t n = 0;

  for (; at < stop && out < full; number++) {
    const struct head *head = &heads[*number];

    if (G_UNLIKELY (!head->bbdef))
      break;
    __builtin_prefetch (&heads[number[DG_PACKED_AHEAD]]);
    packed->runs[n] = (struct dg_run) {
      .icount = icount, .context = head->context, .thread = thread,
      .n_instrs = head->n_instrs, .n_slots = head->n_slots,
      .n_sps = head->n_sps, .bbdef = head->bbdef, .addresses = out
    };
    *at = 0;
#pragma GCC unroll 4
    for (unsigned i = 0; i < COPY; i++)
      out[i] = (at[head->word[i]] + head->disp[i]) & mask;
    if (head->form != FEW)
      take_listed (head, at, mask, out);
    out += head->n_entries;
    at += 1 + head->n_words;
    icount += head->n_instrs;
    slots += head->n_slots;
    n += head->n_instrs != 0;
  }
  packed->n_slots = slots;
  packed->chunk.number = number;
  packed->chunk.at = at;
  packed->chunk.icount = icount;
  return n;
}

static bool
is_at_bad_run (const struct dg_feed_packed *packed)
{
  return packed->has_words
           ? packed->chunk.at < packed->chunk.stop
               && !packed->heads[*packed->chunk.number].bbdef
           : packed->chunk.run < packed->chunk.end_run
               && !packed->plain_heads[*packed->chunk.number].bbdef;
}

int
dg_feed_packed_next (struct dg_feed_packed *packed,
                     struct dg_decoded *decoded, struct dg_error *err)
{
  size_t n = 0;

  if (!packed->chunk.entry)
    return 0;
  if (packed->is_counted) {
    n = take_counted (packed);
    decoded->runs = packed->runs;
    decoded->n_runs = n;
    decoded->end_icount
      = packed->chunk.icount + packed->chunk.entry->totals.instructions;
    decoded->n_slots = DG_NEVER;
    decoded->times = packed->times;
    return n > 0;
  }
  while (n == 0) {
    bool has_more = packed->has_words && packed->chunk.at < packed->chunk.stop;

    if (!has_more) {
      uint64_t max = MIN (dg_packed_chunk_left (&packed->chunk), DG_FEED_RUNS);
      int code = 0;

      if (max == 0)
        return 0;
      if (packed->has_words)
        code = dg_packed_chunk_unpack (&packed->chunk, max, err);
      else
        n = take_heads (packed, max);
      if (code > 0)
        code = see_heads (packed, err);
      if (code < 0)
        return code;
    }
    if (packed->has_words)
      n = packed->mask == UINT64_MAX ? take_words (packed, UINT64_MAX)
                                     : take_words (packed, UINT32_MAX);
    /* What stands before a bad run is given first.  */
    if (n == 0 && is_at_bad_run (packed))
      return dg_packed_chunk_no_context (&packed->chunk, err);
  }
  decoded->runs = packed->runs;
  decoded->n_runs = n;
  decoded->end_icount = packed->chunk.icount;
  decoded->n_slots = packed->n_slots;
  decoded->times = NULL;
  return 1;
}
