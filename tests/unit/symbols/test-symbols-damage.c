/* test-symbols-damage.c: variables and types without debug information, with
   damaged one, and asked for by many threads.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "long_test.h"
#include "symbols_test.h"
#include "typed_programs.h"
#include "unit_main.h"

#include <string.h>

/* ---- Without, and damaged --------------------------------------------- */

static void
test_symbols_only (void)
{
  struct fixture f;
  struct dg_variable v;
  uint64_t address;

  if (!compile_text ("typed.c", typed_c, "typed", "-O0 -pie -fPIE"))
    return;
  fixture_init (&f, "typed", 0x5000, true);
  address = address_of ("typed", "lattice") + 0x5000;
  g_assert_true (dg_symbols_data (f.symbols, address + 20, 10, 4, &v));
  g_assert_cmpstr (v.name, ==, "lattice");
  g_assert_null (v.type);
  g_assert_false (v.has_field);
  g_assert_cmpuint (v.offset, ==, 20);
  g_assert_cmpuint (v.size, ==, 240);
  g_assert_cmpuint (v.address, ==, address);
  g_assert_false (dg_symbols_data (f.symbols, f.text + 0x5000, 10, 4, &v));
  g_assert_false (dg_symbols_data (f.symbols, 3, 10, 4, &v));
  g_assert_null (dg_symbols_type (f.symbols, "struct config"));
  /* Pointers need no debug information.  */
  g_assert_nonnull (dg_symbols_type (f.symbols, "struct config *"));
  g_assert_false (dg_symbols_is_busy (f.symbols, address, 10));
  fixture_fini (&f);
}

/* Where a section is in its file.  */
static bool
section_place (const char *file, const char *name, gsize *offset, gsize *size)
{
  char *text =
    shell ("objdump -h %s | awk '$2 == \"%s\" {print $6, $3}'", file, name);
  char *end;
  bool found = text != NULL && text[0] != '\0';

  if (found) {
    *offset = g_ascii_strtoull (text, &end, 16);
    *size = g_ascii_strtoull (end, NULL, 16);
  }
  g_free (text);
  return found;
}

/* Damage to what describes types must be harmless: no crash, and an end.  */
static void
test_damaged (gconstpointer flags)
{
  static const char *const sections[] = {".debug_info", ".debug_abbrev",
                                         ".debug_types", ".debug_str"};
  static const char *const names[] = {"struct config", "grid", "struct deep",
                                      "struct packet", "unsigned long",
                                      "struct local[4]"};
  char *path = in_dir ("typed"), *contents;
  GRand *rand = g_rand_new_with_seed (7);
  uint64_t low, high;
  gsize size, offset, length;

  if (!compile_text ("typed.c", typed_c, "typed", flags))
    goto out;
  low = MIN (address_of ("typed", "packet"), address_of ("typed", "config"));
  high = address_of ("typed", "deep") + 200;
  g_assert_true (g_file_get_contents (path, &contents, &size, NULL));
  for (int round = 0; round < (is_long_test () ? 200 : 48); round++) {
    const char *section = sections[round % G_N_ELEMENTS (sections)];
    char *copy;
    struct fixture f;

    if (!section_place ("typed", section, &offset, &length) || length == 0)
      continue;
    g_assert_cmpuint (offset + length, <=, size);
    copy = g_memdup2 (contents, size);
    fixture_init (&f, "typed", 0, false);
    for (int i = 0; i <= round / (is_long_test () ? 8 : 2); i++)
      copy[offset + (gsize) g_rand_int_range (rand, 0, (gint32) length)] =
        (char) g_rand_int_range (rand, 0, round % 3 == 0 ? 8 : 256);
    g_file_set_contents (path, copy, (gssize) size, NULL);
    for (uint64_t a = low; a < high; a += 5) {
      struct dg_variable v;

      dg_symbols_data (f.symbols, a, 10, 4, &v);
    }
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
      const struct dg_type *type = dg_symbols_type (f.symbols, names[i]);
      struct dg_field field;

      for (uint64_t k = 0; type != NULL && k < 300; k += 3)
        dg_symbols_field (f.symbols, type, 300, k, 4, &field);
    }
    fixture_fini (&f);
    g_file_set_contents (path, contents, (gssize) size, NULL);
    g_free (copy);
  }
  g_free (contents);
out:
  g_rand_free (rand);
  g_free (path);
}

static gpointer
ask_much (gpointer data)
{
  struct fixture *f = data;
  uint64_t base = address_of ("typed", "config");

  for (uint64_t i = 0; i < 184; i++) {
    const struct dg_type *type = dg_symbols_type (f->symbols, "config");
    struct dg_variable v;
    struct dg_field field;
    struct dg_frame frame;

    g_assert_true (dg_symbols_data (f->symbols, base + i, 10, 0, &v));
    g_assert_true (dg_symbols_field (f->symbols, type, 0, i, 0, &field));
    g_assert_true (field.path == v.field.path);
    dg_symbols_frames (f->symbols, f->text + i, 10, &frame, 1);
  }
  return NULL;
}

static void
test_threads (void)
{
  GThread *threads[4];
  struct fixture f;

  if (!compile_text ("typed.c", typed_c, "typed", "-O0 -g -pie -fPIE"))
    return;
  fixture_init (&f, "typed", 0, true);
  for (size_t i = 0; i < 4; i++)
    threads[i] = g_thread_new ("ask", ask_much, &f);
  for (size_t i = 0; i < 4; i++)
    g_thread_join (threads[i]);
  fixture_fini (&f);
}

static int
run_tests (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  /* Nothing here may ask the network.  */
  g_unsetenv ("DEBUGINFOD_URLS");
  work_dir = g_dir_make_tmp ("test-damage-XXXXXX", NULL);
  g_assert_nonnull (work_dir);
  g_test_add_func ("/symbols-damage/symbols-only", test_symbols_only);
  g_test_add_data_func ("/symbols-damage/units", "-O0 -g -pie -fPIE",
                        test_damaged);
  g_test_add_data_func ("/symbols-damage/type-units",
                        "-O0 -gdwarf-4 -fdebug-types-section -pie -fPIE",
                        test_damaged);
  g_test_add_func ("/symbols-damage/threads", test_threads);
  result = g_test_run ();
  g_free (shell ("rm -rf '%s'", work_dir));
  g_free (work_dir);
  return result;
}

UNIT_MAIN (run_tests)
