/* test-calibrate-system.c: caches as the system describes them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "calibrate/calibrate_system.h"
#include "unit_main.h"

#include <glib.h>
#include <glib/gstdio.h>

static void
put (const char *folder, unsigned index, const char *name, const char *text)
{
  char *cache = g_strdup_printf ("%s/index%u", folder, index),
       *path = g_build_filename (cache, name, NULL);

  g_mkdir_with_parents (cache, 0700);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_free (path);
  g_free (cache);
}

static void
put_cache (const char *folder, unsigned index, const char *level,
           const char *type, const char *size, const char *ways)
{
  put (folder, index, "level", level);
  put (folder, index, "type", type);
  put (folder, index, "size", size);
  put (folder, index, "ways_of_associativity", ways);
}

static void
test_caches (void)
{
  char *folder = g_dir_make_tmp ("dg-caches.XXXXXX", NULL);
  struct dg_calibrate_system system = {0};

  dg_calibrate_system_caches (&system, folder);
  g_assert_cmpuint (system.l1.bytes, ==, 0);
  put_cache (folder, 0, "1\n", "Data\n", "48K\n", "12\n");
  put_cache (folder, 1, "1\n", "Instruction\n", "32K\n", "8\n");
  put_cache (folder, 2, "2\n", "Unified\n", "2M\n", "16\n");
  put_cache (folder, 3, "3\n", "Unified\n", "no number\n", "99999999999\n");
  put_cache (folder, 4, "4\n", "Unified\n", "128M\n", "16\n");
  put (folder, 5, "level", "2\n");
  dg_calibrate_system_caches (&system, folder);
  g_assert_cmpuint (system.l1.bytes, ==, 48 * 1024);
  g_assert_cmpuint (system.l1.ways, ==, 12);
  g_assert_cmpuint (system.code.bytes, ==, 32 * 1024);
  g_assert_cmpuint (system.code.ways, ==, 8);
  g_assert_cmpuint (system.l2.bytes, ==, 2 << 20);
  g_assert_cmpuint (system.l3.bytes, ==, 0);
  g_assert_cmpuint (system.l3.ways, ==, UINT32_MAX);
  g_free (folder);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calibrate-system/caches", test_caches);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
