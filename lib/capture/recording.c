/* recording.c: the data that the watcher and the workers of a recording share.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "recording.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "base/process.h"
#include "base/replace.h"
#include "base/replace_place.h"
#include "capture_name.h"

/* ---- All of them ---- */

void
dg_recordings_init (struct dg_recordings *all,
                    const struct dg_capture_options *options,
                    unsigned workers)
{
  all->options = *options;
  all->options.output = g_strdup (options->output);
  all->folder.watch = -1;
  all->names = g_hash_table_new_full (dg_hash_text, g_str_equal, g_free, NULL);
  all->list = g_ptr_array_new ();
  all->announced = g_array_new (FALSE, FALSE, sizeof (struct dg_announced));
  g_mutex_init (&all->lock);
  g_mutex_init (&all->event_lock);
  g_mutex_init (&all->making);
  dg_chunk_queue_init (&all->queue, 2 * workers);
}

void
dg_recordings_fini (struct dg_recordings *all)
{
  dg_ring_folder_fini (&all->folder);
  if (all->wake >= 0)
    close (all->wake);
  dg_chunk_queue_fini (&all->queue);
  g_ptr_array_unref (all->list);
  g_array_unref (all->announced);
  g_hash_table_destroy (all->names);
  g_mutex_clear (&all->lock);
  g_mutex_clear (&all->event_lock);
  g_mutex_clear (&all->making);
  g_free ((char *) all->options.output);
}

struct dg_recording *
dg_recordings_find (struct dg_recordings *all, uint64_t pid)
{
  struct dg_recording *found = NULL;

  g_mutex_lock (&all->lock);
  for (guint i = 0; i < all->list->len && !found; i++) {
    struct dg_recording *recording = all->list->pdata[i];

    if (recording->pid == pid && !g_atomic_int_get (&recording->is_cut)
        && !g_atomic_int_get (&recording->is_left))
      found = recording;
  }
  g_mutex_unlock (&all->lock);
  return found;
}

void
dg_recordings_announce (struct dg_recordings *all, uint64_t pid,
                        unsigned seconds)
{
  struct dg_announced announced
    = { pid, g_get_monotonic_time () + seconds * G_USEC_PER_SEC };

  if (dg_recordings_find (all, pid))
    return;
  g_mutex_lock (&all->lock);
  g_array_append_val (all->announced, announced);
  g_mutex_unlock (&all->lock);
}

void
dg_recordings_wake (struct dg_recordings *all)
{
  uint64_t one = 1;

  /* It can only fail when the watcher will wake anyway.  */
  while (write (all->wake, &one, sizeof one) < 0 && errno == EINTR)
    ;
}

/* ---- Making one ---- */

/* Can an archive be written there?  Makes the file, but empties none.  Does
   not wait for the reader of a pipe.  */
static int
try_path (struct dg_recording *recording, struct dg_error *err)
{
  int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
              | O_NOFOLLOW;
  int fd, code = 0;
  struct stat st;
  struct dg_error why;

  recording->file = dg_output_path (recording->path);
  if (dg_output_reach (recording->path, &why) < 0)
    return dg_error_set (err, why.code, "cannot create %s: %s",
                         recording->path, why.message);
  fd = open (recording->file, flags | O_EXCL, DG_LOG_MODE);
  recording->has_made_file = fd >= 0;
  if (fd < 0)
    fd = open (recording->file, flags, DG_LOG_MODE);
  if (fd < 0 && errno != ENXIO)
    code = dg_error_set (err, DG_ERR_IO, "cannot create %s: %s",
                         recording->path, g_strerror (errno));
  else if (fd < 0 || fstat (fd, &st) < 0 || !S_ISREG (st.st_mode))
    code = dg_error_set (err, DG_ERR_IO, "%s is not a regular file",
                         recording->path);
  if (fd >= 0)
    close (fd);
  return code;
}

static int
choose_path (struct dg_recording *recording, struct dg_error *err)
{
  struct dg_recordings *all = recording->all;
  int code;

  g_mutex_lock (&all->lock);
  recording->path =
    dg_capture_name (all->options.output, recording->pid, all->names, err);
  code = recording->path ? try_path (recording, err) : DG_ERR_INVALID;
  if (code < 0 && recording->path)
    g_hash_table_remove (all->names, recording->path);
  g_mutex_unlock (&all->lock);
  return code;
}

