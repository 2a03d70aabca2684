/* lines.h: the cache lines that a chunk's accesses touch, and how often.

   Packing runs counts their lines (pack.h).  Here is the table that counts,
   for others to use with accesses that are decoded, and lists of lines as
   bytes.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LINES_H
#define DG_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "libdatagrind.h"
#include "base/table.h"

/* Lines are of this many bytes whatever the machine's are.  An access counts
   once in each line of which it touches a byte.  */
#define DG_LINE_SHIFT 6

/* Counts for one chunk; reused.  */
struct dg_lines;
struct dg_lines *dg_lines_new (struct dg_error *err);
void dg_lines_free (struct dg_lines *lines);
/* address_mask: 2^(8 * word size) - 1: accesses wrap around there.  */
void dg_lines_begin (struct dg_lines *lines, uint64_t address_mask);
/* An access of `size` bytes (of 0 it touches no line) of a kind of enum
   dg_access_kind that was made.  */
int dg_lines_add (struct dg_lines *lines, uint64_t address, uint32_t size,
                  uint8_t kind, struct dg_error *err);
/* Sorted by line; valid until the next begin.  */
int dg_lines_end (struct dg_lines *lines, const struct dg_line_count **counts,
                  size_t *n, struct dg_error *err);

/* As bytes (docs/archive.md, part LINES), not compressed, appended to *out;
   and back, appended to *counts (struct dg_line_count).  */
int dg_lines_write (const struct dg_line_count *counts, size_t n,
                    struct dg_table *out, struct dg_error *err);
/* The list of a chunk with that many accesses: if it has none, no bytes.  It
   may have lines without accesses, and, of accesses of size 0, the other way
   round: then the list is there and says that it is empty.  */
int dg_lines_write_chunk (const struct dg_line_count *counts, size_t n,
                          uint64_t accesses, struct dg_table *out,
                          struct dg_error *err);
int dg_lines_read (const uint8_t *bytes, size_t n, struct dg_table *counts,
                   struct dg_error *err);

/* The same bytes of a list of n lines that comes in parts, in order.  `out`
   has room for the columns and for distances behind them.  */
struct dg_lines_writer {
  struct dg_table *out;
  uint64_t n, at;          /* lines in all, and so far */
  size_t columns;          /* where they begin in `out` */
  uint64_t next;           /* one behind the last line */
  struct dg_table behind[2];           /* of reads and writes */
};
void dg_lines_writer_init (struct dg_lines_writer *writer,
                           struct dg_table *out, uint64_t n);
int dg_lines_writer_add (struct dg_lines_writer *writer,
                         const struct dg_line_count *counts, size_t n,
                         struct dg_error *err);
/* code: 0, or the error for which it ends; which is returned, too.  */
int dg_lines_writer_end (struct dg_lines_writer *writer, int code,
                         struct dg_error *err);

/* Merges several sorted lists into one, appended to *out (struct
   dg_line_count): the next coarser level.  Counts stay at their largest value
   where they would pass it.  */
int dg_lines_merge (const struct dg_line_count *const *lists,
                    const size_t *lengths, size_t n_lists,
                    struct dg_table *out, struct dg_error *err);

/* The beginning of what two sorted lists come to, until one of them is over or
   `room` lines are made: returns how many.  *used_a, *used_b: lines of each
   that are in them.  */
size_t dg_lines_merge_some (const struct dg_line_count *a, size_t n_a,
                            const struct dg_line_count *b, size_t n_b,
                            struct dg_line_count *out, size_t room,
                            size_t *used_a, size_t *used_b);

/* Sorts counts by line and adds up those of a line, by the bytes of a line's
   number; what is sorted stays as it is.  scratch: used again.  */
int dg_lines_sort (struct dg_table *counts, struct dg_table *scratch,
                   struct dg_error *err);

#endif /* DG_LINES_H */
