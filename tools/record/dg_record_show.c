/* dg_record_show.c: what `dg record` says: whatever goes wrong, a line of
   progress for who asks for it, and in the end what was recorded and what to
   do with it.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "record.h"

#include "base/output.h"
#include "base/printable.h"

#include <glib/gstdio.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define TERMINAL_MS 200
#define LINES_MS    10000
/* Of programs with many children.  */
#define SHOWN_MAX   10

/* One that is closed.  */
struct record_archive {
  uint64_t pid, accesses, bytes, ring_bytes, waits, waited_us;
  char *path;
  gint64 us; /* since the start */
  bool is_whole;
};

static void
clear_archive (gpointer data)
{
  struct record_archive *archive = data;

  g_free (archive->path);
}

void
record_show_init (struct record_show *show,
                  const struct record_options *options)
{
  *show = (struct record_show){.options = options};
  g_mutex_init (&show->lock);
  show->is_terminal = isatty (STDERR_FILENO);
  show->start = show->last = g_get_monotonic_time ();
  show->ended = g_array_new (FALSE, FALSE, sizeof (struct record_archive));
  g_array_set_clear_func (show->ended, clear_archive);
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
  char *safe = printable_text (text);

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
  g_array_unref (show->ended);
}

static gint64
us_of (const struct timeval *time)
{
  return (gint64) time->tv_sec * G_USEC_PER_SEC + time->tv_usec;
}

static uint64_t
ns_of (gint64 us)
{
  return (uint64_t) MAX (us, 0) * 1000;
}

/* ---- Archives --------------------------------------------------------- */

/* Says which instruction killed a program, if Valgrind did not know it.  */
static void
show_undecoded (struct record_show *show, const char *path)
{
  struct dg_error error;
  struct dg_log *log;
  char *text = NULL, *shown;

  if (dg_log_open (path, &log, &error) < 0)
    return;
  dg_log_set_blocks (log, DG_BLOCKS_NONE, NULL);
  if (dg_log_load (log, 1, NULL, NULL, &error) == 0)
    text = dg_undecoded_text (log);
  if (text != NULL) {
    shown = printable_text (text);
    record_show_message (show, "%s: %s", path, shown);
    g_free (shown);
  }
  g_free (text);
  dg_log_close (log);
}

static void
note_ended (struct record_show *show,
            const struct dg_capture_recording *recording)
{
  struct record_archive archive = {
    .pid = recording->pid,
    .accesses = recording->accesses,
    .bytes = recording->bytes,
    .ring_bytes = recording->ring_bytes,
    .waits = recording->ring_waits,
    .waited_us = recording->ring_waited_us,
    .path = g_strdup (recording->path),
    .us = g_get_monotonic_time () - show->start,
    .is_whole = recording->is_whole};

  if (recording->signal == SIGILL)
    show_undecoded (show, recording->path);
  g_mutex_lock (&show->lock);
  g_array_append_val (show->ended, archive);
  g_mutex_unlock (&show->lock);
}

void
record_show_event (struct record_show *show,
                   const struct dg_capture_event *event)
{
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
    note_ended (show, event->recording);
    break;
  }
}

/* "1,234 accesses, 5.61 MiB, 420 ms"; to be freed.  */
static char *
figures (uint64_t accesses, uint64_t bytes, gint64 us)
{
  char number[DG_NUMBER_TEXT], size[DG_NUMBER_TEXT], time[DG_NUMBER_TEXT];

  dg_number_text (number, sizeof number, accesses);
  dg_number_text_bytes (size, sizeof size, bytes);
  dg_number_text_ns (time, sizeof time, ns_of (us));
  return g_strdup_printf ("%s %s, %s, %s", number,
                          accesses == 1 ? "access" : "accesses", size, time);
}

/* What --verbose adds to them.  */
static void
show_details (struct record_show *show, const struct record_archive *archive)
{
  char each[DG_NUMBER_TEXT], ring[DG_NUMBER_TEXT], waited[DG_NUMBER_TEXT];
  char *waits = printable_number (archive->waits);

  dg_number_text_real (each, sizeof each,
                       archive->accesses > 0
                         ? (double) archive->bytes
                             / (double) archive->accesses
                         : 0.0, 2);
  dg_number_text_bytes (ring, sizeof ring, archive->ring_bytes);
  dg_number_text_ns (waited, sizeof waited, ns_of (archive->waited_us));
  record_show_message (show, "%s: %s bytes/access, %s %s for a full ring of "
                             "%s, %s",
                       archive->path, each, waits,
                       archive->waits == 1 ? "wait" : "waits", ring, waited);
  g_free (waits);
}

/* "5,678 instructions, 2 threads, " as the archive has it, or ""; to be
   freed.  */
static char *
more_figures (const char *path)
{
  char number[DG_NUMBER_TEXT];
  const struct dg_summary *summary;
  struct dg_error error;
  struct dg_log *log;
  char *text;

  if (dg_log_open (path, &log, &error) < 0)
    return g_strdup ("");
  dg_log_set_blocks (log, DG_BLOCKS_NONE, NULL);
  if (dg_log_load_summary (log, 1, NULL, NULL, &error) < 0) {
    dg_log_close (log);
    return g_strdup ("");
  }
  summary = dg_log_summary (log);
  dg_number_text (number, sizeof number, summary->instructions);
  text = g_strdup_printf ("%s %s, %" PRIu64 " %s, ", number,
                          summary->instructions == 1 ? "instruction"
                                                     : "instructions",
                          summary->threads,
                          summary->threads == 1 ? "thread" : "threads");
  dg_log_close (log);
  return text;
}