/* For one more ring, beside those that there are.  The first process, and what
   it becomes, gets all that it wants; children, which come by the hundred and
   mostly do little, get a quarter, and share what is left.  */
static uint32_t
ring_size (struct dg_recordings *all, uint64_t pid)
{
  uint64_t left = DG_CAPTURE_RINGS_BYTES;
  uint32_t bytes = all->ring_bytes;
  bool is_child = false;

  g_mutex_lock (&all->lock);
  for (guint i = 0; i < all->list->len; i++) {
    const struct dg_recording *other = all->list->pdata[i];

    left -= MIN (left, other->ring.bytes);
    is_child |= other->pid != pid;
  }
  g_mutex_unlock (&all->lock);
  if (is_child)
    bytes = MAX (bytes / 4, DG_RING_MIN);
  while (bytes > DG_RING_MIN && bytes > left / 4 && is_child)
    bytes /= 2;
  return bytes;
}

static struct dg_recording *
new_recording (struct dg_recordings *all, uint64_t pid, struct dg_error *err)
{
  struct dg_recording *recording = g_try_new0 (struct dg_recording, 1);

  if (!recording) {
    dg_error_nomem (err);
    return NULL;
  }
  recording->all = all;
  recording->pid = pid;
  recording->made = g_get_monotonic_time ();
  recording->start_ticks = dg_process_start_ticks (pid);
  recording->pidfd = (int) syscall (SYS_pidfd_open, (pid_t) pid, 0);
  recording->packed = g_hash_table_new (NULL, NULL);
  g_mutex_init (&recording->order_lock);
  if (dg_program_init (&recording->program, err) < 0)
    goto fail;
  recording->written = dg_program_counts (&recording->program);
  if (choose_path (recording, err) < 0)
    goto fail;
  if (dg_capture_ring_init (&recording->ring, &all->folder, pid,
                            all->options.ring_bytes,
                            ring_size (all, pid), err)
      < 0)
    goto fail;
  return recording;

fail:
  if (recording->has_made_file)
    g_unlink (recording->file);
  dg_recording_free (recording);
  return NULL;
}

void
dg_recording_free (struct dg_recording *recording)
{
  if (!recording)
    return;
  if (recording->pidfd >= 0)
    close (recording->pidfd);
  dg_builder_free (recording->builder);
  dg_capture_ring_fini (&recording->ring);
  dg_program_fini (&recording->program);
  dg_table_fini (&recording->scratch);
  g_hash_table_destroy (recording->packed);
  g_mutex_clear (&recording->order_lock);
  g_free (recording->path);
  g_free (recording->file);
  g_free (recording);
}

bool
dg_recording_is_attached (const struct dg_recording *recording)
{
  return __atomic_load_n (&recording->ring.header->attached, __ATOMIC_ACQUIRE)
         != 0;
}

int
dg_recordings_add (struct dg_recordings *all, uint64_t pid,
                   struct dg_error *err)
{
  struct dg_error why;
  struct dg_recording *recording = new_recording (all, pid, &why);

  if (!recording)
    return dg_error_copy (err, &why);
  g_mutex_lock (&all->lock);
  g_ptr_array_add (all->list, recording);
  g_mutex_unlock (&all->lock);
  return 0;
}

/* ---- What the caller is told ---- */

void
dg_recording_describe (struct dg_recording *recording,
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
    .is_whole = g_atomic_int_get (&recording->is_whole) != 0,
    .signal = g_atomic_int_get (&recording->signal)
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
dg_recording_tell (struct dg_recording *recording,
                   enum dg_capture_event_type type, const char *format, ...)
{
  struct dg_recordings *all = recording->all;
  struct dg_capture_recording described;
  struct dg_capture_event event = { .type = type, .recording = &described };
  char *text = NULL;
  va_list args;

  if (type == DG_CAPTURE_FAILED) {
    g_mutex_lock (&all->lock);
    all->gone.failed++;
    g_mutex_unlock (&all->lock);
  }
  if (!all->options.event)
    return;
  if (format) {
    va_start (args, format);
    text = g_strdup_vprintf (format, args);
    va_end (args);
  }
  event.text = text;
  dg_recording_describe (recording, &described);
  g_mutex_lock (&all->event_lock);
  all->options.event (all->options.user, &event);
  g_mutex_unlock (&all->event_lock);
  g_free (text);
}
