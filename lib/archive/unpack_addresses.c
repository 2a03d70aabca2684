/* unpack_addresses.c: the addresses of a packed chunk's runs, without their
   words between.

   The words of a block stand beside each other: their last values, then their
   strides.  A run moves them on, most often by the strides alone; its
   addresses are then made of what stands there.  Here that is done on any
   processor, in unpack_avx2.c on most; the loop is the same (unpack_runs.h).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pack.h"

#include <string.h>

#include "base/error.h"
#include "unpack_state.h"

#define RUNS_INLINE static inline __attribute__ ((always_inline))

/* ---- Runs ---- */

RUNS_INLINE void
move_group (struct dg_unpacker *unpacker, struct dg_unpack_making *m,
            uint64_t *last, uint64_t *stride, unsigned n, unsigned codes)
{
  if (codes == 0) {
    for (unsigned i = 0; i < n; i++)
      last[i] += stride[i];
  } else if (G_LIKELY (!dg_unpack_is_large (codes))) {
    for (unsigned i = 0; i < n; i++, codes >>= 2) {
      stride[i] += dg_unpack_small (codes & 3, &m->bytes, &m->pairs);
      last[i] += stride[i];
    }
  } else {
    dg_unpack_move_large (unpacker->streams, m, last, stride, n, codes);
  }
}

RUNS_INLINE void
move_first (struct dg_unpacker *unpacker, struct dg_unpack_making *m,
            const struct dg_unpack_form *form, uint64_t *last,
            uint64_t *stride, unsigned codes, uint64_t mask)
{
  move_group (unpacker, m, last, stride, form->group, codes);
#pragma GCC unroll 4
  for (unsigned i = 0; i < DG_FORM_ADDRESSES; i++)
    m->out[i] = (last[form->pick[2 * i] / 2] + form->disp[i]) & mask;
}

#include "unpack_runs.h"

void
dg_unpack_make_plain (struct dg_unpacker *unpacker,
                      struct dg_unpack_making *making, uint64_t mask)
{
  if (mask == UINT64_MAX)
    make_runs (unpacker, making, UINT64_MAX);
  else
    make_runs (unpacker, making, mask);
}

/* ---- Slices ---- */

void
dg_unpacker_avoid_avx2 (struct dg_unpacker *unpacker)
{
  unpacker->avoids_avx2 = true;
}

/* There are more runs.  */
static int
make_slice (struct dg_unpacker *unpacker, struct dg_unpack_making *m,
            uint64_t mask, uint32_t *numbers, uint64_t end,
            struct dg_error *err)
{
  struct dg_pack_stream *streams = unpacker->streams;
  uint64_t words = unpacker->words_taken - unpacker->runs;
  const uint64_t *out = m->out;
  const uint32_t *ahead;
  unsigned n;

  if (unpacker->ahead == unpacker->n_ahead) {
    int code = dg_unpacker_take_ahead (unpacker, err);

    if (code == 0)
      code = dg_unpacker_add_forms (unpacker, err);
    if (code < 0)
      return code;
  }
  ahead = m->numbers = unpacker->numbers + unpacker->ahead;
  m->end = ahead + MIN (end - unpacker->runs,
                        unpacker->n_ahead - unpacker->ahead);
  m->codes = streams[DG_STREAM_WORD_CODES].bytes + words / 4;
  m->sums = words % 4;
  m->bytes = streams[DG_STREAM_1].at;
  m->pairs = streams[DG_STREAM_2].at;
  if (unpacker->avoids_avx2)
    dg_unpack_make_plain (unpacker, m, mask);
  else
    dg_unpack_make_avx2 (unpacker, m, mask);
  streams[DG_STREAM_1].at = (uint8_t *) m->bytes;
  streams[DG_STREAM_2].at = (uint8_t *) m->pairs;
  n = m->numbers - ahead;
  memcpy (numbers, ahead, n * sizeof *numbers);
  unpacker->ahead += n;
  unpacker->runs += n;
  unpacker->instructions += m->sums >> 32;
  unpacker->entries += m->out - out;
  unpacker->words_taken += (uint32_t) m->sums - words % 4 + n;
  return dg_unpacker_is_passed (unpacker) ? dg_unpacker_damaged (unpacker, err)
                                          : 0;
}

ptrdiff_t
dg_unpacker_addresses (struct dg_unpacker *unpacker, uint64_t mask,
                       size_t max_runs, uint32_t *numbers,
                       uint64_t *addresses, size_t enough,
                       struct dg_error *err)
{
  uint64_t start = unpacker->runs;
  uint64_t end = MIN (unpacker->totals.runs, start + max_runs);
  struct dg_unpack_making m = {.out = addresses, .full = addresses + enough};

  if (unpacker->is_bad)
    return dg_unpacker_damaged (unpacker, err);
  while (unpacker->runs < end && m.out < m.full) {
    int code = make_slice (unpacker, &m, mask,
                           numbers + (unpacker->runs - start), end, err);

    if (code < 0) {
      /* Streams may be taken from beyond their end but once.  */
      unpacker->is_bad = true;
      return code;
    }
  }
  if (unpacker->runs == unpacker->totals.runs
      && dg_unpacker_check_end (unpacker, err) < 0)
    return DG_ERR_DAMAGED;
  return unpacker->runs - start;
}
