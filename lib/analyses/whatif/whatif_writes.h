/* whatif_writes.h: the writes of a source line, which a changed program would
   not make.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_WHATIF_WRITES_H
#define DG_WHATIF_WRITES_H

#include <glib.h>

#include "libdatagrind.h"

/* One thread.  */
struct dg_whatif_writes {
  struct dg_symbols *symbols;
  char *file;              /* NULL: no line */
  uint32_t line;
  GHashTable *blocks;      /* number of a block + 1 -> uint8_t for each of its
                              slots: 1 is such a write; NULL: it has none */
  uint64_t removed;
};

/* text: "FILE:LINE", or NULL: nothing is removed.  0, DG_ERR_INVALID.  To be
   ended in any case.  */
int dg_whatif_writes_init (struct dg_whatif_writes *writes, const char *text,
                           struct dg_error *err);
void dg_whatif_writes_fini (struct dg_whatif_writes *writes);

/* Which slots of a run's block are such writes; NULL: none.  */
const uint8_t *dg_whatif_writes_of (struct dg_whatif_writes *writes,
                                    const struct dg_run *run);

#endif /* DG_WHATIF_WRITES_H */
