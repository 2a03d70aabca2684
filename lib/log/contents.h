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

/* The tables that a log which grows takes over as they are, and the types of
   their items, which are public but for those of block_notes.h and
   timeline_pools.h.  */
#define DG_CONTENTS_TABLES(T)                                                 \
  T (ranges, dg_range)                                                        \
  T (events, dg_event)                                                        \
  T (modules, dg_module)                                                      \
  T (locals, dg_thread_local)                                                 \
  T (mappings, dg_mapping)                                                    \
  T (pages, dg_page_change)                                                   \
  T (pools, dg_mempool)                                                       \
  T (pool_moves, dg_timeline_pool_move)                                       \
  T (pointers, dg_stack_pointer)                                              \
  T (syncs, dg_sync)                                                          \
  T (flows, dg_block_note)                                                    \
  T (codes, dg_block_note)                                                    \
  T (code_names, dg_code_name)                                                \
  T (undecoded, dg_undecoded)                                                 \
  T (kernel, dg_kernel_access)                                                \
  T (windows, dg_window_change)                                               \
  T (clock, dg_clock)                                                         \
  T (chunks, dg_chunk)

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
#define DG_CONTENTS_TABLE(name, type) struct dg_table name;
  DG_CONTENTS_TABLES (DG_CONTENTS_TABLE)
#undef DG_CONTENTS_TABLE
  int load_code;               /* what loading came to: 0, or of what is
                                  usable all the same */
  size_t n_judged;             /* definitions: see repeats.h */
  uint32_t orders;             /* given to what is in these tables */
  struct dg_packed *packed;    /* of an archive (packed.h), else NULL */
};
void dg_contents_fini (struct dg_contents *contents);

#endif /* DG_CONTENTS_H */
