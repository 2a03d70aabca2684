/* test-symbols-types-variables.c: variables and their fields, compared with
   what the debugger says of programs that are compiled here. Every path that
   the library gives is an expression of the language; so gdb is asked for the
   offset and size of each.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_test.h"
#include "typed_gdb.h"
#include "typed_programs.h"
#include "unit_main.h"

#include <inttypes.h>
#include <string.h>

/* Asks for each byte of a variable and has gdb confirm each field; returns how
   many bytes are padding.  */
static unsigned
check_bytes (struct fixture *f, struct questions *q, const char *expression,
             const char *name, uint64_t address, uint64_t size)
{
  GHashTable *seen = g_hash_table_new (g_str_hash, g_str_equal);
  unsigned n_padding = 0;

  for (uint64_t i = 0; i < size; i++) {
    struct dg_variable v;

    g_assert_true (dg_symbols_data (f->symbols, address + i, 10, 0, &v));
    g_assert_cmpstr (v.name, ==, name);
    g_assert_cmpuint (v.address, ==, address);
    g_assert_cmpuint (v.size, ==, size);
    g_assert_cmpuint (v.offset, ==, i);
    g_assert_nonnull (v.type);
    g_assert_true (v.has_field);
    g_assert_cmpuint (v.field.offset + v.field.within, ==, i);
    n_padding += v.field.is_padding;
    if (!v.field.is_padding)
      g_assert_cmpuint (v.field.within, <, v.field.size);
    /* No address of a bit-field can be taken; gdb wants other names for what
       the compiler has added, and counts flexible arrays its own way.  */
    if (strstr (v.field.type, " : ") == NULL && v.field.path[0] != '\0'
        && strstr (v.field.path, "_vptr") == NULL && !v.field.is_padding
        && g_hash_table_add (seen, (gpointer) v.field.path))
      ask_gdb (q, expression, v.field.path, v.field.offset, v.field.size);
  }
  g_hash_table_unref (seen);
  return n_padding;
}

struct known {
  const char *expression; /* of gdb */
  const char *name;       /* of the library */
  const char *type;       /* or NULL: any */
  unsigned n_padding;
};

/* Their addresses and sizes, as gdb has them.  */
static void
ask_places (const struct known *known, size_t n, const char *program,
            uint64_t (*places)[2])
{
  GString *script = g_string_new ("set language c++\n");
  char **lines;
  unsigned n_found = 0;

  for (size_t i = 0; i < n; i++)
    g_string_append_printf (script,
                            "printf \"@%zu %%lu %%lu\\n\", "
                            "(unsigned long) &%s, "
                            "(unsigned long) sizeof (%s)\n",
                            i, known[i].expression, known[i].expression);
  lines = run_gdb (script->str, program);
  for (char **line = lines; *line != NULL; line++) {
    unsigned i;
    uint64_t address, size;

    if (sscanf (*line, "@%u %" SCNu64 " %" SCNu64, &i, &address, &size) == 3
        && i < n) {
      places[i][0] = address;
      places[i][1] = size;
      n_found++;
    } else if (**line != '\0') {
      g_test_message ("gdb: %s", *line);
    }
  }
  g_assert_cmpuint (n_found, ==, n);
  g_strfreev (lines);
  g_string_free (script, TRUE);
}

static void
check_program (const char *source, const char *text, const char *flags,
               const struct known *known, size_t n)
{
  uint64_t bias = 0x7f1234560000;
  uint64_t places[32][2];
  struct questions q;
  struct fixture f;

  g_assert_cmpuint (n, <=, G_N_ELEMENTS (places));
  if (!has_gdb ()) {
    g_test_skip ("no gdb");
    return;
  }
  if (!compile_text (source, text, "typed", flags))
    return;
  fixture_init (&f, "typed", bias, true);
  questions_init (&q);
  ask_places (known, n, "typed", places);
  for (size_t i = 0; i < n; i++) {
    uint64_t address = places[i][0] + bias, size = places[i][1];
    struct dg_variable v;

    g_test_message ("%s at 0x%" PRIx64, known[i].expression, address);
    g_assert_true (dg_symbols_data (f.symbols, address, 10, 0, &v));
    if (known[i].type != NULL)
      g_assert_cmpstr (v.type, ==, known[i].type);
    g_assert_nonnull (v.file);
    g_assert_true (g_str_has_suffix (v.file, source));
    g_assert_cmpuint (v.line, >, 0);
    /* The symbol of one with a flexible array is larger.  */
    if (strcmp (known[i].name, "packet") == 0)
      size = v.size;
    g_assert_cmpuint (
      check_bytes (&f, &q, known[i].expression, known[i].name, address, size),
      ==, known[i].n_padding);
  }
  compare_with_gdb (&q, "typed");
  fixture_fini (&f);
}

