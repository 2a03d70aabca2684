/* capture.c: archives made while programs run: the public functions, and what
   all threads of a capture share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"

#define MAX_WORKERS   256
/* Of zstd.  The default is the fastest that there is: on two processors what
   the packer takes is what recording takes; `dg pack --level` does better when
   there is time.  */
#define MAX_LEVEL     19
#define DEFAULT_LEVEL 1

/* ---- Events ---- */

void
dg_capture_describe (struct dg_recording *recording,
                     struct dg_capture_recording *out)
{
  const struct dg_ring_header *header = recording->ring.header;

  *out = (struct dg_capture_recording) {
    .pid = recording->pid,
    .path = recording->path,
    .instructions = __atomic_load_n (&recording->instructions,
                                     __ATOMIC_RELAXED),
    .accesses = __atomic_load_n (&recording->accesses, __ATOMIC_RELAXED),
    .bytes = __atomic_load_n (&recording->size, __ATOMIC_RELAXED),
    .ring_bytes = recording->ring.bytes,
    .is_whole = g_atomic_int_get (&recording->is_whole) != 0
  };
  if (header) {
    uint32_t head = __atomic_load_n (&header->head, __ATOMIC_RELAXED);
    uint32_t tail = __atomic_load_n (&header->tail, __ATOMIC_RELAXED);

    out->ring_used = MIN ((uint64_t) (head - tail) * DG_RING_UNIT,
                          out->ring_bytes);
    out->ring_waits = __atomic_load_n (&header->waits, __ATOMIC_RELAXED);
    out->ring_waited_us = __atomic_load_n (&header->waited_us,
                                           __ATOMIC_RELAXED);
  }
}

void
dg_capture_tell (struct dg_recording *recording,
                 enum dg_capture_event_type type, const char *format, ...)
{
  struct dg_capture *capture = recording->capture;
  struct dg_capture_recording described;
  struct dg_capture_event event = { .type = type, .recording = &described };
  char *text = NULL;
  va_list args;

  if (type == DG_CAPTURE_FAILED) {
    g_mutex_lock (&capture->lock);
    capture->gone.failed++;
    g_mutex_unlock (&capture->lock);
  }
  if (!capture->options.event)
    return;
  if (format) {
    va_start (args, format);
    text = g_strdup_vprintf (format, args);
    va_end (args);
  }
  event.text = text;
  dg_capture_describe (recording, &described);
  g_mutex_lock (&capture->event_lock);
  capture->options.event (capture->options.user, &event);
  g_mutex_unlock (&capture->event_lock);
  g_free (text);
}

/* ---- Chunks ---- */

struct dg_capture_chunk *
dg_capture_chunk_new (struct dg_capture *capture)
{
  struct dg_capture_chunk *chunk;

  g_mutex_lock (&capture->lock);
  chunk = g_queue_pop_head (&capture->spare);
  g_mutex_unlock (&capture->lock);
  if (!chunk)
    chunk = g_new0 (struct dg_capture_chunk, 1);
  dg_packed_chunk_clear (&chunk->packed);
  chunk->is_packed = false;
  chunk->code = 0;
  return chunk;
}

static void
free_chunk (gpointer data)
{
  struct dg_capture_chunk *chunk = data;

  dg_packed_chunk_fini (&chunk->packed);
  g_free (chunk);
}

/* Those that are kept have their memory, which is cheaper than new pages.  */
void
dg_capture_chunk_done (struct dg_capture *capture,
                       struct dg_capture_chunk *chunk)
{
  g_mutex_lock (&capture->lock);
  if (capture->spare.length < 2 * capture->workers->len) {
    g_queue_push_head (&capture->spare, chunk);
    chunk = NULL;
  }
  g_mutex_unlock (&capture->lock);
  if (chunk)
    free_chunk (chunk);
}

void
dg_capture_submit (struct dg_capture *capture, struct dg_capture_chunk *chunk)
{
  g_mutex_lock (&capture->lock);
  g_queue_push_tail (&capture->chunks, chunk);
  g_cond_signal (&capture->work);
  g_mutex_unlock (&capture->lock);
}

