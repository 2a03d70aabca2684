/* page_plot.c: the picture of addresses against instructions.

   dg_view draws it, in a process of its own: dg needs neither its libraries
   nor its display.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "page_parts.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#define SIZE "1600x800"

/* $DG_VIEW, the one beside dg, or that of $PATH; to be freed.  NULL: there is
   none.  */
static char *
find_viewer (void)
{
  const char *given = g_getenv ("DG_VIEW");
  char *self, *folder, *path;

  if (given != NULL && given[0] != '\0')
    return g_strdup (given);
  self = g_file_read_link ("/proc/self/exe", NULL);
  folder = self != NULL ? g_path_get_dirname (self) : g_strdup (".");
  path = g_build_filename (folder, "dg_view", NULL);
  if (!g_file_test (path, G_FILE_TEST_IS_EXECUTABLE)
      || g_file_test (path, G_FILE_TEST_IS_DIR)) {
    g_free (path);
    path = g_find_program_in_path ("dg_view");
  }
  g_free (self);
  g_free (folder);
  return path;
}

/* dg blocks signals that it waits for; the viewer must not.  */
static void
unblock_signals (gpointer unused)
{
  sigset_t none;

  (void) unused;
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
}

/* How often the viewer is looked after.  */
#define POLL_US 20000

/* Runs the viewer to its end, or ends it if the user wants no more.  False:
   it was not run, or was ended.  */
static bool
run_viewer (const char *const *argv, struct interrupt *interrupt)
{
  GPid pid;
  uint64_t turns = 0;

  if (!g_spawn_async (NULL, (char **) argv, NULL,
                      G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL
                        | G_SPAWN_STDERR_TO_DEV_NULL,
                      unblock_signals, NULL, &pid, NULL))
    return false;
  while (waitpid (pid, NULL, WNOHANG) == 0) {
    if (interrupt_progress_fn (interrupt, turns++, UINT64_MAX) != 0) {
      kill (pid, SIGKILL);
      waitpid (pid, NULL, 0);
      return false;
    }
    g_usleep (POLL_US);
  }
  return true;
}

/* NULL: it cannot be drawn.  */
static GBytes *
draw (const char *viewer, const char *theme, const char *path,
      struct interrupt *interrupt)
{
  char *folder = g_dir_make_tmp ("dg-report-XXXXXX", NULL), *file, *render;
  char *themed = g_strconcat ("--theme=", theme, NULL), *contents = NULL;
  GBytes *bytes = NULL;
  gsize n;

  if (folder == NULL) {
    g_free (themed);
    return NULL;
  }
  cli_progress_phase (interrupt->progress, "picture", PAGE_WORK_PICTURE);
  file = g_build_filename (folder, "plot.png", NULL);
  render = g_strconcat ("--render=", file, NULL);
  {
    const char *argv[] = {viewer, "--quick", "--size=" SIZE, themed, render,
                          "--", path, NULL};

    /* A damaged log is drawn as far as it goes, and is an error there.  */
    if (run_viewer (argv, interrupt)
        && g_file_get_contents (file, &contents, &n, NULL))
      bytes = g_bytes_new_take (contents, n);
  }
  g_unlink (file);
  g_rmdir (folder);
  g_free (render);
  g_free (file);
  g_free (folder);
  g_free (themed);
  return bytes;
}

static void
put_bytes (GString *page, GBytes *bytes)
{
  gsize n;
  const void *data = g_bytes_get_data (bytes, &n);

  page_data (page, "image/png", data, n);
}

int
page_plot (GString *page, const char *path, struct interrupt *interrupt)
{
  char *viewer = find_viewer ();
  GBytes *light =
    viewer != NULL ? draw (viewer, "light", path, interrupt) : NULL;
  GBytes *dark = light != NULL ? draw (viewer, "dark", path, interrupt) : NULL;

  if (light == NULL) {
    page_html (page, "<p class=\"faint\">There is no picture: dg_view, which"
                     " draws it, was not found or failed.</p>\n");
  } else {
    page_html (page, "<figure><picture>");
    if (dark != NULL) {
      page_html (page, "<source media=\"(prefers-color-scheme: dark)\""
                       " srcset=\"");
      put_bytes (page, dark);
      page_html (page, "\">");
    }
    page_html (page, "<img width=\"1600\" height=\"800\" alt=\"Accesses: the"
                     " address across, instructions downwards; reads and"
                     " writes by colour\" src=\"");
    put_bytes (page, light);
    page_html (page, "\"></picture><figcaption>Each access by its address and"
                     " the instruction count; dg_view shows who made"
                     " it.</figcaption></figure>\n");
  }
  g_clear_pointer (&light, g_bytes_unref);
  g_clear_pointer (&dark, g_bytes_unref);
  g_free (viewer);
  return g_atomic_int_get (&interrupt->is_cancelled) ? CLI_FAILURE : CLI_OK;
}
