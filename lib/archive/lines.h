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

/* Merges several sorted lists into one, appended to *out (struct
   dg_line_count): the next coarser level.  Counts stay at their largest value
   where they would pass it.  */
int dg_lines_merge (const struct dg_line_count *const *lists,
                    const size_t *lengths, size_t n_lists,
                    struct dg_table *out, struct dg_error *err);

#endif /* DG_LINES_H */
