/* chunk_queue.h: stretches of rings, on their way to the workers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_CHUNK_QUEUE_H
#define DG_CHUNK_QUEUE_H

#include <glib.h>

#include "archive/builder.h"
#include "archive/program.h"

struct dg_recording;

struct dg_capture_chunk {
  struct dg_recording *recording;
  uint64_t number;         /* in its recording */
  uint32_t begin, end;     /* counters of the ring */
  bool is_last;
  bool is_packed;          /* `packed` is good */
  struct dg_program_view view;
  struct dg_builder_chunk packed;
  int code;                /* of packing */
  struct dg_error error;
};

struct dg_chunk_queue {
  GMutex lock;             /* of all that follows */
  GCond changed;           /* there is a chunk to pack, or no more */
  GQueue chunks;
  GQueue spare;            /* to be used again */
  unsigned spare_max;
  bool is_closed;
};

/* spare_max: so many chunks keep their memory, which is cheaper than new
   pages; but one that has become large does not.  */
void dg_chunk_queue_init (struct dg_chunk_queue *queue, unsigned spare_max);
void dg_chunk_queue_fini (struct dg_chunk_queue *queue);

/* A chunk to fill; and its ways from there.  */
struct dg_capture_chunk *dg_chunk_queue_new (struct dg_chunk_queue *queue);
void dg_chunk_queue_add (struct dg_chunk_queue *queue,
                         struct dg_capture_chunk *chunk);
void dg_chunk_queue_give_back (struct dg_chunk_queue *queue,
                               struct dg_capture_chunk *chunk);

/* Waits for the next; NULL: the queue is closed, and there is none.  */
struct dg_capture_chunk *dg_chunk_queue_take (struct dg_chunk_queue *queue);
void dg_chunk_queue_close (struct dg_chunk_queue *queue);

#endif /* DG_CHUNK_QUEUE_H */
