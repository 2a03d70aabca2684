/* capture_watch.c: the watcher: one thread that answers requests for rings,
   reads all of them, and sees programs end.

   It sleeps most of the time: half a millisecond while there is something to
   do, up to five when not; the death of a process and a request for a ring
   wake it at once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "capture_watch.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/process.h"
#include "recording_read.h"

#define SHORT_US 500
#define LONG_US  5000
/* How often to look for what nothing tells of.  */
#define LOOK_US  20000
/* How long a ring waits for its program.  */
#define TAKE_US  (90 * G_USEC_PER_SEC)

struct watch {
  struct dg_recordings *all;
  GArray *polled;          /* struct pollfd: wake, folder, then processes */
  GPtrArray *owners;       /* of those: their recordings */
  GArray *wants;           /* uint64_t */
  gint64 next_look;
  bool look;               /* now */
};

/* ---- Processes ---- */

static bool
process_is_gone (const struct dg_recording *recording)
{
  uint64_t ticks = dg_process_start_ticks (recording->pid);

  return ticks == 0 || ticks != recording->start_ticks;
}

/* Has the process become another program?  */
static bool
exe_has_changed (const struct dg_recording *recording)
{
  uint64_t device, inode;

  return dg_process_exe (recording->pid, &device, &inode)
         && (device != recording->exe_device || inode != recording->exe_inode);
}

/* What no descriptor tells.  */
static void
look (struct dg_recording *recording, gint64 now)
{
  if (!recording->was_taken)
    recording->was_taken = dg_recording_is_attached (recording);
  /* The recorder has stopped asking by then.  */
  if (!recording->was_taken && now - recording->made > TAKE_US)
    recording->is_late = true;
  if (recording->pidfd < 0 && !recording->is_dead)
    recording->is_dead = process_is_gone (recording);
  if (recording->may_leave && !g_atomic_int_get (&recording->is_left)
      && !recording->is_dead)
    g_atomic_int_set (&recording->is_left, exe_has_changed (recording));
}

/* ---- Requests ---- */

static void
forget_announced (struct dg_recordings *all, uint64_t pid)
{
  g_mutex_lock (&all->lock);
  for (guint i = 0; i < all->announced->len; i++) {
    struct dg_announced *announced
      = &g_array_index (all->announced, struct dg_announced, i);

    if (announced->pid == pid) {
      g_array_remove_index_fast (all->announced, i);
      break;
    }
  }
  g_mutex_unlock (&all->lock);
}

static void
refuse (struct dg_recordings *all, uint64_t pid,
        const struct dg_error *error)
{
  struct dg_recording nobody = { .all = all, .pid = pid };

  dg_ring_folder_refuse (&all->folder, pid, error->message);
  dg_recording_tell (&nobody, DG_CAPTURE_FAILED,
                     "process %" PRIu64 " is not recorded: %s", pid,
                     error->message);
}

/* Does a process that has a ring want another, because it is another program
   now?  Otherwise it has asked while its answer was on its way.  */
static bool
has_left (struct dg_recording *recording)
{
  if (!dg_recording_is_attached (recording))
    return false;
  while (dg_recording_read (recording))
    ;
  return recording->may_leave || g_atomic_int_get (&recording->is_cut);
}

static void
answer (struct dg_recordings *all, uint64_t pid)
{
  struct dg_recording *recording;
  struct dg_error error = { 0 };
  int code = 0;

  /* Who has asked is not there any more.  */
  if (dg_process_start_ticks (pid) == 0) {
    dg_ring_folder_forget (&all->folder, pid);
    forget_announced (all, pid);
    return;
  }
  g_mutex_lock (&all->making);
  recording = dg_recordings_find (all, pid);
  if (recording && has_left (recording)) {
    g_atomic_int_set (&recording->is_left, true);
    recording = NULL;
  }
  if (!recording)
    code = dg_recordings_add (all, pid, &error);
  g_mutex_unlock (&all->making);
  if (code < 0)
    refuse (all, pid, &error);
  else
    dg_ring_folder_forget (&all->folder, pid);
  forget_announced (all, pid);
}

static void
answer_all (struct watch *watch)
{
  watch->wants->len = 0;
  dg_ring_folder_requests (&watch->all->folder, watch->wants);
  for (guint i = 0; i < watch->wants->len; i++)
    answer (watch->all, g_array_index (watch->wants, uint64_t, i));
}

/* ---- Recordings ---- */

/* It was expected, and its process ended without a word to us.  */
static void
drop (struct dg_recording *recording)
{
  char *ring = dg_ring_folder_file (&recording->all->folder,
                                    recording->pid, "ring");

  g_unlink (ring);
  g_free (ring);
  if (recording->is_late)
    dg_recording_tell (recording, DG_CAPTURE_FAILED,
                       "process %" PRIu64 " is not recorded: it did not open "
                       "its ring", recording->pid);
  g_atomic_int_set (&recording->is_cut, true);
  g_atomic_int_set (&recording->is_done, 1);
}

/* Takes care of one.  Returns whether there was anything to do.  */
static bool
attend (struct watch *watch, struct dg_recording *recording)
{
  struct dg_ring_header *header = recording->ring.header;
  /* Before the last look at what is in the ring.  */
  bool is_closed = __atomic_load_n (&header->closed, __ATOMIC_ACQUIRE) != 0;
  bool is_dead = recording->is_dead;
  bool is_left = g_atomic_int_get (&recording->is_left) != 0;
  bool is_stopped = g_atomic_int_get (&watch->all->is_stopping) != 0;
  bool any;

  if (g_atomic_int_get (&recording->is_cut))
    return false;
  any = dg_recording_read (recording);
  if (g_atomic_int_get (&recording->is_cut) || any)
    return any;
  if (is_closed)
    dg_recording_end (recording, DG_RECORDING_CLOSED);
  else if (recording->n_records == 0
           && (is_dead || is_stopped || recording->is_late))
    drop (recording);
  else if (is_dead)
    dg_recording_end (recording, DG_RECORDING_DIED);
  else if (is_left)
    dg_recording_end (recording, DG_RECORDING_LEFT);
  else if (is_stopped)
    dg_recording_end (recording, DG_RECORDING_STOPPED);
  if (watch->look) {
    look (recording, g_get_monotonic_time ());
    dg_recording_age (recording, g_get_monotonic_time ());
  }
  return g_atomic_int_get (&recording->is_cut);
}

