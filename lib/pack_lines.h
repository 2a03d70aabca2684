/* pack_lines.h: counting what runs touch, for pack.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACK_LINES_H
#define DG_PACK_LINES_H

#include "pack.h"

struct dg_pack_lines;
struct dg_pack_lines *dg_pack_lines_new (struct dg_error *err);
void dg_pack_lines_free (struct dg_pack_lines *lines);
int dg_pack_lines_begin (struct dg_pack_lines *lines,
                         const struct dg_program_view *program,
                         uint64_t address_mask, struct dg_error *err);
/* The chunk's next head is a run of this variant; numbers count from 1.  */
int dg_pack_lines_add_head (struct dg_pack_lines *lines, uint32_t variant,
                            struct dg_error *err);
/* Whole runs, which have been checked, with the numbers of their heads; adds
   to totals, but min_address and max_address.  */
void dg_pack_lines_count (struct dg_pack_lines *lines, const uint64_t *words,
                          const uint32_t *numbers, size_t n_runs,
                          struct dg_pack_totals *totals);
/* At the end: what stands for the whole chunk; min_address, max_address.  */
int dg_pack_lines_finish (struct dg_pack_lines *lines,
                          struct dg_pack_totals *totals,
                          struct dg_error *err);
int dg_pack_lines_list (struct dg_pack_lines *lines,
                        const struct dg_line_count **counts, size_t *n,
                        struct dg_error *err);

#endif /* DG_PACK_LINES_H */
