/* test-symbols-elf.c: names of code and data that are there without DWARF,
   from the tables of ELF files, on programs that are compiled here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_test.h"
#include "unit_main.h"

#include <glib.h>
#include <string.h>

static void
test_symbol_table (void)
{
  struct fixture f;
  struct dg_frame frame;
  uint64_t address;

  if (!compile_program ("program", "-O2 -pie -fPIE -s -rdynamic")
      || !compile_program ("whole", "-O2 -pie -fPIE -rdynamic"))
    return;
  fixture_init (&f, "program", 0, true);
  address = address_of ("whole", "plain");
  dg_symbols_frames (f.symbols, address + 3, 10, &frame, 1);
  g_assert_cmpstr (frame.function, ==, "plain");
  g_assert_null (frame.file);
  g_assert_cmpuint (frame.line, ==, 0);
  g_assert_false (frame.inlined);
  fixture_fini (&f);
}

/* Without any symbol a function is named by where it begins, as the tables
   for unwinding say.  */
static void
test_stripped (void)
{
  struct fixture f;
  struct dg_frame frame;
  char *slow, *name;
  uint64_t address;

  if (!compile_program ("whole",
                        "-O2 -pie -fPIE -fasynchronous-unwind-tables"))
    return;
  g_free (shell ("cp whole program; strip program"));
  address = address_of ("whole", "_ZNK2ns7Counter4slowEi");
  fixture_init (&f, "program", 0x10000, true);
  name = g_strdup_printf ("func_0x%" G_GINT64_MODIFIER "x", address);
  for (uint64_t i = 0; i < 8; i++) {
    dg_symbols_frames (f.symbols, address + i + 0x10000, 10, &frame, 1);
    g_assert_cmpstr (frame.function, ==, name);
    g_assert_null (frame.file);
  }
  /* So few are not worth a warning.  */
  g_assert_null (dg_symbols_problem (f.symbols, 0));
  slow = g_strdup_printf ("func_0x%" G_GINT64_MODIFIER "x",
                          address_of ("whole", "plain"));
  dg_symbols_frames (f.symbols, address_of ("whole", "plain") + 0x10005, 10,
                     &frame, 1);
  g_assert_cmpstr (frame.function, ==, slow);
  fixture_fini (&f);
  g_free (slow);
  g_free (name);
}

/* With many of them it says once how to get names.  */
static void
test_hint (void)
{
  GString *text = g_string_new (NULL);
  struct fixture f;
  struct dg_frame frame;
  char *path = in_dir ("hint.c"), *output;

  for (int i = 0; i < 100; i++)
    g_string_append_printf (text, "int f%d (int x) { return x * %d; }\n", i,
                            i + 3);
  g_file_set_contents (path, text->str, -1, NULL);
  g_string_free (text, TRUE);
  g_free (path);
  output = shell ("%s -O1 -fasynchronous-unwind-tables -fvisibility=hidden "
                  "-shared -fPIC hint.c -o hint && strip hint && echo yes",
                  compiler ("CC", "gcc"));
  if (output == NULL) {
    g_test_skip ("cannot compile");
    return;
  }
  g_free (output);
  fixture_init (&f, "hint", 0, true);
  for (uint64_t a = f.text; a < f.text + f.text_size; a++)
    dg_symbols_frames (f.symbols, a, 10, &frame, 1);
  g_assert_nonnull (dg_symbols_problem (f.symbols, 0));
  g_assert_nonnull (strstr (dg_symbols_problem (f.symbols, 0), "-dbgsym"));
  g_assert_null (dg_symbols_problem (f.symbols, 1));
  fixture_fini (&f);
}

/* Data that are not a variable's have the name of their section.  */
static void
test_sections (void)
{
  static const char *const sections[] = {".dynsym", ".dynstr", ".got",
                                         ".eh_frame", ".dynamic"};
  struct fixture f;
  struct dg_variable v;
  uint64_t address, size, table;

  if (!compile_program ("program", "-O0 -g -pie -fPIE"))
    return;
  fixture_init (&f, "program", 0x40000, true);
  for (size_t i = 0; i < G_N_ELEMENTS (sections); i++) {
    char *name = g_strdup_printf ("program %s", sections[i]);

    g_assert_true (find_section ("program", sections[i], &address, &size));
    g_assert_true (dg_symbols_data (f.symbols, address + 0x40003, 10, 4, &v));
    if (strcmp (sections[i], ".dynamic") != 0) {
      g_assert_cmpstr (v.name, ==, name);
      g_assert_true (v.is_section);
      g_assert_cmpuint (v.address, ==, address + 0x40000);
      g_assert_cmpuint (v.size, ==, size);
      g_assert_cmpuint (v.offset, ==, 3);
      g_assert_cmpuint (v.until, >, address + 0x40003);
      g_assert_cmpuint (v.until, <=, address + size + 0x40000);
    }
    g_free (name);
  }
  /* What is before a variable ends where it begins.  */
  table = address_of ("program", "_ZN2ns5tableE") + 0x40000;
  g_assert_true (dg_symbols_data (f.symbols, table, 10, 4, &v));
  g_assert_false (v.is_section);
  if (dg_symbols_data (f.symbols, table - 1, 10, 1, &v) && v.is_section)
    g_assert_cmpuint (v.until, ==, table);
  g_assert_false (dg_symbols_data (f.symbols, f.text + 0x40000, 10, 4, &v));
  fixture_fini (&f);
}

