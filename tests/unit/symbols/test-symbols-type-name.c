/* test-symbols-type-name.c: the spellings of types, and users' names of them
   taken apart.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "symbols/symbols_type_name.h"
#include "unit_main.h"

#include <glib.h>
#include <string.h>

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

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/type-name/spellings", test_spellings);
  g_test_add_func ("/type-name/parse", test_parse);
  g_test_add_func ("/type-name/random", test_random_names);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
