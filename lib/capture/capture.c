/* capture.c: archives made while programs run: the public functions.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "capture.h"

#include <errno.h>
#include <pthread.h>
#include <sys/eventfd.h>

#include "base/error.h"
#include "base/sized.h"
#include "capture_name.h"
#include "capture_watch.h"
#include "capture_worker.h"

#define MAX_WORKERS   256
/* Of zstd.  The default is the fastest that there is: on two processors what
   the packer takes is what recording takes; `dg pack --level` does better when
   there is time.  */
#define MAX_LEVEL     19
#define DEFAULT_LEVEL 1

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
  names = g_hash_table_new_full (dg_hash_text, g_str_equal, g_free, NULL);
  name = dg_capture_name (options->output, 1, names, &why);
  g_free (name);
  g_hash_table_destroy (names);
  return name ? 0 : dg_error_copy (err, &why);
}

/* A chunk for each worker, one that is being filled, and one that is being
   written; at least four, and a power of two.  */
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
  for (unsigned i = 0; i < capture->all.options.workers; i++) {
    struct dg_capture_worker *worker
      = dg_capture_worker_new (&capture->all, err);

    if (!worker)
      return DG_ERR_NOMEM;
    g_ptr_array_add (capture->workers, worker);
  }
  for (unsigned i = 0; i < capture->workers->len; i++) {
    GThread *thread = g_thread_try_new ("pack", dg_capture_worker_run,
                                        capture->workers->pdata[i], NULL);

    if (thread)
      g_ptr_array_add (capture->threads, thread);
  }
  if (capture->threads->len > 0)
    capture->watcher = g_thread_try_new ("watch", dg_capture_watch_run,
                                         &capture->all, NULL);
  if (!capture->watcher)
    return dg_error_set (err, DG_ERR_IO, "cannot start threads");
  return 0;
}

static unsigned
count_workers (const struct dg_capture_options *options)
{
  /* Of two processors the program's own is free while it waits for room
     in the ring, so two threads pack even then.  */
  if (options->workers == 0)
    return MIN (MAX (count_processors (), 3) - 1, MAX_WORKERS);
  return MIN (options->workers, MAX_WORKERS);
}

struct dg_capture *
dg_capture_new (const struct dg_capture_options *options, struct dg_error *err)
{
  struct dg_capture_options own;
  struct dg_capture *capture;
  unsigned workers;

  if (DG_SIZED_TAKE (&own, user, options, err) < 0)
    return NULL;
  options = &own;
  if (check_options (options, err) < 0)
    return NULL;
  capture = g_new0 (struct dg_capture, 1);
  capture->threads = g_ptr_array_new ();
  capture->workers = g_ptr_array_new ();
  workers = count_workers (options);
  dg_recordings_init (&capture->all, options, workers);
  capture->all.options.workers = workers;
  if (capture->all.options.level == 0)
    capture->all.options.level = DEFAULT_LEVEL;
  capture->all.ring_bytes = options->ring_bytes > 0 ? options->ring_bytes
                                                    : suitable_ring (workers);
  capture->all.wake = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (capture->all.wake < 0) {
    dg_error_set (err, DG_ERR_IO, "cannot create an eventfd: %s",
                  g_strerror (errno));
    goto fail;
  }
  if (dg_ring_folder_init (&capture->all.folder, options->directory,
                           capture->all.ring_bytes + DG_RING_HEADER, err) < 0
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
  return capture->all.folder.path;
}

int
dg_capture_expect (struct dg_capture *capture, uint64_t pid,
                   struct dg_error *err)
{
  struct dg_recordings *all = &capture->all;
  int code = 0;

  /* It may have asked already.  */
  g_mutex_lock (&all->making);
  if (!dg_recordings_find (all, pid))
    code = dg_recordings_add (all, pid, err);
  g_mutex_unlock (&all->making);
  dg_recordings_wake (all);
  return code;
}

/* ---- Looking on ---- */

void
dg_capture_status (struct dg_capture *capture,
                   struct dg_capture_status *result)
{
  struct dg_capture_status own, *status = &own;
  struct dg_recordings *all = &capture->all;

  g_mutex_lock (&all->lock);
  *status = all->gone;
  status->active = all->announced->len;
  for (guint i = 0; i < all->list->len; i++) {
    struct dg_recording *recording = all->list->pdata[i];
    struct dg_capture_recording one;

    dg_recording_describe (recording, &one);
    status->active += !g_atomic_int_get (&recording->has_ended);
    status->instructions += one.instructions;
    status->accesses += one.accesses;
    status->bytes += one.bytes;
    status->ring_bytes += one.ring_bytes;
    status->ring_used += one.ring_used;
    status->ring_waits += one.ring_waits;
    status->ring_waited_us += one.ring_waited_us;
  }
  g_mutex_unlock (&all->lock);
  dg_sized_give (result, result->size, &own, sizeof own);
}

/* ---- Ending ---- */

void
dg_capture_stop (struct dg_capture *capture)
{
  struct dg_recordings *all = &capture->all;

  g_atomic_int_set (&all->is_stopping, 1);
  g_mutex_lock (&all->lock);
  g_array_set_size (all->announced, 0);
  g_mutex_unlock (&all->lock);
  dg_recordings_wake (all);
}

void
dg_capture_free (struct dg_capture *capture)
{
  if (!capture)
    return;
  if (capture->watcher) {
    g_atomic_int_set (&capture->all.is_ending, 1);
    dg_capture_stop (capture);
    g_thread_join (capture->watcher);
  }
  dg_chunk_queue_close (&capture->all.queue);
  for (guint i = 0; i < capture->threads->len; i++)
    g_thread_join (capture->threads->pdata[i]);
  for (guint i = 0; i < capture->workers->len; i++)
    dg_capture_worker_free (capture->workers->pdata[i]);
  g_ptr_array_unref (capture->threads);
  g_ptr_array_unref (capture->workers);
  dg_recordings_fini (&capture->all);
  g_free (capture);
}
