/* lines.h: the cache lines that a chunk's accesses touch, and how often.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_LINES_H
#define DG_LINES_H

#include "program.h"

/* Lines are of this many bytes whatever the machine's are.  An access counts
   in each line of which it touches a byte.  */
#define DG_LINE_SHIFT 6

struct dg_line_count;            /* libdatagrind.h: line, reads, writes */

/* Counts for one chunk; reused.  */
struct dg_lines;
struct dg_lines *dg_lines_new (struct dg_error *err);
void dg_lines_free (struct dg_lines *lines);
void dg_lines_begin (struct dg_lines *lines, const struct dg_program_view *program,
                     uint64_t address_mask);
/* As dg_packer_runs; the same runs, which have been checked by that.  */
int dg_lines_runs (struct dg_lines *lines, const uint64_t *words, size_t n,
                   struct dg_error *err);
/* For accesses that are decoded already (raw logs).  */
int dg_lines_add (struct dg_lines *lines, uint64_t address, uint32_t size,
                  uint8_t kind, struct dg_error *err);
/* Sorted by line; valid until the next begin.  */
int dg_lines_end (struct dg_lines *lines, const struct dg_line_count **counts,
                  size_t *n, struct dg_error *err);

/* As bytes (docs/archive.md, part LINES), not compressed, appended to *out;
   and back, appended to *counts (struct dg_line_count).  */
int dg_lines_write (const struct dg_line_count *counts, size_t n,
                    struct dg_table *out, struct dg_error *err);
int dg_lines_read (const uint8_t *bytes, size_t n, struct dg_table *counts,
                   struct dg_error *err);

/* Merges several sorted lists into one: the next coarser level.  */
int dg_lines_merge (const struct dg_line_count *const *lists,
                    const size_t *lengths, size_t n_lists,
                    struct dg_table *out, struct dg_error *err);

#endif /* DG_LINES_H */
