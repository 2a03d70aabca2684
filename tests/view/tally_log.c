/* tally_log.c: random logs with threads, call paths and a heap.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "tally_log.h"

#include <unistd.h>

#include "asm.h"

#define BLOCKS     8
#define PATHS      3       /* contexts of each */
#define MAX_INSTRS 8
#define MAX_SLOTS  6
#define SITES      5
#define MAX_LIVE   60
#define HEAP       0x40000u
#define HEAP_BYTES 0x3000

struct code {
  unsigned n_instrs, n_slots;
  struct { unsigned size, kind, iseq; } slots[MAX_SLOTS];
};

struct writer {
  GString *text;
  struct tally_log *log;
  struct code code[BLOCKS];
  guint live[MAX_LIVE];    /* in log->blocks */
  guint n_live;
  unsigned thread;
  bool in_event;
};

static unsigned
below (unsigned n)
{
  return (unsigned) g_test_rand_int_range (0, (gint32) n);
}

static void
write_code (struct writer *w, unsigned number)
{
  static const unsigned sizes[] = { 1, 2, 4, 8, 8, 16, 32, 64, 600 };
  struct code *code = &w->code[number];
  unsigned iseq = 0;
  code->n_instrs = 1 + below (MAX_INSTRS);
  code->n_slots = below (MAX_SLOTS + 1);
  g_string_append (w->text, "bbdef [");
  /* The second half of the blocks overlaps the first one.  */
  for (unsigned i = 0; i < code->n_instrs; i++)
    g_string_append_printf (w->text, "0x%x+4 ",
                            0x400000 + number % 4 * 64 + number / 4 * 8
                            + i * 4);
  g_string_append (w->text, "] [");
  for (unsigned i = 0; i < code->n_slots; i++) {
    iseq += below (3);
    iseq = MIN (iseq, code->n_instrs - 1);
    code->slots[i].iseq = iseq;
    code->slots[i].kind = below (2);
    code->slots[i].size = sizes[below (G_N_ELEMENTS (sizes))];
    g_string_append_printf (w->text, "%c%u@%u ",
                            code->slots[i].kind ? 'W' : 'R',
                            code->slots[i].size, iseq);
  }
  g_string_append (w->text, "]\n");
  for (unsigned i = 0; i < PATHS; i++)
    g_string_append_printf (w->text, "context %u [0x%x 0x%x]\n", number,
                            0x400000 + number % 4 * 64 + number / 4 * 8,
                            0x500000 + i * 16);
}

static uint64_t
random_address (struct writer *w, unsigned size)
{
  static const uint64_t areas[] = { 0x10000, 0x11000, 0x7f000000,
                                    0x7f001000, 0xfffff000 };
  uint64_t address;
  if (below (10) == 0)
    return 0;
  if (below (2) == 0)
    address = HEAP - 64 + below (HEAP_BYTES + 600);
  else if (w->n_live > 0 && below (3) > 0)
    address = g_array_index (w->log->blocks, struct tally_block,
                             w->live[below (w->n_live)]).address + below (40);
  else
    address = areas[below (G_N_ELEMENTS (areas))] + below (below (9) ? 300
                                                                     : 4096);
  return MIN (address, 0xffffffffu - size);
}

static void
write_run (struct writer *w)
{
  unsigned number = below (BLOCKS), path = below (PATHS);
  const struct code *code = &w->code[number];
  unsigned n = below (3) ? code->n_instrs : 1 + below (code->n_instrs);
  g_string_append_printf (w->text, "bbrun %u %u [", number * PATHS + path, n);
  for (unsigned i = 0; i < code->n_slots && code->slots[i].iseq < n; i++) {
    struct tally_access access = {
      .icount = w->log->icount + code->slots[i].iseq,
      .address = random_address (w, code->slots[i].size),
      .instruction = 0x400000 + number % 4 * 64 + number / 4 * 8
                     + code->slots[i].iseq * 4,
      .size = code->slots[i].size, .context = number * PATHS + path,
      .thread = w->thread, .kind = code->slots[i].kind,
      .in_event = w->in_event
    };
    for (unsigned part = 0; part <= access.size / 255; part++)
      g_string_append_printf (w->text, "0x%" G_GINT64_MODIFIER "x ",
                              access.address == 0 ? 0
                              : access.address + part * 255);
    if (access.address != 0)
      g_array_append_val (w->log->accesses, access);
  }
  g_string_append (w->text, "]\n");
  w->log->icount += n;
}

