/* flow.h: where the addresses of blocks come from, as BBFLOW records say.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_FLOW_H
#define DG_FLOW_H

#include "contents.h"

/* What a log has of one, checked.  */
struct dg_flow_record {
  uint64_t address;        /* of the first instruction */
  const uint8_t *bytes;    /* as they stand in it; of the log */
  uint32_t n, n_entries;
  uint8_t n_instrs;
};

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
void dg_flow_read (const struct dg_flow_record *record,
                   struct dg_flow_access *accesses,
                   struct dg_flow_change *changes, uint32_t *n_changes);

/* ---- All of a log ---- */

/* Which record tells of which block.  The log's contents must outlive it.  */
struct dg_flow_index;
struct dg_flow_index *dg_flow_index_new (const struct dg_contents *contents);
void dg_flow_index_free (struct dg_flow_index *index);
/* NULL: nothing is known of the block.  Any thread.  */
const struct dg_flow_record *
dg_flow_index_find (const struct dg_flow_index *index,
                    const struct dg_bbdef *bbdef);

#endif /* DG_FLOW_H */
