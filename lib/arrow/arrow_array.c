/* arrow_array.c: columns of a batch, and arrays of Arrow made of them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "arrow_array.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Offsets of Arrow are int32.  A batch ends before they are at an end.  */
#define FULL (INT32_MAX / 2)

static const size_t widths[] = {
  [DG_ARROW_U32] = 4, [DG_ARROW_U64] = 8, [DG_ARROW_I64] = 8,
  [DG_ARROW_REAL] = 8, [DG_ARROW_BOOL] = 1, [DG_ARROW_TEXT] = 4,
  [DG_ARROW_INDEX] = 4, [DG_ARROW_LIST] = 4, [DG_ARROW_PAIRS] = 4
};

static bool
has_ends (enum dg_arrow_type type)
{
  return type == DG_ARROW_TEXT || type == DG_ARROW_LIST
         || type == DG_ARROW_PAIRS;
}

enum dg_arrow_type
dg_arrow_type (const struct dg_arrow_column *column)
{
  switch (column->format[0]) {
  case 'I':
    return DG_ARROW_U32;
  case 'l':
    return DG_ARROW_I64;
  case 'g':
    return DG_ARROW_REAL;
  case 'b':
    return DG_ARROW_BOOL;
  case 'u':
    return column->flags & DG_ARROW_NAME ? DG_ARROW_INDEX : DG_ARROW_TEXT;
  case '+':
    return column->format[1] == 'p' ? DG_ARROW_PAIRS : DG_ARROW_LIST;
  default:
    return DG_ARROW_U64;
  }
}

/* ---- Filling ---- */

int
dg_arrow_array_init (struct dg_arrow_array *array,
                     const struct dg_arrow_column *column,
                     struct dg_error *err)
{
  *array = (struct dg_arrow_array) { .type = dg_arrow_type (column) };
  if (array->type == DG_ARROW_INDEX) {
    array->text = dg_arrow_text_new (err);
    if (!array->text)
      return DG_ERR_NOMEM;
  }
  return 0;
}

void
dg_arrow_array_fini (struct dg_arrow_array *array)
{
  dg_arrow_text_free (array->text);
  g_free (array->values);
  g_free (array->valid);
  dg_table_fini (&array->bytes);
  dg_table_fini (&array->numbers);
  dg_table_fini (&array->counts);
  *array = (struct dg_arrow_array) { .n = 0 };
}

int
dg_arrow_array_begin (struct dg_arrow_array *array, size_t room,
                      struct dg_error *err)
{
  bool ends = has_ends (array->type);

  array->code = 0;
  array->n = array->n_nulls = 0;
  array->bytes.n = array->numbers.n = array->counts.n = 0;
  g_clear_pointer (&array->valid, g_free);
  if (room > array->room || !array->values) {
    g_free (array->values);
    array->room = 0;
    array->values = g_try_malloc_n (room + ends, widths[array->type]);
    if (!array->values)
      return dg_error_nomem (err);
    array->room = room;
  }
  if (ends)
    array->ends[0] = 0;
  return 0;
}

bool
dg_arrow_array_is_full (const struct dg_arrow_array *array)
{
  return array->bytes.n > FULL || array->numbers.n > FULL;
}

void
dg_arrow_array_clear (struct dg_arrow_array *array, size_t row)
{
  if (!array->valid) {
    size_t n = (array->room + 7) / 8;

    array->valid = g_try_malloc (n);
    if (!array->valid) {
      array->code = DG_ERR_NOMEM;
      return;
    }
    memset (array->valid, 0xff, n);
  }
  array->valid[row / 8] &= ~(1u << row % 8);
  array->n_nulls++;
}

void
dg_arrow_array_null (struct dg_arrow_array *array)
{
  size_t row;

  if (!array)
    return;
  row = array->n++;
  dg_arrow_array_clear (array, row);
  if (has_ends (array->type))
    array->ends[row + 1] = array->ends[row];
  else
    memset ((uint8_t *) array->values + row * widths[array->type], 0,
            widths[array->type]);
}

void
dg_arrow_array_number (struct dg_arrow_array *array, uint64_t number)
{
  if (!array)
    return;
  switch (array->type) {
  case DG_ARROW_U32:
    array->u32[array->n++] = number;
    break;
  case DG_ARROW_BOOL:
    array->boolean[array->n++] = number != 0;
    break;
  default:
    array->u64[array->n++] = number;
  }
}

