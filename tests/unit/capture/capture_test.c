/* capture_test.c: what the tests of the capture share

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "capture_test.h"

#include <glib/gstdio.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "describe.h"

static void
on_event (void *user, const struct dg_capture_event *event)
{
  struct capture_test *test = user;

  g_mutex_lock (&test->lock);
  if (event->text)
    g_string_append_printf (test->events, "%s\n", event->text);
  test->n_failed += event->type == DG_CAPTURE_FAILED;
  test->n_ended += event->type == DG_CAPTURE_ENDED;
  if (event->type == DG_CAPTURE_ENDED) {
    test->is_whole = event->recording->is_whole;
    /* Who waits until none is active must not miss this.  */
    g_assert_cmpuint (capture_test_active (test), >, 0);
  }
  g_cond_broadcast (&test->told);
  g_mutex_unlock (&test->lock);
}

/* options: NULL, or what differs from the usual.  */
void
capture_test_begin (struct capture_test *test,
                    const struct dg_capture_options *options)
{
  struct dg_capture_options own = {.size = sizeof own};
  struct dg_error error = { 0 };
  char *output;

  if (options)
    own = *options;
  *test = (struct capture_test) { 0 };
  g_mutex_init (&test->lock);
  g_cond_init (&test->told);
  test->events = g_string_new (NULL);
  test->folder = g_dir_make_tmp ("dg-test-XXXXXX", NULL);
  output = g_build_filename (test->folder,
                             own.output ? own.output : "log.dgz", NULL);
  own.output = output;
  own.directory = test->folder;
  if (own.ring_bytes == 0)
    own.ring_bytes = DG_RING_MIN;
  if (own.workers == 0)
    own.workers = 2;
  own.event = on_event;
  own.user = test;
  test->capture = dg_capture_new (&own, &error);
  g_assert_cmpstr (error.message, ==, "");
  g_assert_nonnull (test->capture);
  g_free (output);
}

size_t
capture_test_active (struct capture_test *test)
{
  struct dg_capture_status status = {.size = sizeof status};

  dg_capture_status (test->capture, &status);
  return status.active;
}

void
capture_test_wait_event (struct capture_test *test, const unsigned *count)
{
  gint64 end = g_get_monotonic_time () + 600 * G_TIME_SPAN_SECOND;

  g_mutex_lock (&test->lock);
  while (*count == 0)
    g_assert_true (g_cond_wait_until (&test->told, &test->lock, end));
  g_mutex_unlock (&test->lock);
}

char *
capture_test_events (struct capture_test *test)
{
  char *text;

  g_mutex_lock (&test->lock);
  text = g_strdup (test->events->str);
  g_mutex_unlock (&test->lock);
  return text;
}

/* Until so many are active.  */
void
capture_test_wait (struct capture_test *test, size_t n)
{
  for (int i = 0; i < 600000 && capture_test_active (test) != n; i++)
    g_usleep (1000);
  g_assert_cmpuint (capture_test_active (test), ==, n);
}

void
capture_test_end (struct capture_test *test)
{
  GDir *dir;
  const char *name;

  dg_capture_free (test->capture);
  dir = g_dir_open (test->folder, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL) {
    char *path = g_build_filename (test->folder, name, NULL);

    /* Archives only: the private folder is gone.  */
    g_assert_true (g_str_has_suffix (name, ".dgz"));
    g_unlink (path);
    g_free (path);
  }
  g_dir_close (dir);
  g_assert_cmpint (g_rmdir (test->folder), ==, 0);
  g_free (test->folder);
  g_string_free (test->events, TRUE);
  g_cond_clear (&test->told);
  g_mutex_clear (&test->lock);
}

/* A process that lives until it is killed.  */
pid_t
capture_test_start (void)
{
  pid_t parent = getpid (), pid = fork ();

  if (pid == 0) {
    /* A test that fails leaves none behind: who reads its output would wait
       for them.  */
    prctl (PR_SET_PDEATHSIG, SIGKILL);
    while (getppid () == parent)
      pause ();
    _exit (0);
  }
  g_assert_cmpint (pid, >, 0);
  return pid;
}

