/* encode.h: numbers -> the bytes of records that the library itself makes:
   those of which archives keep only what they mean, and those that stand in
   parts of logs.

   Bytes are appended to a table with items of one byte.  The length stands in
   the shortest form, unless is_long.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ENCODE_H
#define DG_ENCODE_H

#include "decode.h"
#include "base/table.h"

/* More room: see below.  */
uint8_t *dg_encode_grow (struct dg_table *bytes, size_t n);
/* Room for n bytes behind those that are there, which are not counted yet;
   NULL: no memory.  */
static inline uint8_t *
dg_encode_room (struct dg_table *bytes, size_t n)
{
  if (n > bytes->room - bytes->n)
    return dg_encode_grow (bytes, n);
  return (uint8_t *) bytes->items + bytes->n;
}
/* Bytes as they are: 0 or DG_ERR_NOMEM.  */
int dg_encode_bytes (struct dg_table *bytes, const void *from, size_t n);

/* The header, DG_HEADER_SIZE bytes.  */
void dg_encode_header (const struct dg_format *format, uint8_t *at);

/* 0 or DG_ERR_NOMEM.  */
int dg_encode_bbdef (struct dg_table *bytes, const struct dg_format *format,
                     const struct dg_bbdef *bbdef, bool is_long);
int dg_encode_context (struct dg_table *bytes, const struct dg_format *format,
                       uint32_t bbdef, const uint64_t *stack,
                       unsigned n_stack, bool is_long);
/* A record of any other known type, from its fields as they are decoded with
   what stood behind them, END with its magic.  */
int dg_encode_fields (struct dg_table *bytes, const struct dg_format *format,
                      uint8_t type, const struct dg_fields *fields);
/* A record of any type, from its payload; of types from 128 on that is one
   byte.  */
int dg_encode_payload (struct dg_table *bytes, const struct dg_format *format,
                       uint8_t type, const void *payload, size_t n);
/* A record of quads and the bytes before them: CHUNK has none, WINDOW two.  */
int dg_encode_quads (struct dg_table *bytes, const struct dg_format *format,
                     uint8_t type, const uint8_t *first, unsigned n_first,
                     const uint64_t *quads, unsigned n_quads);

/* Bytes of a BBRUN record at most, with n addresses.  */
static inline size_t
dg_encode_run_size (unsigned n)
{
  return DG_HEAD_MAX + 8 + 1 + 8 * (size_t) n;
}
/* A BBRUN record at `at`, where there is room; returns where it ends.  */
uint8_t *dg_encode_run (uint8_t *at, const struct dg_format *format,
                        uint32_t context, unsigned n_instrs,
                        const uint64_t *addresses, unsigned n, bool is_long);

/* A quad of a record that was made before.  */
void dg_encode_quad_at (uint8_t *at, const struct dg_format *format,
                        uint64_t value);

#endif /* DG_ENCODE_H */
