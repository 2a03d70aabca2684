/* test-arch.c: architectures: by name, and which instructions may return.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "log/arch.h"

#include <glib.h>

#include "core_test.h"
#include "unit_main.h"

/* Of a log whose PROCESS has that name; "": it has none.  */
static const struct dg_arch *
arch_of (const char *name)
{
  const struct dg_arch *arch;
  struct dg_error err;
  struct dg_log *log;
  struct dg_asm as;
  char *message, *text = *name == '\0' ? g_strdup ("") : g_strdup_printf (
    "process 1 0 0 0 4096 64 0 8 \"t\" \"v\" \"%s\" \"/p\" \"/\" [\"p\"]\n",
    name);

  dg_asm_init (&as);
  as.word_size = 8;
  if (!dg_asm_text (&as, text, &message))
    g_error ("%s", message);
  g_assert_cmpint (dg_log_open_memory ("log", as.bytes->data, as.bytes->len,
                                       &log, &err), ==, 0);
  dg_log_load (log, 1, NULL, NULL, &err);
  arch = dg_arch_of (log);
  dg_log_close (log);
  dg_asm_fini (&as);
  g_free (text);
  return arch;
}

static void
test_names (void)
{
  g_assert_cmpstr (arch_of ("amd64")->name, ==, "amd64");
  g_assert_cmpstr (arch_of ("x86")->name, ==, "x86");
  g_assert_cmpstr (arch_of ("arm64")->name, ==, "arm64");
  g_assert_null (arch_of ("arm")->name);
  g_assert_null (arch_of ("amd64x")->name);
  g_assert_null (arch_of ("")->name);
  g_assert_true (arch_of ("amd64")->call_pushes);
  g_assert_false (arch_of ("arm64")->call_pushes);
  g_assert_cmpstr (arch_of ("s390x")->name, ==, "s390x");
  g_assert_false (arch_of ("s390x")->call_pushes);
  g_assert_false (arch_of ("")->call_pushes);
}

static void
test_returns (void)
{
  const struct dg_arch *arm64 = arch_of ("arm64"), *amd64 = arch_of ("amd64");
  static const struct {
    uint8_t bytes[4];
    bool returns;
  } words[] = {
    { { 0xc0, 0x03, 0x5f, 0xd6 }, true },    /* ret */
    { { 0x20, 0x02, 0x5f, 0xd6 }, true },    /* ret x17 */
    { { 0xff, 0x0b, 0x5f, 0xd6 }, true },    /* retaa */
    { { 0xff, 0x0f, 0x5f, 0xd6 }, true },    /* retab */
    { { 0x00, 0x02, 0x1f, 0xd6 }, false },   /* br x16 */
    { { 0x00, 0x00, 0x3f, 0xd6 }, false },   /* blr x0 */
    { { 0xa2, 0x00, 0x00, 0x94 }, false },   /* bl */
    { { 0xe0, 0x03, 0x9f, 0xd6 }, false },   /* eret */
    { { 0x1f, 0x20, 0x03, 0xd5 }, false },   /* nop */
  };

  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    g_assert_cmpint (arm64->may_return (words[i].bytes, 4), ==,
                     words[i].returns);
  g_assert_true (arm64->may_return (NULL, 4));
  g_assert_false (arm64->may_return (NULL, 1));
  g_assert_true (amd64->may_return (NULL, 1));
  g_assert_false (amd64->may_return (NULL, 3));
  g_assert_true (arch_of ("")->may_return (NULL, 2));
}

/* Its instructions have 2, 4 or 6 bytes.  */
static void
test_returns_s390x (void)
{
  const struct dg_arch *s390x = arch_of ("s390x");
  static const struct {
    uint8_t bytes[2];
    bool returns;
  } halves[] = {
    { { 0x07, 0xfe }, true },    /* br %r14 */
    { { 0x07, 0x8e }, true },    /* ber %r14 */
    { { 0x07, 0x0e }, false },   /* nopr %r14 */
    { { 0x07, 0xf1 }, false },   /* br %r1 */
    { { 0x0d, 0xe1 }, false },   /* basr %r14, %r1 */
    { { 0x0a, 0xad }, false },   /* svc 173 */
  };

  for (size_t i = 0; i < G_N_ELEMENTS (halves); i++)
    g_assert_cmpint (s390x->may_return (halves[i].bytes, 2), ==,
                     halves[i].returns);
  g_assert_true (s390x->may_return (NULL, 2));
  g_assert_false (s390x->may_return (NULL, 4));
  g_assert_false (s390x->may_return (NULL, 6));
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/arch/names", test_names);
  g_test_add_func ("/arch/returns", test_returns);
  g_test_add_func ("/arch/returns-s390x", test_returns_s390x);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