/* A worker's thread.  */
static gpointer
work (gpointer data)
{
  struct dg_capture_worker *worker = data;
  struct dg_capture *capture = dg_capture_worker_capture (worker);

  g_mutex_lock (&capture->lock);
  for (;;) {
    struct dg_capture_chunk *chunk = g_queue_pop_head (&capture->chunks);

    if (chunk) {
      g_mutex_unlock (&capture->lock);
      dg_capture_worker_do (worker, chunk);
      g_mutex_lock (&capture->lock);
    } else if (capture->no_more) {
      break;
    } else {
      g_cond_wait (&capture->work, &capture->lock);
    }
  }
  g_mutex_unlock (&capture->lock);
  return NULL;
}

void
dg_capture_wake (struct dg_capture *capture)
{
  uint64_t one = 1;

  /* It can only fail when the watcher will wake anyway.  */
  while (write (capture->wake, &one, sizeof one) < 0 && errno == EINTR)
    ;
}

/* ---- Beginning ---- */

static int
check_options (const struct dg_capture_options *options, struct dg_error *err)
{
  uint32_t bytes = options->ring_bytes;
  struct dg_error why;
  GHashTable *names;
  char *name;

  if (bytes != 0
      && (bytes < DG_RING_MIN || bytes > DG_RING_MAX
          || (bytes & (bytes - 1)) != 0))
    return dg_error_set (err, DG_ERR_INVALID,
                         "the size of a ring must be a power of two from 1 "
                         "MiB to 1 GiB");
  if (options->level < 0 || options->level > MAX_LEVEL)
    return dg_error_set (err, DG_ERR_INVALID, "the level must be from 1 to %d",
                                              MAX_LEVEL);
  names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  name = dg_capture_name (options->output, 1, names, &why);
  g_free (name);
  g_hash_table_destroy (names);
  return name ? 0 : dg_error_copy (err, &why);
}

/* A chunk for each worker, one that is being filled, and one more; at least
   four, and a power of two.  */
static uint32_t
suitable_ring (unsigned workers)
{
  uint32_t bytes = 4 * DG_CAPTURE_CHUNK_BYTES;

  while (bytes / DG_CAPTURE_CHUNK_BYTES < workers + 2
         && bytes < 16 * DG_CAPTURE_CHUNK_BYTES)
    bytes *= 2;
  return bytes;
}

/* Those that we may use, which under taskset or in a container are fewer than
   there are.  */
static unsigned
count_processors (void)
{
  cpu_set_t set;

  if (pthread_getaffinity_np (pthread_self (), sizeof set, &set) == 0)
    return (unsigned) CPU_COUNT (&set);
  return g_get_num_processors ();
}

static int
start_threads (struct dg_capture *capture, struct dg_error *err)
{
  for (unsigned i = 0; i < capture->options.workers; i++) {
    struct dg_capture_worker *worker = dg_capture_worker_new (capture, err);

    if (!worker)
      return DG_ERR_NOMEM;
    g_ptr_array_add (capture->workers, worker);
  }
  for (unsigned i = 0; i < capture->workers->len; i++) {
    GThread *thread = g_thread_try_new ("pack", work,
                                        capture->workers->pdata[i], NULL);

    if (thread)
      g_ptr_array_add (capture->threads, thread);
  }
  if (capture->threads->len > 0)
    capture->watcher = g_thread_try_new ("watch", dg_capture_watch, capture,
                                         NULL);
  if (!capture->watcher)
    return dg_error_set (err, DG_ERR_IO, "cannot start threads");
  return 0;
}

struct dg_capture *
dg_capture_new (const struct dg_capture_options *options, struct dg_error *err)
{
  struct dg_capture *capture;

  if (check_options (options, err) < 0)
    return NULL;
  capture = g_new0 (struct dg_capture, 1);
  capture->options = *options;
  capture->output = g_strdup (options->output);
  capture->place.watch = -1;
  capture->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          NULL);
  capture->threads = g_ptr_array_new ();
  capture->workers = g_ptr_array_new ();
  capture->recordings = g_ptr_array_new ();
  capture->announced = g_array_new (FALSE, FALSE,
                                    sizeof (struct dg_capture_announced));
  g_mutex_init (&capture->lock);
  g_mutex_init (&capture->event_lock);
  g_mutex_init (&capture->making);
  g_cond_init (&capture->work);
  if (capture->options.level == 0)
    capture->options.level = DEFAULT_LEVEL;
  if (capture->options.workers == 0)
    /* Of two processors the program's own is free while it waits for room
       in the ring, so two threads pack even then.  */
    capture->options.workers = MAX (count_processors (), 3) - 1;
  capture->options.workers = MIN (capture->options.workers, MAX_WORKERS);
  capture->ring_bytes = options->ring_bytes > 0
                          ? options->ring_bytes
                          : suitable_ring (capture->options.workers);
  capture->wake = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (capture->wake < 0) {
    dg_error_set (err, DG_ERR_IO, "cannot create an eventfd: %s",
                  g_strerror (errno));
    goto fail;
  }
  if (dg_capture_place_init (&capture->place, options->directory,
                             capture->ring_bytes + DG_RING_HEADER, err) < 0
      || start_threads (capture, err) < 0)
    goto fail;
  return capture;

