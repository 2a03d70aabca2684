/* owner_changes.h: the moments at which memory gets another owner, in order.

   For those who remember what dg_space_find said: heap blocks and tracked
   ranges that begin and end, stacks of threads, mappings, modules.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_OWNER_CHANGES_H
#define DG_OWNER_CHANGES_H

#include "libdatagrind.h"

/* Read-only once made.  4 bytes for each heap block that is freed, 48 for
   each range, mapping, thread and module.  */
struct dg_owner_changes;

struct dg_owner_changes *dg_owner_changes_new (const struct dg_log *log,
                                               struct dg_error *err);
void dg_owner_changes_free (struct dg_owner_changes *changes);

/* Takes over the heap blocks that the log has now (log/block_window.h), if
   these are other ones.  Places in the list are of one window: who has one
   looks whether its number has changed, and seeks.  0 or DG_ERR_NOMEM, and the
   list has no frees.  */
int dg_owner_changes_follow (struct dg_owner_changes *changes,
                             struct dg_error *err);
unsigned dg_owner_changes_window (const struct dg_owner_changes *changes);

/* Somebody's place in the list.  */
struct dg_owner_changes_cursor {
  size_t alloc, freed, other; /* the next of each kind */
  uint64_t next;              /* when the next change comes, or DG_NEVER */
};

/* Goes to the first change after a moment.  */
void dg_owner_changes_seek (const struct dg_owner_changes *changes,
                            uint64_t icount,
                            struct dg_owner_changes_cursor *cursor);
/* How many changes lie between two places.  */
size_t dg_owner_changes_between (const struct dg_owner_changes_cursor *from,
                                 const struct dg_owner_changes_cursor *to);
/* The next change that is not later than icount: the addresses *low to
 *high - 1 (all of them where a module comes or goes).  False: none.  */
bool dg_owner_changes_next (const struct dg_owner_changes *changes,
                            struct dg_owner_changes_cursor *cursor,
                            uint64_t icount, uint64_t *low, uint64_t *high);

#endif /* DG_OWNER_CHANGES_H */
