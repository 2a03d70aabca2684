/* test-symbols-types.c: types by name and their fields, compared with what
   the debugger says of programs that are compiled here. Every path that the
   library gives is an expression of the language; so gdb is asked for the
   offset and size of each.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_test.h"
#include "typed_gdb.h"
#include "typed_programs.h"
#include "unit_main.h"

#include <inttypes.h>
#include <string.h>

/* Each byte of something of the type, or of n of it.  */
static void
check_type (struct fixture *f, struct questions *q, const char *name,
            const char *cast, uint64_t n)
{
  const struct dg_type *type = dg_symbols_type (f->symbols, name);
  GHashTable *seen = g_hash_table_new (g_str_hash, g_str_equal);
  char *whole = n > 1 ? g_strdup_printf ("((%s *) 0)", cast)
                      : g_strdup_printf ("(*(%s *) 0)", cast);
  uint64_t total;

  g_test_message ("%s", name);
  g_assert_nonnull (type);
  g_assert_cmpstr (dg_type_name (type), ==, name);
  g_assert_true (dg_symbols_type (f->symbols, name) == type);
  total = dg_type_size (type) * n;
  g_assert_cmpuint (total, >, 0);
  for (uint64_t i = 0; i < total; i++) {
    struct dg_field field;

    g_assert_true (
      dg_symbols_field (f->symbols, type, n > 1 ? total : 0, i, 0, &field));
    g_assert_cmpuint (field.offset + field.within, ==, i);
    if (strstr (field.type, " : ") == NULL && field.path[0] != '\0'
        && strstr (field.path, "_vptr") == NULL && !field.is_padding
        && g_hash_table_add (seen, (gpointer) field.path)) {
      char *plain = without_bases (field.path);
      char *path = g_strdup_printf ("%s%s", whole, plain);

      g_free (plain);
      g_string_append_printf (
        q->script,
        "printf \"@%u %%lu %%lu\\n\", (unsigned long) &(%s), "
        "(unsigned long) sizeof (%s)\n",
        q->all->len, path, path);
      g_array_append_val (q->all,
                          ((struct question){path, field.offset, field.size}));
    }
  }
  g_assert_false (dg_symbols_field (f->symbols, type, n > 1 ? total : 0, total,
                                    0, &(struct dg_field){0}));
  g_free (whole);
  g_hash_table_unref (seen);
}

static void
check_types (const char *source, const char *text, const char *flags,
             const char *const (*names)[2], size_t n,
             const char *const *unknown)
{
  struct questions q;
  struct fixture f;

  if (!has_gdb ()) {
    g_test_skip ("no gdb");
    return;
  }
  if (!compile_text (source, text, "typed", flags))
    return;
  fixture_init (&f, "typed", 0x5000, true);
  questions_init (&q);
  for (size_t i = 0; i < n; i++) {
    check_type (&f, &q, names[i][0], names[i][1], 1);
    check_type (&f, &q, names[i][0], names[i][1], 5);
  }
  for (; *unknown != NULL; unknown++) {
    g_test_message ("not %s", *unknown);
    g_assert_null (dg_symbols_type (f.symbols, *unknown));
    g_assert_null (dg_symbols_type (f.symbols, *unknown));
  }
  compare_with_gdb (&q, "typed");
  fixture_fini (&f);
}

static void
test_c_types (gconstpointer flags)
{
  static const char *const names[][2] = {
    {"struct config", "struct config"},
    {"config", "struct config"},
    {"const struct limit", "struct limit"},
    {"point", "point"},
    {"grid", "grid"},
    {"u32", "u32"},
    {"cvu32", "cvu32"},
    {"enum color", "enum color"},
    {"color", "enum color"},
    {"short int", "short"},
    {"long", "long"},
    {"unsigned", "unsigned"},
    {"struct limit [2]", "struct limit [2]"},
    {"point[3][2]", "point [3][2]"},
    {"struct deep", "struct deep"},
  };
  static const char *const unknown[] = {"struct opaque",
                                        "struct nothing",
                                        "union config",
                                        "enum limit",
                                        "int[",
                                        "point[99999999999][99999999999]",
                                        "",
                                        "?",
                                        NULL};

  check_types ("typed.c", typed_c, flags, names, G_N_ELEMENTS (names),
               unknown);
}

static void
test_cc_types (gconstpointer flags)
{
  static const char *const names[][2] = {
    {"app::Shape", "app::Shape"},
    {"class app::Shape", "app::Shape"},
    {"Shape", "app::Shape"},
    {"app::Shape::Corner", "app::Shape::Corner"},
    {"Corner", "app::Shape::Corner"},
    {"app::Ring<long>", "app::Ring<long, 4>"},
    {"Ring<long int, 4>", "app::Ring<long, 4>"},
    {"app::Ring<app::Ring<unsigned long, 2>>",
     "app::Ring<app::Ring<unsigned long, 2>, 4>"},
    {"app::Versioned", "app::v1::Versioned"},
    {"Versioned", "app::v1::Versioned"},
  };
  static const char *const unknown[] = {"app::Nothing", "Ring<short>",
                                        "other::Shape", NULL};

  check_types ("typed.cc", typed_cc, flags, names, G_N_ELEMENTS (names),
               unknown);
}