void
capture_test_kill (pid_t pid)
{
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}

struct fake_ring *
capture_test_expect (struct capture_test *test, pid_t pid)
{
  struct dg_error error = { 0 };
  struct fake_ring *ring;

  dg_capture_expect (test->capture, pid, &error);
  g_assert_cmpstr (error.message, ==, "");
  ring = fake_ring_open (dg_capture_directory (test->capture), pid);
  g_assert_nonnull (ring);
  return ring;
}

struct dg_log *
capture_test_open (struct capture_test *test, const char *name,
                   int expected_code)
{
  char *path = g_build_filename (test->folder, name, NULL);
  struct dg_error error = { 0 };
  struct dg_log *log;
  int code = dg_log_open (path, &log, &error);

  g_assert_cmpstr (error.message, ==, "");
  g_assert_cmpint (code, ==, 0);
  code = dg_log_load (log, 2, NULL, NULL, &error);
  if (code != expected_code)
    g_error ("%s: %s", path, error.message);
  g_free (path);
  return log;
}

/* Numbers that no packer foresees.  */
static uint32_t
scatter (uint32_t i)
{
  i = (i ^ i >> 15) * 2246822519u;
  i = (i ^ i >> 13) * 3266489917u;
  return i ^ i >> 16;
}

/* A long log of n times 1000 runs: many chunks, many times around the smallest
   ring.  The text repeats, so that it is not as long.  */
GString *
capture_test_long_text (unsigned n, const char *last)
{
  GString *text = g_string_new (PROCESS);

  for (unsigned i = 0; i < n; i++) {
    unsigned block = i % 40;

    if (i < 40)
      g_string_append_printf (text, "bbdef [0x%x+4] [R8@0 W8@0]\n"
                              "context %u [0x%x 0x123 0x%x]\n",
                              0x400000 + 16 * block, block,
                              0x400000 + 16 * block, i);
    g_string_append_printf (text, "thread_switch %u\nrepeat 10\n"
                            "malloc_block 0x%x 16 [0x400000]\n"
                            "heap_alloc %u 1 1 24 0 0\n",
                            1 + i % 3, 0x100000 + i, i + 1);
    for (unsigned j = 100 * i; j < 100 * (i + 1); j++)
      g_string_append_printf (text, "bbrun %u 1 [0x%x 0x%x]\n", block,
                              0x10000000 + 8 * j,
                              0x20000000 + scatter (j) % (1 << 24));
    g_string_append (text, "done\n");
  }
  g_string_append (text, last);
  return text;
}

void
capture_test_ask (struct capture_test *test, pid_t pid)
{
  char *want = dg_ring_folder_file (&test->capture->all.folder, pid, "want");

  g_assert_true (g_file_set_contents (want, "", 0, NULL));
  g_free (want);
}

/* ---- Comparing ---- */

/* The line of a text that has this byte; to be freed.  */
static char *
line_at (const char *text, size_t at)
{
  size_t start = at;

  while (start > 0 && text[start - 1] != '\n')
    start--;
  return g_strndup (text + start, at - start + strcspn (text + at, "\n"));
}

/* Frees both.  Of long texts, the first lines that differ are shown.  */
static void
compare_texts (char *a, char *b)
{
  size_t at = 0;

  while (a[at] && a[at] == b[at])
    at++;
  if (a[at] != b[at]) {
    char *line = line_at (a, at), *other = line_at (b, at);

    g_assert_cmpstr (line, ==, other);
  }
  g_free (a);
  g_free (b);
}

/* Where chunks begin is the one thing that may differ.  */
static char *
contents (const struct dg_log *log)
{
  char *text = describe_contents (log, false);
  char *chunks = strstr (text, "\nchunk ");

  g_assert_nonnull (chunks);
  chunks[1] = '\0';
  return text;
}

void
capture_test_compare (const struct dg_log *log, const struct dg_log *other)
{
  compare_texts (contents (log), contents (other));
  compare_texts (describe_accesses (log), describe_accesses (other));
}
