/* faults_recorder.c: in place of Valgrind with exp-datagrind: sends a raw log
   through the ring of dg record, and exits as the recorded program would.

   faults_recorder ... --datagrind-ring=DIR ... -- LOG

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "unit/capture/fake_ring.h"

/* Whether there is an answer that there is none.  */
static bool
is_refused (const char *folder)
{
  char *name = g_strdup_printf ("%s/%d.none", folder, (int) getpid ());
  bool is = g_file_test (name, G_FILE_TEST_EXISTS)
            || !g_file_test (folder, G_FILE_TEST_IS_DIR);

  g_free (name);
  return is;
}

static bool
is_there (const char *folder)
{
  char *name = g_strdup_printf ("%s/%d.ring", folder, (int) getpid ());
  bool is = g_file_test (name, G_FILE_TEST_EXISTS);

  g_free (name);
  return is;
}

/* As exp-datagrind does if there is no answer yet.  */
static void
ask (const char *folder)
{
  char *name = g_strdup_printf ("%s/%d.want", folder, (int) getpid ());

  close (open (name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  g_free (name);
}

int
main (int argc, char **argv)
{
  static const char option[] = "--datagrind-ring=";
  const char *folder = NULL, *path = argv[argc - 1];
  struct fake_ring *ring;
  GByteArray *log;
  char *bytes;
  gsize n;

  /* A program outlives a packer that is killed; this one must not, since
     nobody waits for it.  */
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  for (int i = 1; i < argc; i++)
    if (g_str_has_prefix (argv[i], option))
      folder = argv[i] + strlen (option);
  if (folder == NULL || !g_file_get_contents (path, &bytes, &n, NULL))
    return 125;
  if (!is_there (folder))
    ask (folder);
  while (!is_there (folder)) {
    if (is_refused (folder))
      return 1;
    g_usleep (500);
  }
  ring = fake_ring_open (folder, (uint64_t) getpid ());
  log = g_byte_array_new_take ((guint8 *) bytes, n);
  fake_ring_put_log (ring, log);
  fake_ring_close (ring);
  return 0;
}
