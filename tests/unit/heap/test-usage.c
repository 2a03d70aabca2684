/* test-usage.c: what became of heap blocks is what going through all accesses
   one by one, byte by byte, gives: random heaps, tidy and wild, with pools,
   reallocs and system calls, on logs of both word sizes and byte orders.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <string.h>

#include "core_test.h"
#include "libdatagrind.h"
#include "heap/usage_index.h"
#include "use_model.h"

/* ---- Comparing ---------------------------------------------------------- */

struct told {
  const struct use_model *model;
  GHashTable *blocks; /* those of which counts were told */
};

static void
check_counts (void *user, uint32_t block, const uint16_t *counts, size_t n)
{
  struct told *told = user;
  const GArray *expected = told->model->of[block].counts;

  g_assert_cmpuint (block % 3, !=, 0);
  g_assert_true (g_hash_table_add (told->blocks, GUINT_TO_POINTER (block)));
  g_assert_cmpuint (n, ==, expected->len);
  for (size_t i = 0; i < n; i++)
    g_assert_cmpuint (counts[i], ==,
                      MIN (g_array_index (expected, guint, i), UINT16_MAX));
}

/* What is told of blocks, and in which order.  */
struct ended {
  struct dg_usage_block *blocks;
  size_t n;
  GArray *order;       /* uint32_t */
  const uint8_t *only; /* NULL: all of them */
};

static struct ended
ended_new (const struct dg_log *log, const uint8_t *only)
{
  size_t n = dg_log_n_blocks (log);
  struct ended ended = {g_new (struct dg_usage_block, n + 1), n,
                        g_array_new (FALSE, FALSE, sizeof (uint32_t)), only};

  memset (ended.blocks, 0xff, (n + 1) * sizeof *ended.blocks);
  return ended;
}

static void
ended_free (struct ended *ended)
{
  g_free (ended->blocks);
  g_array_unref (ended->order);
}

static void
note_end (void *user, uint32_t block, const struct dg_usage_block *use)
{
  struct ended *ended = user;

  g_assert_cmpuint (block, <, ended->n);
  g_assert_cmpuint (ended->blocks[block].flags, ==, UINT32_MAX);
  g_assert_true (ended->only == NULL || ended->only[block] != 0);
  ended->blocks[block] = *use;
  g_array_append_val (ended->order, block);
}

/* Every block once, those that end in the log's order, then the others, the
   youngest first.  */
static void
check_order (const struct dg_log *log, const struct ended *ended)
{
  uint32_t before = 0, youngest = UINT32_MAX;
  bool is_over = false;

  g_assert_cmpuint (ended->order->len, ==, ended->n);
  for (guint i = 0; i < ended->order->len; i++) {
    uint32_t block = g_array_index (ended->order, uint32_t, i);
    uint32_t order = dg_log_block (log, block).free_order;

    if (order != DG_NONE) {
      g_assert_false (is_over);
      g_assert_true (i == 0 || order > before);
      before = order;
    } else {
      g_assert_cmpuint (block, <, youngest);
      youngest = block;
      is_over = true;
    }
  }
}

static void
check_accesses (const struct dg_usage_block *want,
                const struct dg_usage_block *use)
{
  g_assert_cmpuint (use->reads, ==, want->reads);
  g_assert_cmpuint (use->writes, ==, want->writes);
  g_assert_cmpuint (use->read_bytes, ==, want->read_bytes);
  g_assert_cmpuint (use->written_bytes, ==, want->written_bytes);
  g_assert_cmpuint (use->first_icount, ==, want->first_icount);
  g_assert_cmpuint (use->last_icount, ==, want->last_icount);
  g_assert_cmpuint (use->last_instruction, ==, want->last_instruction);
  g_assert_cmpuint (use->last_context, ==, want->last_context);
  g_assert_cmpuint (use->last_thread, ==, want->last_thread);
}

