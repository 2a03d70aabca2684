/* random_text.c: random logs as texts of dgasm's language.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "random_text.h"

#include <glib.h>
#include <inttypes.h>

#define P(...) g_string_append_printf (log->text, __VA_ARGS__)
#define MAX_INSTRS 12
#define MAX_SLOTS  12

struct block {
  unsigned n_instrs, n_slots;
  struct {
    unsigned size, iseq;
    gboolean is_sp;
  } slots[MAX_SLOTS];
};

struct log {
  GString *text;
  GArray *blocks;          /* struct block */
  GArray *contexts;        /* unsigned: block */
  uint64_t icount, last_address;
  gboolean recording;
  gboolean has_sps;        /* stack pointers among accesses */
};

static unsigned
below (unsigned n)
{
  return g_test_rand_int_range (0, n);
}

static uint64_t
address_of (unsigned block, unsigned instr)
{
  return 0x400000 + 64 * (uint64_t) block + 4 * instr;
}

/* ---- Definitions ---- */

static void
add_block (struct log *log)
{
  static const unsigned sizes[] = { 0, 1, 2, 4, 8, 8, 16, 254, 255, 256, 600 };
  struct block block = { .n_instrs = below (8) ? 1 + below (MAX_INSTRS) : 0 };
  unsigned iseq = 0;

  if (block.n_instrs > 0)
    block.n_slots = below (MAX_SLOTS + 1);
  P ("%sbbdef [", below (10) ? "" : "long ");
  for (unsigned i = 0; i < block.n_instrs; i++)
    P ("0x%" PRIx64 "+%u ", address_of (log->blocks->len, i), below (16));
  P ("] [");
  for (unsigned i = 0; i < block.n_slots; i++) {
    iseq += below (3);
    iseq = MIN (iseq, block.n_instrs - 1);
    block.slots[i].iseq = iseq;
    block.slots[i].size = sizes[below (G_N_ELEMENTS (sizes))];
    block.slots[i].is_sp = log->has_sps && below (3) == 0;
    if (block.slots[i].is_sp)
      block.slots[i].size = 0;
    P ("%c%u@%u ", block.slots[i].is_sp ? 'S' : below (2) ? 'R' : 'W',
       block.slots[i].size, iseq);
  }
  P ("]\n");
  g_array_append_val (log->blocks, block);
}

/* Stacks share their outer part, or not; some are not paths, and some
   stand there twice.  */
static void
add_context (struct log *log)
{
  unsigned block = below (log->blocks->len), n = below (6);

  for (unsigned times = below (6) ? 1 : 2; times > 0; times--) {
    P ("%scontext %u [", below (10) ? "" : "long ", block);
    if (below (12))
      P ("0x%" PRIx64 " ", address_of (block, below (10) == 0));
    for (unsigned i = 0; i < n; i++)
      P ("0x%x ", 0x500000 + 8 * i + (n - i > 3 ? 0 : n % 2));
    P ("]\n");
    g_array_append_val (log->contexts, block);
  }
}

/* ---- Runs ---- */

static uint64_t
random_address (struct log *log)
{
  static const uint64_t extremes[] = { 1, 0xffffffff, 0x80000000, 0xfffffff8,
                                       0 };

  switch (below (8)) {
  case 0:
    log->last_address = 0x10000 + below (below (2) ? 0x500 : 0x10000);
    break;
  case 1: return extremes[below (G_N_ELEMENTS (extremes))];
  case 2: return 0;
  default: log->last_address += 8; break;
  }
  return log->last_address &= 0xffffffff;
}

static void
add_run (struct log *log)
{
  unsigned context = below (log->contexts->len);
  unsigned number = g_array_index (log->contexts, unsigned, context);
  const struct block *block = &g_array_index (log->blocks, struct block,
                                              number);
  unsigned n = below (3) ? block->n_instrs : below (block->n_instrs + 1);
  unsigned in_last = 0, entries = 0, left_out;

  for (unsigned i = 0; i < block->n_slots && block->slots[i].iseq < n; i++) {
    entries += block->slots[i].size / 255 + 1;
    if (block->slots[i].iseq + 1 == n)
      in_last += block->slots[i].size / 255 + 1;
  }
  left_out = below (6) ? 0 : below (in_last + 1);
  P ("%sbbrun %u %u [", below (30) ? "" : "long ", context, n);
  for (unsigned i = left_out; i < entries; i++)
    P ("0x%" PRIx64 " ", random_address (log));
  P ("]\n");
  log->icount += n;
}

/* ---- Other records ---- */

