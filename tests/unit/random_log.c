/* random_log.c: writes random logs with the assembler of the tests.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "random_log.h"

#include <unistd.h>

#include "asm.h"

#define BLOCKS 6
#define MAX_INSTRS 8
#define MAX_SLOTS 6

/* Some of these are neighbours, most are not.  */
static const uint64_t areas[] = { 0x10000, 0x11000, 0x12000, 0x40000,
                                  0x7f000000, 0x7f001000, 0xfffff000 };

/* "data" lies over the end of one page and the start of the next.  */
#define DATA_START 0x10f00u
#define DATA_SIZE  0x300u

struct block {
  unsigned n_instrs, n_slots;
  struct { unsigned size, kind, iseq; } slots[MAX_SLOTS];
};

static void
write_block (GString *text, struct block *block, unsigned number)
{
  static const unsigned sizes[] = { 1, 2, 4, 8, 8, 16, 32, 64, 600 };
  block->n_instrs = (unsigned) g_test_rand_int_range (1, MAX_INSTRS + 1);
  block->n_slots = (unsigned) g_test_rand_int_range (0, MAX_SLOTS + 1);
  g_string_append (text, "bbdef [");
  for (unsigned i = 0; i < block->n_instrs; i++)
    g_string_append_printf (text, "0x%x+4 ", 0x400000 + number * 256 + i * 4);
  g_string_append (text, "] [");
  unsigned iseq = 0;
  for (unsigned i = 0; i < block->n_slots; i++) {
    iseq += (unsigned) g_test_rand_int_range (0, 3);
    iseq = MIN (iseq, block->n_instrs - 1);
    block->slots[i].iseq = iseq;
    block->slots[i].kind = (unsigned) g_test_rand_int_range (0, 2);
    block->slots[i].size = sizes[g_test_rand_int_range (
      0, G_N_ELEMENTS (sizes))];
    g_string_append_printf (text, "%c%u@%u ",
                            block->slots[i].kind ? 'W' : 'R',
                            block->slots[i].size, iseq);
  }
  g_string_append_printf (text, "]\ncontext %u [0x%x 0x400f00]\n", number,
                          0x400000 + number * 256);
}

static uint64_t
random_address (unsigned size)
{
  uint64_t area = areas[g_test_rand_int_range (0, G_N_ELEMENTS (areas))];
  if (g_test_rand_int_range (0, 10) == 0)
    return 0;
  if (g_test_rand_int_range (0, 6) == 0)
    area = DATA_START;
  uint64_t address = area + (uint64_t) g_test_rand_int_range (0, 0x1000);
  /* 32-bit words end here.  */
  return MIN (address, 0xffffffffu - size);
}

static void
write_run (GString *text, struct random_log *log, const struct block *block,
           unsigned number, uint32_t thread, bool in_event)
{
  unsigned n = (unsigned) g_test_rand_int_range (1,
                                                 (int) block->n_instrs + 1);
  struct random_run run = { log->icount, n, thread };
  g_array_append_val (log->runs, run);
  g_string_append_printf (text, "bbrun %u %u [", number, n);
  for (unsigned i = 0; i < block->n_slots; i++) {
    if (block->slots[i].iseq >= n)
      break;
    struct random_access access = { .icount = log->icount
                                              + block->slots[i].iseq,
                                    .size = block->slots[i].size,
                                    .kind = block->slots[i].kind,
                                    .context = number,
                                    .thread = thread,
                                    .in_event = in_event };
    access.instruction = 0x400000 + number * 256 + block->slots[i].iseq * 4;
    access.address = random_address (access.size);
    access.in_range = access.address < DATA_START + DATA_SIZE
                      && access.address + access.size > DATA_START;
    for (unsigned part = 0; part <= access.size / 255; part++)
      g_string_append_printf (text, "0x%" G_GINT64_MODIFIER "x ",
                              access.address == 0 ? 0
                              : access.address + part * 255);
    if (access.address != 0)
      g_array_append_val (log->accesses, access);
  }
  g_string_append (text, "]\n");
  log->icount += n;
}

/* Before run number i of n: maybe another thread.  */
static uint32_t
write_threads (GString *text, unsigned i, unsigned n, uint32_t thread)
{
  if (i == n / 3)
    for (unsigned t = 2; t <= RANDOM_THREADS; t++)
      g_string_append_printf (text, "thread_start %u 1 %u\n", t, t);
  uint32_t next = thread;
  if (i > n / 3 && i < n * 2 / 3 && g_test_rand_int_range (0, 10) == 0)
    next = (uint32_t) g_test_rand_int_range (1, RANDOM_THREADS + 1);
  if (i == n * 2 / 3)
    next = 1;
  if (next != thread)
    g_string_append_printf (text, "thread_switch %u\n", next);
  if (i == n * 2 / 3)
    for (unsigned t = 2; t <= RANDOM_THREADS; t++)
      g_string_append_printf (text, "thread_exit %u\n", t);
  return next;
}

struct random_log *
random_log_new (unsigned word_size, bool big_endian, unsigned n_runs)
{
  struct random_log *log = g_new0 (struct random_log, 1);
  struct block blocks[BLOCKS];
  GString *text = g_string_new (NULL);
  bool in_event = false;
  uint32_t thread = 1;
  log->runs = g_array_new (FALSE, FALSE, sizeof (struct random_run));
  log->accesses = g_array_new (FALSE, FALSE, sizeof (struct random_access));
  for (unsigned i = 0; i < BLOCKS; i++)
    write_block (text, &blocks[i], i);
  g_string_append_printf (text,
                          "process 1 0 0 0 4096 64 0 8 \"t\" \"v\" \"a\" "
                          "\"/bin/prog\" \"/\" [\"prog\" \"arg\"]\n"
                          "thread_start 1 0 1\n"
                          "track_range %u %u \"int\" \"data\"\n",
                          DATA_START, DATA_SIZE);
  for (unsigned i = 0; i < n_runs; i++) {
    if (g_test_rand_int_range (0, 40) == 0) {
      in_event = !in_event;
      g_string_append_printf (text, "%s_event \"work\"\n",
                              in_event ? "start" : "end");
    }
    if (g_test_rand_int_range (0, 50) == 0)
      g_string_append (text, "chunk\n");
    unsigned number = (unsigned) g_test_rand_int_range (0, BLOCKS);
    thread = write_threads (text, i, n_runs, thread);
    write_run (text, log, &blocks[number], number, thread, in_event);
  }
  g_string_append (text, "end\n");

  struct dg_asm as;
  char *message = NULL;
  dg_asm_init (&as);
  as.word_size = word_size;
  as.big_endian = big_endian;
  if (!dg_asm_text (&as, text->str, &message))
    g_error ("%s", message);
  int fd = g_file_open_tmp ("dg-view-XXXXXX", &log->path, NULL);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, as.bytes->data, as.bytes->len), ==,
                   as.bytes->len);
  close (fd);
  dg_asm_fini (&as);
  g_string_free (text, TRUE);
  return log;
}

void
random_log_free (struct random_log *log)
{
  unlink (log->path);
  g_free (log->path);
  g_array_unref (log->accesses);
  g_array_unref (log->runs);
  g_free (log);
}