static void
check_block (const struct use_counted *expected,
             const struct dg_usage_block *use)
{
  const struct dg_usage_block *want = &expected->use;
  bool is_holder = (use->flags & DG_USAGE_HAS_PIECES) != 0;

  check_accesses (want, use);
  g_assert_cmpuint (use->previous, ==, want->previous);
  g_assert_cmpuint (use->flags & ~(uint32_t) DG_USAGE_HAS_PIECES, ==, 0);
  g_assert_cmpint (is_holder, ==, expected->overlaps);
  g_assert_cmpuint (use->unread, ==, is_holder ? 0 : want->unread);
  g_assert_cmpuint (use->unwritten, ==, is_holder ? 0 : want->unwritten);
  g_assert_cmpuint (use->untouched, ==, is_holder ? 0 : want->untouched);
}

/* Of some blocks only: their accesses are the same.  */
static void
check_only (const struct dg_log *log, const struct use_model *model)
{
  uint8_t *only = g_new (uint8_t, model->n + 1);

  for (unsigned workers = 1; workers <= 3; workers++) {
    struct ended ended = ended_new (log, only);
    const struct dg_usage_options options = {.size = sizeof options,
                                             .workers = workers,
                                             .only = only,
                                             .ended = note_end,
                                             .ended_user = &ended};

    for (size_t i = 0; i < model->n; i++)
      only[i] = i % (3 * workers) == workers;
    g_assert_cmpint (dg_usage_run (log, &options, NULL, NULL, NULL), ==, 0);
    for (size_t i = 0; i < model->n; i++)
      if (only[i])
        check_accesses (&model->of[i].use, &ended.blocks[i]);
    ended_free (&ended);
  }
  g_free (only);
}

static void
check_log (const struct dg_log *log)
{
  struct use_model model;
  struct told told = {&model, g_hash_table_new (NULL, NULL)};
  struct ended first = {NULL, 0, NULL, NULL};
  GByteArray *wants = g_byte_array_new ();

  use_model_init (&model, log);
  use_model_run (&model);
  for (size_t i = 0; i < model.n; i++) {
    guint8 wanted = i % 3 != 0;

    g_byte_array_append (wants, &wanted, 1);
  }
  for (unsigned workers = 1; workers <= 4; workers++) {
    struct ended ended = ended_new (log, NULL);
    struct dg_usage_options options = {
      .size = sizeof options,
      .workers = workers,
      .want_bytes = true,
      .ended = note_end,
      .ended_user = &ended,
      .counts = workers % 2 == 0 ? check_counts : NULL,
      .counts_user = &told,
      .wants = wants->data};

    g_hash_table_remove_all (told.blocks);
    g_assert_cmpint (dg_usage_run (log, &options, NULL, NULL, NULL), ==, 0);
    check_order (log, &ended);
    for (size_t i = 0; i < model.n; i++) {
      check_block (&model.of[i], &ended.blocks[i]);
      if (options.counts != NULL && i % 3 != 0)
        g_assert_cmpint (
          g_hash_table_contains (told.blocks, GSIZE_TO_POINTER (i)), ==,
          ended.blocks[i].first_icount != DG_NEVER);
      if (workers > 1)
        g_assert_cmpuint (first.blocks[i].flags, ==, ended.blocks[i].flags);
    }
    if (workers == 1)
      first = ended;
    else
      ended_free (&ended);
  }
  check_only (log, &model);
  ended_free (&first);
  g_byte_array_unref (wants);
  g_hash_table_unref (told.blocks);
  use_model_fini (&model);
}

/* ---- Random logs -------------------------------------------------------- */

struct live {
  uint64_t address, size;
  bool is_piece;
};

struct heap {
  GRand *rand;
  GString *text;
  GArray *live;  /* struct live */
  uint64_t next; /* what was never used begins here */
  unsigned seqno;
  bool is_wild;   /* blocks anywhere */
  unsigned grain; /* of the addresses of pieces */
};