static void
add_window (struct log *log)
{
  if (!log->recording)
    log->icount += below (1000);
  log->recording = !log->recording;
  P ("window %d %u %" PRIu64 "\n", log->recording, below (7), log->icount);
}

static void
add_alloc_detail (struct log *log)
{
  static const unsigned allocators[] = { 1, 3, 9, 10, 15 };
  unsigned allocator = allocators[below (G_N_ELEMENTS (allocators))];

  P ("heap_alloc %u 1 %u 48 0 0\n", 1 + below (100), allocator);
  if (allocator == 15)
    P ("pool_block 0x%x\n", 0x9000 + below (4));
}

static void
add_map_stack (struct log *log)
{
  if (below (2))
    P ("map_stack %u [0x400000 0x%x]\n", 1 + below (3), 0x500000 + below (3));
}

static void
add_record (struct log *log)
{
  static const unsigned frees[] = { 11, 14, 16, 10 };
  static const char *const files[] = { "", "/lib/m0", "/lib/m1",
                                       "/lib/other" };
  unsigned address = 0x10000 + 16 * below (64);

  switch (below (20)) {
  case 0: P ("track_range 0x%x 32 \"int\" \"r\"\n", address); break;
  case 1: P ("untrack_range 0x%x 32\n", address); break;
  case 2: P ("start_event \"e%u\"\n", below (3)); break;
  case 3: P ("end_event \"e%u\"\n", below (3)); break;
  case 4: P ("end_event \"none\"\n"); break;
  case 5: P ("module_unload 0x%x\n", 0x400000 + 256 * below (4)); break;
  case 6:
    P ("malloc_block 0x%x %u [0x400000 0x500000]\n", address, below (40));
    if (below (2))
      add_alloc_detail (log);
    break;
  case 7:
    P ("free_block 0x%x\n", address);
    if (below (2)) {
      P ("heap_free 7 1 %u [0x400004]\n", frees[below (4)]);
      if (below (4) == 0)
        P ("pool_block 0x%x\n", 0x9000 + below (4));
    }
    break;
  case 8: P ("thread_start %u 1 %u\n", 1 + below (4), below (100)); break;
  case 9: P ("thread_switch %u\n", 1 + below (4)); break;
  case 10: P ("thread_name %u \"t\"\n", 1 + below (4)); break;
  case 11: P ("stack %u 0x7000 0x8000\n", 1 + below (4)); break;
  case 12:
    P ("map 0x%x 64 %u %u 0 \"%s\"\n", address, below (8), below (5),
       files[below (4)]);
    add_map_stack (log);
    break;
  case 13:
    P ("unmap 0x%x 16\n", address);
    add_map_stack (log);
    break;
  case 18:
    P ("pool %u 0x%x 0x%x\n", below (3), 0x9000 + below (4),
       0x9000 + below (4));
    break;
  case 19:
    P ("stack_pointer %u 0x%x %u\n", 1 + below (4), below (0x7000),
       below (2));
    break;
  case 14: P ("clock %u\n", below (1000)); break;
  case 15: P ("kernel_access %u 0x%x 8 3\n", below (2), address); break;
  case 16: P ("%srecord %u \"abc\"\n", below (2) ? "" : "long ",
              90 + below (30)); break;
  default: P ("long signal 1 11 0\nfork 5\n"); break;
  }
}

char *
random_text_new (unsigned n)
{
  struct log log[1] = { { g_string_new (NULL),
                          g_array_new (FALSE, FALSE, sizeof (struct block)),
                          g_array_new (FALSE, FALSE, sizeof (unsigned)), 0, 0,
                          TRUE, below (3) == 0 } };

  if (below (4))
    P ("process 42 1 7 8 4096 64 4 30 \"0.1\" \"3\" \"x\" \"/e\" \"/\" "
       "[\"e\"]\n");
  for (unsigned i = 0; i < 3; i++) {
    P ("text_avma 0x%x \"/lib/m%u\"\n", 0x400000 + 256 * i, i);
    if (i < 2)
      P ("module 0x%x 256 0 [1 2] \"x\"\n", 0x400000 + 256 * i);
  }
  add_block (log);
  add_context (log);
  for (unsigned i = 0; i < n; i++) {
    unsigned what = below (200);

    if (what < 4)
      add_block (log);
    else if (what < 10)
      add_context (log);
    else if (what < 40)
      add_record (log);
    else if (what == 41)
      add_window (log);
    else if (what < 44)
      P ("chunk\n");
    else if (log->recording)
      add_run (log);
  }
  if (below (4))
    P ("end why=%u exit_code=%u\n", below (5), below (4));
  g_array_unref (log->blocks);
  g_array_unref (log->contexts);
  return g_string_free (log->text, FALSE);
}