static void
test_preload (void)
{
  struct fixture f;
  struct dg_variable v;
  uint64_t table;

  if (!compile_program ("vgpreload_test.so", "-O0 -g -shared -fPIC"))
    return;
  table = address_of ("vgpreload_test.so", "_ZN2ns5tableE");
  fixture_init (&f, "vgpreload_test.so", 0, true);
  g_assert_true (dg_symbols_data (f.symbols, table + 8, 10, 4, &v));
  g_assert_cmpstr (v.name, ==, "<valgrind's malloc>");
  g_assert_false (v.has_field);
  fixture_fini (&f);
}

static void
test_plt (gconstpointer data)
{
  struct fixture f;
  struct dg_frame frame;
  unsigned n_found = 0;

  if (!compile_program ("program", data))
    return;
  fixture_init (&f, "program", 0, true);
  for (uint64_t a = f.text > 0x1000 ? f.text - 0x1000 : 0; a < f.text; a++) {
    dg_symbols_frames (f.symbols, a, 10, &frame, 1);
    if (g_strcmp0 (frame.function, "puts@plt") == 0)
      n_found++;
  }
  g_assert_cmpuint (n_found, >=, 8);
  g_assert_cmpuint (n_found, <=, 32);
  fixture_fini (&f);
}

/* Functions that Valgrind puts in the place of others have names that tell
   which; and the names that libraries use among themselves are not the ones
   that their users know.  */
static void
test_aliases (void)
{
  static const char text[] =
    "int __impl_work (int x) { return x * 3; }\n"
    "int work (int) __attribute__ ((alias (\"__impl_work\")));\n"
    "void *_vgr10010ZU_libcZdsoZa_malloc (void) { return 0; }\n"
    "void *_vgr10030ZU_libcZdsoZa__Znwm (void) { return 0; }\n"
    "void *_vgr20070ZZ_libcZdsoZa_mem_strcpyZAGLIBCZuX (void)"
    "{ return 0; }\n"
    "int __impl_wait (int x) { return x; }\n"
    "__asm__ (\".symver __impl_wait, wait_long@@V_1\");\n";
  static const char *const expected[][2] = {
    {"__impl_work", "work"},
    {"_vgr10010ZU_libcZdsoZa_malloc", "malloc"},
    {"_vgr10030ZU_libcZdsoZa__Znwm", "operator new(unsigned long)"},
    {"_vgr20070ZZ_libcZdsoZa_mem_strcpyZAGLIBCZuX", "mem_strcpy"},
    {"__impl_wait", "wait_long"}};
  static const char *const flags[] = {"-g", ""};
  char *source = in_dir ("alias.c"), *versions = in_dir ("alias.map");

  g_file_set_contents (source, text, -1, NULL);
  g_file_set_contents (versions, "V_1 { global: *; };\n", -1, NULL);
  g_free (versions);
  g_free (source);
  for (size_t k = 0; k < G_N_ELEMENTS (flags); k++) {
    char *output = shell ("%s %s -shared -fPIC alias.c -o alias "
                          "-Wl,--version-script=alias.map",
                          compiler ("CC", "gcc"), flags[k]);
    struct fixture f;

    if (output == NULL) {
      g_test_skip ("cannot compile");
      return;
    }
    g_free (output);
    fixture_init (&f, "alias", 0x1000, true);
    for (size_t i = 0; i < G_N_ELEMENTS (expected); i++) {
      struct dg_frame frame;

      dg_symbols_frames (f.symbols,
                         address_of ("alias", expected[i][0]) + 0x1001, 10,
                         &frame, 1);
      g_assert_cmpstr (frame.function, ==, expected[i][1]);
    }
    fixture_fini (&f);
  }
}

static void
test_rust (void)
{
  static const char text[] =
    ".text\n"
    ".globl _ZN4core3fmt5Write9write_fmt17h0123456789abcdefE\n"
    ".type _ZN4core3fmt5Write9write_fmt17h0123456789abcdefE, @function\n"
    "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE: ret\n"
    ".size _ZN4core3fmt5Write9write_fmt17h0123456789abcdefE, 1\n"
    ".globl _RNvCs1234_7mycrate3foo\n"
    ".type _RNvCs1234_7mycrate3foo, @function\n"
    "_RNvCs1234_7mycrate3foo: ret\n"
    ".size _RNvCs1234_7mycrate3foo, 1\n";
  char *source = in_dir ("rust.s");
  char *output;
  struct fixture f;
  struct dg_frame frame;

  g_file_set_contents (source, text, -1, NULL);
  g_free (source);
  output =
    shell ("%s -shared -nostdlib rust.s -o rust", compiler ("CC", "gcc"));
  if (output == NULL) {
    g_test_skip ("no assembler");
    return;
  }
  g_free (output);
  fixture_init (&f, "rust", 0x1000, true);
  dg_symbols_frames (f.symbols, f.text + 0x1000, 10, &frame, 1);
  g_assert_cmpstr (frame.function, ==, "core::fmt::Write::write_fmt");
  dg_symbols_frames (f.symbols, f.text + 0x1001, 10, &frame, 1);
  g_assert_cmpstr (frame.function, ==, "mycrate::foo");
  fixture_fini (&f);
}