/* Blocks may lie within others, as those of a pool do.  */
static void
write_malloc (struct writer *w)
{
  struct tally_block block = { .address = HEAP + below (HEAP_BYTES),
                               .size = below (12) ? 1 + below (90)
                                                  : 1 + below (9000),
                               .alloc = w->log->icount, .free = UINT64_MAX,
                               .site = below (SITES) };
  if (below (3))
    block.address &= ~(uint64_t) 15;
  for (guint i = 0; i < w->n_live; i++)
    if (g_array_index (w->log->blocks, struct tally_block,
                       w->live[i]).address == block.address)
      return;
  if (w->n_live == MAX_LIVE)
    return;
  g_array_append_val (w->log->blocks, block);
  w->live[w->n_live++] = w->log->blocks->len - 1;
  g_string_append_printf (w->text, "malloc_block 0x%" G_GINT64_MODIFIER
                          "x %" G_GUINT64_FORMAT " [0x600000 0x%x]\n",
                          block.address, block.size,
                          0x600100 + block.site * 16);
}

static void
write_free (struct writer *w)
{
  if (w->n_live == 0)
    return;
  guint i = below (w->n_live);
  struct tally_block *block = &g_array_index (w->log->blocks,
                                              struct tally_block, w->live[i]);
  block->free = w->log->icount;
  w->live[i] = w->live[--w->n_live];
  g_string_append_printf (w->text, "free_block 0x%" G_GINT64_MODIFIER "x\n",
                          block->address);
}

static void
write_something (struct writer *w)
{
  const struct tally_log_kind *kind = &w->log->kind;
  if (below (40) == 0) {
    w->in_event = !w->in_event;
    g_string_append_printf (w->text, "%s_event \"work\"\n",
                            w->in_event ? "start" : "end");
  }
  if (below (kind->few_chunks ? 500 : 50) == 0)
    g_string_append (w->text, "chunk\n");
  if (kind->threads > 1 && below (8) == 0) {
    w->thread = 1 + below (kind->threads);
    g_string_append_printf (w->text, "thread_switch %u\n", w->thread);
  }
  if (below (4) == 0)
    write_malloc (w);
  if (below (5) == 0)
    write_free (w);
  write_run (w);
}

static void
assemble (struct tally_log *log, const char *text)
{
  struct dg_asm as;
  char *message = NULL;
  dg_asm_init (&as);
  as.word_size = log->kind.word_size;
  as.big_endian = log->kind.big_endian;
  if (!dg_asm_text (&as, text, &message))
    g_error ("%s", message);
  int fd = g_file_open_tmp ("dg-view-XXXXXX", &log->path, NULL);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, as.bytes->data, as.bytes->len), ==,
                   as.bytes->len);
  close (fd);
  dg_asm_fini (&as);
}

struct tally_log *
tally_log_new (const struct tally_log_kind *kind)
{
  struct tally_log *log = g_new0 (struct tally_log, 1);
  struct writer w = { .text = g_string_new (NULL), .log = log, .thread = 1 };
  log->kind = *kind;
  log->accesses = g_array_new (FALSE, FALSE, sizeof (struct tally_access));
  log->blocks = g_array_new (FALSE, FALSE, sizeof (struct tally_block));
  g_string_append_printf (w.text,
                          "process 1 0 0 0 %u %u 0 8 \"t\" \"v\" \"a\" "
                          "\"/bin/prog\" \"/\" [\"prog\" \"arg\"]\n",
                          kind->page, kind->line);
  for (unsigned i = 2; i <= kind->threads; i++)
    g_string_append_printf (w.text, "thread_start %u 1 0\n", i);
  for (unsigned i = 0; i < BLOCKS; i++)
    write_code (&w, i);
  for (unsigned i = 0; i < kind->runs; i++)
    write_something (&w);
  g_string_append (w.text, "end\n");
  assemble (log, w.text->str);
  g_string_free (w.text, TRUE);
  return log;
}

void
tally_log_free (struct tally_log *log)
{
  unlink (log->path);
  g_free (log->path);
  g_array_unref (log->accesses);
  g_array_unref (log->blocks);
  g_free (log);
}