fail:
  dg_capture_free (capture);
  return NULL;
}

const char *
dg_capture_directory (const struct dg_capture *capture)
{
  return capture->place.path;
}

int
dg_capture_add (struct dg_capture *capture, uint64_t pid, struct dg_error *err)
{
  struct dg_error why;
  struct dg_recording *recording = dg_recording_new (capture, pid, &why);

  if (!recording)
    return dg_error_copy (err, &why);
  g_mutex_lock (&capture->lock);
  g_ptr_array_add (capture->recordings, recording);
  g_mutex_unlock (&capture->lock);
  return 0;
}

int
dg_capture_expect (struct dg_capture *capture, uint64_t pid,
                   struct dg_error *err)
{
  int code = 0;

  /* It may have asked already.  */
  g_mutex_lock (&capture->making);
  if (!dg_capture_find (capture, pid))
    code = dg_capture_add (capture, pid, err);
  g_mutex_unlock (&capture->making);
  dg_capture_wake (capture);
  return code;
}

/* ---- Looking on ---- */

void
dg_capture_status (struct dg_capture *capture,
                   struct dg_capture_status *status)
{
  g_mutex_lock (&capture->lock);
  *status = capture->gone;
  status->active = capture->announced->len;
  for (guint i = 0; i < capture->recordings->len; i++) {
    struct dg_recording *recording = capture->recordings->pdata[i];
    struct dg_capture_recording one;

    dg_capture_describe (recording, &one);
    status->active += !g_atomic_int_get (&recording->has_ended);
    status->instructions += one.instructions;
    status->accesses += one.accesses;
    status->bytes += one.bytes;
    status->ring_bytes += one.ring_bytes;
    status->ring_used += one.ring_used;
    status->ring_waits += one.ring_waits;
    status->ring_waited_us += one.ring_waited_us;
  }
  g_mutex_unlock (&capture->lock);
}

/* ---- Ending ---- */

void
dg_capture_stop (struct dg_capture *capture)
{
  g_atomic_int_set (&capture->is_stopping, 1);
  g_mutex_lock (&capture->lock);
  g_array_set_size (capture->announced, 0);
  g_mutex_unlock (&capture->lock);
  dg_capture_wake (capture);
}

static void
join_workers (struct dg_capture *capture)
{
  g_mutex_lock (&capture->lock);
  capture->no_more = true;
  g_cond_broadcast (&capture->work);
  g_mutex_unlock (&capture->lock);
  for (guint i = 0; i < capture->threads->len; i++)
    g_thread_join (capture->threads->pdata[i]);
}

void
dg_capture_free (struct dg_capture *capture)
{
  if (!capture)
    return;
  if (capture->watcher) {
    g_atomic_int_set (&capture->is_ending, 1);
    dg_capture_stop (capture);
    g_thread_join (capture->watcher);
  }
  join_workers (capture);
  for (guint i = 0; i < capture->workers->len; i++)
    dg_capture_worker_free (capture->workers->pdata[i]);
  dg_capture_place_fini (&capture->place);
  if (capture->wake >= 0)
    close (capture->wake);
  g_queue_clear_full (&capture->spare, free_chunk);
  g_ptr_array_unref (capture->threads);
  g_ptr_array_unref (capture->workers);
  g_ptr_array_unref (capture->recordings);
  g_array_unref (capture->announced);
  g_hash_table_destroy (capture->names);
  g_mutex_clear (&capture->lock);
  g_mutex_clear (&capture->event_lock);
  g_mutex_clear (&capture->making);
  g_cond_clear (&capture->work);
  g_free (capture->output);
  g_free (capture);
}
