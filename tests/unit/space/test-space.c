/* test-space.c: covers and owners against plain search.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "dg_record.h"
#include "fake_log.h"
#include "space/space.h"
#include "space/space_cover.h"
#include "unit_main.h"

#include <glib.h>

/* ---- Covers ----------------------------------------------------------- */

static bool
holds (const struct dg_rect *r, uint64_t address, uint64_t icount)
{
  return address >= r->low && address < r->high && icount >= r->start
         && icount < r->end;
}

/* The last that fits: `rects` is in the order of the starts.  */
static uint32_t
search (const struct dg_rect *rects, size_t n, uint64_t address,
        uint64_t icount)
{
  for (size_t i = n; i-- > 0;)
    if (holds (&rects[i], address, icount))
      return rects[i].id;
  return DG_NONE;
}

static bool
search_overlap (const struct dg_rect *rects, size_t n, uint64_t address,
                uint64_t size, uint64_t icount)
{
  for (uint64_t a = address; a < address + size; a++)
    if (search (rects, n, a, icount) != DG_NONE)
      return true;
  return false;
}

static gint
compare_start (gconstpointer a, gconstpointer b)
{
  const struct dg_rect *x = a, *y = b;

  return x->start < y->start ? -1 : x->start > y->start;
}

static struct dg_rect
random_rect (uint32_t id, gint32 addresses, gint32 moments)
{
  uint64_t start = (uint64_t) g_test_rand_int_range (0, moments);
  uint64_t life = (uint64_t) g_test_rand_int_range (0, moments);

  return dg_rect_make (
    (uint64_t) g_test_rand_int_range (0, addresses),
    (uint64_t) g_test_rand_int_range (0, addresses / 2), start,
    g_test_rand_int_range (0, 4) == 0 ? DG_NEVER : start + life, id);
}

static void
test_random_covers (void)
{
  for (int round = 0; round < 400; round++) {
    size_t n = (size_t) g_test_rand_int_range (0, round < 300 ? 12 : 120);
    gint32 addresses = g_test_rand_int_range (4, 80);
    gint32 moments = g_test_rand_int_range (2, 60);
    GArray *sorted = g_array_new (FALSE, FALSE, sizeof (struct dg_rect));
    struct dg_rect *given = g_new (struct dg_rect, n + 1);
    struct dg_cover *cover;

    for (size_t i = 0; i < n; i++) {
      given[i] = random_rect ((uint32_t) i, addresses, moments);
      g_array_append_val (sorted, given[i]);
    }
    g_array_sort (sorted, compare_start);
    g_assert_cmpint (dg_cover_new (given, n, &cover), ==, 0);
    for (uint64_t a = 0; a < (uint64_t) addresses * 2; a++) {
      for (uint64_t t = 0; t < (uint64_t) moments * 2 + 2; t++) {
        const struct dg_rect *r = (struct dg_rect *) (void *) sorted->data;
        uint64_t size = (uint64_t) g_test_rand_int_range (0, 9);

        g_assert_cmpuint (dg_cover_find (cover, a, t), ==,
                          search (r, n, a, t));
        g_assert_cmpint (dg_cover_overlaps (cover, a, size, t), ==,
                         search_overlap (r, n, a, size, t));
      }
    }
    dg_cover_free (cover);
    g_free (given);
    g_array_unref (sorted);
  }
}

static void
test_cover_limits (void)
{
  struct dg_rect rects[] = {
    dg_rect_make (UINT64_MAX - 8, 100, 0, DG_NEVER, 7),
    dg_rect_make (0, 1, 5, 6, 8),
  };
  struct dg_cover *cover;

  g_assert_cmpint (dg_cover_new (rects, 2, &cover), ==, 0);
  g_assert_cmpuint (dg_cover_find (cover, UINT64_MAX - 8, 3), ==, 7);
  g_assert_cmpuint (dg_cover_find (cover, UINT64_MAX - 9, 3), ==, DG_NONE);
  g_assert_cmpuint (dg_cover_find (cover, 0, 5), ==, 8);
  g_assert_cmpuint (dg_cover_find (cover, 0, 4), ==, DG_NONE);
  g_assert_cmpuint (dg_cover_find (cover, 0, 6), ==, DG_NONE);
  g_assert_true (dg_cover_overlaps (cover, UINT64_MAX - 20, UINT64_MAX, 1));
  g_assert_false (dg_cover_overlaps (cover, 1, 100, 5));
  dg_cover_free (cover);

  g_assert_cmpint (dg_cover_new (NULL, 0, &cover), ==, 0);
  g_assert_cmpuint (dg_cover_find (cover, 0, 0), ==, DG_NONE);
  g_assert_false (dg_cover_overlaps (cover, 0, UINT64_MAX, 0));
  dg_cover_free (cover);
}

