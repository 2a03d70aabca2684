/* index_levels.h: the coarser levels of an index, made while its chunks come
   one after the other.

   List i of level k is that of the lists 8 i to 8 i + 7 of level k - 1, as
   far as there are; the lists of level 0 are the chunks'.  The last level has
   one list.  For those who write archives: what dg_index_levels_emit gives
   goes to dg_archive_add_lines, behind the last of its chunks.  Who asks after
   each chunk needs memory for the lines that the program uses, about 3 bytes
   for each at each level, and 3 for the list that is given: not for how long
   it runs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_INDEX_LEVELS_H
#define DG_INDEX_LEVELS_H

#include <stddef.h>
#include <stdint.h>

#include "libdatagrind.h"

#define DG_INDEX_FAN_SHIFT  3
#define DG_INDEX_FAN        (1u << DG_INDEX_FAN_SHIFT)
/* More than enough for as many chunks as can be counted.  */
#define DG_INDEX_MAX_LEVELS 22

struct dg_index_levels;

struct dg_index_levels *dg_index_levels_new (struct dg_error *err);
void dg_index_levels_free (struct dg_index_levels *levels);

/* The lines of the next chunk, as dg_lines_write made them (n 0: none), which
   are merged when lists are asked for.  0, DG_ERR_DAMAGED or
   DG_ERR_NOMEM.  */
int dg_index_levels_add (struct dg_index_levels *levels, const void *bytes,
                         size_t n, struct dg_error *err);

typedef int (*dg_index_levels_fn) (void *user, unsigned level, uint64_t first,
                                   const void *bytes, size_t n,
                                   struct dg_error *err);

/* Calls emit for each list of the levels from 1 on that is finished, is not
   empty, and was not given before: level by level, in order, with the first of
   its chunks.  It returns what a failing emit did; then nothing more may be
   asked.  */
int dg_index_levels_emit (struct dg_index_levels *levels,
                          dg_index_levels_fn emit, void *user,
                          struct dg_error *err);
/* The same after the last chunk, for those that it finishes, too.  */
int dg_index_levels_finish (struct dg_index_levels *levels,
                            dg_index_levels_fn emit, void *user,
                            struct dg_error *err);

#endif /* DG_INDEX_LEVELS_H */
