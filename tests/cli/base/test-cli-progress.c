/* test-cli-progress.c: the share and the rest of a command's work, with a
   clock that the test makes up.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <unistd.h>

#include "base/cli_progress.h"

#define STEPS 50

struct phase {
  const char *name;
  double work;             /* as planned */
  double seconds;          /* that it takes */
};

/* How far estimates were from the true rest: the largest factor.  */
struct worst {
  double above, below, share;
};

static void
begin (struct cli_progress *progress)
{
  cli_progress_init (progress, "log");
  progress->is_terminal = true;
  /* The clock of the test has not yet come so far that a line is shown.  */
  progress->start_us = g_get_monotonic_time () + 1000 * G_USEC_PER_SEC;
}

static void
compare (const struct cli_progress *progress, double now, double all,
         struct worst *worst)
{
  gint64 now_us = progress->start_us + (gint64) (now * 1e6);
  double left = cli_progress_left (progress, now_us), rest = all - now;
  double share = cli_progress_share (progress);

  g_assert_cmpfloat (share, >=, worst->share - 1e-9);
  g_assert_cmpfloat (share, <=, 1 + 1e-9);
  worst->share = share;
  if (rest > 0.02 * all) {
    g_assert_cmpfloat (left, >=, 0);
    worst->above = MAX (worst->above, left / rest);
    worst->below = MAX (worst->below, rest / MAX (left, 1e-9));
  }
}

/* Runs the phases, one after the other, from the second `*now` on.  */
static void
run_phases (struct cli_progress *progress, const struct phase *phases,
            size_t n, double *now, double all, struct worst *worst)
{
  double work = 0;

  for (size_t i = 0; i < n; i++)
    work += phases[i].work;
  cli_progress_expect (progress, work);
  for (size_t i = 0; i < n; i++) {
    cli_progress_phase (progress, phases[i].name, phases[i].work);
    for (unsigned k = 1; k <= STEPS; k++) {
      *now += phases[i].seconds / STEPS;
      cli_progress_fn (progress, k, STEPS);
      compare (progress, *now, all, worst);
      g_assert_cmpstr (progress->phase, ==, phases[i].name);
    }
  }
}

/* If the work is what was planned, the estimate is right at every moment,
   whichever phase it is.  */
static void
test_uniform (void)
{
  static const struct phase phases[] = {
    {"opening", 0.1, 1}, {"analysing", 6, 60}, {"blocks", 1, 10},
    {"repairs", 0.05, 0.5}, {"repairs", 0.05, 0.5}};
  struct worst worst = {0, 0, 0};
  struct cli_progress progress;
  double now = 0;

  begin (&progress);
  run_phases (&progress, phases, G_N_ELEMENTS (phases), &now, 72, &worst);
  g_assert_cmpfloat (worst.above, <, 1.001);
  g_assert_cmpfloat (worst.below, <, 1.001);
  g_assert_cmpfloat (fabs (cli_progress_share (&progress) - 1), <, 1e-9);
  cli_progress_fini (&progress);
}

/* If a unit of work of one phase takes three times as long as one of another,
   no estimate is further away than that.  */
static void
test_uneven (void)
{
  static const struct phase phases[] = {
    {"opening", 1, 10}, {"analysing", 6, 180}, {"blocks", 3, 30}};
  struct worst worst = {0, 0, 0};
  struct cli_progress progress;
  double now = 0;

  begin (&progress);
  run_phases (&progress, phases, G_N_ELEMENTS (phases), &now, 220, &worst);
  g_assert_cmpfloat (worst.above, <, 3);
  g_assert_cmpfloat (worst.below, <, 3);
  cli_progress_fini (&progress);
}

/* Several logs, whose work is as their sizes.  */
static void
test_files (void)
{
  char *folder = g_dir_make_tmp ("test-cli-progress-XXXXXX", NULL);
  char *paths[] = {g_build_filename (folder, "small", NULL),
                   g_build_filename (folder, "large", NULL)};
  static const struct phase small[] = {{"opening", 1, 1}, {"rows", 9, 9}};
  static const struct phase large[] = {{"opening", 2, 3}, {"rows", 18, 27}};
  struct worst worst = {0, 0, 0};
  struct cli_progress progress;
  double now = 0;

  g_assert_true (g_file_set_contents (paths[0], "", 0, NULL));
  g_assert_true (g_file_set_contents (paths[1], "ab", 2, NULL));
  begin (&progress);
  cli_progress_file (&progress, (const char *const *) paths, 2, 0);
  run_phases (&progress, small, 2, &now, 40, &worst);
  g_assert_cmpfloat (fabs (cli_progress_share (&progress) - 0.25), <, 1e-9);
  cli_progress_file (&progress, (const char *const *) paths, 2, 1);
  g_assert_cmpfloat (fabs (cli_progress_share (&progress) - 0.25), <, 1e-9);
  run_phases (&progress, large, 2, &now, 40, &worst);
  g_assert_cmpfloat (worst.above, <, 1.001);
  g_assert_cmpfloat (worst.below, <, 1.001);
  g_assert_cmpfloat (fabs (cli_progress_share (&progress) - 1), <, 1e-9);
  cli_progress_fini (&progress);
  for (size_t i = 0; i < G_N_ELEMENTS (paths); i++) {
    g_unlink (paths[i]);
    g_free (paths[i]);
  }
  g_rmdir (folder);
  g_free (folder);
}

/* A plan that is better known later; less than before is not reported.  */
static void
test_plans (void)
{
  struct cli_progress progress;

  begin (&progress);
  g_assert_cmpfloat (cli_progress_share (&progress), ==, 0);
  g_assert_cmpfloat (cli_progress_left (&progress, progress.start_us), <, 0);
  cli_progress_expect (&progress, 10);
  cli_progress_phase (&progress, "first", 5);
  cli_progress_fn (&progress, 4, 5);
  g_assert_cmpfloat (fabs (cli_progress_share (&progress) - 0.4), <, 1e-9);
  cli_progress_fn (&progress, 1, 5);
  g_assert_cmpfloat (fabs (cli_progress_share (&progress) - 0.4), <, 1e-9);
  cli_progress_fn (&progress, 0, 0);
  g_assert_cmpfloat (fabs (cli_progress_share (&progress) - 0.4), <, 1e-9);
  cli_progress_phase (&progress, "second", 1);
  g_assert_cmpfloat (fabs (cli_progress_share (&progress) - 0.5), <, 1e-9);
  cli_progress_expect (&progress, 2);
  g_assert_cmpfloat (fabs (cli_progress_share (&progress) - 0.625), <, 1e-9);
  /* More than was planned.  */
  cli_progress_phase (&progress, "third", 14);
  g_assert_cmpfloat (fabs (cli_progress_share (&progress) - 0.3), <, 1e-9);
  cli_progress_fn (&progress, 7, 7);
  g_assert_cmpfloat (fabs (cli_progress_share (&progress) - 1), <, 1e-9);
  cli_progress_fini (&progress);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli-progress/uniform", test_uniform);
  g_test_add_func ("/cli-progress/uneven", test_uneven);
  g_test_add_func ("/cli-progress/files", test_files);
  g_test_add_func ("/cli-progress/plans", test_plans);
  return g_test_run ();
}
