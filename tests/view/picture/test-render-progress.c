/* test-render-progress.c: how far --render is, on a terminal.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "plot/render_progress.h"
#include "unit_main.h"

#include <stdlib.h>
#include <unistd.h>

/* What `tell` puts out on standard error.  */
static char *
said (void (*tell) (void))
{
  char *text;
  char name[] = "progress.XXXXXX";
  int file = mkstemp (name), kept = dup (STDERR_FILENO);
  g_assert_cmpint (file, >=, 0);
  dup2 (file, STDERR_FILENO);
  tell ();
  dup2 (kept, STDERR_FILENO);
  g_assert_true (g_file_get_contents (name, &text, NULL, NULL));
  unlink (name);
  close (file);
  close (kept);
  return text;
}

/* As if it had begun that long ago.  */
static void
start (struct dv_render_progress *self, unsigned seconds)
{
  dv_render_progress_start (self);
  self->is_terminal = true;
  self->start -= seconds * G_USEC_PER_SEC;
  self->step_start = self->start;
}

static void
tell_long (void)
{
  struct dv_render_progress self;
  start (&self, 100);
  g_assert_cmpint (dv_render_progress_tell (&self, 25, 100), ==, 0);
  dv_render_progress_clear (&self);
  dv_render_progress_clear (&self);
}

static void
tell_second_step (void)
{
  struct dv_render_progress self;
  start (&self, 100);
  self.done = 100;
  g_assert_cmpint (dv_render_progress_tell (&self, 1, 100), ==, 0);
  dv_render_progress_clear (&self);
}

static void
tell_short (void)
{
  struct dv_render_progress self;
  start (&self, 0);
  for (uint64_t i = 0; i <= 100; i++)
    g_assert_cmpint (dv_render_progress_tell (&self, i, 100), ==, 0);
  dv_render_progress_clear (&self);
  /* Nothing is known yet, or there is nothing.  */
  start (&self, 100);
  g_assert_cmpint (dv_render_progress_tell (&self, 0, 100), ==, 0);
  g_assert_cmpint (dv_render_progress_tell (&self, 0, 0), ==, 0);
  dv_render_progress_clear (&self);
}

static void
tell_no_terminal (void)
{
  struct dv_render_progress self;
  start (&self, 100);
  self.is_terminal = false;
  g_assert_cmpint (dv_render_progress_tell (&self, 25, 100), ==, 0);
  dv_render_progress_clear (&self);
}

static void
test_said (void)
{
  char *text = said (tell_long);
  /* 300 s, and thrice what this machine took since.  */
  g_assert_true (g_regex_match_simple (
    "^\\rdg_view:  25 %, [3-9][0-9][0-9] s left\\x1b\\[K\\r\\x1b\\[K$", text,
    0, 0));
  g_free (text);
  /* The time that reading took says nothing about drawing.  */
  text = said (tell_second_step);
  g_assert_cmpstr (text, ==, "\rdg_view:   1 %, 0 s left\033[K\r\033[K");
  g_free (text);
}

static void
test_silent (void)
{
  char *text = said (tell_short);
  g_assert_cmpstr (text, ==, "");
  g_free (text);
  text = said (tell_no_terminal);
  g_assert_cmpstr (text, ==, "");
  g_free (text);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render-progress/said", test_said);
  g_test_add_func ("/render-progress/silent", test_silent);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
