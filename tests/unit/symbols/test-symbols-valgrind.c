/* test-symbols-valgrind.c: names of code in Valgrind's words.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols/symbols_valgrind.h"
#include "symbols_test.h"
#include "unit_main.h"

#include <string.h>

static const char program[] =
  "asm (\".text\\n.balign 64\\nplaces:\\n.skip 256, 0x90\\n\""
  "     \".globl places\\n\"\n"
#define SYMBOL(name, from, size)                                       \
  "     \".globl " name "\\n.set " name ", places + " #from "\\n\""    \
  "     \".type " name ", @function\\n.size " name ", " #size "\\n\"\n"
  SYMBOL ("the_long_name", 0, 16) SYMBOL ("short_one", 0, 16)
  SYMBOL ("shost_one", 0, 16) SYMBOL ("other", 16, 64)
  SYMBOL ("within_other", 32, 16) SYMBOL ("front", 96, 8)
  SYMBOL ("whole", 96, 24) SYMBOL ("nothing", 120, 0)
  ");\n"
  "namespace space {\n"
  "volatile int sink;\n"
  "template <class T> inline __attribute__ ((always_inline)) T\n"
  "inner (T x)\n"
  "{\n"
  "  sink = x;\n"
  "  sink = x + 1;\n"
  "  return sink;\n"
  "}\n"
  "template <class T> __attribute__ ((noinline)) T\n"
  "outer (T x)\n"
  "{\n"
  "  return inner (x) * 3 + sink;\n"
  "}\n"
  "}\n"
  "int main (int argc, char **) { return space::outer (argc); }\n";

static const char *
name_at (struct fixture *f, uint64_t address)
{
  struct dg_frame frames[8];
  size_t n = dg_symbols_valgrind (f->symbols, address, 10, frames, 8);

  g_assert_cmpuint (n, >=, 1);
  return frames[n - 1].function;
}

/* Of aliases the shortest, then the first of the alphabet; what overlaps is
   parted.  */
static void
test_places (void)
{
  static const struct { unsigned at; const char *name; } expected[] = {
    {0, "short_one"}, {15, "short_one"}, {16, "other"}, {31, "other"},
    {32, "within_other"}, {47, "within_other"}, {48, NULL}, {79, NULL},
    {80, NULL}, {96, "front"}, {103, "front"}, {104, "whole"},
    {119, "whole"}, {120, NULL}};
  struct fixture f;
  uint64_t places;

  if (!compile_text ("named.cc", program, "named", "-O2 -g -pie -fPIE"))
    return;
  fixture_init (&f, "named", 0x5000, true);
  places = address_of ("named", "places") + 0x5000;
  for (size_t i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpstr (name_at (&f, places + expected[i].at), ==,
                     expected[i].name);
  fixture_fini (&f);
}

/* Inlined calls by their bare names, others by the symbol with all that it
   tells.  */
static void
test_inlined (void)
{
  struct fixture f;
  struct dg_frame frames[8];
  uint64_t outer;
  size_t n = 0;

  if (!compile_text ("named.cc", program, "named", "-O2 -g -pie -fPIE"))
    return;
  fixture_init (&f, "named", 0x5000, true);
  outer = address_of ("named", "_ZN5space5outerIiEET_S1_") + 0x5000;
  for (unsigned i = 0; i < 32 && n < 2; i++)
    n = dg_symbols_valgrind (f.symbols, outer + i, 10, frames, 8);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpstr (frames[0].function, ==, "inner<int>");
  g_assert_true (frames[0].inlined);
  g_assert_cmpstr (frames[1].function, ==, "int space::outer<int>(int)");
  for (size_t i = 0; i < n; i++) {
    g_assert_cmpstr (frames[i].file, ==, "named.cc");
    g_assert_cmpuint (frames[i].line, >, 0);
  }
  g_assert_cmpuint (dg_symbols_valgrind (f.symbols, 3, 10, frames, 8), ==, 1);
  g_assert_null (frames[0].function);
  g_assert_null (frames[0].module);
  fixture_fini (&f);
}

static int
run_tests (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  /* Nothing here may ask the network.  */
  g_unsetenv ("DEBUGINFOD_URLS");
  work_dir = g_dir_make_tmp ("datagrind-test-XXXXXX", NULL);
  g_assert_nonnull (work_dir);
  g_test_add_func ("/symbols-valgrind/places", test_places);
  g_test_add_func ("/symbols-valgrind/inlined", test_inlined);
  status = g_test_run ();
  g_free (shell ("rm -rf %s", work_dir));
  g_free (work_dir);
  return status;
}

UNIT_MAIN (run_tests)
