/* test-time-host.c: files of dg calibrate, good, damaged and of others; which
   processor is most like this one.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time/time_host.h"
#include "time/time_settings.h"
#include "unit_main.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#define HERE "AuthenticAMD-25-17"

static int
read_text (const char *text, gssize n, const char *must_be,
           struct dg_time_machine *machine, struct dg_error *err)
{
  char *folder = g_dir_make_tmp ("dg-host.XXXXXX", NULL), *old;
  int code;

  g_assert_nonnull (folder);
  old = g_get_current_dir ();
  g_assert_cmpint (g_chdir (folder), ==, 0);
  g_assert_true (g_file_set_contents ("f", text, n, NULL));
  code = dg_time_host_read ("f", must_be, machine, err);
  g_unlink ("f");
  g_assert_cmpint (g_chdir (old), ==, 0);
  g_rmdir (folder);
  g_free (old);
  g_free (folder);
  return code;
}

static void
test_good (void)
{
  struct dg_time_machine machine;
  struct dg_error err = {0};

  g_assert_cmpint (
    read_text ("# comment\n\nprocessor=" HERE "\n  zen3\nmemory=570\r\n"
               "l3-lines=160Ki,mhz=3725\nrenames-memory=0\n"
               "root-latency=33\n", -1, HERE, &machine, &err), ==, 0);
  g_assert_cmpstr (machine.name, ==, "host");
  g_assert_cmpstr (machine.title, ==, "AMD Zen 3");
  g_assert_cmpint (machine.origin, ==, DG_TIME_MEASURED);
  g_assert_cmpuint (machine.memory, ==, 570);
  g_assert_cmpuint (machine.l3.entries, ==, 163840);
  g_assert_cmpfloat (machine.ghz, ==, 3.725);
  g_assert_false (machine.renames_memory);
  g_assert_cmpuint (machine.latency[DG_INSN_FLOAT_ROOT], ==, 33);
  g_assert_cmpuint (machine.l2.latency, ==, 12);
  /* The form of --machine, too.  */
  g_assert_cmpint (read_text ("zen4,memory=1,", -1, NULL, &machine, &err), ==,
                   0);
  g_assert_cmpuint (machine.memory, ==, 1);
}

static void
test_bad (void)
{
  static const struct {
    const char *text, *message;
    gssize n;
  } bad[] = {
    {"", "f:1: the file ends without a line with a processor's name", -1},
    {"# no\n", "f:2: the file ends without a line with a processor's name",
     -1},
    {"zen4\nmemory=1\n", "f:3: the file ends without a line 'processor='", -1},
    {"processor=" HERE "\nzen9\n",
     "f:2: not a file of 'dg calibrate': there is no processor 'zen9'",
     -1},
    {"127.0.0.1 localhost\n",
     "f:1: not a file of 'dg calibrate': there is no processor "
     "'127.0.0.1 localhost'", -1},
    {"processor=" HERE "\nzen4\nwidth=6\nmemory=lots\n",
     "f:4: memory must be a number from 1 to 100000", -1},
    {"processor=" HERE "\nzen4\nl3-lines=99999999999\n",
     "f:3: l3-lines must be a number from 1 to 16777216", -1},
    {"processor=" HERE "\nzen4\nroot-latency=256\n",
     "f:3: root-latency must be a number from 1 to 255", -1},
    {"processor=" HERE "\nzen4\nmemory=5\ncolour=1\n",
     "f:4: there is no figure 'colour'", -1},
    {"processor=" HERE "\nzen4\nmemory\n",
     "f:3: memory must be a number from 1 to 100000", -1},
    {"processor=GenuineIntel-6-143\ngolden-cove\n",
     "f:1: measured on GenuineIntel-6-143, but this is " HERE
     "; 'dg calibrate' measures it again", -1},
    {"processor=" HERE "\0\nzen4\n", "--machine: f: not a text", 34},
    {"processor=\xff\n", "--machine: f: not a text", -1},
  };

  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    struct dg_time_machine machine;
    struct dg_error err = {0};

    g_assert_cmpint (read_text (bad[i].text, bad[i].n, HERE, &machine, &err),
                     ==, DG_ERR_INVALID);
    g_assert_cmpstr (err.message, ==, bad[i].message);
  }
}

