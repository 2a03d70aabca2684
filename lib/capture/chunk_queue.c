/* chunk_queue.c: stretches of rings, on their way to the workers.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "chunk_queue.h"

/* Of a chunk that is used again: what a stretch of the ring full of records
   needs, and half as much where its table has grown.  */
#define ROOM_MAX ((size_t) 16 << 20)

void
dg_chunk_queue_init (struct dg_chunk_queue *queue, unsigned spare_max)
{
  g_mutex_init (&queue->lock);
  g_cond_init (&queue->changed);
  g_queue_init (&queue->chunks);
  g_queue_init (&queue->spare);
  queue->spare_max = spare_max;
  queue->is_closed = false;
}

static void
free_chunk (gpointer data)
{
  struct dg_capture_chunk *chunk = data;

  dg_builder_chunk_fini (&chunk->packed);
  g_free (chunk);
}

void
dg_chunk_queue_fini (struct dg_chunk_queue *queue)
{
  g_queue_clear_full (&queue->spare, free_chunk);
  g_mutex_clear (&queue->lock);
  g_cond_clear (&queue->changed);
}

struct dg_capture_chunk *
dg_chunk_queue_new (struct dg_chunk_queue *queue)
{
  struct dg_capture_chunk *chunk;

  g_mutex_lock (&queue->lock);
  chunk = g_queue_pop_head (&queue->spare);
  g_mutex_unlock (&queue->lock);
  if (!chunk)
    chunk = g_new0 (struct dg_capture_chunk, 1);
  dg_builder_chunk_clear (&chunk->packed);
  chunk->is_packed = false;
  chunk->code = 0;
  return chunk;
}

void
dg_chunk_queue_add (struct dg_chunk_queue *queue,
                    struct dg_capture_chunk *chunk)
{
  g_mutex_lock (&queue->lock);
  g_queue_push_tail (&queue->chunks, chunk);
  g_cond_signal (&queue->changed);
  g_mutex_unlock (&queue->lock);
}

void
dg_chunk_queue_give_back (struct dg_chunk_queue *queue,
                          struct dg_capture_chunk *chunk)
{
  bool is_small = dg_builder_chunk_room (&chunk->packed) <= ROOM_MAX;

  g_mutex_lock (&queue->lock);
  if (is_small && queue->spare.length < queue->spare_max) {
    g_queue_push_head (&queue->spare, chunk);
    chunk = NULL;
  }
  g_mutex_unlock (&queue->lock);
  if (chunk)
    free_chunk (chunk);
}

struct dg_capture_chunk *
dg_chunk_queue_take (struct dg_chunk_queue *queue)
{
  struct dg_capture_chunk *chunk;

  g_mutex_lock (&queue->lock);
  while ((chunk = g_queue_pop_head (&queue->chunks)) == NULL
         && !queue->is_closed)
    g_cond_wait (&queue->changed, &queue->lock);
  g_mutex_unlock (&queue->lock);
  return chunk;
}

void
dg_chunk_queue_close (struct dg_chunk_queue *queue)
{
  g_mutex_lock (&queue->lock);
  queue->is_closed = true;
  g_cond_broadcast (&queue->changed);
  g_mutex_unlock (&queue->lock);
}