static const struct known c_known[] = {
  /* 3 behind name, 6 in each of 4 limits, 2 and 1 behind bit-fields, 3 behind
     wide, 4 behind color.  */
  {"config", "config", "struct config", 37},
  {"packet", "packet", "struct packet", 1},
  {"lattice", "lattice", "grid", 0},
  {"pointers", "pointers", "struct limit *[6]", 0},
  {"deep", "deep", "struct deep", 0},
  {"either", "either", "union {...}", 0},
  {"flags", "flags", "_Bool [3]", 0},
  {"wide", "wide", "long double", 0},
  {"next_id::counter", "next_id::counter", "int", 0},
  {"next_id::known", "next_id::known", "struct local [3]", 9},
  {"main::counter", "main::counter", "unsigned char [9]", 0},
};

static void
test_c (gconstpointer flags)
{
  check_program ("typed.c", typed_c, flags, c_known, G_N_ELEMENTS (c_known));
}

static const struct known cc_known[] = {
  /* 4 behind id, 3 behind tag, 4 at the end.  */
  {"app::shapes", "app::shapes", "app::Shape [3]", 33},
  {"app::ring", "app::ring", NULL, 4},
  {"app::rings", "app::rings", NULL, 20},
  {"app::versioned", "app::versioned", "app::v1::Versioned", 4},
  {"app::Shape::count", "app::Shape::count", "int", 0},
  {"'app::tick()::ticks'", "app::tick::ticks", "long [2]", 0},
};

static void
test_cc (gconstpointer flags)
{
  check_program ("typed.cc", typed_cc, flags, cc_known,
                 G_N_ELEMENTS (cc_known));
}

/* What stands at some offsets, exactly.  */
static void
test_paths (void)
{
  static const struct {
    const char *variable;
    uint64_t offset;
    uint32_t size;
    const char *path, *type, *also, *holder, *member;
    bool is_padding;
  } known[] = {
    {"config", 2, 1, ".name[2]", "char", NULL, "struct config", "name", false},
    {"config", 32, 8, ".limits[1].hard", "long", NULL, "struct limit", "hard",
     false},
    {"config", 10, 2, ".limits[0]", "struct limit", NULL, "struct config",
     "limits", true},
    /* The access picks the member.  */
    {"config", 72, 8, ".value.d", "double", "bytes", NULL, NULL, false},
    {"config", 72, 4, ".value.low", "u32", "d, bytes", NULL, NULL, false},
    {"config", 73, 1, ".value.bytes[1]", "char", "d", NULL, NULL, false},
    {"config", 80, 4, ".inner", "int", NULL, NULL, NULL, false},
    {"config", 84, 4, ".i", "int", "f", NULL, NULL, false},
    {"config", 88, 4, ".a", "unsigned int : 3", "b", "struct config", "a",
     false},
    {"config", 92, 4, ".c", "unsigned int : 20", NULL, "struct config", "c",
     false},
    {"packet", 8, 2, ".data[1]", "short", NULL, "struct packet", "data",
     false},
  };
  struct fixture f;

  if (!compile_text ("typed.c", typed_c, "typed", "-O0 -g -pie -fPIE"))
    return;
  fixture_init (&f, "typed", 0, true);
  for (size_t i = 0; i < G_N_ELEMENTS (known); i++) {
    uint64_t base = address_of ("typed", known[i].variable);
    struct dg_variable v;

    g_test_message ("%s + %" PRIu64, known[i].variable, known[i].offset);
    g_assert_true (dg_symbols_data (f.symbols, base + known[i].offset, 10,
                                    known[i].size, &v));
    g_assert_cmpstr (v.field.path, ==, known[i].path);
    g_assert_cmpstr (v.field.type, ==, known[i].type);
    g_assert_cmpstr (v.field.also, ==, known[i].also);
    g_assert_cmpint (v.field.is_padding, ==, known[i].is_padding);
    if (known[i].holder != NULL) {
      g_assert_cmpstr (v.field.holder, ==, known[i].holder);
      g_assert_cmpstr (v.field.member, ==, known[i].member);
    }
  }
  fixture_fini (&f);
}

