/* flow.h: where the addresses of blocks come from, as BBFLOW records say.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FLOW_H
#define DG_FLOW_H

#include "block_notes.h"

/* Checks a BBFLOW and adds it: 0, DG_ERR_DAMAGED or DG_ERR_NOMEM.  */
int dg_flow_add (struct dg_contents *contents, const struct dg_fields *fields,
                 uint64_t offset, struct dg_error *err);

/* ---- Of a block ---- */

struct dg_flow_value {
  uint8_t what;            /* enum dg_flow */
  uint8_t of;              /* its register or entry, else 0 */
};
struct dg_flow_access {
  struct dg_flow_value base, index;      /* index: added to base */
  struct dg_flow_value data;             /* what is written */
};
struct dg_flow_change {
  uint8_t reg;
  struct dg_flow_value value;
};
/* Registers are lost: nothing is known of any behind the block.  */
#define DG_FLOW_CHANGES_LOST UINT32_MAX

/* Into arrays with room for all entries, and for 254 changes.  */
void dg_flow_read (const struct dg_block_note *note,
                   struct dg_flow_access *accesses,
                   struct dg_flow_change *changes, uint32_t *n_changes);

#endif /* DG_FLOW_H */
