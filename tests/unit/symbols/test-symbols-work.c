/* test-symbols-work.c: how much work names are for large files, counted in
   calls of libdw and libelf.

   Reading a file may take a few calls for each of its symbols, once; a
   question may take a few calls, however large the file is.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "symbols_test.h"

#include <dlfcn.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <string.h>

#define N_FUNCTIONS 70000
#define N_QUESTIONS 2000

/* ---- Counting --------------------------------------------------------- */

/* The program's own functions are found before those of the libraries, by
   the library that is tested and by libdw, where it calls libelf.  */
static guint64 n_calls;

static void *
original (const char *name)
{
  void *function = dlsym (RTLD_NEXT, name);

  g_assert_nonnull (function);
  n_calls++;
  return function;
}

#define COUNTED(result, name, parameters, arguments)                          \
  result name parameters                                                      \
  {                                                                           \
    static result (*real) parameters;                                         \
    if (real == NULL)                                                         \
      *(void **) &real = original (#name);                                    \
    n_calls++;                                                                \
    return real arguments;                                                    \
  }

COUNTED (GElf_Shdr *, gelf_getshdr, (Elf_Scn * section, GElf_Shdr *header),
         (section, header))
COUNTED (GElf_Sym *, gelf_getsym, (Elf_Data * data, int i, GElf_Sym *symbol),
         (data, i, symbol))
COUNTED (GElf_Sym *, gelf_getsymshndx,
         (Elf_Data * data, Elf_Data *sections, int i, GElf_Sym *symbol,
          Elf32_Word *section),
         (data, sections, i, symbol, section))
COUNTED (const char *, dwfl_module_getsym_info,
         (Dwfl_Module * module, int i, GElf_Sym *symbol, GElf_Addr *address,
          GElf_Word *section, Elf **elf, Dwarf_Addr *bias),
         (module, i, symbol, address, section, elf, bias))
COUNTED (int, dwarf_haspc, (Dwarf_Die * die, Dwarf_Addr pc), (die, pc))
COUNTED (int, dwarf_siblingof, (Dwarf_Die * die, Dwarf_Die *next), (die, next))
COUNTED (int, dwarf_child, (Dwarf_Die * die, Dwarf_Die *child), (die, child))
COUNTED (int, dwarf_tag, (Dwarf_Die * die), (die))

/* ---- A large symbol table --------------------------------------------- */

/* Every function has 4 bytes; every third is local, every tenth has no
   size.  */
static char *
many_functions (void)
{
  GString *text = g_string_new (".text\n");

  for (int i = 0; i < N_FUNCTIONS; i++) {
    if (i % 3 != 0)
      g_string_append_printf (text, ".globl f%d\n", i);
    g_string_append_printf (text,
                            ".type f%d, @function\nf%d: .zero 4, 0x90\n", i,
                            i);
    if (i % 10 != 0)
      g_string_append_printf (text, ".size f%d, 4\n", i);
  }
  return g_string_free (text, FALSE);
}

static bool
make_file (const char *source, char *text, const char *name,
           const char *flags)
{
  char *path = in_dir (source), *output;

  g_file_set_contents (path, text, -1, NULL);
  g_free (text);
  g_free (path);
  output = shell ("%s -shared -nostdlib %s %s -o %s", compiler ("CC", "gcc"),
                  flags, source, name);
  if (output == NULL)
    g_test_skip ("cannot assemble");
  g_free (output);
  return output != NULL;
}

static void
test_symbols (void)
{
  struct fixture f;
  struct dg_frame frame;
  guint64 for_table;

  if (!make_file ("many.s", many_functions (), "many", ""))
    return;
  fixture_init (&f, "many", 0x7000000, true);
  n_calls = 0;
  dg_symbols_frames (f.symbols, f.text + 0x7000000, 10, &frame, 1);
  g_assert_cmpstr (frame.function, ==, "f0");
  for_table = n_calls;
  g_assert_cmpuint (for_table, <, 10 * N_FUNCTIONS);
  for (uint64_t i = 0; i < N_QUESTIONS; i++) {
    uint64_t k = i * 7919 % N_FUNCTIONS;
    char expected[20];

    g_snprintf (expected, sizeof expected, "f%u", (unsigned) k);
    dg_symbols_frames (f.symbols, f.text + 0x7000000 + 4 * k + i % 4, 10,
                       &frame, 1);
    g_assert_cmpstr (frame.function, ==, expected);
  }
  g_test_message ("%" G_GUINT64_FORMAT " calls to read, %" G_GUINT64_FORMAT
                  " for %d questions",
                  for_table, n_calls - for_table, N_QUESTIONS);
  g_assert_cmpuint (n_calls - for_table, <, 50 * N_QUESTIONS);
  fixture_fini (&f);
}

/* ---- A function with many inlined calls ------------------------------- */

/* Bytes that may follow the last function, so that the section ends at a
   multiple.  */
#ifdef __s390x__
#define PADDING 7
#else
#define PADDING 0
#endif

static void
test_inlined (void)
{
  GString *text = g_string_new (
    "static inline __attribute__ ((always_inline)) int one (int x)\n"
    "{ volatile int v = x; return v * 3; }\n"
    "int all (int x)\n{\n");
  guint64 for_table;
  struct dg_frame frames[4];
  unsigned n_inlined = 0;
  struct fixture f;

  for (int i = 0; i < 2000; i++)
    g_string_append (text, "x += one (x);\n");
  g_string_append (text, "return x;\n}\n");
  if (!make_file ("inlined.c", g_string_free (text, FALSE), "inlined",
                  "-g -O1 -fPIC"))
    return;
  fixture_init (&f, "inlined", 0, true);
  dg_symbols_frames (f.symbols, f.text, 10, frames, 4);
  for_table = n_calls;
  for (uint64_t a = f.text; a < f.text + f.text_size - PADDING; a += 3) {
    size_t n = dg_symbols_frames (f.symbols, a, 10, frames, 4);

    n_inlined += n == 2 && g_str_equal (frames[0].function, "one");
    g_assert_cmpstr (frames[n - 1].function, ==, "all");
  }
  g_test_message ("%" G_GUINT64_FORMAT " calls for %u inlined",
                  n_calls - for_table, n_inlined);
  g_assert_cmpuint (n_inlined, >, 2000);
  g_assert_cmpuint (n_calls - for_table, <, 50 * n_inlined);
  fixture_fini (&f);
}

/* ---- A unit with many variables --------------------------------------- */

#define N_VARIABLES 3000

/* Of C++, where each has a namespace and its type has another one.  */
static void
test_variables (void)
{
  GString *text = g_string_new ("#define ONE(i) namespace t##i {"
                                " struct s { int a; long b; }; }"
                                " namespace v##i { t##i::s v = {1, 2}; }\n"
                                "int code (int x) { return x; }\n");
  guint64 for_index;
  struct dg_variable v;
  struct fixture f;
  uint64_t data, size;

  for (int i = 0; i < N_VARIABLES; i++)
    g_string_append_printf (text, "ONE(%d)\n", i);
  if (!make_file ("variables.cc", g_string_free (text, FALSE), "variables",
                  "-g -O1 -fPIC -fno-toplevel-reorder"))
    return;
  fixture_init (&f, "variables", 0, true);
  g_assert_true (find_section ("variables", ".data", &data, &size));
  n_calls = 0;
  g_assert_true (dg_symbols_data (f.symbols, data, 10, 0, &v));
  for_index = n_calls;
  for (uint64_t i = 0; i < N_VARIABLES; i++) {
    uint64_t k = i * 1009 % N_VARIABLES;
    char name[30], type[30];

    g_snprintf (name, sizeof name, "v%u::v", (unsigned) k);
    g_snprintf (type, sizeof type, "t%u::s", (unsigned) k);
    g_assert_true (dg_symbols_data (f.symbols, data + 16 * k + 8, 10, 0, &v));
    g_assert_cmpstr (v.name, ==, name);
    g_assert_cmpstr (v.type, ==, type);
    g_assert_cmpstr (v.field.path, ==, ".b");
  }
  g_test_message ("%" G_GUINT64_FORMAT " calls for the index, %"
                  G_GUINT64_FORMAT " for %d questions",
                  for_index, n_calls - for_index, N_VARIABLES);
  g_assert_cmpuint (n_calls - for_index, <, 200 * N_VARIABLES);
  fixture_fini (&f);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("DEBUGINFOD_URLS");
  work_dir = g_dir_make_tmp ("test-work-XXXXXX", NULL);
  g_assert_nonnull (work_dir);
  g_test_add_func ("/symbols-work/symbols", test_symbols);
  g_test_add_func ("/symbols-work/inlined", test_inlined);
  g_test_add_func ("/symbols-work/variables", test_variables);
  result = g_test_run ();
  g_free (shell ("rm -rf '%s'", work_dir));
  g_free (work_dir);
  return result;
}