/* gdb knows no name for it.  */
static void
test_anonymous_namespace (void)
{
  struct fixture f;
  struct dg_variable v;

  if (!compile_text ("typed.cc", typed_cc, "typed", "-O0 -g -pie -fPIE"))
    return;
  fixture_init (&f, "typed", 0, true);
  g_assert_true (dg_symbols_data (
    f.symbols, address_of ("typed", "_ZN3app12_GLOBAL__N_16hiddenE") + 4, 10,
    4, &v));
  g_assert_cmpstr (v.name, ==, "app::(anonymous namespace)::hidden");
  g_assert_cmpstr (v.type, ==, "app::(anonymous namespace)::Hidden");
  g_assert_cmpstr (v.field.path, ==, ".h[1]");
  fixture_fini (&f);
}

/* What the standard library and its base classes make of it.  */
static void
test_standard_types (void)
{
  struct fixture f;
  const struct dg_type *type;
  struct dg_field field;

  if (!compile_text ("typed.cc", typed_cc, "typed", "-O0 -g -pie -fPIE"))
    return;
  fixture_init (&f, "typed", 0, true);
  type = dg_symbols_type (f.symbols, "std::vector<int>");
  g_assert_nonnull (type);
  g_assert_cmpuint (dg_type_size (type), ==, 24);
  g_assert_true (dg_symbols_field (f.symbols, type, 0, 8, 8, &field));
  g_assert_true (strcmp (field.path, "._M_finish") == 0
                 || strcmp (field.path, ".__end_") == 0);
  g_assert_nonnull (dg_symbols_type (f.symbols, "std::string"));
  fixture_fini (&f);
}

/* What such classes are made of is not in names, but elements of tuples differ
   in it alone.  */
static void
test_standard_members (void)
{
  static const char text[] =
    "#include <atomic>\n#include <memory>\n#include <mutex>\n"
    "#include <tuple>\n"
    "struct base { int b; };\n"
    "struct derived : base { int d; };\n"
    "struct ring { std::atomic<unsigned> head; std::atomic<bool> full[3];\n"
    "  std::unique_ptr<int> last; std::mutex lock; std::tuple<int, int> two;\n"
    "  derived plain; };\n"
    "ring all;\n"
    "int main () { return all.head + all.full[0]; }\n";
  static const struct {
    uint64_t offset;
    const char *path;
  } expected[] = {{0, ".head"},
                  {5, ".full[1]"},
                  {8, ".last"},
                  {16, ".lock.__data.__lock"},
                  {64, ".plain.base::b"},
                  {68, ".plain.d"}};
  struct fixture f;
  const struct dg_type *type;
  struct dg_field field;
  const char *first;

  if (!compile_text ("standard.cc", text, "standard", "-O0 -g -pie -fPIE"))
    return;
  fixture_init (&f, "standard", 0, true);
  type = dg_symbols_type (f.symbols, "ring");
  g_assert_nonnull (type);
  for (size_t i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_assert_true (
      dg_symbols_field (f.symbols, type, 0, expected[i].offset, 0, &field));
    g_assert_cmpstr (field.path, ==, expected[i].path);
  }
  g_assert_true (dg_symbols_field (f.symbols, type, 0, 56, 4, &field));
  first = field.path;
  g_assert_true (dg_symbols_field (f.symbols, type, 0, 60, 4, &field));
  g_assert_cmpstr (first, !=, field.path);
  fixture_fini (&f);
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
  add_flags ("c", test_c);
  add_flags ("c++", test_cc);
  g_test_add_func ("/symbols-types/paths", test_paths);
  g_test_add_func ("/symbols-types/anonymous-namespace",
                   test_anonymous_namespace);
  g_test_add_func ("/symbols-types/standard", test_standard_types);
  g_test_add_func ("/symbols-types/standard-members", test_standard_members);
  result = g_test_run ();
  g_free (shell ("rm -rf '%s'", work_dir));
  g_free (work_dir);
  return result;
}

UNIT_MAIN (run_tests)
