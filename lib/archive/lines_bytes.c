/* lines_bytes.c: lists of lines as bytes, and back: the part LINES of
   docs/archive.md; several lists as one.

   Columns rather than items, because they compress better: distances, reads
   and writes, a byte each; larger ones follow behind as varints.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "lines.h"

#include <glib.h>
#include <string.h>

#include "base/error.h"
#include "base/varint.h"

#define LARGE 255 /* in a column: the value, less this, is behind */

/* ---- Writing ---- */

static inline uint8_t *
put_value (uint8_t *column, size_t i, uint64_t value, uint8_t *behind)
{
  column[i] = MIN (value, LARGE);
  if (G_UNLIKELY (value >= LARGE))
    behind = dg_varint_put (behind, value - LARGE);
  return behind;
}

void
dg_lines_writer_init (struct dg_lines_writer *writer, struct dg_table *out,
                      uint64_t n)
{
  uint8_t *start = out->items;

  *writer = (struct dg_lines_writer) {.out = out, .n = n};
  writer->columns = dg_varint_put (start + out->n, n) - start;
  out->n = writer->columns + 3 * n;
}

int
dg_lines_writer_add (struct dg_lines_writer *writer,
                     const struct dg_line_count *counts, size_t n,
                     struct dg_error *err)
{
  struct dg_table *out = writer->out, *behind = writer->behind;
  uint8_t *column = (uint8_t *) out->items + writer->columns + writer->at;
  uint8_t *reads, *writes, *end = (uint8_t *) out->items + out->n;
  uint64_t next = writer->next;

  for (unsigned i = 0; i < 2; i++)
    if (dg_table_reserve (&behind[i], 1, behind[i].n + n * DG_VARINT_MAX) < 0)
      return dg_error_nomem (err);
  reads = (uint8_t *) behind[0].items + behind[0].n;
  writes = (uint8_t *) behind[1].items + behind[1].n;
  for (size_t i = 0; i < n; i++) {
    end = put_value (column, i, counts[i].line - next, end);
    next = counts[i].line + 1;
  }
  for (size_t i = 0; i < n; i++)
    reads = put_value (column + writer->n, i, counts[i].reads, reads);
  for (size_t i = 0; i < n; i++)
    writes = put_value (column + 2 * writer->n, i, counts[i].writes, writes);
  out->n = end - (uint8_t *) out->items;
  behind[0].n = reads - (uint8_t *) behind[0].items;
  behind[1].n = writes - (uint8_t *) behind[1].items;
  writer->next = next;
  writer->at += n;
  return 0;
}

int
dg_lines_writer_end (struct dg_lines_writer *writer, int code,
                     struct dg_error *err)
{
  struct dg_table *out = writer->out;

  for (unsigned i = 0; i < 2; i++) {
    struct dg_table *behind = &writer->behind[i];

    if (code == 0 && behind->n > 0) {
      if (dg_table_reserve (out, 1, out->n + behind->n) < 0)
        code = dg_error_nomem (err);
      else
        memcpy ((uint8_t *) out->items + out->n, behind->items, behind->n);
      out->n += code == 0 ? behind->n : 0;
    }
    dg_table_fini (behind);
  }
  return code;
}

int
dg_lines_write (const struct dg_line_count *counts, size_t n,
                struct dg_table *out, struct dg_error *err)
{
  size_t room = out->n + DG_VARINT_MAX + n * (3 + DG_VARINT_MAX + 2 * 5);
  uint8_t *column, *behind;
  uint64_t next = 0;

  if (dg_table_reserve (out, 1, room) < 0)
    return dg_error_nomem (err);
  column = dg_varint_put ((uint8_t *) out->items + out->n, n);
  behind = column + 3 * n;
  for (size_t i = 0; i < n; i++) {
    behind = put_value (column, i, counts[i].line - next, behind);
    next = counts[i].line + 1;
  }
  for (size_t i = 0; i < n; i++)
    behind = put_value (column + n, i, counts[i].reads, behind);
  for (size_t i = 0; i < n; i++)
    behind = put_value (column + 2 * n, i, counts[i].writes, behind);
  out->n = behind - (uint8_t *) out->items;
  return 0;
}

int
dg_lines_write_chunk (const struct dg_line_count *counts, size_t n,
                      uint64_t accesses, struct dg_table *out,
                      struct dg_error *err)
{
  return n > 0 || accesses > 0 ? dg_lines_write (counts, n, out, err) : 0;
}

/* ---- Reading ---- */

/* Bytes being taken apart.  */
struct cursor {
  const uint8_t *columns, *behind, *end;
  size_t n;
};

/* Value i of a column; false if it is not there or above max.  */
static inline bool
get_value (struct cursor *c, unsigned column, size_t i, uint64_t max,
           uint64_t *value)
{
  *value = c->columns[column * c->n + i];
  if (G_LIKELY (*value < LARGE))
    return true;
  if (!dg_varint_get (&c->behind, c->end, value) || *value > max - LARGE)
    return false;
  *value += LARGE;
  return true;
}

