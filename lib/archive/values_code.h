/* values_code.h: what packing and unpacking values agree upon: their streams,
   and how a run is gone through.  docs/archive.md (part VALUES) says it in
   prose.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_VALUES_CODE_H
#define DG_VALUES_CODE_H

#include <glib.h>

#include "base/error.h"
#include "dg_record.h"
#include "format/decode.h"
#include "model.h"
#include "pack_code.h"
#include "program.h"

enum dg_values_stream {
  DG_VALUES_LOAD_CODES,  /* two bits of each part of a load */
  DG_VALUES_STORE_CODES, /* of a store */
  DG_VALUES_LOAD_DIFFS,  /* a byte */
  DG_VALUES_PLACES,      /* a byte: which known number it is */
  DG_VALUES_STORE_DIFFS, /* two bytes */
  DG_VALUES_RAW_1,       /* parts of 1, 3, 5, 6, 7 bytes as they are */
  DG_VALUES_RAW_2,
  DG_VALUES_RAW_4,
  DG_VALUES_RAW_8,
  DG_VALUES_STREAMS
};
G_STATIC_ASSERT ((int) DG_VALUES_STREAMS <= (int) DG_STREAMS);

enum dg_values_load_code {
  DG_LOAD_FORESEEN, /* the number that the model has */
  DG_LOAD_LAST,     /* the last number of the part */
  DG_LOAD_DIFF,     /* the last number plus a difference in LOAD_DIFFS */
  DG_LOAD_RAW       /* a number in RAW_1 to RAW_8 */
};
enum dg_values_store_code {
  DG_STORE_STRIDE,  /* the last number of the part plus the stride */
  DG_STORE_PLACE,   /* a known number; PLACES says which */
  DG_STORE_DIFF,    /* as STRIDE, plus a difference in STORE_DIFFS */
  DG_STORE_RAW      /* a number in RAW_1 to RAW_8 */
};
/* In PLACES: below DG_VALUES_RECENT, one of the last numbers that had DIFF or
   RAW; DG_VALUES_SILENT, the number that memory has there already.  */
#define DG_VALUES_RECENT 16
#define DG_VALUES_SILENT DG_VALUES_RECENT

/* Values are coded in parts of 8 bytes, the last of which may have fewer.  Of
   a part of an entry of a block: the last number, and by how much it differs
   from the one before.  */
struct dg_values_part {
  uint64_t last, stride;
};
#define DG_VALUES_PART 8

struct dg_values {
  struct dg_program_view program;
  struct dg_format format;
  uint64_t mask;           /* of addresses */
  struct dg_model model;
  struct dg_table parts;   /* struct dg_values_part, of blocks of the chunk */
  uint32_t *first;         /* of each block: its first part plus 1, or 0 */
  size_t first_room;
  uint64_t recent[DG_VALUES_RECENT];
  unsigned n_recent;
  /* Of the run.  */
  struct dg_table bytes;
  uint32_t at[UINT16_MAX]; /* struct dg_values_of_run */
};

int dg_values_begin (struct dg_values *values,
                     const struct dg_program_view *program,
                     const struct dg_format *format, struct dg_error *err);
void dg_values_fini (struct dg_values *values);

/* The first part of a block, and room for the bytes of its runs; NULL: no
   memory.  */
struct dg_values_part *dg_values_block (struct dg_values *values,
                                        uint32_t block);

/* ---- Numbers ---- */

/* A number's low n bytes, 1 <= n <= 8.  */
static inline uint64_t
dg_values_mask (unsigned n)
{
  return UINT64_MAX >> (64 - 8 * n);
}

/* The number whose memory image n bytes are.  */
static inline uint64_t
dg_values_get (const uint8_t *bytes, unsigned n, bool big_endian)
{
  uint64_t number;

  memcpy (&number, bytes, sizeof number);
  if (big_endian)
    return GUINT64_FROM_BE (number) >> (64 - 8 * n);
  return GUINT64_FROM_LE (number) & dg_values_mask (n);
}

/* The low n bytes of a number as they are in memory; what is behind them stays
   as it is.  */
static inline void
dg_values_put (uint8_t *bytes, uint64_t number, unsigned n, bool big_endian)
{
  uint64_t mask = dg_values_mask (n), there;

  memcpy (&there, bytes, sizeof there);
  if (big_endian) {
    unsigned shift = 64 - 8 * n;

    there = GUINT64_FROM_BE (there);
    there = (there & ~(mask << shift)) | (number & mask) << shift;
    there = GUINT64_TO_BE (there);
  } else {
    there = (GUINT64_FROM_LE (there) & ~mask) | (number & mask);
    there = GUINT64_TO_LE (there);
  }
  memcpy (bytes, &there, sizeof there);
}

/* The same where nothing is behind them yet: it is not loaded, since what was
   stored the last time overlaps it.  */
static inline void
dg_values_put_next (uint8_t *bytes, uint64_t number, unsigned n,
                    bool big_endian)
{
  number = big_endian ? GUINT64_TO_BE (number << (64 - 8 * n))
                      : GUINT64_TO_LE (number);
  memcpy (bytes, &number, sizeof number);
}

/* ---- Runs ---- */

