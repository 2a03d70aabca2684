/* patterns_flow.h: by which loads the addresses of accesses came.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PATTERNS_FLOW_H
#define DG_PATTERNS_FLOW_H

#include <glib.h>

#include "log/flow.h"

/* How the address of an access came about.  */
enum dg_pattern_way {
  DG_WAY_UNKNOWN,          /* the log does not tell */
  DG_WAY_COMPUTED,         /* without what was loaded lately */
  DG_WAY_GATHERED,         /* another load fetched a pointer or an index */
  DG_WAY_CHASED            /* by what loads of a chain fetched, each at the
                              address that the one before brought */
};

/* What BBFLOW records say of all blocks of a log.  For any thread.  */
struct dg_pattern_block_flows;
struct dg_pattern_block_flows *
dg_pattern_block_flows_new (const struct dg_log *log, struct dg_error *err);
void dg_pattern_block_flows_free (struct dg_pattern_block_flows *flows);

/* What the registers and the stack of a running thread have.  One thread.  */
struct dg_pattern_flow_state;
struct dg_pattern_flow_state *
dg_pattern_flow_state_new (const struct dg_pattern_block_flows *flows);
void dg_pattern_flow_state_free (struct dg_pattern_flow_state *state);
/* Nothing is known any more: another thread, or something was left out.  */
void dg_pattern_flow_state_forget (struct dg_pattern_flow_state *state);
/* There was no memory: what it said is nonsense.  */
bool dg_pattern_flow_state_lacks (const struct dg_pattern_flow_state *state);

/* A run of a block begins; its accesses follow, then the end.  */
void dg_pattern_flow_begin (struct dg_pattern_flow_state *state,
                            const struct dg_bbdef *bbdef);
/* slot: number over all definitions, of the access whose first entry is
   that.  */
enum dg_pattern_way
dg_pattern_flow_access (struct dg_pattern_flow_state *state, uint32_t slot,
                        unsigned entry, const struct dg_access *access,
                        bool is_stack);
/* is_whole: the block was run to its end.  */
void dg_pattern_flow_end (struct dg_pattern_flow_state *state, bool is_whole);

#endif /* DG_PATTERNS_FLOW_H */