static void
test_large (void)
{
  struct dg_time_machine machine;
  struct dg_error err = {0};
  char *text = g_strnfill (70000, '#');

  g_assert_cmpint (read_text (text, -1, HERE, &machine, &err), ==,
                   DG_ERR_LIMIT);
  g_assert_cmpstr (err.message, ==, "--machine: f: too large");
  g_assert_cmpint (dg_time_host_read ("/no/such/file", NULL, &machine, &err),
                   ==, DG_ERR_IO);
  g_assert_cmpint (dg_time_host_read ("/dev/zero", NULL, &machine, &err), ==,
                   DG_ERR_INVALID);
  g_free (text);
}

/* ---- Processors ---- */

static void
test_processors (void)
{
  static const struct {
    const char *text, *name, *nearest;
  } rows[] = {
    {"processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\n"
     "model\t\t: 17\nmodel name\t: AMD EPYC\n\nprocessor\t: 1\n"
     "vendor_id\t: Other\n", HERE, "zen4"},
    {"vendor_id: AuthenticAMD\ncpu family: 25\nmodel: 33\n",
     "AuthenticAMD-25-33", "zen3"},
    {"vendor_id: AuthenticAMD\ncpu family: 27\nmodel: 1\n",
     "AuthenticAMD-27-1", "zen5"},
    {"vendor_id: GenuineIntel\ncpu family: 6\nmodel: 143\n",
     "GenuineIntel-6-143", "golden-cove"},
    {"vendor_id: GenuineIntel\ncpu family: 6\nmodel: 106\n",
     "GenuineIntel-6-106", "ice-lake"},
    {"vendor_id: GenuineIntel\ncpu family: 6\nmodel: 158\n",
     "GenuineIntel-6-158", "skylake"},
    {"CPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd4f\n",
     "Arm-65-0-3407", "neoverse-v2"},
    {"CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n", "Arm-65-0-3340",
     "neoverse-n1"},
    {"vendor_id: a,b=c d\ncpu family: 99999999999\n",
     "a-b-c-d-4294967295-0", NULL},
    {"nothing\n", "unknown", NULL},
    {"", "unknown", NULL},
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    struct dg_time_processor processor;
    const struct dg_time_machine *nearest;
    char *name;

    dg_time_processor_parse (rows[i].text, &processor);
    name = dg_time_processor_text (&processor);
    nearest = dg_time_processor_nearest (&processor);
    g_assert_cmpstr (name, ==, rows[i].name);
    g_assert_nonnull (nearest);
    if (rows[i].nearest != NULL)
      g_assert_cmpstr (nearest->name, ==, rows[i].nearest);
    g_free (name);
  }
}

static void
test_settings (void)
{
  struct dg_time_machine machine = *dg_time_machine_find ("zen4");
  const struct dg_time_setting *mhz = dg_time_setting_find ("mhz"),
                               *renames
    = dg_time_setting_find ("renames-memory"),
                               *root = dg_time_setting_find ("root-latency");

  g_assert_null (dg_time_setting_find ("root"));
  g_assert_cmpuint (dg_time_setting_get (mhz, &machine), ==, 4500);
  g_assert_cmpuint (dg_time_setting_get (renames, &machine), ==, 1);
  g_assert_cmpuint (dg_time_setting_get (root, &machine), ==, 21);
  dg_time_setting_put (mhz, &machine, 3001);
  dg_time_setting_put (root, &machine, 255);
  g_assert_cmpuint (dg_time_setting_get (mhz, &machine), ==, 3001);
  g_assert_cmpuint (dg_time_setting_get (root, &machine), ==, 255);
  /* The neighbours of a byte are not written.  */
  g_assert_cmpuint (machine.latency[DG_INSN_FLOAT_DIVIDE], ==, 13);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/time-host/good", test_good);
  g_test_add_func ("/time-host/bad", test_bad);
  g_test_add_func ("/time-host/large", test_large);
  g_test_add_func ("/time-host/processors", test_processors);
  g_test_add_func ("/time-host/settings", test_settings);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
