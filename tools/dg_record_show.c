/* dg_record_show.c: what `dg record` says: a line of progress on a terminal,
   a line for each archive, and whatever goes wrong.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "record.h"

#include "output.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

void
record_show_init (struct record_show *show,
                  const struct record_options *options)
{
  *show = (struct record_show){.options = options};
  g_mutex_init (&show->lock);
  show->is_terminal = isatty (STDERR_FILENO);
  show->start = show->last = g_get_monotonic_time ();
}

/* With the lock held.  */
static void
clear_line (struct record_show *show)
{
  if (show->is_shown)
    fputs ("\r\033[K", stderr);
  show->is_shown = false;
}

/* Takes the text over.  */
static void
print_line (struct record_show *show, char *text)
{
  char *safe = output_printable (text);

  g_mutex_lock (&show->lock);
  clear_line (show);
  fprintf (stderr, "dg: %s\n", safe);
  g_mutex_unlock (&show->lock);
  g_free (safe);
  g_free (text);
}

void
record_show_message (struct record_show *show, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  print_line (show, g_strdup_vprintf (format, args));
  va_end (args);
}

void
record_show_fini (struct record_show *show)
{
  g_mutex_lock (&show->lock);
  clear_line (show);
  g_mutex_unlock (&show->lock);
  g_mutex_clear (&show->lock);
}

static double
seconds_of (const struct timeval *time)
{
  return (double) time->tv_sec + (double) time->tv_usec / 1e6;
}

/* Bytes, for people; to be freed.  */
static char *
format_size (uint64_t bytes)
{
  if (bytes < 1 << 20)
    return g_strdup_printf ("%.1f KiB", (double) bytes / 1024);
  return g_strdup_printf ("%.1f MiB", (double) bytes / 1024 / 1024);
}

/* ---- Archives --------------------------------------------------------- */

static void
show_ended (struct record_show *show,
            const struct dg_capture_recording *recording)
{
  double seconds = (double) (g_get_monotonic_time () - show->start) / 1e6;
  char *size = g_format_size_full (recording->bytes, G_FORMAT_SIZE_IEC_UNITS);
  struct rusage usage;

  record_show_message (show,
                       "%s: %" PRIu64 " accesses, %s, %.2f bytes/access, %.1f"
                       " s%s",
                       recording->path, recording->accesses, size,
                       recording->accesses > 0
                         ? (double) recording->bytes
                             / (double) recording->accesses
                         : 0.0,
                       seconds, recording->is_whole ? "" : ", incomplete");
  g_free (size);
  if (!show->options->verbose || getrusage (RUSAGE_SELF, &usage) < 0)
    return;
  record_show_message (
    show,
    "%s: %" PRIu64 " waits for a full ring of %" PRIu64
    " MiB, %.2f s; packer %.2f s of processor time, peak memory %ld MiB",
    recording->path, recording->ring_waits, recording->ring_bytes >> 20,
    (double) recording->ring_waited_us / 1e6,
    seconds_of (&usage.ru_utime) + seconds_of (&usage.ru_stime),
    usage.ru_maxrss >> 10);
}

void
record_show_event (struct record_show *show,
                   const struct dg_capture_event *event)
{
  const struct record_options *options = show->options;

  switch (event->type) {
  case DG_CAPTURE_BEGUN:
    break;
  case DG_CAPTURE_WARNING:
    record_show_message (show, "%s", event->text);
    break;
  case DG_CAPTURE_FAILED:
    g_mutex_lock (&show->lock);
    show->n_problems++;
    g_mutex_unlock (&show->lock);
    record_show_message (show, "%s", event->text);
    break;
  case DG_CAPTURE_ENDED:
    if (options->verbose || (show->is_terminal && !options->quiet))
      show_ended (show, event->recording);
    break;
  }
}

/* ---- Progress --------------------------------------------------------- */

void
record_show_progress (struct record_show *show,
                      const struct dg_capture_status *status)
{
  gint64 now = g_get_monotonic_time ();
  double interval = (double) (now - show->last) / 1e6;
  char *size;

  /* In the background the terminal is somebody else's.  */
  if (!show->is_terminal || show->options->quiet || interval <= 0
      || tcgetpgrp (STDERR_FILENO) != getpgrp ())
    return;
  size = format_size (status->bytes);
  g_mutex_lock (&show->lock);
  fprintf (stderr, "\rdg: %.1f M accesses, %s, %.0f M/s, %.1f s\033[K",
           (double) status->accesses / 1e6, size,
           (double) (status->accesses - show->last_accesses) / interval / 1e6,
           (double) (now - show->start) / 1e6);
  fflush (stderr);
  show->is_shown = true;
  g_mutex_unlock (&show->lock);
  show->last = now;
  show->last_accesses = status->accesses;
  g_free (size);
}

void
record_show_waiting (struct record_show *show, size_t n)
{
  if (show->is_terminal && !show->options->quiet)
    record_show_message (show,
                         "the program has ended; %zu of its processes %s still"
                         " recorded (interrupt to stop that)",
                         n, n == 1 ? "is" : "are");
}
