/* test-recording.c: workers that give back their stretches of a ring at once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "capture/recording.h"

#include "dg_ring.h"
#include "unit_main.h"

#define WORKERS  4
#define CHUNKS   4096
#define PER_CHUNK 16            /* units of the ring */
#define ROUNDS   40

struct worker {
  struct dg_capture_chunk *chunks;
  gint *next;                  /* atomic: the chunk that nobody has yet */
  gint *waiting;               /* atomic: workers that have not begun */
};

/* Gives each chunk back in two steps, as one that waits for its turn does.  */
static gpointer
work (gpointer data)
{
  const struct worker *worker = data;
  gint at;

  g_atomic_int_add (worker->waiting, -1);
  while (g_atomic_int_get (worker->waiting) > 0)
    ;
  while ((at = g_atomic_int_add (worker->next, 1)) < CHUNKS) {
    struct dg_capture_chunk *chunk = &worker->chunks[at];

    dg_recording_release (chunk, chunk->begin + PER_CHUNK / 2);
    dg_recording_release (chunk, chunk->end);
  }
  return NULL;
}

/* All of the ring is free in the end, and no chunk stays in the list.  */
static void
check_round (void)
{
  struct dg_ring_header header = {0};
  struct dg_recording recording = {.ring.header = &header,
                                   .chunk_begin = CHUNKS * PER_CHUNK};
  gint next = 0, waiting = WORKERS;
  struct worker worker = {.next = &next, .waiting = &waiting};
  GThread *threads[WORKERS];

  worker.chunks = g_new0 (struct dg_capture_chunk, CHUNKS);
  g_mutex_init (&recording.release_lock);
  for (uint32_t i = 0; i < CHUNKS; i++) {
    worker.chunks[i] = (struct dg_capture_chunk) {
      .recording = &recording, .begin = i * PER_CHUNK, .at = i * PER_CHUNK,
      .end = (i + 1) * PER_CHUNK};
    g_queue_push_tail (&recording.in_ring, &worker.chunks[i]);
  }
  for (unsigned i = 0; i < WORKERS; i++)
    threads[i] = g_thread_new ("worker", work, &worker);
  for (unsigned i = 0; i < WORKERS; i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (recording.in_ring.length, ==, 0);
  g_assert_null (recording.in_ring.head);
  g_assert_cmpuint (header.tail, ==, CHUNKS * PER_CHUNK);
  g_mutex_clear (&recording.release_lock);
  g_free (worker.chunks);
}

static void
test_release (void)
{
  for (unsigned i = 0; i < ROUNDS; i++)
    check_round ();
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recording/release", test_release);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
