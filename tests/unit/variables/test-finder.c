/* test-finder.c: what a finder says of accesses is what asking about each of
   them alone gives: random heaps, ranges, mappings and stacks, in the order of
   the log and in others.  And allocator definition files.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include <glib/gstdio.h>

#include "symbols/allocators_file.h"
#include "core_test.h"
#include "unit_main.h"
#include "variables/variables.h"

/* ---- Random logs -------------------------------------------------------- */

struct live {
  uint64_t address, size;
};

/* Somewhere in 64 KiB, seldom aligned.  */
static uint64_t
somewhere (GRand *rand)
{
  return 0x10000 + (uint64_t) g_rand_int_range (rand, 0, 0x10000);
}

static uint64_t
some_size (GRand *rand)
{
  static const int sizes[] = { 1, 3, 8, 24, 64, 200, 5000, 20000 };

  return (uint64_t) sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))];
}

/* Ends one of what began.  */
static void
end_one (GRand *rand, GString *text, GArray *live, const char *record,
         bool with_size)
{
  guint i;
  const struct live *one;

  if (live->len == 0)
    return;
  i = (guint) g_rand_int_range (rand, 0, (gint) live->len);
  one = &g_array_index (live, struct live, i);
  g_string_append_printf (text, "%s %" G_GUINT64_FORMAT, record,
                          one->address);
  if (with_size)
    g_string_append_printf (text, " %" G_GUINT64_FORMAT, one->size);
  g_string_append_c (text, '\n');
  g_array_remove_index_fast (live, i);
}

static void
begin_one (GRand *rand, GString *text, GArray *live, const char *format)
{
  struct live one = { somewhere (rand), some_size (rand) };

  g_string_append_printf (text, format, one.address, one.size,
                          g_rand_int_range (rand, 1, 9));
  g_array_append_val (live, one);
}

static char *
random_text (GRand *rand, unsigned n)
{
  GString *text = g_string_new (
    "process 1 1 7 8 4096 64 0 8 \"1\" \"3\" \"amd64\" \"/p\" \"/\" [\"p\"]\n"
    "thread_start 1 0 1\n"
    "stack 1 0x1c000 0x1e003\n"
    "bbdef [0x400000+4 0x400004+4] [R4@0 W1@0 R8@1]\n"
    "context 0 [0x400000 0x400100]\n");
  GArray *blocks = g_array_new (FALSE, FALSE, sizeof (struct live));
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (struct live));
  GArray *maps = g_array_new (FALSE, FALSE, sizeof (struct live));

  for (unsigned i = 0; i < n; i++) {
    switch (g_rand_int_range (rand, 0, 12)) {
    case 0:
      begin_one (rand, text, blocks,
                 "malloc_block %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                 " [0x4000%02d]\n");
      break;
    case 1: end_one (rand, text, blocks, "free_block", false); break;
    case 2:
      begin_one (rand, text, ranges,
                 "track_range %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                 " \"struct t%d\" \"label\"\n");
      break;
    case 3: end_one (rand, text, ranges, "untrack_range", true); break;
    case 4:
      begin_one (rand, text, maps,
                 "map %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                 " 3 %d 0 \"\"\n");
      break;
    case 5: end_one (rand, text, maps, "unmap", true); break;
    default:
      g_string_append_printf (text, "bbrun 0 2 [%#" G_GINT64_MODIFIER "x %#"
                              G_GINT64_MODIFIER "x %#" G_GINT64_MODIFIER
                              "x]\n", somewhere (rand), somewhere (rand),
                              somewhere (rand));
      break;
    }
  }
  g_string_append (text, "end why=0 exit_code=0\n");
  g_array_unref (blocks);
  g_array_unref (ranges);
  g_array_unref (maps);
  return g_string_free (text, FALSE);
}

/* ---- What is expected --------------------------------------------------- */

