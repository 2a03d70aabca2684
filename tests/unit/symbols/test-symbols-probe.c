/* test-symbols-probe.c: what is not trusted is read by another process first,
   whatever becomes of that.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols/symbols_private.h"
#include "symbols/symbols_probe.h"
#include "symbols_test.h"
#include "unit_main.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static char *real_probe;   /* what the build has made, or NULL */

/* The name of a script that stands in for the program, to be freed.  */
static char *
script (const char *name, const char *text)
{
  char *path = in_dir (name), *all = g_strconcat ("#!/bin/sh\n", text, NULL);

  g_assert_true (g_file_set_contents (path, all, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
  g_free (all);
  return path;
}

static void
use (const char *name, const char *text)
{
  char *path = script (name, text);

  g_setenv ("DATAGRIND_PROBE", path, TRUE);
  g_free (path);
}

/* A file that came from elsewhere.  */
static int
sealed (const char *text)
{
  int fd = memfd_create ("test", MFD_CLOEXEC);

  g_assert_cmpint (write (fd, text, strlen (text)), ==, strlen (text));
  fd = dg_symbols_sealed (fd);
  g_assert_true (dg_symbols_is_sealed (fd));
  return fd;
}

/* ---- The process ------------------------------------------------------- */

struct end {
  const char *what, *text;
  unsigned wall_seconds;
  size_t n;                /* files of two that it reads */
  const char *why;         /* or NULL */
};

#define FIRST ", which reads it first, "

static const struct end ends[] = {
  {"reads", "printf ..", 300, 2, NULL},
  {"reads one", "printf .; kill -ABRT $$", 300, 1,
   "dg-probe" FIRST "got signal 6"},
  {"crashes", "kill -SEGV $$", 300, 0, "dg-probe" FIRST "got signal 11"},
  {"fails", "exit 1", 300, 0, "dg-probe" FIRST "failed"},
  {"says nothing", "exit 0", 300, 0, "dg-probe" FIRST "failed"},
  {"works without end", "while :; do :; done", 300, 0,
   "dg-probe" FIRST "took too long"},
  {"waits without end", "exec tail -f /dev/null", 1, 0,
   "dg-probe" FIRST "took too long"}
};

static void
test_end (gconstpointer data)
{
  const struct end *end = data;
  const struct dg_symbols_probe_limits limits = {1, end->wall_seconds,
                                         (uint64_t) 1 << 30};
  char *path = script ("end", end->text), *why;
  int fds[2] = {sealed ("a"), sealed ("b")};

  g_assert_cmpuint (dg_symbols_probe_run (path, "mu", fds, &limits, &why),
                    ==, end->n);
  g_assert_cmpstr (why, ==, end->why);
  g_free (why);
  close (fds[0]);
  close (fds[1]);
  g_free (path);
}

/* Whether address space is limited where that is asked for: emulators of
   programs do as if it were.  */
static bool
has_limits (void)
{
  struct rlimit before, wanted, now;
  bool has;

  if (prlimit (0, RLIMIT_AS, NULL, &before) != 0)
    return false;
  wanted = (struct rlimit) {before.rlim_cur / 2, before.rlim_max};
  has = prlimit (0, RLIMIT_AS, &wanted, NULL) == 0
        && prlimit (0, RLIMIT_AS, NULL, &now) == 0
        && now.rlim_cur == wanted.rlim_cur;
  prlimit (0, RLIMIT_AS, &before, NULL);
  return has;
}

/* Address space is not limited where sanitizers take all.  */
static void
test_memory (void)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  g_test_skip ("sanitizers need more address space than any limit");
#else
  const struct dg_symbols_probe_limits limits = {60, 300, (uint64_t) 64 << 20};
  char *path, *why;
  int fd;

  if (!has_limits ()) {
    g_test_skip ("there are no limits of address space here");
    return;
  }
  path = script ("hungry", "s=x; while :; do s=$s$s; done");
  fd = sealed ("a");
  g_assert_cmpuint (dg_symbols_probe_run (path, "m", &fd, &limits, &why),
                    ==, 0);
  g_assert_nonnull (why);
  g_assert_null (strstr (why, "too long"));
  g_free (why);
  close (fd);
  g_free (path);
#endif
}

static void
test_missing (void)
{
  const struct dg_symbols_probe_limits limits = {1, 300, (uint64_t) 1 << 30};
  int fd = sealed ("a");
  char *why;

  g_assert_cmpuint (dg_symbols_probe_run ("/nonexistent", "m", &fd, &limits,
                                          &why),
                    ==, 0);
  g_assert_cmpstr (why, ==, "/nonexistent cannot be started: "
                            "No such file or directory");
  g_free (why);
  close (fd);
}

/* ---- Which files ------------------------------------------------------- */

static void
check_module (int module, int debug, const char *expected)
{
  char *why = dg_symbols_probe_module (module, debug, -1, true);

  g_assert_cmpstr (why, ==, expected);
  g_free (why);
}

static void
test_trusted (void)
{
  int own = memfd_create ("test", MFD_CLOEXEC);
  int foreign = sealed ("trusted");

  use ("crash", "kill -ABRT $$");
  g_assert_false (dg_symbols_is_sealed (own));
  g_assert_false (dg_symbols_is_sealed (-1));
  check_module (own, -1, NULL);
  check_module (own, foreign, "dg-probe" FIRST "got signal 6");
  check_module (foreign, -1, "dg-probe" FIRST "got signal 6");
  g_setenv ("DATAGRIND_PROBE", "no", TRUE);
  check_module (foreign, -1, NULL);
  close (own);
  close (foreign);
}

static void
test_not_started (void)
{
  int fd = sealed ("not started");

  g_setenv ("DATAGRIND_PROBE", "/nonexistent", TRUE);
  check_module (fd, -1,
                "/nonexistent cannot be started: No such file or directory");
  use ("read", "printf .");
  check_module (fd, -1, NULL);
  close (fd);
}

/* The one that ends it is left out, the others are tried again.  */
static void
test_units (void)
{
  int fds[80];
  char *why;

  use ("fifth", "fd=3; letters=$1\n"
                "while [ -n \"$letters\" ]; do\n"
                "  read -r text < /proc/self/fd/$fd\n"
                "  [ \"$text\" != unit-5 ] || kill -ABRT $$\n"
                "  printf .\n"
                "  fd=$((fd + 1)); letters=${letters#?}\n"
                "done");
  for (size_t i = 0; i < 6; i++) {
    char *text = g_strdup_printf ("unit-%zu\n", i + 3);

    fds[i] = sealed (text);
    g_free (text);
  }
  why = dg_symbols_probe_units (fds, 6);
  g_assert_cmpstr (why, ==, "dg-probe" FIRST "got signal 6");
  g_free (why);
  for (size_t i = 0; i < 6; i++) {
    g_assert_cmpint (fds[i] >= 0, ==, i != 2);
    if (fds[i] >= 0)
      close (fds[i]);
  }
  /* More than one process gets.  */
  use ("all", "printf %s \"$1\"");
  for (size_t i = 0; i < G_N_ELEMENTS (fds); i++)
    fds[i] = sealed ("many");
  g_assert_null (dg_symbols_probe_units (fds, G_N_ELEMENTS (fds)));
  for (size_t i = 0; i < G_N_ELEMENTS (fds); i++)
    close (fds[i]);
}

/* ---- Names ------------------------------------------------------------- */

static bool
has_problem (struct dg_symbols *symbols, const char *part)
{
  const char *text;

  for (size_t i = 0; (text = dg_symbols_problem (symbols, i)) != NULL; i++)
    if (strstr (text, part) != NULL)
      return true;
  return false;
}

/* A program that anybody may write.  */
static void
begin_names (struct fixture *f)
{
  char *path = in_dir ("prog");

  g_assert_cmpint (g_chmod (path, 0777), ==, 0);
  g_free (path);
  fixture_init (f, "prog", 0x5000, true);
}

static void
test_names (void)
{
  struct fixture f;
  struct dg_frame frames[8];
  struct dg_variable v;
  uint64_t code, data;

  if (!compile_program ("prog", "-g -O1 -pie -fPIE"))
    return;
  code = address_of ("prog", "main") + 0x5000;
  data = address_of ("prog", "_ZN2ns5tableE") + 0x5000;
  use ("crash", "kill -ABRT $$");
  begin_names (&f);
  g_assert_cmpuint (dg_symbols_frames (f.symbols, code, 1, frames, 8), ==, 1);
  g_assert_null (frames[0].function);
  g_assert_cmpstr (frames[0].module, ==, f.path);
  g_assert_cmpuint (frames[0].module_offset, ==, code - 0x5000);
  g_assert_false (dg_symbols_data (f.symbols, data, 1, 4, &v)
                  && v.type != NULL);
  g_assert_true (has_problem (f.symbols, "got signal 6"));
  fixture_fini (&f);
  if (real_probe == NULL) {
    g_test_skip ("DATAGRIND_PROBE is not set");
    return;
  }
  /* Other contents, which have not been tried.  */
  g_free (shell ("printf x >> prog"));
  g_setenv ("DATAGRIND_PROBE", real_probe, TRUE);
  begin_names (&f);
  dg_symbols_frames (f.symbols, code, 1, frames, 8);
  g_assert_cmpstr (frames[0].function, ==, "main");
  g_assert_cmpint (frames[0].line, >, 0);
  g_assert_true (dg_symbols_data (f.symbols, data, 1, 4, &v));
  g_assert_cmpstr (v.name, ==, "ns::table");
  g_assert_nonnull (v.type);
  g_assert_false (has_problem (f.symbols, "dg-probe"));
  fixture_fini (&f);
}

/* What is about code has been read, what is about types ends it.  */
static void
test_code_only (void)
{
  struct fixture f;
  struct dg_frame frames[8];
  struct dg_variable v;
  uint64_t code, data;

  if (!compile_program ("prog", "-g -O1 -pie -fPIE"))
    return;
  g_free (shell ("printf xx >> prog"));
  code = address_of ("prog", "main") + 0x5000;
  data = address_of ("prog", "_ZN2ns5tableE") + 0x5000;
  use ("code", "case $1 in c*) printf .;; *) kill -SEGV $$;; esac");
  begin_names (&f);
  dg_symbols_frames (f.symbols, code, 1, frames, 8);
  g_assert_cmpstr (frames[0].function, ==, "main");
  g_assert_false (has_problem (f.symbols, "dg-probe"));
  g_assert_false (dg_symbols_data (f.symbols, data, 1, 4, &v)
                  && v.type != NULL);
  g_assert_true (has_problem (f.symbols, "got signal 11"));
  dg_symbols_frames (f.symbols, code + 1, 1, frames, 8);
  g_assert_cmpstr (frames[0].function, ==, "main");
  fixture_fini (&f);
}

static int
run_tests (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("DEBUGINFOD_URLS");
  real_probe = g_strdup (g_getenv ("DATAGRIND_PROBE"));
  work_dir = g_dir_make_tmp ("test-symbols-probe-XXXXXX", NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (ends); i++) {
    char *name = g_strdup_printf ("/probe/end/%s", ends[i].what);

    g_test_add_data_func (name, &ends[i], test_end);
    g_free (name);
  }
  g_test_add_func ("/probe/memory", test_memory);
  g_test_add_func ("/probe/missing", test_missing);
  g_test_add_func ("/probe/trusted", test_trusted);
  g_test_add_func ("/probe/not-started", test_not_started);
  g_test_add_func ("/probe/units", test_units);
  g_test_add_func ("/probe/names", test_names);
  g_test_add_func ("/probe/code-only", test_code_only);
  status = g_test_run ();
  g_free (shell ("rm -rf \"%s\"", work_dir));
  g_free (work_dir);
  g_free (real_probe);
  return status;
}

UNIT_MAIN (run_tests)
