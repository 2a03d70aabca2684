/* values_pack.c: what the accesses of a chunk read or wrote, as few bytes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/varint.h"
#include "values.h"
#include "values_code.h"

/* Codes of two bits each that do not yet fill a byte.  */
struct codes {
  unsigned bits, n;
};

struct dg_values_packer {
  struct dg_values values;
  struct dg_pack_stream streams[DG_STREAMS];
  struct dg_streams_coder *coder;
  struct codes loads, stores;
  const uint8_t *in;       /* the next bytes that come with runs */
};

struct dg_values_packer *
dg_values_packer_new (int level, struct dg_error *err)
{
  struct dg_values_packer *packer = g_try_new0 (struct dg_values_packer, 1);

  if (!packer) {
    dg_error_nomem (err);
    return NULL;
  }
  packer->coder = dg_streams_coder_new (level, err);
  if (!packer->coder) {
    g_free (packer);
    return NULL;
  }
  return packer;
}

void
dg_values_packer_free (struct dg_values_packer *packer)
{
  if (!packer)
    return;
  dg_values_fini (&packer->values);
  for (int i = 0; i < DG_VALUES_STREAMS; i++)
    g_free (packer->streams[i].bytes);
  dg_streams_coder_free (packer->coder);
  g_free (packer);
}

int
dg_values_packer_begin (struct dg_values_packer *packer,
                        const struct dg_program_view *program,
                        const struct dg_format *format, struct dg_error *err)
{
  for (int i = 0; i < DG_VALUES_STREAMS; i++)
    packer->streams[i].at = packer->streams[i].bytes;
  packer->loads = packer->stores = (struct codes) { 0 };
  return dg_values_begin (&packer->values, program, format, err);
}

/* ---- Streams ---- */

static inline void
put_code (struct dg_pack_stream *stream, struct codes *codes, unsigned code)
{
  codes->bits |= code << codes->n;
  codes->n += 2;
  if (codes->n == 8) {
    *stream->at++ = codes->bits;
    codes->bits = codes->n = 0;
  }
}

/* Streams have slack.  */
static inline void
put_number (struct dg_pack_stream *stream, uint64_t number, unsigned n)
{
  number = GUINT64_TO_LE (number);
  memcpy (stream->at, &number, sizeof number);
  stream->at += n;
}

static inline void
put_raw (struct dg_values_packer *packer, uint64_t number, unsigned n)
{
  struct dg_pack_stream *streams = packer->streams;

  put_number (&streams[n == 8   ? DG_VALUES_RAW_8
                       : n == 4 ? DG_VALUES_RAW_4
                       : n == 2 ? DG_VALUES_RAW_2
                                : DG_VALUES_RAW_1],
              number, n);
}

/* ---- Parts of values ---- */

/* A difference of n bytes as a number that is small if it is.  */
static inline uint64_t
zigzag (uint64_t difference, unsigned n)
{
  unsigned shift = 64 - 8 * n;

  return dg_zigzag ((int64_t) (difference << shift) >> shift)
         & dg_values_mask (n);
}

static void
put_load (struct dg_values_packer *packer, struct dg_values_part *part,
          uint64_t number, uint64_t foreseen, unsigned n)
{
  struct dg_pack_stream *streams = packer->streams;
  uint64_t difference;
  unsigned code;

  if (number == foreseen) {
    code = DG_LOAD_FORESEEN;
  } else if (number == part->last) {
    code = DG_LOAD_LAST;
  } else {
    difference = zigzag (number - part->last, n);
    code = difference <= UINT8_MAX ? DG_LOAD_DIFF : DG_LOAD_RAW;
    if (code == DG_LOAD_DIFF)
      put_number (&streams[DG_VALUES_LOAD_DIFFS], difference, 1);
    else
      put_raw (packer, number, n);
  }
  part->last = number;
  put_code (&streams[DG_VALUES_LOAD_CODES], &packer->loads, code);
}

/* Which known number it is; above DG_VALUES_SILENT: none.  */
static inline unsigned
find_place (const struct dg_values *values, uint64_t number, uint64_t silent)
{
  if (number == silent)
    return DG_VALUES_SILENT;
  for (unsigned i = 0; i < DG_VALUES_RECENT; i++)
    if (values->recent[i] == number)
      return i;
  return DG_VALUES_SILENT + 1;
}