static char *
expected_name (const struct dg_log *log, const struct dg_space *space,
               const struct dg_access *access)
{
  struct dg_owner owner;
  size_t n;

  dg_space_find (space, access->address, access->icount, &owner);
  if (owner.range != DG_NONE)
    return g_strdup (dg_log_ranges (log, &n)[owner.range].type
                     + strlen ("struct "));
  if (owner.kind == DG_OWNER_BLOCK)
    return g_strdup_printf (
      "0x%" G_GINT64_MODIFIER "x",
      dg_log_block (log, owner.index).alloc_stack.sites[0]);
  return g_strdup (owner.kind == DG_OWNER_STACK ? "<NA> (stack)" : "<NA>");
}

static void
check_access (const struct dg_log *log, const struct dg_space *space,
              struct dg_variables *variables, struct dg_finder *finder,
              const struct dg_access *access)
{
  uint64_t low, high;
  uint32_t block = dg_space_block (space, access->address, access->icount,
                                   &low, &high);
  char *name = expected_name (log, space, access);
  uint32_t site;
  struct dg_stack stack;

  g_assert_cmpstr (
    dg_variables_named (variables,
                        dg_finder_variable (finder, access))->name, ==, name);
  g_assert_cmpuint (dg_finder_block (finder, access), ==, block);
  site = dg_finder_site (finder, access);
  g_assert_cmpint (site == 0, ==, block == DG_NONE);
  if (block != DG_NONE) {
    dg_variables_site (variables, site, &stack);
    g_assert_true (stack.sites
                   == dg_log_block (log, block).alloc_stack.sites);
  }
  g_free (name);
}

static GArray *
read_accesses (const struct dg_log *log)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct dg_access));
  struct dg_access some[256];
  struct dg_error err;
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, &err);
  ptrdiff_t n;

  g_assert_nonnull (reader);
  while ((n = dg_reader_accesses (reader, some, 256, &err)) > 0)
    g_array_append_vals (all, some, (guint) n);
  g_assert_cmpint (n, ==, 0);
  dg_reader_free (reader);
  return all;
}

