/* test-nomem.c: memory runs out at any place, and the library says so: no
   crash, no leak (under the address sanitizer), no wrong result.

   Each scenario is run until it needs nothing any more that could fail: with
   the n-th request for memory failing, and with all from the n-th on, for
   every n (nomem.h).

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "dg_analysis.h"
#include "libdatagrind.h"
#include "nomem.h"
#include "nomem_scenarios.h"

static struct world world, large;

/* Nothing but these files is left.  */
static void
check_folder (void)
{
  GDir *dir = g_dir_open (world.folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    g_assert_false (g_str_has_suffix (name, ".tmp"));
  g_dir_close (dir);
}

static int
run_once (const struct scenario *scenario, int n, bool is_lasting,
          bool *has_failed, struct dg_error *err)
{
  int code;

  memset (err, 0, sizeof *err);
  world.sum = 0;
  nomem_begin (n, is_lasting);
  code = scenario->run (&world, err);
  *has_failed = nomem_end ();
  return code;
}

static void
complain (int n, int code, const char *message)
{
  g_test_message ("request %d failed: %d, '%s'", n, code, message);
  g_test_fail ();
}

/* Returns how many requests there are.  */
static int
run_all (const struct scenario *scenario, bool is_lasting, int most)
{
  struct dg_error err;
  uint64_t sum;
  bool has_failed;
  int n, without = 0;

  run_once (scenario, 0, false, &has_failed, &err);
  g_assert_cmpstr (err.message, ==, "");
  sum = world.sum;
  for (n = 1; n <= most; n++) {
    int code = run_once (scenario, n, is_lasting, &has_failed, &err);

    if (!has_failed) {
      g_assert_cmpint (code, ==, 0);
      break;
    }
    if (code == 0) {
      if (!scenario->may_lack && world.sum != sum)
        complain (n, code, "the result is another one");
      without++;
    } else if (code != DG_ERR_NOMEM || err.code != code || !err.message[0]) {
      complain (n, code, err.message);
    }
    check_folder ();
  }
  g_test_message ("%d requests, %d of which it can do without", n - 1,
                  without);
  return n - 1;
}

static void
test_scenario (const void *data)
{
  const struct scenario *scenario = data;
  int n;

  if (scenario->needs_program && !world.program) {
    g_test_skip ("no readelf");
    return;
  }
  world.workers = 1;
  n = run_all (scenario, false, G_MAXINT);
  g_assert_cmpint (n, >, 0);
  run_all (scenario, true, G_MAXINT);
  /* Which request is which is by chance.  */
  world.workers = 3;
  run_all (scenario, false, n + n / 2);
}

static void
test_analysis (const void *data)
{
  world.analysis = data;
  test_scenario (&nomem_analysis);
}

/* ---- What grows with a log ---- */

/* So many bytes at a time may be asked for in a way that ends the process if
   there are none.  */
#define MOST_SURE (64 * 1024)
/* A finder's map may be larger, but does not grow with the log.  */
#define FINDERS_MAP (8 * 1024 * 1024)

/* Whether something that grows with the log would end the process.  */
static void
test_sure (const struct scenario *scenario, gsize most)
{
  struct dg_error err = {0};

  large.workers = 1;
  nomem_begin (0, false);
  scenario->run (&large, &err);
  nomem_end ();
  g_assert_cmpstr (err.message, ==, "");
  g_test_message ("at most %" G_GSIZE_FORMAT " bytes", nomem_largest ());
  g_assert_cmpuint (nomem_largest (), <=, most);
}

static void
test_sure_scenario (const void *data)
{
  test_sure (data, MOST_SURE);
}

static void
test_sure_analysis (const void *data)
{
  const struct dg_analysis *analysis = data;

  large.analysis = analysis;
  test_sure (&nomem_analysis, strcmp (analysis->name, "pages") == 0
                                  || strcmp (analysis->name, "patterns") == 0
                                ? FINDERS_MAP
                                : MOST_SURE);
}

static void
add_test (const char *kind, const char *name, const void *data,
          GTestDataFunc test)
{
  char *path = g_strconcat ("/nomem/", kind, name, NULL);

  g_test_add_data_func (path, data, test);
  g_free (path);
}

int
main (int argc, char **argv)
{
  size_t n, n_scenarios;
  const struct scenario *scenarios = nomem_scenarios (&n_scenarios);
  const struct dg_analysis *const *analyses = dg_analyses (&n);
  int status;

  g_test_init (&argc, &argv, NULL);
  nomem_world_init (&world);
  nomem_world_init_large (&large, &world);
  for (size_t i = 0; i < n_scenarios; i++) {
    add_test ("", scenarios[i].name, &scenarios[i], test_scenario);
    if (!scenarios[i].needs_program)
      add_test ("sure/", scenarios[i].name, &scenarios[i], test_sure_scenario);
  }
  for (size_t i = 0; i < n; i++) {
    add_test ("analyses/", analyses[i]->name, analyses[i], test_analysis);
    add_test ("sure/", analyses[i]->name, analyses[i], test_sure_analysis);
  }
  status = g_test_run ();
  nomem_world_fini (&large);
  nomem_world_fini (&world);
  return status;
}
