/* test-time-machine.c: processors of the time model: names, other figures,
   what is refused, and whether the figures of each are those of a processor.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "time/time_choice.h"
#include "unit_main.h"

#include <glib.h>
#include <string.h>

#define ALL "zen5, zen4, zen3, zen2, golden-cove, ice-lake, skylake," \
            " neoverse-v2, neoverse-v1, neoverse-n1"

static void
test_names (void)
{
  g_assert_cmpstr (dg_time_machine_find ("skylake")->title, ==,
                   "Intel Skylake");
  g_assert_null (dg_time_machine_find ("sky"));
  g_assert_null (dg_time_machine_find (""));
  g_assert_cmpstr (dg_time_machine_of ("amd64")->name, ==, "zen5");
  g_assert_cmpstr (dg_time_machine_of ("arm64")->name, ==, "neoverse-v2");
  /* There is one for others, too.  */
  g_assert_cmpstr (dg_time_machine_of ("x86")->name, ==, "zen5");
  g_assert_cmpstr (dg_time_machine_of ("s390x")->name, ==, "zen5");
}

static struct dg_time_machine
parse (const char *text, const char *arch)
{
  struct dg_time_machine machine;
  struct dg_error err = {0};

  g_assert_cmpint (dg_time_machine_parse (text, arch, &machine, &err), ==, 0);
  return machine;
}

static void
test_figures (void)
{
  struct dg_time_machine machine = parse (NULL, "arm64");

  g_assert_cmpstr (machine.name, ==, "neoverse-v2");
  machine = parse ("", "amd64");
  g_assert_cmpstr (machine.name, ==, "zen5");
  machine = parse ("zen2", "arm64");
  g_assert_cmpstr (machine.name, ==, "zen2");
  machine = parse ("zen2,memory=300,l3-lines=64Ki,l1-ways=4,width=1", "amd64");
  g_assert_cmpuint (machine.memory, ==, 300);
  g_assert_cmpuint (machine.l3.entries, ==, 65536);
  g_assert_cmpuint (machine.l1.ways, ==, 4);
  g_assert_cmpuint (machine.width, ==, 1);
  /* The rest is that of the processor, which stays as it is.  */
  g_assert_cmpuint (machine.l2.latency, ==, 12);
  g_assert_cmpuint (dg_time_machine_find ("zen2")->memory, ==, 330);
  /* Without a name: some figures of the usual one.  */
  machine = parse (",memory=7,memory=8", "amd64");
  g_assert_cmpstr (machine.name, ==, "zen5");
  g_assert_cmpuint (machine.memory, ==, 8);
}

static void
test_errors (void)
{
  static const struct {
    const char *text, *message;
  } errors[] = {
    {"zen9", "--machine: there is no 'zen9'; there are " ALL ", host"},
    {"memory=300",
     "--machine: there is no 'memory=300'; there are " ALL ", host"},
    {"zen5,colour=3", "--machine: there is no figure 'colour'"},
    {"zen5,", "--machine: there is no figure ''"},
    {"zen5,=3", "--machine: there is no figure ''"},
    {"zen5,mem=3", "--machine: there is no figure 'mem'"},
    {"zen5,memory", "--machine: memory must be a number from 1 to 100000"},
    {"zen5,memory=", "--machine: memory must be a number from 1 to 100000"},
    {"zen5,memory=0", "--machine: memory must be a number from 1 to 100000"},
    {"zen5,memory=-3", "--machine: memory must be a number from 1 to 100000"},
    {"zen5,memory=3 ", "--machine: memory must be a number from 1 to 100000"},
    {"zen5,window=7", "--machine: window must be a number from 8 to 1024"},
    {"zen5,window=1025", "--machine: window must be a number from 8 to 1024"},
    {"zen5,misses=18446744073709551617",
     "--machine: misses must be a number from 1 to 128"},
    {"zen5,stores=300", "--machine: stores must be a number from 4 to 256"},
  };

  for (size_t i = 0; i < G_N_ELEMENTS (errors); i++) {
    struct dg_time_machine machine;
    struct dg_error err = {0};

    g_assert_cmpint (dg_time_machine_parse (errors[i].text, "amd64", &machine,
                                            &err), ==, DG_ERR_INVALID);
    g_assert_cmpstr (err.message, ==, errors[i].message);
  }
}

