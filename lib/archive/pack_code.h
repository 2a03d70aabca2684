/* pack_code.h: what packing and unpacking runs agree upon: the streams of a
   chunk and how its runs are predicted.  docs/archive.md (part RUNS) says it
   in prose.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACK_CODE_H
#define DG_PACK_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libdatagrind.h"
#include "base/table.h"
#include "pack_totals.h"

/* ---- Streams ---- */

enum dg_pack_stream_name {
  DG_STREAM_HEAD_CODES, /* two bits of each run */
  DG_STREAM_WORD_CODES, /* two bits of each word */
  DG_STREAM_1,          /* what words differ by, in so many bytes */
  DG_STREAM_2,
  DG_STREAM_4,
  DG_STREAM_8,
  DG_STREAM_PLACES,       /* 2 bytes: numbers of heads not foreseen */
  DG_STREAM_LARGE_PLACES, /* 4 bytes: those that do not fit there */
  DG_STREAM_HEADS,        /* new ones: varints */
  DG_STREAM_TIMES,        /* of each of them: how many runs it has, and... */
  DG_STREAM_FIRSTS,       /* ...the instructions before the first; varints */
  DG_STREAMS
};
/* How many archives of version 1 have: those before.  */
#define DG_STREAMS_VERSION_1 DG_STREAM_TIMES

/* Sets of streams, as bits: those that say all of each run; which head it has;
   how often each head is there.  */
#define DG_STREAMS_OF_RUNS ((1u << DG_STREAM_TIMES) - 1)
#define DG_STREAMS_OF_HEADS                                     \
  (1u << DG_STREAM_HEAD_CODES | 1u << DG_STREAM_PLACES          \
   | 1u << DG_STREAM_LARGE_PLACES | 1u << DG_STREAM_HEADS)
#define DG_STREAMS_OF_COUNTS                                    \
  (1u << DG_STREAM_HEADS | 1u << DG_STREAM_TIMES                \
   | 1u << DG_STREAM_FIRSTS)

/* Codes of heads.  */
enum dg_pack_head_code {
  DG_HEAD_FIRST,  /* what followed the last time */
  DG_HEAD_SECOND, /* what followed before that */
  DG_HEAD_PLACE,  /* its number is in PLACES */
  DG_HEAD_NEW     /* it is in HEADS */
};
/* Codes of words: nothing, 1, 2, 4 bytes of what they differ by.  */
#define DG_WORD_ESCAPE UINT32_MAX /* 8 bytes in DG_STREAM_8 */
#define DG_PLACE_ESCAPE UINT16_MAX

/* A stream being written; `at` never passes `end` - DG_STREAM_SLACK.  */
struct dg_pack_stream {
  uint8_t *bytes, *at, *end;
};
#define DG_STREAM_SLACK 64

/* Makes room for n more bytes and the slack; false: no memory.  */
bool dg_pack_stream_reserve (struct dg_pack_stream *stream, size_t n);

/* Compressing, reused.  */
struct dg_streams_coder;
struct dg_streams_coder *dg_streams_coder_new (int level,
                                               struct dg_error *err);
void dg_streams_coder_free (struct dg_streams_coder *coder);
/* Appends the first n_streams to *out.  */
int dg_streams_write (struct dg_streams_coder *coder, unsigned n_streams,
                      const struct dg_pack_stream *streams,
                      struct dg_table *out, struct dg_error *err);
/* And back, the first n_streams, from exactly n bytes, into one buffer, `all`,
   which is reused and its owner's to free.  Each of the streams has `sizes`
   bytes there and at least `slack` behind them that may be read, `at` at the
   beginning; of those that are not wanted, there is the size only.
   DG_ERR_DAMAGED when all together would have more than max bytes.  */
int dg_streams_read (struct dg_streams_coder *coder, unsigned n_streams,
                     const uint8_t *bytes, size_t n, size_t max, size_t slack,
                     unsigned wanted,
                     struct dg_pack_stream *all,
                     struct dg_pack_stream *streams, size_t *sizes,
                     struct dg_error *err);

/* What all streams of a chunk may have together: a word costs no more than its
   code and 12 bytes, a head than its code and 19.  Values of as many accesses
   as a chunk has, 2^20 and those of a block, are no more, either, of 64 bytes
   and their codes.  */
#define DG_STREAMS_MAX ((size_t) 20 * DG_PACK_WORDS_MAX)

/* ---- Prediction ---- */

/* A word of a block: its next value is predicted as last + stride.  */
struct dg_pack_word {
  uint64_t last, stride;
};

#endif /* DG_PACK_CODE_H */