/* Pointers, open bounds, ranges that do not fit, and what is the library's
   alone to say.  */
static void
test_type_ranges (void)
{
  static const struct {
    const char *name;
    uint64_t total, offset;
    const char *path, *type; /* path NULL: outside */
    uint64_t field_offset;
  } known[] = {
    {"double *", 0, 3, "", "double *", 0},
    {"struct limit *", 80, 20, "[2]", "struct limit *", 16},
    {"int (*)(void)", 8, 0, "", "int (*)(void)", 0},
    {"char *[4]", 0, 31, "[3]", "char *", 24},
    {"int[]", 40, 36, "[9]", "int", 36},
    {"struct limit[][2]", 320, 200, "[6][0].hard", "long", 200},
    {"struct limit", 24, 12, ".hard", "long", 8},
    {"struct limit", 24, 20, NULL, NULL, 0},
    {"struct limit", 10, 9, ".hard", "long", 8},
    {"struct limit", 10, 10, NULL, NULL, 0},
    {"struct limit", 64, 40, "[2].hard", "long", 40},
    {"struct limit", 70, 64, "[4].soft", "short", 64},
    /* With a flexible array, it is one.  */
    {"struct packet", 64, 30, ".data[12]", "short", 30},
    {"struct packet", 64, 0, ".n", "int", 0},
    {"point[2]", 64, 40, "[1][0].y", "double", 40},
  };
  struct fixture f;

  if (!compile_text ("typed.c", typed_c, "typed", "-O0 -g -pie -fPIE"))
    return;
  fixture_init (&f, "typed", 0x5000, true);
  for (size_t i = 0; i < G_N_ELEMENTS (known); i++) {
    const struct dg_type *type = dg_symbols_type (f.symbols, known[i].name);
    struct dg_field field;
    bool found;

    g_test_message ("%s of %" PRIu64 " + %" PRIu64, known[i].name,
                    known[i].total, known[i].offset);
    g_assert_nonnull (type);
    found = dg_symbols_field (f.symbols, type, known[i].total, known[i].offset,
                              0, &field);
    g_assert_cmpint (found, ==, known[i].path != NULL);
    if (!found)
      continue;
    g_assert_cmpstr (field.path, ==, known[i].path);
    g_assert_cmpstr (field.type, ==, known[i].type);
    g_assert_cmpuint (field.offset, ==, known[i].field_offset);
  }
  fixture_fini (&f);
}

/* The program comes before its libraries, and Valgrind's files last.  */
static void
test_type_order (void)
{
  static const char *const texts[] = {
    "struct both { char one[1]; }; struct both both;\n"
    "struct mine { char n; }; struct mine mine;\n",
    "struct both { char two[2]; }; struct both both;\n"
    "struct lib { char n; }; struct lib lib;\n",
    "struct both { char three[3]; }; struct both both;\n"
    "struct tool { char n; }; struct tool tool;\n"
    "struct lib { char n[2]; }; struct lib lib;\n"};
  static const char *const names[] = {"program", "library",
                                      "exp-datagrind-amd64-linux"};
  struct dg_module modules[3];
  struct dg_process process = {.exe = "program"};
  struct dg_log log = {.header = {.word_size = 8},
                       .process = &process,
                       .modules = modules,
                       .n_modules = 3};
  struct dg_symbols *symbols;

  memset (modules, 0, sizeof modules);
  for (size_t i = 0; i < 3; i++) {
    if (!compile_text ("one.c", texts[i], names[i], "-g -shared -fPIC"))
      return;
    /* The tool's comes first in real logs.  */
    modules[2 - i] = (struct dg_module){.text_address = 0x100000 * (i + 1),
                                        .text_size = 0x1000,
                                        .bias = 0x100000 * (i + 1),
                                        .unload_icount = DG_NEVER,
                                        .file = in_dir (names[i]),
                                        .soname = "",
                                        .has_detail = true};
  }
  symbols = dg_symbols_new (&log, NULL, NULL);
  g_assert_cmpuint (dg_type_size (dg_symbols_type (symbols, "struct both")),
                    ==, 1);
  g_assert_cmpuint (dg_type_size (dg_symbols_type (symbols, "lib")), ==, 1);
  g_assert_nonnull (dg_symbols_type (symbols, "tool"));
  g_assert_nonnull (dg_symbols_type (symbols, "mine"));
  dg_symbols_free (symbols);
  for (size_t i = 0; i < 3; i++)
    g_free ((char *) modules[i].file);
}

static int
run_tests (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  /* Nothing here may ask the network.  */
  g_unsetenv ("DEBUGINFOD_URLS");
  work_dir = g_dir_make_tmp ("test-types-XXXXXX", NULL);
  g_assert_nonnull (work_dir);
  add_flags ("c-types", test_c_types);
  add_flags ("c++-types", test_cc_types);
  g_test_add_func ("/symbols-types/ranges", test_type_ranges);
  g_test_add_func ("/symbols-types/order", test_type_order);
  result = g_test_run ();
  g_free (shell ("rm -rf '%s'", work_dir));
  g_free (work_dir);
  return result;
}

UNIT_MAIN (run_tests)