static void
show_archive (struct record_show *show, const struct record_archive *archive)
{
  char *text = figures (archive->accesses, archive->bytes, archive->us);
  /* Of one that is not whole, all would have to be read.  */
  char *more = archive->is_whole ? more_figures (archive->path)
                                 : g_strdup ("");

  record_show_message (show, "%s: %s%s%s", archive->path, more, text,
                       archive->is_whole ? "" : ", incomplete");
  g_free (more);
  if (show->options->verbose)
    show_details (show, archive);
  g_free (text);
}

static void
show_packer (struct record_show *show)
{
  char time[DG_NUMBER_TEXT], memory[DG_NUMBER_TEXT];
  struct rusage usage;

  if (!show->options->verbose || getrusage (RUSAGE_SELF, &usage) != 0)
    return;
  dg_number_text_ns (time, sizeof time,
                     ns_of (us_of (&usage.ru_utime)
                            + us_of (&usage.ru_stime)));
  dg_number_text_bytes (memory, sizeof memory,
                        (uint64_t) usage.ru_maxrss << 10);
  record_show_message (show, "packer: %s of processor time, peak memory %s",
                       time, memory);
}

/* As a shell takes it; to be freed.  */
static char *
quoted (const char *path)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:=+@%-";

  return path[0] != '-' && path[strspn (path, plain)] == '\0'
           ? g_strdup (path)
           : g_shell_quote (path);
}

/* The one to look at: of a shell and what it has started, that is not the
   shell.  */
static const struct record_archive *
busiest (const struct record_archive *archives, guint n)
{
  const struct record_archive *most = archives;

  for (guint i = 1; i < n; i++)
    if (archives[i].accesses > most->accesses)
      most = &archives[i];
  return most;
}

static void
show_next (struct record_show *show, const struct record_archive *archive)
{
  char *path = quoted (archive->path);

  record_show_message (show, "next: dg advise %s", path);
  record_show_message (show, "  or: dg_view %s", path);
  g_free (path);
}

void
record_show_summary (struct record_show *show, pid_t program)
{
  const struct record_options *options = show->options;
  const struct record_archive *archive = (void *) show->ended->data, *first;
  guint n = show->ended->len, shown = 0;
  bool is_long = options->verbose;

  if (n == 0 || !(is_long || (show->is_terminal && !options->quiet)))
    return;
  first = archive;
  for (guint i = 0; i < n; i++)
    if (archive[i].pid == (uint64_t) program) {
      first = archive + i;
      break;
    }
  show_archive (show, first);
  for (guint i = 0; i < n && (is_long || shown < SHOWN_MAX - 1); i++)
    if (archive + i != first) {
      show_archive (show, archive + i);
      shown++;
    }
  if (shown + 1 < n) {
    char *more = printable_number (n - shown - 1);

    record_show_message (show, "and %s more %s", more,
                         n - shown - 1 == 1 ? "archive" : "archives");
    g_free (more);
  }
  show_packer (show);
  if (show->is_terminal && !options->quiet)
    show_next (show, busiest (archive, n));
}

/* ---- Progress --------------------------------------------------------- */

int
record_show_interval (const struct record_show *show)
{
  return !show->options->progress ? -1
         : show->is_terminal ? TERMINAL_MS : LINES_MS;
}

void
record_show_progress (struct record_show *show,
                      const struct dg_capture_status *status)
{
  gint64 now = g_get_monotonic_time ();
  double interval = (double) (now - show->last) / 1e6;
  char speed[DG_NUMBER_TEXT];
  char *text;

  if (interval <= 0)
    return;
  /* In the background the terminal is somebody else's.  */
  if (show->is_terminal && tcgetpgrp (STDERR_FILENO) != getpgrp ())
    return;
  text = figures (status->accesses, status->bytes, now - show->start);
  g_mutex_lock (&show->lock);
  dg_number_text_about (
    speed, sizeof speed,
    (uint64_t) ((double) (status->accesses - show->last_accesses)
                / interval));
  fprintf (stderr, "%sdg: %s, %s accesses/s%s",
           show->is_terminal ? "\r" : "", text, speed,
           show->is_terminal ? "\033[K" : "\n");
  fflush (stderr);
  show->is_shown = show->is_terminal;
  g_mutex_unlock (&show->lock);
  show->last = now;
  show->last_accesses = status->accesses;
  g_free (text);
}

void
record_show_bundle (struct record_show *show)
{
  for (guint i = 0; i < show->ended->len; i++) {
    struct record_archive *archive =
      &g_array_index (show->ended, struct record_archive, i);
    GStatBuf status;

    if (!record_bundle (archive->path))
      show->n_problems++;
    else if (g_stat (archive->path, &status) == 0)
      archive->bytes = (uint64_t) status.st_size;
  }
}

void
record_show_waiting (struct record_show *show, size_t n)
{
  if (show->is_terminal && !show->options->quiet)
    record_show_message (show,
                         "the program has ended; %zu of its processes %s "
                         "still being recorded (Ctrl+C to stop)",
                         n, n == 1 ? "is" : "are");
}
