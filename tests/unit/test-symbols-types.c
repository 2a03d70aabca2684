/* test-symbols-types.c: variables, types and fields, compared with what the
   debugger says of programs that are compiled here.

   Every path that the library gives is an expression of the language; so gdb
   is asked for the offset and size of each.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols_test.h"
#include "symbols_type_name.h"

#include <glib/gstdio.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char c_text[] =
  "#include <stddef.h>\n"
  "typedef unsigned int u32;\n"
  "typedef const volatile u32 cvu32;\n"
  "enum color { RED, GREEN };\n"
  "struct limit { short soft; long hard; };\n"
  "struct config {\n"
  "  char name[5];\n"
  "  struct limit limits[4];\n"
  "  union { double d; struct { u32 low, high; }; char bytes[8]; } value;\n"
  "  struct { int inner; union { int i; float f; }; };\n"
  "  unsigned a : 3, b : 7, : 4, c : 20;\n"
  "  unsigned long long wide : 40;\n"
  "  enum color color;\n"
  "  int (*handler) (struct config *, const char *);\n"
  "  cvu32 counts[2][3][4];\n"
  "  struct config *const next;\n"
  "};\n"
  "struct packet { int n; char kind; short data[]; };\n"
  "typedef struct { double x, y; } point;\n"
  "typedef point grid[3][5];\n"
  "struct opaque;\n"
  "struct deep { struct { struct { int leaf[2]; } c; } b[2]; };\n"
  "struct config config;\n"
  "static struct packet packet = { 3, 'x', { 1, 2, 3 } };\n"
  "grid lattice;\n"
  "struct limit *pointers[6];\n"
  "struct deep deep;\n"
  "union { int i; double d; } either;\n"
  "_Bool flags[3];\n"
  "static long double wide;\n"
  "int next_id (void)\n"
  "{\n"
  "  static int counter;\n"
  "  struct local { char tag; int id; };\n"
  "  static struct local known[3];\n"
  "  known[counter % 3].id = counter;\n"
  "  return counter++ + known[0].id;\n"
  "}\n"
  "int main (void)\n"
  "{\n"
  "  static unsigned char counter[9];\n"
  "  return next_id () + packet.data[1] + counter[1] + (int) wide\n"
  "         + config.name[0] + flags[0] + (pointers[0] != NULL) + either.i\n"
  "         + deep.b[0].c.leaf[0] + (int) lattice[0][0].x;\n"
  "}\n";

static const char cc_text[] =
  "#include <vector>\n"
  "#include <string>\n"
  "namespace app {\n"
  "struct Empty {};\n"
  "struct Base { int id; virtual ~Base () {} };\n"
  "class Shape : public Base, public Empty {\n"
  "public:\n"
  "  double area;\n"
  "  char tag;\n"
  "  static int count;\n"
  "  struct Corner { float x, y; } corners[4];\n"
  "};\n"
  "template <typename T, int N = 4>\n"
  "struct Ring { T items[N]; unsigned at; };\n"
  "inline namespace v1 { struct Versioned { int v; long w; }; }\n"
  "namespace { struct Hidden { int h[2]; }; Hidden hidden; }\n"
  "int Shape::count = 3;\n"
  "Shape shapes[3];\n"
  "Ring<long> ring;\n"
  "Ring<Ring<unsigned long, 2> > rings;\n"
  "Versioned versioned;\n"
  "std::vector<int> numbers;\n"
  "std::string title;\n"
  "int tick () { static long ticks[2]; return (int) ticks[1]++; }\n"
  "}\n"
  "int Shape (int x) { return x + app::Shape::count; }\n"
  "int main ()\n"
  "{\n"
  "  app::numbers.push_back (3);\n"
  "  app::title = \"x\";\n"
  "  return Shape (app::tick ()) + app::hidden.h[0] + (int) app::ring.at\n"
  "         + app::shapes[0].tag + (int) app::rings.at + app::versioned.v;\n"
  "}\n";

/* ---- Spellings -------------------------------------------------------- */