/* Millions of blocks at the same few addresses are what a heap looks like;
   one large block beneath them must not make them slow or big.  */
static void
test_many_blocks (void)
{
  size_t n = 200000;
  struct dg_rect *rects = g_new (struct dg_rect, n);
  struct dg_cover *cover;

  rects[0] = dg_rect_make (0, 1 << 20, 0, DG_NEVER, 0);
  for (size_t i = 1; i < n; i++)
    rects[i] = dg_rect_make ((i % 512) * 64, 48, i, i + 300, (uint32_t) i);
  g_assert_cmpint (dg_cover_new (rects, n, &cover), ==, 0);
  for (size_t i = 1; i < n; i++) {
    g_assert_cmpuint (dg_cover_find (cover, (i % 512) * 64 + 47, i + 299), ==,
                      i);
    g_assert_cmpuint (dg_cover_find (cover, (i % 512) * 64 + 47, i + 300), ==,
                      0);
  }
  dg_cover_free (cover);
  g_free (rects);
}

/* ---- Owners ----------------------------------------------------------- */

static void
check_owner (const struct dg_space *space, uint64_t address, uint64_t icount,
             enum dg_owner_kind kind, uint32_t index, uint64_t offset)
{
  struct dg_owner owner;

  dg_space_find (space, address, icount, &owner);
  g_assert_cmpint (owner.kind, ==, kind);
  g_assert_cmpuint (owner.index, ==, index);
  g_assert_cmpuint (owner.offset, ==, offset);
}

/* A part is of one owner, from its first to its last byte.  */
static void
check_parts (const struct dg_space *space, uint64_t end)
{
  for (uint64_t icount = 0; icount < 45; icount++)
    for (uint64_t address = 0; address < end; address += 0x40) {
      struct dg_owner owner, at;
      uint64_t low, high;

      dg_space_find_part (space, address, icount, &owner, &low, &high);
      g_assert_cmpuint (low, <=, address);
      g_assert_cmpuint (high, >, address);
      for (uint64_t a = MAX (low, address - MIN (address, 0x400));
           a < MIN (high, address + 0x400); a += 0x10) {
        dg_space_find (space, a, icount, &at);
        g_assert_cmpint (at.kind, ==, owner.kind);
        g_assert_cmpuint (at.index, ==, owner.index);
        g_assert_cmpuint (at.range, ==, owner.range);
      }
    }
}

