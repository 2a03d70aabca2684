/* contents.h: what a log holds: the tables that loading fills.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CONTENTS_H
#define DG_CONTENTS_H

#include "base/arena.h"
#include "base/table.h"
#include "defs.h"
#include "paths.h"
#include "store.h"

struct dg_packed;

/* What dg_log_load gathers.  All zero is empty.  */
struct dg_contents {
  struct dg_arena arena;       /* strings, stacks and the like */
  struct dg_defs defs;
  struct dg_paths raw_paths;   /* of a raw log */
  struct dg_program_view paths;        /* of all contexts, when it is loaded */
  struct dg_summary summary;
  struct dg_process process;
  bool has_process;
  struct dg_table threads;     /* struct dg_thread */
  struct dg_table thread_order;        /* uint32_t: indices of these, by
                                          number and index; or empty */
  struct dg_store blocks;
  struct dg_table ranges;      /* struct dg_range */
  struct dg_table events;      /* struct dg_event */
  struct dg_table modules;     /* struct dg_module */
  struct dg_table locals;      /* struct dg_thread_local */
  struct dg_table mappings;    /* struct dg_mapping */
  struct dg_table pages;       /* struct dg_page_change */
  struct dg_table pools;       /* struct dg_mempool */
  struct dg_table pool_moves;  /* struct dg_timeline_pool_move */
  struct dg_table pointers;    /* struct dg_stack_pointer */
  struct dg_table syncs;    /* struct dg_sync */
  struct dg_table flows;       /* struct dg_flow_record (flow.h) */
  struct dg_table kernel;      /* struct dg_kernel_access */
  struct dg_table windows;     /* struct dg_window_change */
  struct dg_table clock;       /* struct dg_clock */
  struct dg_table chunks;      /* struct dg_chunk */
  int load_code;               /* what loading came to: 0, or of what is
                                  usable all the same */
  uint32_t orders;             /* given to what is in these tables */
  struct dg_packed *packed;    /* of an archive (packed.h), else NULL */
};
void dg_contents_fini (struct dg_contents *contents);

#endif /* DG_CONTENTS_H */