void
dg_arrow_array_real (struct dg_arrow_array *array, double real)
{
  if (array)
    array->real[array->n++] = real;
}

/* Adds n items to what rows have of their own.  */
static void
append (struct dg_arrow_array *array, struct dg_table *table,
        const void *items, size_t n, size_t item_size)
{
  if (table->n + n > INT32_MAX)
    array->code = DG_ERR_LIMIT;
  else if (dg_table_reserve (table, item_size, table->n + n) < 0)
    array->code = DG_ERR_NOMEM;
  else if (n > 0) {
    memcpy ((uint8_t *) table->items + table->n * item_size, items,
            n * item_size);
    table->n += n;
  }
}

static void
append_text (struct dg_arrow_array *array, const char *text)
{
  char *valid = g_utf8_validate (text, -1, NULL)
                  ? NULL : g_utf8_make_valid (text, -1);

  append (array, &array->bytes, valid ? valid : text,
          strlen (valid ? valid : text), 1);
  g_free (valid);
}

void
dg_arrow_array_text (struct dg_arrow_array *array, const char *text)
{
  int index;

  if (!array)
    return;
  if (!text) {
    dg_arrow_array_null (array);
  } else if (array->type == DG_ARROW_TEXT) {
    append_text (array, text);
    array->ends[++array->n] = array->bytes.n;
  } else {
    index = dg_arrow_text_index (array->text, text, NULL);
    if (index < 0)
      array->code = index;
    array->index[array->n++] = MAX (index, 0);
  }
}

void
dg_arrow_array_list (struct dg_arrow_array *array, const uint64_t *numbers,
                     size_t n)
{
  if (!array)
    return;
  append (array, &array->numbers, numbers, n, sizeof *numbers);
  array->ends[++array->n] = array->numbers.n;
}

void
dg_arrow_array_pairs (struct dg_arrow_array *array,
                      const struct dg_pair *pairs, size_t n)
{
  if (!array)
    return;
  for (size_t i = 0; i < n && array->code == 0; i++) {
    append (array, &array->numbers, &pairs[i].key, 1, sizeof (uint64_t));
    append (array, &array->counts, &pairs[i].count, 1, sizeof (uint64_t));
  }
  array->ends[++array->n] = array->numbers.n;
}

/* ---- Handing out ---- */

/* What an array of Arrow owns: up to three buffers and two children.  */
struct owned {
  const void *buffers[3];
  void *own[3];
  struct ArrowArray **children, *dictionary;
  size_t n_children;
};

static void
free_array (struct ArrowArray *array)
{
  if (array && array->release)
    array->release (array);
  g_free (array);
}

static void
release (struct ArrowArray *array)
{
  struct owned *owned = array->private_data;

  for (size_t i = 0; i < owned->n_children; i++)
    free_array (owned->children[i]);
  free_array (owned->dictionary);
  for (unsigned i = 0; i < G_N_ELEMENTS (owned->own); i++)
    g_free (owned->own[i]);
  g_free (owned->children);
  g_free (owned);
  array->release = NULL;
}

/* An array without buffers, which may have this many children.  */
static int
make (struct ArrowArray *out, size_t n, unsigned n_buffers, size_t n_children,
      struct dg_error *err)
{
  struct owned *owned = g_try_new0 (struct owned, 1);

  out->release = NULL;
  if (!owned)
    return dg_error_nomem (err);
  *out = (struct ArrowArray) { .length = n, .n_buffers = n_buffers,
                               .buffers = owned->buffers,
                               .release = release, .private_data = owned };
  owned->children = g_try_new0 (struct ArrowArray *, n_children + 1);
  if (!owned->children) {
    release (out);
    return dg_error_nomem (err);
  }
  out->children = owned->children;
  return 0;
}

/* One child more, to be filled.  NULL: no memory.  */
static struct ArrowArray *
add_child (struct ArrowArray *parent)
{
  struct owned *owned = parent->private_data;
  struct ArrowArray *child = g_try_new0 (struct ArrowArray, 1);

  if (child) {
    owned->children[owned->n_children++] = child;
    parent->n_children = owned->n_children;
  }
  return child;
}

static void
own (struct ArrowArray *array, unsigned i, void *buffer)
{
  struct owned *owned = array->private_data;

  owned->own[i] = buffer;
  owned->buffers[i] = buffer;
}

