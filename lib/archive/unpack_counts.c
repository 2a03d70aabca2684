/* unpack_counts.c: how many runs of each head a packed chunk has.

   Who packed it has counted them, so that nothing needs to be unpacked but its
   heads.  In archives of version 1, the heads of all runs are gone through.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "base/error.h"
#include "unpack_state.h"

/* ---- By the order of runs ---- */

/* Runs of a slice, their heads and the instructions of all so far.  */
struct counting {
  const uint8_t *codes;
  unsigned n;
  uint32_t last;
  uint64_t instructions;
};

/* Of runs from number i on, up to the n-th or one whose head is neither of
   the two that are expected; where it ended.  There are no calls, so that all
   can stay in registers.  */
static unsigned __attribute__ ((noinline))
count_foreseen (struct dg_unpacker *unpacker, unsigned i,
                struct counting *counting)
{
  struct dg_unpack_follow *const follow = unpacker->follow;
  uint64_t *const counts = unpacker->counts;
  const uint8_t *const codes = counting->codes;
  const unsigned n = counting->n;
  uint64_t instructions = counting->instructions;
  uint32_t number = counting->last;

  for (; i < n; i++) {
    unsigned code = codes[i];
    uint64_t count;

    if (G_UNLIKELY (code > DG_HEAD_SECOND))
      break;
    number = dg_unpack_follow (follow, number, code);
    count = counts[number];
    counts[number] = count + 1;
    instructions += count >> 32;
  }
  counting->last = number;
  counting->instructions = instructions;
  return i;
}

/* Counts the next n runs, at most DG_TAKE_RUNS, which there must be.  */
static int
count_slice (struct dg_unpacker *unpacker, unsigned n, struct dg_error *err)
{
  struct counting counting
    = { .codes
        = dg_unpack_codes (&unpacker->streams[DG_STREAM_HEAD_CODES],
                           unpacker->heads_taken, n, unpacker->head_codes),
        .n = n, .last = unpacker->last,
        .instructions = unpacker->instructions };

  for (unsigned i = 0;; i++) {
    uint32_t n_heads = unpacker->n_heads;
    ptrdiff_t number;

    i = count_foreseen (unpacker, i, &counting);
    if (i == n)
      break;
    number = dg_unpacker_take_other (unpacker, counting.codes[i], err);
    if (number < 0)
      return number;
    if (unpacker->n_heads > n_heads)
      unpacker->heads[number].place = counting.instructions;
    dg_unpack_push (unpacker->follow, counting.last, number);
    counting.last = number;
    counting.instructions += unpacker->counts[number]++ >> 32;
  }
  /* Before the first run, nothing is expected.  */
  if (dg_unpacker_heads_passed (unpacker)
      || (uint32_t) unpacker->counts[0] > 0)
    return dg_unpacker_damaged (unpacker, err);
  unpacker->last = counting.last;
  unpacker->instructions = counting.instructions;
  unpacker->heads_taken += n;
  unpacker->runs += n;
  return 0;
}

static int
count_in_order (struct dg_unpacker *unpacker, struct dg_error *err)
{
  uint64_t left = unpacker->totals.runs;

  while (left > 0) {
    unsigned n = MIN (left, DG_TAKE_RUNS);
    int code = count_slice (unpacker, n, err);

    if (code < 0)
      return code;
    left -= n;
  }
  return 0;
}

/* ---- By what the packer counted ---- */

/* The next number of a stream that is up to `max`.  */
static bool
take_number (struct dg_unpacker *unpacker, enum dg_pack_stream_name name,
             uint64_t max, uint64_t *number)
{
  struct dg_pack_stream *stream = &unpacker->streams[name];
  const uint8_t *at = stream->at;

  if (!dg_varint_get (&at, stream->bytes + unpacker->sizes[name], number)
      || *number > max)
    return false;
  stream->at = (uint8_t *) at;
  return true;
}

/* Each head has a run, so there are no more of them than runs.  The first one
   of a head is behind that of the head before, and within the chunk.  */
static int
take_counts (struct dg_unpacker *unpacker, struct dg_error *err)
{
  const struct dg_pack_totals *totals = &unpacker->totals;
  uint64_t first = 0, least = 0;

  while (unpacker->runs < totals->runs) {
    ptrdiff_t number = dg_unpacker_add_head (unpacker, err);
    uint64_t times, more, n_instrs;

    if (number < 0)
      return number;
    n_instrs = unpacker->counts[number] >> 32;
    if (!take_number (unpacker, DG_STREAM_TIMES,
                      totals->runs - unpacker->runs, &times)
        || !take_number (unpacker, DG_STREAM_FIRSTS, totals->instructions,
                         &more)
        || times == 0 || more < least || (number == 1 && more > 0)
        || first + more + n_instrs > totals->instructions)
      return dg_unpacker_damaged (unpacker, err);
    first += more;
    least = n_instrs;
    unpacker->heads[number].place = first;
    unpacker->instructions += times * n_instrs;
    unpacker->counts[number] += times;
    unpacker->runs += times;
  }
  return 0;
}

/* ---- Either ---- */

/* Joins heads of the same variant, in the order of the first ones.  */
static int
join_variants (struct dg_unpacker *unpacker, struct dg_error *err)
{
  size_t n = unpacker->program.n.variants;
  uint32_t kept = 1, *first;

  if (n > unpacker->variants_room) {
    g_free (unpacker->variants);
    unpacker->variants = g_try_new0 (uint32_t, n);
    unpacker->variants_room = unpacker->variants ? n : 0;
    if (!unpacker->variants)
      return dg_error_nomem (err);
  }
  for (uint32_t i = 1; i < unpacker->n_heads; i++) {
    first = &unpacker->variants[dg_run_variant (unpacker->heads[i].head)];
    if (*first > 0) {
      unpacker->counts[*first] += dg_unpacker_times (unpacker, i);
      continue;
    }
    unpacker->heads[kept] = unpacker->heads[i];
    unpacker->counts[kept] = unpacker->counts[i];
    *first = kept++;
  }
  for (uint32_t i = 1; i < kept; i++)
    unpacker->variants[dg_run_variant (unpacker->heads[i].head)] = 0;
  unpacker->n_heads = kept;
  return 0;
}

int
dg_unpacker_count (struct dg_unpacker *unpacker, bool by_variant,
                   struct dg_error *err)
{
  int code;

  if (unpacker->is_bad)
    return dg_unpacker_damaged (unpacker, err);
  unpacker->is_bad = true;
  code = unpacker->aim == DG_UNPACK_COUNTS ? take_counts (unpacker, err)
                                           : count_in_order (unpacker, err);
  if (code < 0)
    return code;
  if (by_variant && join_variants (unpacker, err) < 0)
    return DG_ERR_NOMEM;
  for (uint32_t i = 1; i < unpacker->n_heads; i++) {
    uint64_t times = dg_unpacker_times (unpacker, i);
    const uint32_t *sums = unpacker->heads[i].sums;

    unpacker->entries += times * sums[1];
    unpacker->words_taken += times * sums[2];
    unpacker->slots += times * sums[3];
  }
  return dg_unpacker_is_sum (unpacker) ? 0
                                       : dg_unpacker_damaged (unpacker, err);
}

uint32_t
dg_unpacker_times (const struct dg_unpacker *unpacker, size_t number)
{
  return (uint32_t) unpacker->counts[number];
}

uint64_t
dg_unpacker_first (const struct dg_unpacker *unpacker, size_t number)
{
  return unpacker->heads[number].place;
}