static unsigned
below (struct heap *heap, unsigned n)
{
  return (unsigned) g_rand_int_range (heap->rand, 0, (gint) n);
}

#define P(heap, ...) g_string_append_printf ((heap)->text, __VA_ARGS__)

static void
allocate (struct heap *heap, uint64_t address, uint64_t size,
          unsigned allocator, uint64_t old)
{
  struct live live = {address, size, allocator == DG_ALLOC_MALLOCLIKE};

  P (heap,
     "malloc_block %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " [0x40%04x]\n",
     address, size, below (heap, 9));
  P (heap,
     "heap_alloc %u 1 %u %" G_GUINT64_FORMAT " 0 %" G_GUINT64_FORMAT "\n",
     ++heap->seqno, allocator, size, old);
  g_array_append_val (heap->live, live);
}

static uint64_t
some_size (struct heap *heap)
{
  static const unsigned sizes[] = {0,   1,   7,    16,   24,    40,    64,
                                   100, 500, 4096, 9000, 70000, 200000};

  return sizes[below (heap, below (heap, 6) ? 9 : G_N_ELEMENTS (sizes))];
}

static void
allocate_one (struct heap *heap)
{
  uint64_t size = some_size (heap), address;

  if (heap->is_wild) {
    address = 0x10000 + below (heap, 0x8000) * heap->grain;
  } else {
    address = heap->next;
    heap->next += (size + 47) / 16 * 16;
  }
  allocate (heap, address, size, 1 + below (heap, 2), 0);
}

static struct live *
pick (struct heap *heap)
{
  return heap->live->len > 0 ? &g_array_index (heap->live, struct live,
                                               below (heap, heap->live->len))
                             : NULL;
}

/* A piece of a block, beside those that there are.  */
static void
allocate_piece (struct heap *heap)
{
  struct live *of = pick (heap);
  uint64_t size, address;

  if (of == NULL || of->is_piece || of->size < 64)
    return;
  size = 1 + below (heap, 40);
  address =
    of->address
    + below (heap, (unsigned) (of->size - size)) / heap->grain * heap->grain;
  for (guint i = 0; i < heap->live->len; i++) {
    const struct live *other = &g_array_index (heap->live, struct live, i);

    if (other->is_piece && other->address < address + size
        && address < other->address + other->size)
      return;
  }
  allocate (heap, address, size, DG_ALLOC_MALLOCLIKE, 0);
}

static void
free_block (struct heap *heap, struct live *live, unsigned allocator)
{
  P (heap, "free_block %" G_GUINT64_FORMAT "\n", live->address);
  P (heap, "heap_free %u 1 %u [0x400100]\n", ++heap->seqno, allocator);
  g_array_remove_index_fast (
    heap->live, (guint) (live - (struct live *) (void *) heap->live->data));
}

/* Whether pieces are in it, which must go first.  */
static bool
holds_pieces (const struct heap *heap, const struct live *block)
{
  for (guint i = 0; i < heap->live->len; i++) {
    const struct live *other = &g_array_index (heap->live, struct live, i);

    if (other != block && other->address < block->address + block->size
        && block->address < other->address + other->size)
      return true;
  }
  return false;
}

static void
free_one (struct heap *heap)
{
  struct live *live = pick (heap);

  if (live != NULL
      && (heap->is_wild || live->is_piece || !holds_pieces (heap, live)))
    free_block (heap, live,
                live->is_piece ? DG_ALLOC_FREELIKE : DG_ALLOC_FREE);
}

static void
resize_one (struct heap *heap)
{
  struct live *live = pick (heap), old;
  uint64_t size = some_size (heap), address;

  if (live == NULL || live->is_piece || holds_pieces (heap, live))
    return;
  old = *live;
  free_block (heap, live, DG_ALLOC_REALLOC);
  address = old.address;
  if (size > old.size) {
    address = heap->next + 16 * below (heap, 4);
    heap->next = address + (size + 47) / 16 * 16;
  }
  allocate (heap, address, size, DG_ALLOC_REALLOC, old.address);
}