/* Its archive is closed: nothing of it is needed.  */
static void
bury (struct dg_recordings *all, struct dg_recording *recording)
{
  const struct dg_ring_header *header = recording->ring.header;
  bool may_follow =
    recording->end == DG_RECORDING_LEFT && all->options.traces_children;

  if (!recording->builder && recording->has_made_file)
    g_unlink (recording->file);
  if (may_follow)
    dg_recordings_announce (all, recording->pid, 5);
  g_mutex_lock (&all->lock);
  all->gone.instructions += recording->instructions;
  all->gone.accesses += recording->accesses;
  all->gone.bytes += recording->size;
  all->gone.ring_waits += header->waits;
  all->gone.ring_waited_us += header->waited_us;
  g_ptr_array_remove_fast (all->list, recording);
  g_mutex_unlock (&all->lock);
  dg_recording_free (recording);
}

static bool
attend_all (struct watch *watch)
{
  struct dg_recordings *all = watch->all;
  bool any = false;

  /* Only this thread removes any.  */
  for (guint i = 0;; i++) {
    struct dg_recording *recording = NULL;

    g_mutex_lock (&all->lock);
    if (i < all->list->len)
      recording = all->list->pdata[i];
    g_mutex_unlock (&all->lock);
    if (!recording)
      return any;
    any |= attend (watch, recording);
    if (g_atomic_int_get (&recording->is_done)) {
      bury (all, recording);
      i--;
    }
  }
}

/* ---- Announced processes ---- */

static void
expire_announced (struct dg_recordings *all, gint64 now)
{
  g_mutex_lock (&all->lock);
  for (guint i = all->announced->len; i-- > 0;) {
    const struct dg_announced *announced
      = &g_array_index (all->announced, struct dg_announced, i);

    if (now > announced->until
        || (kill ((pid_t) announced->pid, 0) < 0 && errno == ESRCH))
      g_array_remove_index_fast (all->announced, i);
  }
  g_mutex_unlock (&all->lock);
}

/* ---- Sleeping ---- */

static void
add_polled (struct watch *watch, int fd, struct dg_recording *owner)
{
  struct pollfd polled = { .fd = fd, .events = POLLIN };

  g_array_append_val (watch->polled, polled);
  g_ptr_array_add (watch->owners, owner);
}

static void
collect_polled (struct watch *watch)
{
  struct dg_recordings *all = watch->all;

  g_array_set_size (watch->polled, 0);
  g_ptr_array_set_size (watch->owners, 0);
  add_polled (watch, all->wake, NULL);
  add_polled (watch, all->folder.watch, NULL);
  g_mutex_lock (&all->lock);
  for (guint i = 0; i < all->list->len; i++) {
    struct dg_recording *recording = all->list->pdata[i];

    if (recording->pidfd >= 0 && !recording->is_dead
        && !g_atomic_int_get (&recording->is_cut))
      add_polled (watch, recording->pidfd, recording);
  }
  g_mutex_unlock (&all->lock);
}

/* Until something happens, or for so long; < 0: for ever.  */
static void
sleep_for (struct watch *watch, gint64 us)
{
  struct timespec time = { .tv_nsec = us * 1000 };
  struct pollfd *polled;
  uint64_t count;

  collect_polled (watch);
  polled = (struct pollfd *) (void *) watch->polled->data;
  if (ppoll (polled, watch->polled->len, us < 0 ? NULL : &time, NULL) <= 0)
    return;
  if (polled[0].revents != 0
      && read (watch->all->wake, &count, sizeof count) < 0)
    return;
  for (guint i = 2; i < watch->polled->len; i++)
    if (polled[i].revents != 0)
      ((struct dg_recording *) watch->owners->pdata[i])->is_dead = true;
}

static bool
is_idle (struct dg_recordings *all)
{
  bool result;

  g_mutex_lock (&all->lock);
  result = all->list->len == 0 && all->announced->len == 0;
  g_mutex_unlock (&all->lock);
  return result;
}

gpointer
dg_capture_watch_run (gpointer data)
{
  struct watch watch = { .all = data };
  struct dg_recordings *all = data;
  gint64 us = SHORT_US;

  watch.polled = g_array_new (FALSE, FALSE, sizeof (struct pollfd));
  watch.owners = g_ptr_array_new ();
  watch.wants = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  while (!g_atomic_int_get (&all->is_ending) || !is_idle (all)) {
    gint64 now = g_get_monotonic_time ();

    watch.look = now >= watch.next_look;
    if (watch.look) {
      watch.next_look = now + LOOK_US;
      expire_announced (all, now);
    }
    answer_all (&watch);
    if (attend_all (&watch))
      us = SHORT_US;
    else
      us = MIN (us + us / 4, LONG_US);
    /* Whatever ends that writes to `wake`.  */
    if (is_idle (all) && !g_atomic_int_get (&all->is_ending))
      us = -1;
    sleep_for (&watch, us);
    us = us < 0 ? SHORT_US : us;
  }
  g_array_unref (watch.polled);
  g_ptr_array_unref (watch.owners);
  g_array_unref (watch.wants);
  return NULL;
}
