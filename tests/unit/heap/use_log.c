/* use_log.c: logs of random heaps, tidy and wild, with pools, reallocs and
   system calls.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "use_log.h"

#include "dg_record.h"

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

char *
use_log_text (GRand *rand, unsigned n, bool is_wild, unsigned grain)
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
