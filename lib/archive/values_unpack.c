/* values_unpack.c: what the accesses of a chunk read or wrote, from bytes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "base/varint.h"
#include "values.h"
#include "values_code.h"

struct dg_values_unpacker {
  struct dg_values values;
  struct dg_streams_coder *coder;
  struct dg_pack_stream all, streams[DG_STREAMS];
  unsigned n_loads, n_stores; /* how many codes were taken of the byte that is
                                 next in LOAD_CODES, STORE_CODES */
  bool is_bad;
};

struct dg_values_unpacker *
dg_values_unpacker_new (struct dg_error *err)
{
  struct dg_values_unpacker *unpacker
    = g_try_new0 (struct dg_values_unpacker, 1);

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
dg_values_unpacker_free (struct dg_values_unpacker *unpacker)
{
  if (!unpacker)
    return;
  dg_values_fini (&unpacker->values);
  dg_streams_coder_free (unpacker->coder);
  g_free (unpacker->all.bytes);
  g_free (unpacker);
}

int
dg_values_unpacker_begin (struct dg_values_unpacker *unpacker,
                          const struct dg_program_view *program,
                          const struct dg_format *format,
                          const uint8_t *payload, size_t n,
                          struct dg_error *err)
{
  size_t sizes[DG_STREAMS];
  int code = dg_values_begin (&unpacker->values, program, format, err);

  unpacker->n_loads = unpacker->n_stores = 0;
  unpacker->is_bad = false;
  if (code < 0)
    return code;
  /* The limit does not depend on n: the codes of numbers that the model has
     are zeros, which zstd makes as small as one likes.  */
  return dg_streams_read (unpacker->coder, DG_VALUES_STREAMS, payload, n,
                          DG_STREAMS_MAX, DG_VALUE_SLACK,
                          (1u << DG_VALUES_STREAMS) - 1, &unpacker->all,
                          unpacker->streams, sizes, err);
}

/* ---- Streams ---- */

static int
damaged (struct dg_error *err)
{
  return dg_error_set (err, DG_ERR_DAMAGED, "packed values are damaged");
}

/* The next code, or < 0.  */
static inline int
take_code (struct dg_pack_stream *stream, unsigned *taken)
{
  int code;

  if (stream->at == stream->end)
    return -1;
  code = *stream->at >> 2 * *taken & 3;
  if (++*taken == 4) {
    *taken = 0;
    stream->at++;
  }
  return code;
}

static inline bool
take_number (struct dg_pack_stream *stream, unsigned n, uint64_t *number)
{
  if ((size_t) (stream->end - stream->at) < n)
    return false;
  *number = dg_values_get (stream->at, n, false);
  stream->at += n;
  return true;
}

static inline bool
take_raw (struct dg_values_unpacker *unpacker, unsigned n, uint64_t *number)
{
  struct dg_pack_stream *streams = unpacker->streams;

  return take_number (&streams[n == 8   ? DG_VALUES_RAW_8
                               : n == 4 ? DG_VALUES_RAW_4
                               : n == 2 ? DG_VALUES_RAW_2
                                        : DG_VALUES_RAW_1],
                      n, number);
}

/* ---- Parts of values ---- */

static bool
take_load (struct dg_values_unpacker *unpacker, struct dg_values_part *part,
           uint64_t foreseen, unsigned n, uint64_t *number)
{
  struct dg_pack_stream *streams = unpacker->streams;
  bool ok = true;

  switch (take_code (&streams[DG_VALUES_LOAD_CODES], &unpacker->n_loads)) {
  case DG_LOAD_FORESEEN:
    *number = foreseen;
    break;
  case DG_LOAD_LAST:
    *number = part->last;
    break;
  case DG_LOAD_DIFF:
    ok = take_number (&streams[DG_VALUES_LOAD_DIFFS], 1, number);
    *number = (part->last + dg_unzigzag (*number))
              & dg_values_mask (n);
    break;
  case DG_LOAD_RAW:
    ok = take_raw (unpacker, n, number);
    break;
  default:
    ok = false;
  }
  part->last = *number;
  return ok;
}

static bool
take_store (struct dg_values_unpacker *unpacker, struct dg_values_part *part,
            uint64_t silent, unsigned n, uint64_t *number)
{
  struct dg_pack_stream *streams = unpacker->streams;
  struct dg_values *values = &unpacker->values;
  uint64_t expected = (part->last + part->stride) & dg_values_mask (n);
  bool ok = true, is_new = false;

  switch (take_code (&streams[DG_VALUES_STORE_CODES], &unpacker->n_stores)) {
  case DG_STORE_STRIDE:
    *number = expected;
    break;
  case DG_STORE_PLACE:
    ok = take_number (&streams[DG_VALUES_PLACES], 1, number)
         && *number <= DG_VALUES_SILENT;
    if (ok)
      *number = (*number == DG_VALUES_SILENT ? silent
                                             : values->recent[*number])
                & dg_values_mask (n);
    break;
  case DG_STORE_DIFF:
    ok = take_number (&streams[DG_VALUES_STORE_DIFFS], 2, number);
    *number = (expected + dg_unzigzag (*number)) & dg_values_mask (n);
    is_new = true;
    break;
  case DG_STORE_RAW:
    ok = take_raw (unpacker, n, number);
    is_new = true;
    break;
  default:
    ok = false;
  }
  if (is_new)
    values->recent[values->n_recent++ % DG_VALUES_RECENT] = *number;
  part->stride = *number - part->last;
  part->last = *number;
  return ok;
}

/* ---- Runs ---- */

static inline uint64_t
take_bytes (void *self, bool is_write, struct dg_values_part *part,
            uint64_t there, unsigned n)
{
  struct dg_values_unpacker *unpacker = self;
  uint64_t number = 0;

  if (is_write ? !take_store (unpacker, part, there, n, &number)
               : !take_load (unpacker, part, there, n, &number))
    unpacker->is_bad = true;
  return number;
}

static inline void
pass_bytes (void *self, unsigned size)
{
  (void) self;
  (void) size;
}

int
dg_values_unpacker_run (struct dg_values_unpacker *unpacker,
                        const uint64_t *words, struct dg_values_of_run *out,
                        struct dg_error *err)
{
  struct dg_values *values = &unpacker->values;
  int code = values->format.big_endian
               ? dg_values_run (values, words, take_bytes, pass_bytes,
                                unpacker, true, err)
               : dg_values_run (values, words, take_bytes, pass_bytes,
                                unpacker, false, err);

  *out = (struct dg_values_of_run) { unpacker->values.bytes.items,
                                     unpacker->values.at };
  if (code == 0 && unpacker->is_bad)
    code = damaged (err);
  return code;
}

int
dg_values_unpacker_end (const struct dg_values_unpacker *unpacker,
                        struct dg_error *err)
{
  const unsigned n_codes[] = { [DG_VALUES_LOAD_CODES] = unpacker->n_loads,
                               [DG_VALUES_STORE_CODES] = unpacker->n_stores };

  for (unsigned i = 0; i < DG_VALUES_STREAMS; i++) {
    const struct dg_pack_stream *stream = &unpacker->streams[i];
    bool is_begun = i < G_N_ELEMENTS (n_codes) && n_codes[i] > 0;

    /* What is left of a byte of codes is 0.  */
    if (stream->end - stream->at != is_begun
        || (is_begun && *stream->at >> 2 * n_codes[i] != 0))
      return damaged (err);
  }
  return 0;
}