static void
test_owners (void)
{
  struct dg_block blocks[] = {
    {.address = 0x5000, .size = 0x100, .alloc_icount = 10, .free_icount = 20},
    {.address = 0x5080,
     .size = 0x10,
     .alloc_icount = 20,
     .free_icount = DG_NEVER},
  };
  struct dg_thread threads[] = {
    {.number = 1,
     .end_icount = DG_NEVER,
     .stack_low = 0x9000,
     .stack_high = 0xa000,
     .name = ""},
    {.number = 2,
     .start_icount = 5,
     .end_icount = 9,
     .stack_low = 0x6000,
     .stack_high = 0x6800,
     .name = ""},
  };
  struct dg_mapping maps[] = {
    {.address = 0x1000,
     .size = 0x1000,
     .end_icount = DG_NEVER,
     .protection = DG_PROT_READ | DG_PROT_EXEC,
     .file = "/bin/p"},
    {.address = 0x2000,
     .size = 0x1000,
     .end_icount = DG_NEVER,
     .protection = DG_PROT_READ | DG_PROT_WRITE,
     .file = "/bin/p"},
    {.address = 0x3000,
     .size = 0x1000,
     .end_icount = DG_NEVER,
     .protection = DG_PROT_READ | DG_PROT_WRITE,
     .file = ""},
    {.address = 0x4000,
     .size = 0x4000,
     .start_icount = 1,
     .end_icount = DG_NEVER,
     .what = DG_MAP_BRK,
     .protection = DG_PROT_READ | DG_PROT_WRITE,
     .file = ""},
    {.address = 0xf000,
     .size = 0x1000,
     .start_icount = 2,
     .end_icount = DG_NEVER,
     .protection = DG_PROT_READ,
     .file = "/etc/data"},
  };
  struct dg_module modules[] = {
    {.text_address = 0x1100,
     .text_size = 0x200,
     .unload_icount = DG_NEVER,
     .file = "/bin/p",
     .soname = ""},
    {.text_address = 0x20000,
     .text_size = 0x100,
     .load_icount = 3,
     .unload_icount = 8,
     .file = "/lib/q",
     .soname = ""},
  };
  struct dg_range ranges[] = {
    {.address = 0x5000,
     .size = 0x200,
     .start_icount = 11,
     .end_icount = DG_NEVER,
     .type = "",
     .label = "outer"},
    {.address = 0x5000,
     .size = 0x20,
     .start_icount = 12,
     .end_icount = 15,
     .type = "",
     .label = "inner"},
  };
  /* One on a stack, one in a heap block.  */
  struct dg_thread_local locals[] = {
    {.address = 0x9f00,
     .size = 0x20,
     .start_icount = 30,
     .end_icount = 40},
    {.address = 0x5090,
     .size = 0x20,
     .start_icount = 30,
     .end_icount = 40},
  };
  struct dg_log log = {.blocks = blocks,
                       .n_blocks = 2,
                       .threads = threads,
                       .n_threads = 2,
                       .mappings = maps,
                       .n_mappings = 5,
                       .modules = modules,
                       .n_modules = 2,
                       .ranges = ranges,
                       .n_ranges = 2,
                       .thread_locals = locals,
                       .n_thread_locals = 2};
  struct dg_space *space = dg_space_new (&log, NULL);
  struct dg_owner owner;

  g_assert_nonnull (space);
  check_owner (space, 0x5081, 10, DG_OWNER_BLOCK, 0, 0x81);
  check_owner (space, 0x5081, 20, DG_OWNER_BLOCK, 1, 1);
  check_owner (space, 0x5100, 10, DG_OWNER_MAPPING, 3, 0x1100);
  check_owner (space, 0x9fff, 0, DG_OWNER_STACK, 0, 0xfff);
  check_owner (space, 0x6000, 5, DG_OWNER_STACK, 1, 0);
  check_owner (space, 0x6000, 9, DG_OWNER_MAPPING, 3, 0x2000);
  check_owner (space, 0x1000, 0, DG_OWNER_MODULE, 0, 0);
  check_owner (space, 0x2010, 0, DG_OWNER_MODULE, 0, 0x1010);
  /* .bss, but not the heap behind it.  */
  check_owner (space, 0x3010, 0, DG_OWNER_MODULE, 0, 0x2010);
  check_owner (space, 0x4010, 1, DG_OWNER_MAPPING, 3, 0x10);
  /* Text without a mapping, while it is loaded.  */
  check_owner (space, 0x20001, 3, DG_OWNER_MODULE, 1, 1);
  check_owner (space, 0x20001, 8, DG_OWNER_NONE, DG_NONE, 0);
  check_owner (space, 0xf004, 2, DG_OWNER_MAPPING, 4, 4);
  check_owner (space, 0xe000, 2, DG_OWNER_NONE, DG_NONE, 0);
  check_owner (space, 0x9f08, 29, DG_OWNER_STACK, 0, 0xf08);
  check_owner (space, 0x9f08, 30, DG_OWNER_LOCALS, 0, 8);
  check_owner (space, 0x9f20, 30, DG_OWNER_STACK, 0, 0xf20);
  check_owner (space, 0x9f08, 40, DG_OWNER_STACK, 0, 0xf08);
  check_owner (space, 0x5091, 39, DG_OWNER_LOCALS, 1, 1);

  check_parts (space, 0x10000);
  dg_space_find (space, 0x5001, 11, &owner);
  g_assert_cmpuint (owner.range, ==, 0);
  dg_space_find (space, 0x5001, 12, &owner);
  g_assert_cmpuint (owner.range, ==, 1);
  dg_space_find (space, 0x5001, 15, &owner);
  g_assert_cmpuint (owner.range, ==, 0);
  dg_space_find (space, 0x5001, 10, &owner);
  g_assert_cmpuint (owner.range, ==, DG_NONE);
  dg_space_free (space);
}

static struct dg_mapping
mapping (uint64_t address, uint64_t size, uint64_t start, uint64_t end,
         uint8_t protection, const char *file)
{
  return (struct dg_mapping) {.address = address,
                              .size = size,
                              .start_icount = start,
                              .end_icount = end,
                              .protection = protection,
                              .file = file};
}

/* A program whose page in .bss becomes unreadable at 50, and behind whose
   library the dynamic linker puts the first thread's control block.  */
