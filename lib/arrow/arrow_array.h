/* arrow_array.h: a column of a batch, filled row by row or in its buffers, and
   then handed out as an array of Arrow.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARROW_ARRAY_H
#define DG_ARROW_ARRAY_H

#include "arrow_text.h"
#include "base/table.h"

/* What a column has.  Each has one `format` in struct dg_arrow_column.  */
enum dg_arrow_type {
  DG_ARROW_U32 = 0,        /* "I" */
  DG_ARROW_U64,            /* "L" */
  DG_ARROW_I64,            /* "l" */
  DG_ARROW_REAL,           /* "g" */
  DG_ARROW_BOOL,           /* "b" */
  DG_ARROW_TEXT,           /* "u" */
  DG_ARROW_INDEX,          /* "u" with DG_ARROW_NAME: int32 in a dictionary */
  DG_ARROW_LIST,           /* "+l": of uint64 */
  DG_ARROW_PAIRS           /* "+p": a list of structs of key and count,
                              uint64; in Arrow "+l" */
};
enum dg_arrow_type dg_arrow_type (const struct dg_arrow_column *column);

/* The first n of `room` rows are filled.  All zero is empty.  Lack of memory
   is kept in `code` until the array is taken, so that rows can be added
   without looking.  */
struct dg_arrow_array {
  enum dg_arrow_type type;
  size_t n, room;
  union {
    void *values;          /* of `room`; BOOL: a byte each, until taken */
    uint32_t *u32;
    uint64_t *u64;
    int64_t *i64;
    int32_t *index;
    double *real;
    uint8_t *boolean;
    int32_t *ends;         /* TEXT, LIST, PAIRS: [i + 1] is the end of i;
                              room + 1 */
  };
  uint8_t *valid;          /* a bit for each row; NULL: all are */
  size_t n_nulls;
  struct dg_table bytes;   /* TEXT */
  struct dg_table numbers, counts;       /* uint64: LIST and PAIRS; PAIRS */
  struct dg_arrow_text *text;            /* INDEX: its dictionary */
  int code;                /* 0, DG_ERR_NOMEM, DG_ERR_LIMIT */
};

int dg_arrow_array_init (struct dg_arrow_array *array,
                         const struct dg_arrow_column *column,
                         struct dg_error *err);
void dg_arrow_array_fini (struct dg_arrow_array *array);

/* Begins an empty batch with room for this many rows; no more may be added.
   Values are not cleared.  0 or DG_ERR_NOMEM.  */
int dg_arrow_array_begin (struct dg_arrow_array *array, size_t room,
                          struct dg_error *err);
/* Whether what a row needs of its own is about to exceed what an array can
   hold: the batch should end.  */
bool dg_arrow_array_is_full (const struct dg_arrow_array *array);

/* The next row.  Numbers: U32, U64, I64, by type; BOOL: not 0.  Text NULL and
   names NULL are null.  The array may be NULL: the column is not needed.  */
void dg_arrow_array_number (struct dg_arrow_array *array, uint64_t number);
void dg_arrow_array_real (struct dg_arrow_array *array, double real);
void dg_arrow_array_null (struct dg_arrow_array *array);
/* TEXT or INDEX.  */
void dg_arrow_array_text (struct dg_arrow_array *array, const char *text);
void dg_arrow_array_list (struct dg_arrow_array *array,
                          const uint64_t *numbers, size_t n);
void dg_arrow_array_pairs (struct dg_arrow_array *array,
                           const struct dg_pair *pairs, size_t n);

/* Row i (not yet filled by the functions above, n is not changed) is null.
   For those who fill buffers themselves.  */
void dg_arrow_array_clear (struct dg_arrow_array *array, size_t row);

/* Hands out the rows; the array is empty afterwards.  0, DG_ERR_NOMEM,
   DG_ERR_LIMIT.  */
int dg_arrow_array_take (struct dg_arrow_array *array, struct ArrowArray *out,
                         struct dg_error *err);

/* Several of them, of n rows each, as a struct array.  */
int dg_arrow_array_batch (struct dg_arrow_array *arrays, size_t n_arrays,
                          size_t n, struct ArrowArray *out,
                          struct dg_error *err);

#endif /* DG_ARROW_ARRAY_H */