static void
check_log (const char *text, GRand *rand)
{
  struct dg_error err;
  GByteArray *bytes;
  struct dg_log *log = core_test_log (text, &bytes);
  struct dg_symbols *symbols = dg_symbols_new (log, NULL, &err);
  struct dg_space *space = dg_space_new (log, &err);
  struct dg_variables *variables =
    dg_variables_new (log, symbols, space, NULL, 2, &err);
  struct dg_finder *finder = dg_finder_new (variables, &err);
  GArray *all = read_accesses (log);
  guint n = all->len;

  for (guint i = 0; i < n; i++)
    check_access (log, space, variables, finder,
                  &g_array_index (all, struct dg_access, i));
  /* Again from the beginning, in leaps, and at random.  */
  for (guint i = 0; i < n; i += 1 + (guint) g_rand_int_range (rand, 0, 50))
    check_access (log, space, variables, finder,
                  &g_array_index (all, struct dg_access, i));
  for (guint i = 0; i < 500 && n > 0; i++)
    check_access (log, space, variables, finder,
                  &g_array_index (all, struct dg_access,
                                  (guint) g_rand_int_range (rand, 0,
                                                            (gint) n)));
  g_array_unref (all);
  dg_finder_free (finder);
  dg_variables_free (variables);
  dg_space_free (space);
  dg_symbols_free (symbols);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_random (void)
{
  for (guint32 seed = 1; seed <= 40; seed++) {
    GRand *rand = g_rand_new_with_seed (seed);
    char *text = random_text (rand, 40 * seed);

    check_log (text, rand);
    g_free (text);
    g_rand_free (rand);
  }
}

/* The last bytes of the address space, and blocks of no bytes.  */
static void
test_edges (void)
{
  GRand *rand = g_rand_new_with_seed (1);

  check_log ("bbdef [0x400000+4] [R8@0]\n"
             "context 0 [0x400000]\n"
             "malloc_block 0xfffffffffffff000 0x1000 [0x400001]\n"
             "malloc_block 0x2000 0 [0x400002]\n"
             "track_range 0x2000 0 \"struct none\" \"none\"\n"
             "bbrun 0 1 [0xffffffffffffffff]\n"
             "bbrun 0 1 [0xfffffffffffff000]\n"
             "bbrun 0 1 [0xffffffffffffefff]\n"
             "bbrun 0 1 [0x2000]\n"
             "bbrun 0 1 [1]\n"
             "free_block 0xfffffffffffff000\n"
             "bbrun 0 1 [0xffffffffffffffff]\n", rand);
  check_log ("bbdef [0x400000+4] [R8@0]\n"
             "context 0 [0x400000]\n", rand);
  g_rand_free (rand);
}

/* ---- Allocator definition files ----------------------------------------- */

static struct dg_allocators *
load (const char *text, struct dg_error *err)
{
  char *path = NULL;
  int fd = g_file_open_tmp ("allocators.XXXXXX", &path, NULL);
  struct dg_allocators *allocators;

  g_assert_cmpint (fd, >=, 0);
  g_assert_true (g_close (fd, NULL));
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  allocators = dg_allocators_new (path, err);
  g_unlink (path);
  g_free (path);
  return allocators;
}

static void
check_allocator (const struct dg_allocators *allocators, const char *name,
                 int number, int size, int address)
{
  const struct dg_allocator_entry *found =
    dg_allocators_find (allocators, name);

  g_assert_nonnull (found);
  g_assert_cmpint (found->number, ==, number);
  g_assert_cmpint (found->size, ==, size);
  g_assert_cmpint (found->address, ==, address);
}

static void
test_allocators (void)
{
  struct dg_error err;
  struct dg_allocators *allocators = dg_allocators_new (NULL, &err);

  check_allocator (allocators, "malloc", -1, 0, -1);
  check_allocator (allocators, "calloc", 0, 1, -1);
  check_allocator (allocators, "operator new(unsigned long)", -1, 0, -1);
  g_assert_null (dg_allocators_find (allocators, "xmalloc"));
  g_assert_null (dg_allocators_find (allocators, ""));
  dg_allocators_free (allocators);
  allocators = load ("# name number size addr\n"
                     "\n"
                     "  xmalloc -1 0 -1 # ours\n"
                     "pool::get 0\t1 2\r\n"
                     "operator new[] -1 0 -1\n"
                     "make -1 -1 -1\n"
                     "xmalloc 3 4 5", &err);
  g_assert_nonnull (allocators);
  check_allocator (allocators, "xmalloc", 3, 4, 5);
  check_allocator (allocators, "pool::get(int) const", 0, 1, 2);
  check_allocator (allocators, "make<int>(int)", -1, -1, -1);
  check_allocator (allocators, "malloc", -1, 0, -1);
  dg_allocators_free (allocators);
}

static void
test_bad_allocators (void)
{
  static const struct {
    const char *text, *message;
  } bad[] = {
    { "a 1 2\n", ":1: expected NAME NUMBER SIZE ADDRESS" },
    { "\n# x\na\n", ":3: expected NAME NUMBER SIZE ADDRESS" },
    { "a 0 1 2\nb 0 1 x\n", ":2: 'x' is not the position" },
    { "a 0 -2 1\n", ":1: '-2' is not the position" },
    { "a 0 256 1\n", ":1: '256' is not the position" },
    { "a 0 1 99999999999999999999\n", ":1: '9999" },
  };
  struct dg_error err;

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_assert_null (load (bad[i].text, &err));
    g_assert_cmpint (err.code, ==, DG_ERR_INVALID);
    if (strstr (err.message, bad[i].message) == NULL)
      g_error ("%s: not in: %s", bad[i].message, err.message);
  }
  g_assert_null (dg_allocators_new ("/no/such/file", &err));
  g_assert_cmpint (err.code, ==, DG_ERR_IO);
  g_assert_cmpstr (err.message, ==,
                   "/no/such/file: No such file or directory");
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/finder/random", test_random);
  g_test_add_func ("/finder/edges", test_edges);
  g_test_add_func ("/finder/allocators", test_allocators);
  g_test_add_func ("/finder/bad-allocators", test_bad_allocators);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