/* Near a block, often.  */
static uint64_t
somewhere (struct heap *heap)
{
  const struct live *live = pick (heap);

  if (live == NULL || below (heap, 8) == 0)
    return 0x10000 + below (heap, 0x40000);
  return live->address - 8
         + below (heap, (unsigned) MIN (live->size, 300) + 16);
}

static char *
random_log (GRand *rand, unsigned n, bool is_wild, unsigned grain)
{
  struct heap heap = {
    .rand = rand, .next = 0x10000, .is_wild = is_wild, .grain = grain};

  heap.text = g_string_new (
    "process 1 1 7 8 4096 64 0 8 \"1\" \"3\" \"amd64\" \"/p\" \"/\" [\"p\"]\n"
    "thread_start 1 0 1\n"
    "bbdef [0x400000+4 0x400004+4] [R4@0 W1@0 R8@1]\n"
    "bbdef [0x400010+4 0x400014+4] [W16@0 R300@1]\n"
    "bbdef [0x400020+4] [R32@0]\n"
    "context 0 [0x400000 0x400100]\n"
    "context 1 [0x400010 0x400100]\n"
    "context 2 [0x400020]\n");
  heap.live = g_array_new (FALSE, FALSE, sizeof (struct live));
  for (unsigned i = 0; i < n; i++) {
    uint64_t at = somewhere (&heap);

    switch (below (&heap, 16)) {
    case 0:
    case 1:
      allocate_one (&heap);
      break;
    case 2:
      free_one (&heap);
      break;
    case 3:
      allocate_piece (&heap);
      break;
    case 4:
      resize_one (&heap);
      break;
    case 5:
      P (&heap, "kernel_access %u %" G_GUINT64_FORMAT " %u 1\n",
         below (&heap, 2), at, below (&heap, 400));
      break;
    case 6:
      P (&heap, "chunk\n");
      break;
    case 7:
    case 8:
      P (&heap,
         "bbrun 1 2 [%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
         " %" G_GUINT64_FORMAT "]\n",
         at, somewhere (&heap), somewhere (&heap));
      break;
    case 9:
      P (&heap, "bbrun 2 1 [%" G_GUINT64_FORMAT "]\n", at);
      break;
    default:
      P (&heap,
         "bbrun 0 2 [%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
         " %" G_GUINT64_FORMAT "]\n",
         at, at + below (&heap, 20), somewhere (&heap));
      break;
    }
  }
  g_string_append (heap.text, "end why=0 exit_code=0\n");
  g_array_unref (heap.live);
  return g_string_free (heap.text, FALSE);
}