/* An entry of a run whose value is known.  */
struct dg_values_entry {
  const struct dg_program_entry *entry;
  const struct dg_program_value *value;
  uint64_t number;         /* of kinds that are numbers: the value */
  const uint8_t *from;     /* of DG_VALUE_ENTRY: the earlier value */
};

/* The part from byte `at` on, of n bytes, of a value that needs no bytes.
   What is behind 8 bytes of a number are copies of its sign.  */
static inline uint64_t
dg_values_derive (const struct dg_values_entry *e, unsigned at, unsigned n,
                  bool big_endian)
{
  /* So many lower bytes of the number are in other parts.  */
  unsigned lower = big_endian ? e->entry->size - at - n : at;

  if (e->value->kind == DG_VALUE_ENTRY)
    return (dg_values_get (e->from + at, n, big_endian)
            + (uint64_t) e->value->disp)
           & dg_values_mask (n);
  return (uint64_t) ((int64_t) e->number >> (lower < 8 ? 8 * lower : 63))
         & dg_values_mask (n);
}

/* Codes the n bytes that come next with the run, or takes them from streams:
   the number that they are.  there: what the model has in their place.  */
typedef uint64_t (*dg_values_coder) (void *self, bool is_write,
                                     struct dg_values_part *part,
                                     uint64_t there, unsigned n);

/* A part of an entry: the model has it afterwards, and `out`, too.  */
static inline __attribute__ ((always_inline)) bool
dg_values_part (struct dg_values *values, const struct dg_values_entry *e,
                uint64_t address, unsigned at, struct dg_values_part *part,
                dg_values_coder code, void *self, uint8_t *out,
                bool big_endian)
{
  unsigned n = MIN (e->entry->size - at, DG_VALUES_PART);
  unsigned in_line = (address + at) % DG_MODEL_LINE;
  uint8_t crossing[DG_VALUES_PART + DG_VALUE_SLACK], *there = crossing;
  uint64_t number;

  if (G_LIKELY (in_line + n <= DG_MODEL_LINE)) {
    struct dg_model_line *line
      = dg_model_find (&values->model, (address + at) / DG_MODEL_LINE);

    if (!line)
      return false;
    there = line->bytes + in_line;
  } else if (!dg_model_get (&values->model, address + at, n, crossing)) {
    return false;
  }
  if (e->value->kind == DG_VALUE_BYTES)
    number = code (self, e->entry->kind == DG_ACC_WRITE, part,
                   dg_values_get (there, n, big_endian), n);
  else
    number = dg_values_derive (e, at, n, big_endian);
  dg_values_put (there, number, n, big_endian);
  dg_values_put_next (out + at, number, n, big_endian);
  return there != crossing
         || dg_model_set (&values->model, address + at, n, crossing);
}

static inline unsigned
dg_values_parts (unsigned size)
{
  return (size + DG_VALUES_PART - 1) / DG_VALUES_PART;
}

/* Goes through the entries of a run, whose words follow its head; `pass` skips
   the bytes of those that were not made.  */
static inline __attribute__ ((always_inline)) int
dg_values_run (struct dg_values *values, const uint64_t *run,
               dg_values_coder code, void (*pass) (void *self, unsigned size),
               void *self, bool big_endian, struct dg_error *err)
{
  const struct dg_program_variant *variant
    = &values->program.variants[dg_run_variant (run[0])];
  const struct dg_program_block *block
    = values->program.blocks[variant->block];
  const struct dg_program_entry *entry = block->entries;
  const uint64_t *words = run + 1;
  struct dg_values_part *part = dg_values_block (values, variant->block);
  uint8_t *bytes = values->bytes.items;
  uint32_t n = 0;

  if (!part)
    return dg_error_nomem (err);
  for (unsigned i = 0; i < variant->n_entries; i++, entry++) {
    static const struct dg_program_value unknown;
    struct dg_values_entry e = {
      .entry = entry, .value = block->values ? &block->values[i] : &unknown
    };
    uint8_t kind = e.value->kind;
    uint64_t address = dg_program_address (entry, words, values->mask);
    unsigned size = entry->size;
    bool ok = true;

    values->at[i] = DG_VALUE_NONE;
    if (address == 0 || entry->kind == DG_ACC_SP) {
      if (kind == DG_VALUE_BYTES) {
        pass (self, size);
        part += dg_values_parts (size);
      }
      continue;
    }
    if (kind == DG_VALUE_UNKNOWN
        || (kind == DG_VALUE_ENTRY
            && values->at[e.value->from] == DG_VALUE_NONE)) {
      if (entry->kind == DG_ACC_WRITE
          && !dg_model_forget (&values->model, address, size))
        return dg_error_nomem (err);
      continue;
    }
    if (kind == DG_VALUE_ENTRY) {
      e.from = bytes + values->at[e.value->from];
      if (big_endian)
        e.from += block->entries[e.value->from].size - size;
    }
    e.number = (uint64_t) e.value->disp;
    if (kind == DG_VALUE_WORD)
      e.number += words[e.value->from];
    values->at[i] = n;
    for (unsigned at = 0; at < size; at += DG_VALUES_PART) {
      ok = ok && dg_values_part (values, &e, address, at, part, code, self,
                                 bytes + n, big_endian);
      part += kind == DG_VALUE_BYTES;
    }
    n += size;
    if (!ok)
      return dg_error_nomem (err);
  }
  return 0;
}

#endif /* DG_VALUES_CODE_H */