static void
put_store (struct dg_values_packer *packer, struct dg_values_part *part,
           uint64_t number, uint64_t silent, unsigned n)
{
  struct dg_pack_stream *streams = packer->streams;
  struct dg_values *values = &packer->values;
  uint64_t expected = (part->last + part->stride) & dg_values_mask (n);
  unsigned code = DG_STORE_STRIDE;

  if (number != expected) {
    unsigned place = find_place (values, number, silent);
    uint64_t difference = zigzag (number - expected, n);

    if (place <= DG_VALUES_SILENT) {
      code = DG_STORE_PLACE;
      put_number (&streams[DG_VALUES_PLACES], place, 1);
    } else {
      code = n >= 2 && difference <= UINT16_MAX ? DG_STORE_DIFF
                                                : DG_STORE_RAW;
      if (code == DG_STORE_DIFF)
        put_number (&streams[DG_VALUES_STORE_DIFFS], difference, 2);
      else
        put_raw (packer, number, n);
      values->recent[values->n_recent++ % DG_VALUES_RECENT] = number;
    }
  }
  part->stride = number - part->last;
  part->last = number;
  put_code (&streams[DG_VALUES_STORE_CODES], &packer->stores, code);
}

/* ---- Runs ---- */

static inline uint64_t
put_bytes (void *self, bool is_write, struct dg_values_part *part,
           uint64_t there, unsigned n)
{
  struct dg_values_packer *packer = self;
  bool big_endian = packer->values.format.big_endian;
  uint64_t number = dg_values_get (packer->in, n, big_endian);

  packer->in += n;
  if (is_write)
    put_store (packer, part, number, there, n);
  else
    put_load (packer, part, number, there, n);
  return number;
}

static inline void
pass_bytes (void *self, unsigned size)
{
  struct dg_values_packer *packer = self;

  packer->in += size;
}

/* A part of n bytes is n bytes in one stream, or less, and a code.  */
static bool
make_room (struct dg_values_packer *packer, size_t n_bytes)
{
  for (int i = 0; i < DG_VALUES_STREAMS; i++)
    if (!dg_pack_stream_reserve (&packer->streams[i], n_bytes))
      return false;
  return true;
}

int
dg_values_packer_runs (struct dg_values_packer *packer, const uint64_t *words,
                       size_t n, const uint8_t *bytes, size_t n_bytes,
                       struct dg_error *err)
{
  const struct dg_program_variant *variants = packer->values.program.variants;
  const uint64_t *end = words + n;

  if (!make_room (packer, n_bytes))
    return dg_error_nomem (err);
  packer->in = bytes;
  while (words < end) {
    const struct dg_program_variant *variant
      = &variants[dg_run_variant (words[0])];
    int code;

    if (variant->value_bytes > (size_t) (bytes + n_bytes - packer->in))
      return dg_error_set (err, DG_ERR_DAMAGED,
                           "the bytes of values are cut short");
    code = packer->values.format.big_endian
             ? dg_values_run (&packer->values, words, put_bytes, pass_bytes,
                              packer, true, err)
             : dg_values_run (&packer->values, words, put_bytes, pass_bytes,
                              packer, false, err);
    if (code < 0)
      return code;
    words += 1 + variant->n_words;
  }
  return packer->in == bytes + n_bytes
           ? 0
           : dg_error_set (err, DG_ERR_DAMAGED,
                           "runs have %td bytes of values too many",
                           bytes + n_bytes - packer->in);
}

static void
finish_codes (struct dg_pack_stream *stream, const struct codes *codes)
{
  if (codes->n > 0)
    *stream->at++ = codes->bits;
}

int
dg_values_packer_end (struct dg_values_packer *packer, struct dg_table *out,
                      struct dg_error *err)
{
  if (!make_room (packer, 1))
    return dg_error_nomem (err);
  finish_codes (&packer->streams[DG_VALUES_LOAD_CODES], &packer->loads);
  finish_codes (&packer->streams[DG_VALUES_STORE_CODES], &packer->stores);
  return dg_streams_write (packer->coder, DG_VALUES_STREAMS, packer->streams,
                           out, err);
}