static void
check_text (const char *text, unsigned word_size, bool big_endian)
{
  GByteArray *bytes = core_test_assemble (text, word_size, big_endian);
  struct dg_error err;
  int code;
  struct dg_log *log = core_test_load (bytes, 1, &code, &err);

  if (code < 0)
    g_error ("%s", err.message);
  check_log (log);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_random (gconstpointer data)
{
  bool is_wild = GPOINTER_TO_INT (data) != 0;

  for (guint32 seed = 0; seed < 60; seed++) {
    GRand *rand = g_rand_new_with_seed (seed);
    unsigned grain = is_wild ? 1 + seed % 16 : seed % 2 ? 16 : 8;
    char *text = random_log (rand, 300, is_wild, grain);

    check_text (text, seed % 3 == 0 ? 4 : 8, seed % 5 == 0);
    g_free (text);
    g_rand_free (rand);
  }
}

/* ---- Cases -------------------------------------------------------------- */

static struct ended
use_of_log (const struct dg_log *log)
{
  struct ended ended = ended_new (log, NULL);
  const struct dg_usage_options options = {.size = sizeof options,
                                           .ended = note_end,
                                           .ended_user = &ended,
                                           .want_bytes = true};

  g_assert_cmpint (dg_usage_run (log, &options, NULL, NULL, NULL), ==, 0);
  check_order (log, &ended);
  return ended;
}

static struct ended
use_of (const char *text, struct dg_log **log, GByteArray **bytes,
        const struct dg_usage_block **blocks)
{
  struct ended ended;

  *log = core_test_log (text, bytes);
  ended = use_of_log (*log);
  *blocks = ended.blocks;
  return ended;
}

/* A read across the end of a block belongs to it; a read that begins before
   it touches its bytes, but is not one of its reads.  */
static void
test_edges (void)
{
  const struct dg_usage_block *blocks;
  struct dg_log *log;
  GByteArray *bytes;
  struct ended use = use_of ("bbdef [0x400000+4] [R8@0]\n"
                             "context 0 [0x400000]\n"
                             "malloc_block 0x1000 10 [0x400001]\n"
                             "malloc_block 0x2000 0 [0x400001]\n"
                             "malloc_block 0xfffffffffffffff0 16"
                             " [0x400001]\n"
                             "bbrun 0 1 [0x1008]\n"
                             "bbrun 0 1 [0xffc]\n"
                             "bbrun 0 1 [0x2000]\n"
                             "bbrun 0 1 [0xfffffffffffffffc]\n"
                             "free_block 0x1000\n"
                             "bbrun 0 1 [0x1000]\n"
                             "malloc_block 0x1000 10 [0x400001]\n",
                             &log, &bytes, &blocks);

  g_assert_cmpuint (blocks[0].reads, ==, 1);
  g_assert_cmpuint (blocks[0].read_bytes, ==, 8);
  g_assert_cmpuint (blocks[0].unread, ==, 4);
  g_assert_cmpuint (blocks[0].unwritten, ==, 10);
  g_assert_cmpuint (blocks[0].untouched, ==, 4);
  g_assert_cmpuint (blocks[0].last_icount, ==, 0);
  g_assert_cmpuint (blocks[0].last_instruction, ==, 0x400000);
  g_assert_cmpuint (blocks[1].last_icount, ==, DG_NEVER);
  g_assert_cmpuint (blocks[2].reads, ==, 1);
  g_assert_cmpuint (blocks[3].reads, ==, 0);
  g_assert_cmpuint (blocks[3].untouched, ==, 10);
  ended_free (&use);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* What a realloc keeps stays written; what it gives away is forgotten.  */
static void
test_realloc (void)
{
  const struct dg_usage_block *blocks;
  struct dg_log *log;
  GByteArray *bytes;
  struct ended use = use_of ("bbdef [0x400000+4] [W8@0]\n"
                             "context 0 [0x400000]\n"
                             "malloc_block 0x1000 32 [0x400001]\n"
                             "heap_alloc 1 1 1 32 0 0\n"
                             "bbrun 0 1 [0x1000]\n"
                             "bbrun 0 1 [0x1018]\n"
                             "free_block 0x1000\n"
                             "heap_free 2 1 3 []\n"
                             "malloc_block 0x2008 100 [0x400001]\n"
                             "heap_alloc 3 1 3 100 0 0x1000\n"
                             "bbrun 0 1 [0x2008]\n"
                             "free_block 0x2008\n"
                             "heap_free 4 1 3 []\n"
                             "malloc_block 0x2008 16 [0x400001]\n"
                             "heap_alloc 5 1 3 100 0 0x2008\n",
                             &log, &bytes, &blocks);

  g_assert_cmpuint (blocks[0].unwritten, ==, 16);
  g_assert_cmpuint (blocks[1].previous, ==, 0);
  g_assert_cmpuint (blocks[1].writes, ==, 1);
  g_assert_cmpuint (blocks[1].unwritten, ==, 84);
  g_assert_cmpuint (blocks[2].previous, ==, 1);
  g_assert_cmpuint (blocks[2].writes, ==, 0);
  g_assert_cmpuint (blocks[2].unwritten, ==, 8);
  g_assert_cmpuint (blocks[2].last_icount, ==, DG_NEVER);
  ended_free (&use);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* A log that ends early, one without blocks, and one that is empty.  */
static void
test_cut_short (void)
{
  GByteArray *bytes = core_test_assemble ("bbdef [0x400000+4] [W8@0]\n"
                                          "context 0 [0x400000]\n"
                                          "malloc_block 0x1000 32 [0x400001]\n"
                                          "bbrun 0 1 [0x1000]\n"
                                          "bbrun 0 1 [0x1008]\n",
                                          8, false);
  struct dg_error err;
  int code;
  struct dg_log *log;
  struct ended use;

  g_byte_array_set_size (bytes, bytes->len - 3);
  log = core_test_load (bytes, 1, &code, &err);
  g_assert_cmpint (code, ==, DG_ERR_TRUNCATED);
  use = use_of_log (log);
  g_assert_cmpuint (use.blocks[0].writes, ==, 1);
  g_assert_cmpuint (use.blocks[0].unwritten, ==, 24);
  ended_free (&use);
  dg_log_close (log);
  g_byte_array_unref (bytes);
  log = core_test_log ("bbdef [] []\n", &bytes);
  use = use_of_log (log);
  g_assert_cmpuint (use.n, ==, 0);
  ended_free (&use);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* Blocks as large as an address space cost nothing.  */
static void
test_huge (void)
{
  static const char text[] =
    "malloc_block 0xffffffffffffffff 18446744073709551615 [0x400000]\n"
    "malloc_block 0 0 []\n"
    "heap_alloc 0 9 0 0 0 0\n"
    "malloc_block 0 18446744073709551615 [0x400001]\n"
    "heap_alloc 3 7 255 18446744073709551615 0 0\n"
    "malloc_block 0 18446744073709551615 [0x400002]\n"
    "heap_alloc 3 7 15 18446744073709551615 0 0\n"
    "free_block 0\n"
    "heap_free 3 7 16 []\n"
    "kernel_access 1 0x10000 0x7000000000000000 0\n";
  const struct dg_usage_block *blocks;
  struct dg_log *log;
  GByteArray *bytes;
  struct ended use = use_of (
                 "bbdef [0x400000+4] [W8@0]\n"
                 "context 0 [0x400000]\n"
                 "malloc_block 0x1000 0x7000000000000000 [0x400001]\n"
                 "malloc_block 0x2000 0x6000000000000000 [0x400001]\n"
                 "bbrun 0 1 [0x1800]\n"
                 "bbrun 0 1 [0x4000000000000000]\n"
                 "kernel_access 1 0x6fffffffffffff00 0x1000000000000000 0\n"
                 "free_block 0x2000\n"
                 "bbrun 0 1 [0x4000000000000000]\n",
                 &log, &bytes, &blocks),
               other;

  g_assert_cmpuint (blocks[0].flags, ==, DG_USAGE_HAS_PIECES);
  g_assert_cmpuint (blocks[0].writes, ==, 3);
  g_assert_cmpuint (blocks[1].writes, ==, 1);
  g_assert_cmpuint (blocks[1].unwritten, ==, 0x6000000000000000 - 8);
  ended_free (&use);
  dg_log_close (log);
  g_byte_array_unref (bytes);
  other = use_of (text, &log, &bytes, &blocks);
  g_assert_cmpuint (blocks[0].last_icount, ==, DG_NEVER);
  ended_free (&other);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static int
cancel (void *user, uint64_t done, uint64_t total)
{
  return 1;
}

static void
test_cancel (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log ("bbdef [0x400000+4] [W8@0]\n"
                                      "context 0 [0x400000]\n"
                                      "malloc_block 0x1000 32 [0x400001]\n"
                                      "bbrun 0 1 [0x1000]\n",
                                      &bytes);
  const struct dg_usage_options options = {.size = sizeof options,
                                           .want_bytes = true};
  struct dg_error err;

  g_assert_cmpint (dg_usage_run (log, &options, cancel, NULL, &err), ==,
                   DG_ERR_CANCELLED);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* Numbers of blocks as they come and go, compared with a hash table's: each is
   one block's at a time, and there are no more than blocks ever were.  */
static void
test_index (void)
{
  struct dg_usage_index index = {.entries = NULL};
  GHashTable *model = g_hash_table_new (NULL, NULL);
  GHashTable *given = g_hash_table_new (NULL, NULL);
  guint most = 0;
  GRand *rand = g_rand_new_with_seed (1);

  g_assert_cmpuint (dg_usage_index_find (&index, 7), ==, 0);
  g_assert_cmpuint (dg_usage_index_remove (&index, 7), ==, 0);
  for (guint i = 1; i < 200000; i++) {
    /* Neighbours, and those that have many bits in common.  */
    uint32_t block = g_rand_boolean (rand) ? i / 2 : (i % 300) * 4096;
    gpointer key = GUINT_TO_POINTER (block);
    uint32_t number = GPOINTER_TO_UINT (g_hash_table_lookup (model, key));

    g_assert_cmpuint (dg_usage_index_find (&index, block), ==, number);
    if (number != 0) {
      g_assert_cmpuint (dg_usage_index_remove (&index, block), ==, number);
      g_hash_table_remove (model, key);
      g_hash_table_remove (given, GUINT_TO_POINTER (number));
    } else {
      number = dg_usage_index_add (&index, block);
      most = MAX (most, g_hash_table_size (model) + 1);
      g_assert_cmpuint (number, >, 0);
      g_assert_cmpuint (number, <=, most);
      g_assert_true (g_hash_table_add (given, GUINT_TO_POINTER (number)));
      g_hash_table_insert (model, key, GUINT_TO_POINTER (number));
    }
    g_assert_cmpuint (index.n, ==, g_hash_table_size (model));
  }
  g_rand_free (rand);
  g_hash_table_unref (model);
  g_hash_table_unref (given);
  dg_usage_index_fini (&index);
}

/* Items stay those of their blocks while others come and go.  */
static void
test_items (void)
{
  struct dg_usage_index index = {.entries = NULL};
  struct dg_table items = {0};
  bool is_new;

  for (uint32_t i = 0; i < 5000; i++) {
    uint32_t *item =
      dg_usage_index_item (&index, &items, sizeof *item, i, &is_new);

    g_assert_true (is_new);
    *item = i * 3;
    if (i % 3 == 2)
      g_assert_cmpuint (dg_usage_index_remove (&index, i - 1), >, 0);
  }
  for (uint32_t i = 0; i < 5000; i++) {
    const uint32_t *item;

    if (i % 3 == 1)
      continue;
    item = dg_usage_index_item (&index, &items, sizeof *item, i, &is_new);
    g_assert_false (is_new);
    g_assert_cmpuint (*item, ==, i * 3);
  }
  g_assert_cmpuint (items.n, <, 3500);
  dg_table_fini (&items);
  dg_usage_index_fini (&index);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/use/random", GINT_TO_POINTER (0), test_random);
  g_test_add_data_func ("/use/wild", GINT_TO_POINTER (1), test_random);
  g_test_add_func ("/use/edges", test_edges);
  g_test_add_func ("/use/realloc", test_realloc);
  g_test_add_func ("/use/cut-short", test_cut_short);
  g_test_add_func ("/use/huge", test_huge);
  g_test_add_func ("/use/cancel", test_cancel);
  g_test_add_func ("/use/index", test_index);
  g_test_add_func ("/use/items", test_items);
  return g_test_run ();
}