static void
test_spellings (void)
{
  static const char *const same[][2] = {
    {"long unsigned int", "unsigned long"},
    {"unsigned long int", "unsigned long"},
    {"long long unsigned int", "unsigned long long"},
    {"unsigned", "unsigned int"},
    {"signed", "int"},
    {"short int", "short"},
    {"char", "char"},
    {"signed char", "signed char"},
    {"long double", "long double"},
    {"  struct   node ", "node"},
    {"const char *", "char const*"},
    {"char const *const", "char const*const"},
    {"std::vector<int, std::allocator<int> >",
     "std::vector<int,std::allocator<int>>"},
    {"std::map<const long unsigned int, struct x *>",
     "std::map<unsigned long const,x*>"},
    {"a::Ring<long int, 4ul>", "a::Ring<long,4>"},
    {"::top", "top"},
    {"(anonymous namespace)::x", "(anonymous namespace)::x"},
    {"alloc::vec::Vec<i32, alloc::alloc::Global>",
     "alloc::vec::Vec<i32,alloc::alloc::Global>"},
    {"broken<<", "broken<<"},
    {"", ""}};

  for (size_t i = 0; i < G_N_ELEMENTS (same); i++) {
    char *text = dg_type_name_canonical (same[i][0]);
    char *again = dg_type_name_canonical (text);

    g_assert_cmpstr (text, ==, same[i][1]);
    g_assert_cmpstr (again, ==, text);
    g_free (text);
    g_free (again);
  }
}

static void
test_parse (void)
{
  static const struct {
    const char *text, *base;
    enum dg_type_word word;
    bool is_pointer;
    unsigned n;
    uint64_t dims[3];
  } good[] = {
    {"struct node", "node", DG_TYPE_STRUCT, false, 0, {0}},
    {"node", "node", DG_TYPE_ANY, false, 0, {0}},
    {"int[16]", "int", DG_TYPE_ANY, false, 1, {16}},
    {"struct point [100] [0x10]", "point", DG_TYPE_STRUCT, false, 2,
     {100, 16}},
    {"int[][3]", "int", DG_TYPE_ANY, false, 2, {0, 3}},
    {"double *", "double", DG_TYPE_ANY, true, 0, {0}},
    {"const char *const [4]", "char", DG_TYPE_ANY, true, 1, {4}},
    {"int (*)(int)", "void", DG_TYPE_ANY, true, 0, {0}},
    {"int (*[4]) (int)", "void", DG_TYPE_ANY, true, 1, {4}},
    {"volatile unsigned long", "unsigned long", DG_TYPE_ANY, false, 0, {0}},
    {"enum color", "color", DG_TYPE_ENUM, false, 0, {0}},
    {"union  u", "u", DG_TYPE_UNION, false, 0, {0}},
    {"class a::B<int>", "a::B<int>", DG_TYPE_STRUCT, false, 0, {0}},
    {"[i32; 16]", "i32", DG_TYPE_ANY, false, 1, {16}},
    {"[[u8; 4]; 3]", "u8", DG_TYPE_ANY, false, 2, {3, 4}},
    {"&str", "void", DG_TYPE_ANY, true, 0, {0}},
    {"node const", "node", DG_TYPE_ANY, false, 0, {0}},
  };
  static const char *const bad[] = {
    "", "   ", "int[", "int]", "int[x]", "int[-1]", "int[0]", "[4]",
    "int[2][]", "int[1][1][1][1][1][1][1][1][1]", "[int; 0]", "const"};
  struct dg_type_name name;

  for (size_t i = 0; i < G_N_ELEMENTS (good); i++) {
    g_test_message ("%s", good[i].text);
    g_assert_true (dg_type_name_parse (good[i].text, &name));
    g_assert_cmpstr (name.base, ==, good[i].base);
    g_assert_cmpint (name.word, ==, good[i].word);
    g_assert_cmpint (name.is_pointer, ==, good[i].is_pointer);
    g_assert_cmpuint (name.n_dims, ==, good[i].n);
    for (unsigned k = 0; k < good[i].n; k++)
      g_assert_cmpuint (name.dims[k], ==, good[i].dims[k]);
    dg_type_name_fini (&name);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    /* A lone word may pass for a name, but nothing has it.  */
    g_test_message ("%s", bad[i]);
    if (dg_type_name_parse (bad[i], &name)) {
      g_assert_true (strcmp (bad[i], "const") == 0);
      dg_type_name_fini (&name);
    }
  }
}