static void
test_bss (void)
{
  enum { R = DG_PROT_READ, RW = DG_PROT_READ | DG_PROT_WRITE };
  struct dg_mapping maps[] = {
    mapping (0x1000, 0x1000, 0, DG_NEVER, R | DG_PROT_EXEC, "/bin/p"),
    mapping (0x2000, 0x2000, 0, 20, RW, "/bin/p"),
    mapping (0x4000, 0x8000, 0, 50, RW, ""),
    /* The library as a whole, then its data, then its .bss.  */
    mapping (0x20000, 0x6000, 5, 7, R | DG_PROT_EXEC, "/lib/q"),
    mapping (0x20000, 0x3000, 7, DG_NEVER, R | DG_PROT_EXEC, "/lib/q"),
    mapping (0x23000, 0x1000, 7, 15, RW, "/lib/q"),
    mapping (0x24000, 0x2000, 8, DG_NEVER, RW, ""),
    mapping (0x26000, 0x2000, 10, DG_NEVER, RW, ""),
    mapping (0x23000, 0x1000, 15, DG_NEVER, R, "/lib/q"),
    /* What is read-only after relocation.  */
    mapping (0x3000, 0x1000, 20, DG_NEVER, RW, "/bin/p"),
    mapping (0x2000, 0x1000, 20, DG_NEVER, R, "/bin/p"),
    mapping (0x4000, 0x3000, 50, DG_NEVER, RW, ""),
    mapping (0x8000, 0x4000, 50, DG_NEVER, RW, ""),
    mapping (0x7000, 0x1000, 50, 60, 0, ""),
    mapping (0x7000, 0x1000, 60, DG_NEVER, RW, ""),
    mapping (0xc000, 0x1000, 70, DG_NEVER, RW, ""),
  };
  struct dg_module modules[] = {
    {.text_address = 0x1100, .text_size = 0x200, .unload_icount = DG_NEVER,
     .file = "/bin/p", .soname = ""},
    {.text_address = 0x20100, .text_size = 0x100, .load_icount = 7,
     .unload_icount = DG_NEVER, .file = "/lib/q", .soname = ""},
  };
  struct dg_log log = {.mappings = maps,
                       .n_mappings = G_N_ELEMENTS (maps),
                       .modules = modules,
                       .n_modules = G_N_ELEMENTS (modules)};
  struct dg_space *space = dg_space_new (&log, NULL);

  g_assert_nonnull (space);
  for (uint64_t page = 0x2000; page < 0xc000; page += 0x1000)
    for (uint64_t icount = 0; icount < 80; icount += 5)
      check_owner (space, page, icount, DG_OWNER_MODULE, 0, page - 0x1000);
  check_owner (space, 0xc000, 70, DG_OWNER_MAPPING, 15, 0);
  check_owner (space, 0x24010, 9, DG_OWNER_MODULE, 1, 0x4010);
  check_owner (space, 0x25ff0, 70, DG_OWNER_MODULE, 1, 0x5ff0);
  check_owner (space, 0x26000, 11, DG_OWNER_MAPPING, 7, 0);
  dg_space_free (space);
}

/* dg_space_block agrees, for as many addresses as it says.  */
static void
check_block (const struct dg_space *space, uint64_t address, uint64_t icount,
             uint32_t index)
{
  uint64_t low, high, other_low, other_high;

  g_assert_cmpuint (dg_space_block (space, address, icount, &low, &high), ==,
                    index);
  g_assert_cmpuint (low, <=, address);
  g_assert_cmpuint (high, >, address);
  g_assert_cmpuint (
    dg_space_block (space, high - 1, icount, &other_low, &other_high), ==,
    index);
  g_assert_cmpuint (other_low, ==, low);
  g_assert_cmpuint (other_high, ==, high);
}

/* Blocks of a random heap, some of them within others as a pool's are.  */
static void
test_random_heap (void)
{
  enum { N = 300 };
  struct dg_block blocks[N];
  struct dg_log log = {.blocks = blocks, .n_blocks = N};
  struct dg_space *space;

  for (uint64_t i = 0; i < N; i++)
    blocks[i] = (struct dg_block){
      .address = (uint64_t) g_test_rand_int_range (0, 900),
      .size = (uint64_t) g_test_rand_int_range (0, 90),
      .alloc_icount = i,
      .free_icount = i + (uint64_t) g_test_rand_int_range (0, 60)};
  space = dg_space_new (&log, NULL);
  for (uint64_t t = 0; t < N + 60; t += 7) {
    for (uint64_t a = 0; a < 1000; a++) {
      enum dg_owner_kind kind = DG_OWNER_NONE;
      uint32_t index = DG_NONE;

      for (uint32_t i = 0; i < N; i++) {
        const struct dg_block *b = &blocks[i];
        if (a - b->address < b->size && t >= b->alloc_icount
            && t < b->free_icount) {
          kind = DG_OWNER_BLOCK;
          index = i;
        }
      }
      check_owner (space, a, t, kind, index,
                   kind == DG_OWNER_BLOCK ? a - blocks[index].address : 0);
      check_block (space, a, t, index);
    }
  }
  dg_space_free (space);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/space/cover/random", test_random_covers);
  g_test_add_func ("/space/cover/limits", test_cover_limits);
  g_test_add_func ("/space/cover/many", test_many_blocks);
  g_test_add_func ("/space/owners", test_owners);
  g_test_add_func ("/space/bss", test_bss);
  g_test_add_func ("/space/heap", test_random_heap);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
