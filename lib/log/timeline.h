/* timeline.h: everything that a log tells beside definitions and runs, in
   its order.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_TIMELINE_H
#define DG_TIMELINE_H

#include "contents.h"
#include "timeline_heap.h"
#include "timeline_mappings.h"
#include "timeline_modules.h"
#include "timeline_pools.h"
#include "format/position.h"
#include "base/spans.h"
#include "thread_locals.h"
#include "timeline_threads.h"

/* Made by dg_timeline_init: blocks and moment as for dg_log_set_blocks.  */
struct dg_timeline {
  struct dg_contents *contents;    /* filled; the caller's */
  struct dg_stacks stacks;         /* of blocks and mappings */
  struct dg_timeline_heap heap;
  struct dg_timeline_modules modules;
  struct dg_timeline_mappings mappings;
  struct dg_timeline_pools pools;
  struct dg_timeline_threads threads;
  struct dg_thread_locals locals;
  struct dg_spans events, ranges;
  /* Of an archive: its records do not stand where CHUNK and END say, offsets
     only tell what follows what, and chunks are its own.  */
  bool is_packed;
  bool in_tail;            /* of the archive: some record is bad */
  uint64_t last_marker;    /* offset of the last CHUNK; 0: none */
  uint8_t detail_of;       /* type of a record that a detail may follow */
  uint64_t detail_at;      /* where that would have to stand */
  uint64_t end_offset;     /* behind the last END; 0: none */
};

int dg_timeline_init (struct dg_timeline *timeline,
                      struct dg_contents *contents, enum dg_blocks blocks,
                      uint64_t moment, struct dg_error *err);
void dg_timeline_fini (struct dg_timeline *timeline);
/* From now on it fills other contents, which have all that it has filled.  */
void dg_timeline_move (struct dg_timeline *timeline,
                       struct dg_contents *contents);

/* Takes a record of any known type but BBDEF, CONTEXT and BBRUN, at `offset`
   and with its next one at `next`: 0, DG_ERR_DAMAGED or DG_ERR_NOMEM.  After
   DG_ERR_DAMAGED nothing has changed.  Moves *position where the record
   does.  */
int dg_timeline_apply (struct dg_timeline *timeline,
                       struct dg_position *position, uint8_t type,
                       const struct dg_fields *fields, uint64_t offset,
                       uint64_t next, struct dg_error *err);

/* A record like that will soon be applied.  What it needs may be anywhere in
   large tables: the first call is for where it is, the second, a moment later,
   for itself.  */
void dg_timeline_prefetch (const struct dg_timeline *timeline,
                           const struct dg_format *format,
                           const uint8_t *record, size_t size);
void dg_timeline_prefetch_block (const struct dg_timeline *timeline,
                                 const struct dg_format *format,
                                 const uint8_t *record, size_t size);

/* Of dg_timeline_apply: TRACK_RANGE, UNTRACK_RANGE, START_EVENT and END_EVENT
   (timeline_events.c).  */
int dg_timeline_event (struct dg_timeline *timeline, uint8_t type,
                       const struct dg_fields *fields,
                       const struct dg_when *when, struct dg_error *err);

/* A place where readers may begin, at `offset`.  0 or DG_ERR_NOMEM.  */
int dg_timeline_add_chunk (struct dg_timeline *timeline,
                           const struct dg_position *position,
                           uint64_t offset, struct dg_error *err);

/* The log ends at `offset`: completes the summary.  */
void dg_timeline_finish (struct dg_timeline *timeline,
                         const struct dg_position *position,
                         uint64_t offset);

#endif /* DG_TIMELINE_H */
