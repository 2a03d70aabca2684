/* capture_watch.c: the watcher: one thread that answers requests for rings,
   reads all of them, and sees programs end.

   It sleeps most of the time: half a millisecond while there is something to
   do, up to five when not; the death of a process and a request for a ring
   wake it at once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "capture.h"

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

#define SHORT_US 500
#define LONG_US  5000
/* How often to look for what nothing tells of.  */
#define LOOK_US  20000
/* How long a ring waits for its program.  */
#define TAKE_US  (90 * G_USEC_PER_SEC)

struct watch {
  struct dg_capture *capture;
  GArray *polled;          /* struct pollfd: wake, place, then processes */
  GPtrArray *owners;       /* of those: their recordings */
  GArray *wants;           /* uint64_t */
  gint64 next_look;
  bool look;               /* now */
};

/* ---- Processes ---- */

static bool
process_is_gone (const struct dg_recording *recording)
{
  uint64_t ticks = dg_capture_start_ticks (recording->pid);

  return ticks == 0 || ticks != recording->start_ticks;
}

/* Has the process become another program?  */
static bool
exe_has_changed (const struct dg_recording *recording)
{
  char *name = g_strdup_printf ("/proc/%" PRIu64 "/exe", recording->pid);
  GStatBuf st;
  bool result = g_stat (name, &st) == 0
                && (st.st_dev != recording->exe_device
                    || st.st_ino != recording->exe_inode);

  g_free (name);
  return result;
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

struct dg_recording *
dg_capture_find (struct dg_capture *capture, uint64_t pid)
{
  struct dg_recording *found = NULL;

  g_mutex_lock (&capture->lock);
  for (guint i = 0; i < capture->recordings->len && !found; i++) {
    struct dg_recording *recording = capture->recordings->pdata[i];

    if (recording->pid == pid && !g_atomic_int_get (&recording->is_cut)
        && !g_atomic_int_get (&recording->is_left))
      found = recording;
  }
  g_mutex_unlock (&capture->lock);
  return found;
}

static void
forget_announced (struct dg_capture *capture, uint64_t pid)
{
  g_mutex_lock (&capture->lock);
  for (guint i = 0; i < capture->announced->len; i++) {
    struct dg_capture_announced *announced
      = &g_array_index (capture->announced, struct dg_capture_announced, i);

    if (announced->pid == pid) {
      g_array_remove_index_fast (capture->announced, i);
      break;
    }
  }
  g_mutex_unlock (&capture->lock);
}

static void
refuse (struct dg_capture *capture, uint64_t pid,
        const struct dg_error *error)
{
  struct dg_recording nobody = { .capture = capture, .pid = pid };

  dg_capture_place_refuse (&capture->place, pid, error->message);
  dg_capture_tell (&nobody, DG_CAPTURE_FAILED,
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
answer (struct dg_capture *capture, uint64_t pid)
{
  struct dg_recording *recording;
  struct dg_error error = { 0 };
  int code = 0;

  /* Whoever has asked is not there any more.  */
  if (dg_capture_start_ticks (pid) == 0) {
    dg_capture_place_forget (&capture->place, pid);
    forget_announced (capture, pid);
    return;
  }
  g_mutex_lock (&capture->making);
  recording = dg_capture_find (capture, pid);
  if (recording && has_left (recording)) {
    g_atomic_int_set (&recording->is_left, true);
    recording = NULL;
  }
  if (!recording)
    code = dg_capture_add (capture, pid, &error);
  g_mutex_unlock (&capture->making);
  if (code < 0)
    refuse (capture, pid, &error);
  else
    dg_capture_place_forget (&capture->place, pid);
  forget_announced (capture, pid);
}

static void
answer_all (struct watch *watch)
{
  watch->wants->len = 0;
  dg_capture_place_wants (&watch->capture->place, watch->wants);
  for (guint i = 0; i < watch->wants->len; i++)
    answer (watch->capture, g_array_index (watch->wants, uint64_t, i));
}

/* ---- Recordings ---- */

/* It was expected, and its process ended without a word to us.  */
static void
drop (struct dg_recording *recording)
{
  char *ring = dg_capture_place_file (&recording->capture->place,
                                      recording->pid, "ring");

  g_unlink (ring);
  g_free (ring);
  if (recording->is_late)
    dg_capture_tell (recording, DG_CAPTURE_FAILED,
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
  bool is_stopped = g_atomic_int_get (&watch->capture->is_stopping) != 0;
  bool any;

  if (g_atomic_int_get (&recording->is_cut))
    return false;
  any = dg_recording_read (recording);
  if (g_atomic_int_get (&recording->is_cut) || any)
    return any;
  if (is_closed)
    dg_recording_end (recording, DG_CAPTURE_CLOSED);
  else if (recording->n_records == 0
           && (is_dead || is_stopped || recording->is_late))
    drop (recording);
  else if (is_dead)
    dg_recording_end (recording, DG_CAPTURE_DIED);
  else if (is_left)
    dg_recording_end (recording, DG_CAPTURE_LEFT);
  else if (is_stopped)
    dg_recording_end (recording, DG_CAPTURE_STOPPED);
  if (watch->look) {
    look (recording, g_get_monotonic_time ());
    dg_recording_age (recording, g_get_monotonic_time ());
  }
  return g_atomic_int_get (&recording->is_cut);
}

/* Its archive is closed: nothing of it is needed.  */
static void
bury (struct dg_capture *capture, struct dg_recording *recording)
{
  const struct dg_ring_header *header = recording->ring.header;
  bool may_follow = recording->end == DG_CAPTURE_LEFT
                    && capture->options.traces_children;

  if (!recording->assembly && recording->has_made_file)
    g_unlink (recording->file);
  if (may_follow)
    dg_capture_announce (capture, recording->pid, 5);
  g_mutex_lock (&capture->lock);
  capture->gone.instructions += recording->instructions;
  capture->gone.accesses += recording->accesses;
  capture->gone.bytes += recording->size;
  capture->gone.ring_waits += header->waits;
  capture->gone.ring_waited_us += header->waited_us;
  g_ptr_array_remove_fast (capture->recordings, recording);
  g_mutex_unlock (&capture->lock);
  dg_recording_free (recording);
}

static bool
attend_all (struct watch *watch)
{
  struct dg_capture *capture = watch->capture;
  bool any = false;

  /* Only this thread removes any.  */
  for (guint i = 0;; i++) {
    struct dg_recording *recording = NULL;

    g_mutex_lock (&capture->lock);
    if (i < capture->recordings->len)
      recording = capture->recordings->pdata[i];
    g_mutex_unlock (&capture->lock);
    if (!recording)
      return any;
    any |= attend (watch, recording);
    if (g_atomic_int_get (&recording->is_done)) {
      bury (capture, recording);
      i--;
    }
  }
}

/* ---- Announced processes ---- */

void
dg_capture_announce (struct dg_capture *capture, uint64_t pid,
                     unsigned seconds)
{
  struct dg_capture_announced announced
    = { pid, g_get_monotonic_time () + seconds * G_USEC_PER_SEC };

  if (dg_capture_find (capture, pid))
    return;
  g_mutex_lock (&capture->lock);
  g_array_append_val (capture->announced, announced);
  g_mutex_unlock (&capture->lock);
}

static void
expire_announced (struct dg_capture *capture, gint64 now)
{
  g_mutex_lock (&capture->lock);
  for (guint i = capture->announced->len; i-- > 0;) {
    const struct dg_capture_announced *announced
      = &g_array_index (capture->announced, struct dg_capture_announced, i);

    if (now > announced->until
        || (kill ((pid_t) announced->pid, 0) < 0 && errno == ESRCH))
      g_array_remove_index_fast (capture->announced, i);
  }
  g_mutex_unlock (&capture->lock);
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
  struct dg_capture *capture = watch->capture;

  g_array_set_size (watch->polled, 0);
  g_ptr_array_set_size (watch->owners, 0);
  add_polled (watch, capture->wake, NULL);
  add_polled (watch, capture->place.watch, NULL);
  g_mutex_lock (&capture->lock);
  for (guint i = 0; i < capture->recordings->len; i++) {
    struct dg_recording *recording = capture->recordings->pdata[i];

    if (recording->pidfd >= 0 && !recording->is_dead
        && !g_atomic_int_get (&recording->is_cut))
      add_polled (watch, recording->pidfd, recording);
  }
  g_mutex_unlock (&capture->lock);
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
      && read (watch->capture->wake, &count, sizeof count) < 0)
    return;
  for (guint i = 2; i < watch->polled->len; i++)
    if (polled[i].revents != 0)
      ((struct dg_recording *) watch->owners->pdata[i])->is_dead = true;
}

static bool
is_idle (struct dg_capture *capture)
{
  bool result;

  g_mutex_lock (&capture->lock);
  result = capture->recordings->len == 0 && capture->announced->len == 0;
  g_mutex_unlock (&capture->lock);
  return result;
}

gpointer
dg_capture_watch (gpointer data)
{
  struct watch watch = { .capture = data };
  struct dg_capture *capture = data;
  gint64 us = SHORT_US;

  watch.polled = g_array_new (FALSE, FALSE, sizeof (struct pollfd));
  watch.owners = g_ptr_array_new ();
  watch.wants = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  while (!g_atomic_int_get (&capture->is_ending) || !is_idle (capture)) {
    gint64 now = g_get_monotonic_time ();

    watch.look = now >= watch.next_look;
    if (watch.look) {
      watch.next_look = now + LOOK_US;
      expire_announced (capture, now);
    }
    answer_all (&watch);
    if (attend_all (&watch))
      us = SHORT_US;
    else
      us = MIN (us + us / 4, LONG_US);
    /* Whatever ends that writes to `wake`.  */
    if (is_idle (capture) && !g_atomic_int_get (&capture->is_ending))
      us = -1;
    sleep_for (&watch, us);
    us = us < 0 ? SHORT_US : us;
  }
  g_array_unref (watch.polled);
  g_ptr_array_unref (watch.owners);
  g_array_unref (watch.wants);
  return NULL;
}
