/* test-symbols-types.c: variables, types and fields, compared with what the
   debugger says of programs that are compiled here.

   Every path that the library gives is an expression of the language; so gdb
   is asked for the offset and size of each.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_test.h"
#include "typed_programs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- gdb -------------------------------------------------------------- */

/* Expressions, with what the library says of them.  */
struct question {
  char *expression;      /* gdb: &EXPRESSION and sizeof EXPRESSION */
  uint64_t offset, size;
};
struct questions {
  GArray *all;
  GString *script;
};

static void
questions_init (struct questions *q)
{
  q->all = g_array_new (FALSE, TRUE, sizeof (struct question));
  q->script = g_string_new ("set print address off\nset language c++\n");
}

/* A path without the names of base classes, which gdb would want whole.  */
static char *
without_bases (const char *path)
{
  GRegex *regex = g_regex_new ("[A-Za-z_][A-Za-z_0-9]*::", 0, 0, NULL);
  char *plain = g_regex_replace_literal (regex, path, -1, 0, "", 0, NULL);

  g_regex_unref (regex);
  return plain;
}

/* `whole` is an expression for the thing that the field is in.  */
static void
ask_gdb (struct questions *q, const char *whole, const char *path,
         uint64_t offset, uint64_t size)
{
  char *plain = without_bases (path);
  struct question question = {g_strconcat (whole, plain, NULL), offset, size};

  g_free (plain);
  g_string_append_printf (
    q->script,
    "printf \"@%u %%lu %%lu\\n\", "
    "(unsigned long) &(%s) - (unsigned long) &(%s), "
    "(unsigned long) sizeof (%s)\n",
    q->all->len, question.expression, whole, question.expression);
  g_array_append_val (q->all, question);
}

/* What gdb says to a script, line by line.  */
static char **
run_gdb (const char *script, const char *program)
{
  char *path = in_dir ("script"), *output;
  char **lines;

  g_file_set_contents (path, script, -1, NULL);
  output = shell ("gdb -nx -batch -x script %s 2>&1 || :", program);
  lines = g_strsplit (output != NULL ? output : "", "\n", 0);
  g_free (output);
  g_free (path);
  return lines;
}

/* Runs gdb once over all that were asked.  */
static void
compare_with_gdb (struct questions *q, const char *program)
{
  char **lines = run_gdb (q->script->str, program);
  unsigned n = 0;

  for (char **line = lines; *line != NULL; line++) {
    unsigned i;
    uint64_t offset, size;
    const struct question *question;

    if (sscanf (*line, "@%u %" SCNu64 " %" SCNu64, &i, &offset, &size) != 3) {
      if (**line != '\0')
        g_test_message ("gdb: %s", *line);
      continue;
    }
    g_assert_cmpuint (i, <, q->all->len);
    question = &g_array_index (q->all, struct question, i);
    g_test_message ("%s", question->expression);
    g_assert_cmpuint (question->offset, ==, offset);
    g_assert_cmpuint (question->size, ==, size);
    n++;
  }
  g_assert_cmpuint (n, ==, q->all->len);
  for (guint i = 0; i < q->all->len; i++)
    g_free (g_array_index (q->all, struct question, i).expression);
  g_strfreev (lines);
  g_array_unref (q->all);
  g_string_free (q->script, TRUE);
}

static bool
has_gdb (void)
{
  char *output = shell ("gdb -nx -batch -ex 'print 1' 2>&1");
  bool found = output != NULL;

  g_free (output);
  return found;
}

/* ---- Variables -------------------------------------------------------- */

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
    g_assert_cmpuint (check_bytes (&f, &q, known[i].expression, known[i].name,
                                   address, size),
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
    {"config", 32, 8, ".limits[1].hard", "long", NULL, "struct limit",
     "hard", false},
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
  g_assert_true (g_str_has_suffix (field.path, "_M_finish")
                 || g_str_has_suffix (field.path, "__end_"));
  g_assert_nonnull (dg_symbols_type (f.symbols, "std::string"));
  fixture_fini (&f);
}

/* ---- Types by name ---------------------------------------------------- */

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

    g_assert_true (dg_symbols_field (f->symbols, type, n > 1 ? total : 0, i,
                                     0, &field));
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
      g_array_append_val (q->all, ((struct question){path, field.offset,
                                                     field.size}));
    }
  }
  g_assert_false (
    dg_symbols_field (f->symbols, type, n > 1 ? total : 0, total, 0,
                      &(struct dg_field){0}));
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
  static const char *const unknown[] = {
    "struct opaque", "struct nothing", "union config", "enum limit", "int[",
    "point[99999999999][99999999999]", "", "?", NULL};

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
    found = dg_symbols_field (f.symbols, type, known[i].total,
                              known[i].offset, 0, &field);
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
  struct dg_log log = {.header = {.word_size = 8}, .process = &process,
                       .modules = modules, .n_modules = 3};
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

/* ---- All -------------------------------------------------------------- */

static void
add_flags (const char *name, void (*test) (gconstpointer))
{
  static const char *const all[][2] = {
    {"dwarf5", "-O0 -g -gdwarf-5 -pie -fPIE"},
    {"dwarf4", "-O0 -g -gdwarf-4 -pie -fPIE"},
    {"dwarf3", "-O0 -g -gdwarf-3 -gstrict-dwarf -pie -fPIE"},
    {"type-units", "-O0 -gdwarf-5 -fdebug-types-section -pie -fPIE"},
    {"type-units-4", "-O0 -gdwarf-4 -fdebug-types-section -pie -fPIE"},
    {"split", "-O0 -g -gsplit-dwarf -pie -fPIE"},
    {"fixed", "-O0 -g -no-pie -fno-pie"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (all); i++) {
    char *path = g_strdup_printf ("/symbols-types/%s/%s", name, all[i][0]);
    g_test_add_data_func (path, all[i][1], test);
    g_free (path);
  }
}

int
main (int argc, char **argv)
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
  add_flags ("c-types", test_c_types);
  add_flags ("c++-types", test_cc_types);
  g_test_add_func ("/symbols-types/ranges", test_type_ranges);
  g_test_add_func ("/symbols-types/order", test_type_order);
  result = g_test_run ();
  g_free (shell ("rm -rf '%s'", work_dir));
  g_free (work_dir);
  return result;
}
