/* values.h: what the accesses of a chunk read or wrote as few bytes, and back.

   Most bytes that are loaded were stored or loaded before in the same chunk: a
   model of memory foresees them, and what it does not foresee is kept (logging
   of first loads: Narayanasamy, Pokam, Calder, "BugNet", ISCA 2005).  A chunk
   starts with a model that knows nothing, so each can be decoded alone; where
   memory was changed unseen, the model is wrong, and the value is kept.
   docs/archive.md (part VALUES) has the bytes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_VALUES_H
#define DG_VALUES_H

#include "base/table.h"
#include "format/decode.h"
#include "program.h"

/* ---- Packing ---- */

/* Reused from chunk to chunk: one for each worker.  */
struct dg_values_packer;
struct dg_values_packer *dg_values_packer_new (int level,
                                               struct dg_error *err);
void dg_values_packer_free (struct dg_values_packer *packer);

/* Begins a chunk, as dg_packer_begin.  */
int dg_values_packer_begin (struct dg_values_packer *packer,
                            const struct dg_program_view *program,
                            const struct dg_format *format,
                            struct dg_error *err);
/* Whole runs of n words that dg_packer_runs has taken, and the bytes that come
   with them: those of DG_VALUE_BYTES of all entries, one behind the other;
   those of accesses that were not made mean nothing.  DG_ERR_DAMAGED if they
   are not n_bytes.  DG_VALUE_SLACK bytes behind them may be read.  */
int dg_values_packer_runs (struct dg_values_packer *packer,
                           const uint64_t *words, size_t n,
                           const uint8_t *bytes, size_t n_bytes,
                           struct dg_error *err);
/* Compresses; appends the payload of a part VALUES to *out.  */
int dg_values_packer_end (struct dg_values_packer *packer,
                          struct dg_table *out, struct dg_error *err);

/* ---- Unpacking ---- */

struct dg_values_unpacker;
struct dg_values_unpacker *dg_values_unpacker_new (struct dg_error *err);
void dg_values_unpacker_free (struct dg_values_unpacker *unpacker);

/* Begins with a chunk's payload, which may change afterwards.  */
int dg_values_unpacker_begin (struct dg_values_unpacker *unpacker,
                              const struct dg_program_view *program,
                              const struct dg_format *format,
                              const uint8_t *payload, size_t n,
                              struct dg_error *err);

/* Of a run: the value of entry i is at bytes + at[i], or that is
   DG_VALUE_NONE.  */
struct dg_values_of_run {
  const uint8_t *bytes;
  const uint32_t *at;
};
/* The chunk's next run: its words, with its head.  Results are valid until the
   next one.  */
int dg_values_unpacker_run (struct dg_values_unpacker *unpacker,
                            const uint64_t *words,
                            struct dg_values_of_run *out,
                            struct dg_error *err);
/* Behind the last run: DG_ERR_DAMAGED if there is more in the payload.  */
int dg_values_unpacker_end (const struct dg_values_unpacker *unpacker,
                            struct dg_error *err);

#endif /* DG_VALUES_H */