static void
check_shape (const struct dg_time_shape *shape)
{
  g_assert_cmpuint (shape->ways, >=, 1);
  g_assert_cmpuint (shape->entries, >=, shape->ways);
  g_assert_cmpuint (shape->entries % shape->ways, ==, 0);
}

/* What is farther away is larger and takes longer.  */
static void
check_machine (const struct dg_time_machine *m)
{
  check_shape (&m->code);
  check_shape (&m->l1);
  check_shape (&m->l2);
  check_shape (&m->l3);
  check_shape (&m->tlb);
  check_shape (&m->tlb2);
  g_assert_cmpuint (m->l1.entries, <, m->l2.entries);
  g_assert_cmpuint (m->l2.entries, <, m->l3.entries);
  g_assert_cmpuint (m->tlb.entries, <, m->tlb2.entries);
  g_assert_cmpuint (m->l1.latency, >=, 3);
  g_assert_cmpuint (m->l1.latency, <, m->l2.latency);
  g_assert_cmpuint (m->l2.latency, <, m->l3.latency);
  g_assert_cmpuint (m->l3.latency, <, m->memory);
  g_assert_cmpuint (m->l2_gap, <=, m->l3_gap);
  g_assert_cmpuint (m->l3_gap, <=, m->memory_gap);
  g_assert_cmpuint (m->misses, >=, 8);
  g_assert_cmpuint (m->misses, <=, DG_TIME_MISSES);
  g_assert_cmpuint (m->window, <=, DG_TIME_WINDOW);
  g_assert_cmpuint (m->window, >, m->stores);
  g_assert_cmpuint (m->stores, <=, DG_TIME_STORES);
  g_assert_cmpuint (m->width, >=, 4);
  g_assert_cmpuint (m->width, <=, 16);
  g_assert_cmpuint (m->taken, >=, 1);
  g_assert_cmpuint (m->mispredicted, >=, 8);
  g_assert_cmpuint (m->mispredicted, <=, 30);
  g_assert_cmpuint (m->forward, >=, m->l1.latency);
  g_assert_cmpuint (m->forward_fails, >, m->forward);
  g_assert_cmpuint (m->locked, <=, UINT8_MAX);
  g_assert_cmpuint (m->banks & (m->banks - 1), ==, 0);
  g_assert_cmpfloat (m->ghz, >=, 1);
  g_assert_cmpfloat (m->ghz, <=, 6);
}

static void
check_latencies (const struct dg_time_machine *m)
{
  g_assert_cmpuint (m->latency[DG_INSN_MOVE], ==, 0);
  g_assert_cmpuint (m->latency[DG_INSN_INTEGER], ==, 1);
  for (unsigned i = 0; i < DG_INSN_WORKS; i++)
    if (i != DG_INSN_MOVE)
      g_assert_cmpuint (m->latency[i], >=, 1);
  g_assert_cmpuint (m->latency[DG_INSN_DIVIDE], >, m->divide_busy);
  g_assert_cmpuint (m->latency[DG_INSN_FLOAT_DIVIDE], >,
                    m->float_divide_busy);
  g_assert_cmpuint (m->latency[DG_INSN_FLOAT_ROOT], >, m->root_busy);
  g_assert_cmpuint (m->latency[DG_INSN_FLOAT_DIVIDE], >,
                    m->latency[DG_INSN_FLOAT_FUSED]);
}

static void
test_sane (void)
{
  char **names = g_strsplit (ALL, ", ", -1);

  for (unsigned i = 0; names[i] != NULL; i++) {
    const struct dg_time_machine *machine = dg_time_machine_find (names[i]);

    g_assert_nonnull (machine);
    g_assert_cmpstr (machine->name, ==, names[i]);
    g_assert_nonnull (machine->title);
    g_assert_true (strcmp (machine->arch, "amd64") == 0
                   || strcmp (machine->arch, "arm64") == 0);
    check_machine (machine);
    check_latencies (machine);
  }
  g_strfreev (names);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/time-machine/names", test_names);
  g_test_add_func ("/time-machine/figures", test_figures);
  g_test_add_func ("/time-machine/errors", test_errors);
  g_test_add_func ("/time-machine/sane", test_sane);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
