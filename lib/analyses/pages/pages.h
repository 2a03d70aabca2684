/* pages.h: what the parts of `dg pages` share.

   A chunk notes which bytes of which lines it touches, when each line is first
   touched in an interval, and, whenever a heap block is freed in it, what of
   the block's lines was touched by then.  Merging, in the order of chunks,
   goes through allocations and frees once more, with what earlier chunks
   touched.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PAGES_H
#define DG_PAGES_H

#include "analysis/breakdown.h"
#include "pages_leaf.h"
#include "base/shadow.h"
#include "base/table.h"

/* Counters of code that touches first; of a place of allocation.  */
enum { FIRST_LINES, FIRST_PAGES, FIRST_N };
enum {
  SITE_BLOCKS, SITE_UNTOUCHED,         /* blocks, and those never touched */
  SITE_BYTES, SITE_UNUSED,             /* bytes, and those never touched */
  SITE_FETCHED, SITE_USED,             /* of lines, and those touched */
  SITE_N
};

/* ---- Heap blocks as they come and go (pages_heap.c) ------------------- */

struct pages;

struct pages_heap {
  const struct dg_log *log;            /* whose blocks are by allocation */
  GMutex lock;             /* while it follows */
  unsigned window;         /* of the blocks: see log/block_window.h */
  size_t n;
  uint32_t *freed;         /* indices, by free_icount */
  size_t n_freed;
};
/* What happens next: block allocs, or block freed[frees].  */
struct pages_cursor { size_t allocs, frees; };

int pages_heap_init (struct pages_heap *heap, const struct dg_log *log);
/* Takes over the blocks that the log has now.  Any thread.  */
int pages_heap_follow (struct pages_heap *heap);
void pages_heap_fini (struct pages_heap *heap);
/* Before all that happens at icount or later.  */
struct pages_cursor pages_heap_seek (const struct pages_heap *heap,
                                     uint64_t icount);
/* When the next thing happens; DG_NEVER: nothing does.  */
uint64_t pages_heap_when (const struct pages_heap *heap,
                          const struct pages_cursor *cursor);
/* Passes it: its block, and whether that is freed.  */
uint32_t pages_heap_next (const struct pages_heap *heap,
                          struct pages_cursor *cursor, bool *is_free);

/* The leaves that a block is in; false: none, it is empty or no block.  */
bool pages_block_leaves (const struct pages *self,
                         const struct dg_block_extent *block, uint64_t *first,
                         uint64_t *last);
/* Its first and last line in one of them.  */
void pages_block_lines (const struct pages *self,
                        const struct dg_block_extent *block, uint64_t leaf,
                        uint64_t *first, uint64_t *last);

/* ---- A chunk --------------------------------------------------------- */

/* The first touch of a line in an interval and chunk.  */
struct pages_visit {
  uint64_t line, icount;
  uint32_t context, thread;
  uint8_t iseq;
  bool is_first;           /* in the chunk */
};
/* The visits of an interval begin here.  */
struct pages_part {
  uint64_t interval, accesses;
  size_t visits;           /* before */
};
/* A line in the end of the chunk, in the order of first visits.  */
struct pages_line {
  uint64_t used, now, last;
  uint32_t context, count;
  uint8_t iseq;
};
/* A line of a block that is freed.  */
struct pages_closure {
  uint64_t line, now;
  uint32_t block;
};

/* A page that was touched.  */
struct pages_page {
  uint64_t number;
  uint64_t interval;       /* the latest, + 1 */
};

struct pages_worker { struct dg_shadow leaves; };

struct pages_shard {
  struct pages_worker *worker;         /* until its end */
  struct pages_cursor cursor;
  uint64_t when;           /* of the cursor */
  uint64_t end;            /* icount; of the interval, without --interval */
  struct dg_table visits, parts, lines, closures;
  struct dg_frame_chunk *frames;       /* if the analysis has some */
};

/* ---- The analysis ---------------------------------------------------- */

struct pages_interval {
  uint64_t interval, accesses, lines, pages, new_lines, new_pages;
};

struct pages_snapshot {
  struct dg_snapshot base;
  struct pages_interval sums;
};

struct pages {
  const struct dg_log *log;
  struct dg_setup *setup;
  struct dg_variables *variables;
  unsigned line_shift, page_shift;
  uint64_t address_mask;
  uint64_t hot;            /* lines to show */
  enum dg_by by;
  bool has_intervals;      /* --interval */
  uint64_t span;           /* instructions of an interval, without it */
  struct pages_heap heap;
  struct dg_breakdown *code, *sites;
  struct dg_breakdown_sums *code_sums, *site_sums;
  /* The frames on stacks, found on the way: the report names the variables of
     lines, and would have to read the log once more.  NULL: not all runs come
     here, or the variables have them.  */
  struct dg_frames *frames;
  /* Merged so far.  */
  bool is_begun;
  uint64_t end_icount;
  struct pages_cursor cursor;
  bool has_passed;         /* blocks have, since: the cursor is to be sought */
  struct dg_shadow leaves; /* struct pages_sums */
  struct dg_shadow pages;  /* struct pages_page */
  GHashTable *intervals;   /* interval -> struct pages_interval */
  uint64_t accesses, lines;
  struct dg_symbols *symbols;
  const char **functions;  /* of each block; NULL: not asked yet */
};

int pages_shard_feed (void *self, void *shard, const struct dg_feed *feed,
                      const struct dg_batch *batch, struct dg_error *err);
/* What happens to blocks up to icount, without it: 0 or DG_ERR_NOMEM.  */
int pages_shard_events (const struct pages *self, struct pages_shard *shard,
                        uint64_t icount);

/* pages_merge.c */
int pages_merge (void *self, void *shard, const struct dg_feed *feed,
                 struct dg_error *err);
/* The blocks that were never freed; once, at last.  */
int pages_merge_last (struct pages *self, struct dg_error *err);

/* Blocks that end before icount pass.  */
int pages_pass_blocks (void *self, uint64_t icount, struct dg_error *err);

/* pages_report.c */
int pages_report (void *self, struct dg_report *report, struct dg_error *err);
int pages_print (void *self, struct dg_snapshot *const *snapshots, size_t n,
                 struct dg_report *report, struct dg_error *err);
/* pages_lines.c: lines by variable, and hot ones.  */
int pages_report_lines (struct pages *self, struct dg_report *report,
                        struct dg_error *err);

#endif /* DG_PAGES_H */