static bool
read_columns (struct cursor *c, struct dg_line_count *out)
{
  uint64_t value, next = 0;

  for (size_t i = 0; i < c->n; i++) {
    if (!get_value (c, 0, i, UINT64_MAX, &value)
        || value > (UINT64_MAX >> DG_LINE_SHIFT)
        || next > (UINT64_MAX >> DG_LINE_SHIFT) - value)
      return false;
    out[i].line = next + value;
    next = out[i].line + 1;
  }
  for (size_t i = 0; i < c->n; i++) {
    if (!get_value (c, 1, i, UINT32_MAX, &value))
      return false;
    out[i].reads = value;
  }
  for (size_t i = 0; i < c->n; i++) {
    if (!get_value (c, 2, i, UINT32_MAX, &value))
      return false;
    out[i].writes = value;
  }
  return c->behind == c->end;
}

int
dg_lines_read (const uint8_t *bytes, size_t n, struct dg_table *counts,
               struct dg_error *err)
{
  struct cursor c = {.columns = bytes, .end = bytes + n};
  struct dg_line_count *out;
  uint64_t n_lines;

  if (!dg_varint_get (&c.columns, c.end, &n_lines)
      || n_lines > (size_t) (c.end - c.columns) / 3)
    return dg_error_set (err, DG_ERR_DAMAGED, "a list of lines is damaged");
  if (dg_table_reserve (counts, sizeof (struct dg_line_count),
                        counts->n + n_lines)
      < 0)
    return dg_error_nomem (err);
  c.n = n_lines;
  c.behind = c.columns + 3 * c.n;
  if (n_lines == 0 && c.behind == c.end)
    return 0;
  out = counts->items;
  if (n_lines == 0 || !read_columns (&c, out + counts->n))
    return dg_error_set (err, DG_ERR_DAMAGED, "a list of lines is damaged");
  counts->n += n_lines;
  return 0;
}

/* ---- Merging ---- */

static uint32_t
add_counts (uint32_t a, uint32_t b)
{
  return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

size_t
dg_lines_merge_some (const struct dg_line_count *a, size_t n_a,
                     const struct dg_line_count *b, size_t n_b,
                     struct dg_line_count *out, size_t room, size_t *used_a,
                     size_t *used_b)
{
  size_t i = 0, j = 0, n = 0;

  while (i < n_a && j < n_b && n < room) {
    uint64_t x = a[i].line, y = b[j].line;

    out[n] = x <= y ? a[i] : b[j];
    if (x == y) {
      out[n].reads = add_counts (a[i].reads, b[j].reads);
      out[n].writes = add_counts (a[i].writes, b[j].writes);
    }
    i += x <= y;
    j += y <= x;
    n++;
  }
  *used_a = i;
  *used_b = j;
  return n;
}

/* Merges two lists into `out`, which has room for both; the items made.  */
static size_t
merge_two (const struct dg_line_count *a, size_t n_a,
           const struct dg_line_count *b, size_t n_b,
           struct dg_line_count *out)
{
  size_t i, j;
  size_t n = dg_lines_merge_some (a, n_a, b, n_b, out, SIZE_MAX, &i, &j);

  for (; i < n_a; i++)
    out[n++] = a[i];
  for (; j < n_b; j++)
    out[n++] = b[j];
  return n;
}

int
dg_lines_merge (const struct dg_line_count *const *lists,
                const size_t *lengths, size_t n_lists, struct dg_table *out,
                struct dg_error *err)
{
  struct dg_line_count *from = NULL, *to = NULL;
  size_t total = 0, n = 0;

  for (size_t i = 0; i < n_lists; i++)
    total += lengths[i];
  if (total == 0)
    return 0;
  /* The usual case, of lists that may be long.  */
  if (n_lists == 2) {
    if (dg_table_reserve (out, sizeof *to, out->n + total) < 0)
      return dg_error_nomem (err);
    to = (struct dg_line_count *) out->items + out->n;
    out->n += merge_two (lists[0], lengths[0], lists[1], lengths[1], to);
    return 0;
  }
  to = g_try_new (struct dg_line_count, total);
  from = g_try_new (struct dg_line_count, total);
  if (!from || !to || dg_table_reserve (out, sizeof *to, out->n + total) < 0) {
    g_free (from);
    g_free (to);
    return dg_error_nomem (err);
  }
  /* Pairwise into the growing result: lists are few.  */
  for (size_t i = 0; i < n_lists; i++) {
    struct dg_line_count *swap = from;

    n = merge_two (from, n, lists[i], lengths[i], to);
    from = to;
    to = swap;
  }
  for (size_t i = 0; i < n; i++)
    ((struct dg_line_count *) out->items)[out->n + i] = from[i];
  out->n += n;
  g_free (from);
  g_free (to);
  return 0;
}