/* The numbers of a table, which is empty afterwards, as uint64.  */
static int
take_numbers (struct dg_table *table, struct ArrowArray *out,
              struct dg_error *err)
{
  int code = make (out, table->n, 2, 0, err);

  if (code == 0) {
    own (out, 1, g_steal_pointer (&table->items));
    table->n = table->room = 0;
  }
  return code;
}

/* The items of lists, as a child: numbers, or structs of two.  */
static int
take_items (struct dg_arrow_array *array, struct ArrowArray *out,
            struct dg_error *err)
{
  struct ArrowArray *items = add_child (out), *key, *count;
  int code;

  if (!items)
    return dg_error_nomem (err);
  if (array->type == DG_ARROW_LIST)
    return take_numbers (&array->numbers, items, err);
  code = make (items, array->numbers.n, 1, 2, err);
  if (code < 0)
    return code;
  key = add_child (items);
  count = add_child (items);
  if (!key || !count)
    return dg_error_nomem (err);
  code = take_numbers (&array->numbers, key, err);
  return code < 0 ? code : take_numbers (&array->counts, count, err);
}

static int
take_dictionary (const struct dg_arrow_array *array, struct ArrowArray *out,
                 struct dg_error *err)
{
  struct owned *owned = out->private_data;

  owned->dictionary = g_try_new0 (struct ArrowArray, 1);
  if (!owned->dictionary)
    return dg_error_nomem (err);
  out->dictionary = owned->dictionary;
  return dg_arrow_text_array (array->text, owned->dictionary, err);
}

/* A byte for each row becomes a bit.  */
static void
pack_bits (uint8_t *bytes, size_t n)
{
  for (size_t i = 0; i < n; i += 8) {
    unsigned byte = 0;

    for (size_t j = i; j < MIN (i + 8, n); j++)
      byte |= (unsigned) bytes[j] << (j - i);
    bytes[i / 8] = byte;
  }
}

static int
take_rest (struct dg_arrow_array *array, struct ArrowArray *out,
           struct dg_error *err)
{
  switch (array->type) {
  case DG_ARROW_TEXT:
    own (out, 2, g_steal_pointer (&array->bytes.items));
    array->bytes.n = array->bytes.room = 0;
    return 0;
  case DG_ARROW_LIST:
  case DG_ARROW_PAIRS:
    return take_items (array, out, err);
  case DG_ARROW_INDEX:
    return take_dictionary (array, out, err);
  default:
    return 0;
  }
}

/* Batches end with their chunks, so that there can be many with few rows,
   which consumers keep: they do not keep the room for `max` rows.  */
static void
trim (void **buffer, size_t size)
{
  void *less = *buffer ? g_try_realloc (*buffer, size) : NULL;

  if (less)
    *buffer = less;
}

int
dg_arrow_array_take (struct dg_arrow_array *array, struct ArrowArray *out,
                     struct dg_error *err)
{
  bool is_text = array->type == DG_ARROW_TEXT;
  int code = array->code;

  out->release = NULL;
  if (code == DG_ERR_NOMEM)
    return dg_error_nomem (err);
  if (code < 0)
    return dg_error_set (err, code, "a column has more than 2 GiB of texts");
  code = make (out, array->n, is_text ? 3 : 2, 1, err);
  if (code < 0)
    return code;
  if (array->type == DG_ARROW_BOOL)
    pack_bits (array->boolean, array->n);
  if (array->n < array->room / 2) {
    trim (&array->values, (array->n + 1) * widths[array->type]);
    trim ((void **) &array->valid, array->n / 8 + 1);
  }
  out->null_count = array->n_nulls;
  own (out, 0, g_steal_pointer (&array->valid));
  own (out, 1, g_steal_pointer (&array->values));
  code = take_rest (array, out, err);
  array->n = array->room = array->n_nulls = 0;
  if (code < 0)
    out->release (out);
  return code;
}

int
dg_arrow_array_batch (struct dg_arrow_array *arrays, size_t n_arrays,
                      size_t n, struct ArrowArray *out, struct dg_error *err)
{
  int code = make (out, n, 1, n_arrays, err);

  for (size_t i = 0; i < n_arrays && code == 0; i++) {
    struct ArrowArray *child = add_child (out);

    code = child ? dg_arrow_array_take (&arrays[i], child, err)
                 : dg_error_nomem (err);
  }
  if (code < 0 && out->release)
    out->release (out);
  return code;
}