static void
check_variable (struct fixture *f, uint64_t address, const char *expected,
                uint64_t offset, uint64_t size)
{
  uint64_t got_offset = 99, got_size = 99;
  const char *name =
    dg_symbols_variable (f->symbols, address, 10, &got_offset, &got_size);

  g_assert_cmpstr (name, ==, expected);
  g_assert_cmpuint (got_offset, ==, offset);
  g_assert_cmpuint (got_size, ==, size);
}

struct named {
  uint64_t address, size;
  unsigned n;
};

static int
note_variable (void *user, const struct dg_data_symbol *variable)
{
  struct named *named = user;

  named->address = variable->address;
  named->size = variable->size;
  named->n++;
  return variable->size == 0;
}

/* The other way round: where a name is.  */
static void
check_name (struct fixture *f, const char *name, uint64_t address,
            uint64_t size)
{
  struct named named = {0};

  g_assert_cmpint (
    dg_symbols_variables (f->symbols, name, note_variable, &named), ==, 0);
  g_assert_cmpuint (named.n, ==, size > 0);
  g_assert_cmpuint (named.address, ==, address);
  g_assert_cmpuint (named.size, ==, size);
}

static void
test_variables (void)
{
  struct named all = {0};
  uint64_t bias = 0x555500000000, table, weights;
  struct fixture f;

  if (!compile_program ("program", "-O0 -pie -fPIE"))
    return;
  fixture_init (&f, "program", bias, true);
  table = address_of ("program", "_ZN2ns5tableE") + bias;
  weights = address_of ("program", "_ZN2nsL7weightsE") + bias;
  check_variable (&f, table, "ns::table", 0, 400);
  check_variable (&f, table + 0x18f, "ns::table+0x18f", 0x18f, 400);
  check_variable (&f, weights + 8, "ns::weights+0x8", 8, 56);
  check_variable (&f, table + 400, NULL, 99, 99);
  check_name (&f, "ns::table", table, 400);
  check_name (&f, "ns::weights", weights, 56);
  check_name (&f, "table", 0, 0);
  check_name (&f, "ns::none", 0, 0);
  dg_symbols_variables (f.symbols, NULL, note_variable, &all);
  g_assert_cmpuint (all.n, >=, 2);
  g_assert_cmpstr (dg_symbols_variable (f.symbols, table, 10, NULL, NULL), ==,
                   "ns::table");
  g_assert_null (
    dg_symbols_variable (f.symbols, f.text + bias, 10, NULL, NULL));
  g_assert_null (dg_symbols_variable (f.symbols, 1, 10, NULL, NULL));
  fixture_fini (&f);
}

static int
run_tests (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  /* Nothing here may ask the network.  */
  g_unsetenv ("DEBUGINFOD_URLS");
  work_dir = g_dir_make_tmp ("test-symbols-elf-XXXXXX", NULL);
  g_assert_nonnull (work_dir);
  g_test_add_func ("/symbols/symbol-table", test_symbol_table);
  g_test_add_func ("/symbols/stripped", test_stripped);
  g_test_add_func ("/symbols/hint", test_hint);
  g_test_add_func ("/symbols/sections", test_sections);
  g_test_add_func ("/symbols/preload", test_preload);
  g_test_add_data_func ("/symbols/plt", "-O2 -pie -fPIE", test_plt);
  g_test_add_data_func ("/symbols/plt-fixed", "-O2 -no-pie", test_plt);
  g_test_add_data_func ("/symbols/plt-cet",
                        "-O2 -pie -fPIE -fcf-protection -Wl,-z,ibtplt",
                        test_plt);
  g_test_add_data_func ("/symbols/plt-now", "-O2 -pie -fPIE -Wl,-z,now",
                        test_plt);
  g_test_add_data_func ("/symbols/plt-32-bit", "-m32 -O2 -pie -fPIE",
                        test_plt);
  g_test_add_data_func ("/symbols/plt-32-bit-fixed", "-m32 -O2 -no-pie",
                        test_plt);
  g_test_add_func ("/symbols/aliases", test_aliases);
  g_test_add_func ("/symbols/rust", test_rust);
  g_test_add_func ("/symbols/variables", test_variables);
  result = g_test_run ();
  g_free (shell ("rm -rf '%s'", work_dir));
  g_free (work_dir);
  return result;
}

UNIT_MAIN (run_tests)