/* Nothing may crash it, or take long.  */
static void
test_random_names (void)
{
  static const char letters[] = "ab1 <>()[]{}:;,*&'\"~-+.const struct[3]";
  char text[60];

  for (int round = 0; round < 20000; round++) {
    size_t n = (size_t) g_test_rand_int_range (0, sizeof text);
    struct dg_type_name name;
    char *spelling;

    for (size_t i = 0; i < n; i++)
      text[i] =
        letters[g_test_rand_int_range (0, (gint32) sizeof letters - 1)];
    text[n == sizeof text ? n - 1 : n] = '\0';
    if (dg_type_name_parse (text, &name))
      dg_type_name_fini (&name);
    spelling = dg_type_name_canonical (text);
    g_free (spelling);
  }
  for (int nested = 1; nested < 70000; nested *= 3) {
    GString *deep = g_string_new (NULL);
    char *spelling;

    for (int i = 0; i < nested; i++)
      g_string_append (deep, "a<");
    spelling = dg_type_name_canonical (deep->str);
    g_free (spelling);
    g_string_free (deep, TRUE);
  }
}

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

/* `whole` is an expression for the thing that the field is in.  */
static void
ask_gdb (struct questions *q, const char *whole, const char *path,
         uint64_t offset, uint64_t size)
{
  struct question question = {g_strconcat (whole, path, NULL), offset, size};

  g_string_append_printf (
    q->script,
    "printf \"@%u %%lu %%lu\\n\", "
    "(unsigned long) &(%s) - (unsigned long) &(%s), "
    "(unsigned long) sizeof (%s)\n",
    q->all->len, question.expression, whole, question.expression);
  g_array_append_val (q->all, question);
}

/* Runs gdb once over all that were asked.  */
static void
compare_with_gdb (struct questions *q, const char *program)
{
  char *path = in_dir ("script"), *output;
  char **lines;
  unsigned n = 0;

  g_file_set_contents (path, q->script->str, -1, NULL);
  output = shell ("gdb -nx -batch -x script %s 2>&1 || :", program);
  lines = g_strsplit (output != NULL ? output : "", "\n", 0);
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
  g_free (output);
  g_free (path);
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
        && strstr (v.field.path, "_vptr") == NULL && q != NULL
        && g_hash_table_add (seen, (gpointer) v.field.path))
      ask_gdb (q, expression, v.field.path, v.field.offset, v.field.size);
  }
  g_hash_table_unref (seen);
  return n_padding;
}

static uint64_t
gdb_number (const char *program, const char *expression)
{
  char *output =
    shell ("gdb -nx -batch -ex 'output/d (unsigned long) (%s)' %s", expression,
           program);
  uint64_t number =
    output != NULL ? g_ascii_strtoull (output, NULL, 0) : UINT64_MAX;

  g_free (output);
  return number;
}

struct known {
  const char *expression; /* of gdb */
  const char *name;       /* of the library */
  const char *type;       /* or NULL: any */
  unsigned n_padding;
};

static void
check_program (const char *source, const char *text, const char *flags,
               const struct known *known, size_t n)
{
  uint64_t bias = 0x7f1234560000;
  struct questions q;
  struct fixture f;

  if (!has_gdb ()) {
    g_test_skip ("no gdb");
    return;
  }
  if (!compile_text (source, text, "typed", flags))
    return;
  fixture_init (&f, "typed", bias, true);
  questions_init (&q);
  for (size_t i = 0; i < n; i++) {
    char *place = g_strdup_printf ("&%s", known[i].expression);
    char *extent = g_strdup_printf ("sizeof (%s)", known[i].expression);
    uint64_t address = gdb_number ("typed", place) + bias;
    uint64_t size = gdb_number ("typed", extent);
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
    g_free (place);
    g_free (extent);
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
  check_program ("typed.c", c_text, flags, c_known, G_N_ELEMENTS (c_known));
}

static void
add_flags (const char *name, void (*test) (gconstpointer))
{
  static const char *const all[][2] = {
    {"dwarf5", "-O0 -g -gdwarf-5 -pie -fPIE"},
    {"dwarf4", "-O0 -g -gdwarf-4 -pie -fPIE"},
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
  g_test_add_func ("/symbols-types/spellings", test_spellings);
  g_test_add_func ("/symbols-types/parse", test_parse);
  g_test_add_func ("/symbols-types/random-names", test_random_names);
  add_flags ("c", test_c);
  result = g_test_run ();
  g_free (shell ("rm -rf '%s'", work_dir));
  g_free (work_dir);
  return result;
}
