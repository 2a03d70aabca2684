/* core_test.c: logs from text, for the tests of the library's core.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "core_test.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "random_text.h"

const char *const core_test_everything =
  "process 42 1 7 8 4096 64 4 30 \"0.1\" \"3.19\" \"amd64\" \"/exe\" \"/cwd\""
  " [\"exe\" \"arg\"]\n"
  "thread_start 1 0 42\n"
  "stack 1 0x7000 0x8000\n"
  "text_avma 0x400000 \"/exe\"\n"
  "module 0x400000 0x1000 0x200 [1 2 3 4] \"exe.so\"\n"
  "map 0x10000 0x4000 3 1 0x1000 \"/lib/x\"\n"
  "bbdef [0x400000+3 0x400003+5 0x400008+2] [R4@0 W8@1 R300@2]\n"
  "bbdef [0x400010+3] []\n"
  "bbdef [0x400020+1 0x400021+2] [S0@0 W8@0 R8@1 S0@1]\n"
  "context 0 [0x400000 0x400100]\n"
  "context 1 [0x400010]\n"
  "context 2 [0x400020]\n"
  "stack_pointer 1 0x7800 0\n"
  "bbrun 0 3 [0x1000 0 0x1040 0x113f]\n"
  "bbrun 0 2 [0x1000 0x1020]\n"
  "bbrun 1 1 []\n"
  "track_range 0x1000 64 \"int\" \"array\"\n"
  "start_event \"phase\"\n"
  "malloc_block 0x5000 16 [0x400000 0x400100]\n"
  "heap_alloc 1 1 1 24 0 0\n"
  "clock 1000\n"
  "chunk\n"
  "thread_start 2 1 43\n"
  "thread_name 2 \"worker\"\n"
  "thread_switch 2\n"
  "long bbrun 0 3 [0x1000 0x1008 0x2000 0x20ff]\n"
  "kernel_access 1 0x1000 16 0\n"
  "signal 2 11 0\n"
  "signal 2 11 1\n"
  "fork 44\n"
  "window 0 1 11\n"
  "end_event \"phase\"\n"
  "untrack_range 0x1000 64\n"
  "free_block 0x5000\n"
  "heap_free 2 2 11 [0x400200]\n"
  "window 1 1 1000\n"
  "thread_exit 2\n"
  "thread_switch 1\n"
  "bbrun 0 1 [0x3000]\n"
  "pool 0 0x9000 0\n"
  "malloc_block 0x5000 8 [0x400000]\n"
  "heap_alloc 3 1 15 8 0 0\n"
  "pool_block 0x9000\n"
  "pool 2 0x9000 0xa000\n"
  "bbrun 2 2 [0x77f8 0x77f8 0x77f8 0x7800]\n"
  "pool 1 0xa000 0\n"
  "unmap 0x11000 0x1000\n"
  "map_stack 1 [0x400010 0x400200]\n"
  "module_unload 0x400000\n"
  "record 99 \"unknown\"\n"
  "record 200 7\n"
  "end exit_code=3 threads=2\n";

GByteArray *
core_test_assemble (const char *text, unsigned word_size, bool big_endian)
{
  struct dg_asm as;
  GByteArray *bytes;
  char *message;

  dg_asm_init (&as);
  as.word_size = word_size;
  as.big_endian = big_endian;
  if (!dg_asm_text (&as, text, &message))
    g_error ("%s", message);
  bytes = g_byte_array_ref (as.bytes);
  dg_asm_fini (&as);
  return bytes;
}

struct dg_log *
core_test_load (const GByteArray *bytes, unsigned workers, int *code,
                struct dg_error *err)
{
  struct dg_log *log;

  memset (err, 0, sizeof *err);
  *code = dg_log_open_memory ("test", bytes->data, bytes->len, &log, err);
  if (*code == 0)
    *code = dg_log_load (log, workers, NULL, NULL, err);
  g_assert_cmpint (*code, ==, err->code);
  return log;
}

struct dg_log *
core_test_log (const char *text, GByteArray **bytes)
{
  struct dg_error err;
  struct dg_log *log;
  int code;

  /* As the recorder of this machine writes.  */
  *bytes = core_test_assemble (text, 8, G_BYTE_ORDER == G_BIG_ENDIAN);
  log = core_test_load (*bytes, 1, &code, &err);
  if (code < 0)
    g_error ("%s", err.message);
  return log;
}

struct dg_log *
core_test_pack (const struct dg_log *log)
{
  struct dg_error err = {0};
  struct dg_log *packed = NULL;
  char *path;
  int fd = g_file_open_tmp ("dg-pack-XXXXXX", &path, NULL);

  g_assert_cmpint (fd, >=, 0);
  close (fd);
  if (dg_log_pack (log, path, NULL, NULL, NULL, &err) < 0
      || dg_log_open (path, &packed, &err) < 0)
    g_error ("%s", err.message);
  dg_log_load (packed, 1, NULL, NULL, NULL);
  g_remove (path);
  g_free (path);
  return packed;
}

void
core_test_load_passing (const struct dg_log *log, struct dg_log *passing)
{
  struct dg_error err;

  *passing = (struct dg_log) {
    .ops = log->ops, .source = log->source, .path = log->path,
    .header = log->header, .format = log->format,
    .blocks = DG_BLOCKS_PASSING,
    .many_blocks = (size_t) g_test_rand_int_range (1, 10)
  };
  g_assert_cmpint (dg_log_load (passing, 1, NULL, NULL, &err), ==,
                   log->contents.load_code);
}

void
core_test_close_passing (struct dg_log *passing)
{
  struct dg_log_window *window = passing->window;

  if (window != NULL) {
    if (window->mover != NULL)
      window->free_mover (window->mover);
    dg_store_fini (&window->blocks);
    g_free (window);
  }
  dg_contents_fini (&passing->contents);
}

void
core_test_random (unsigned rounds, unsigned lines,
                  void (*check) (const struct dg_log *log))
{
  for (unsigned i = 0; i < rounds; i++) {
    bool is_small = g_test_rand_int_range (0, 4) != 0;
    char *text = random_text_new (
      is_small ? 1 + (unsigned) g_test_rand_int_range (0, 400) : lines);
    GByteArray *bytes = core_test_assemble (text, i & 1 ? 4 : 8, i & 2);
    struct dg_error err;
    struct dg_log *log, *packed;
    int code;

    log = core_test_load (bytes, 1, &code, &err);
    log->piece_accesses = 1 + (unsigned) g_test_rand_int_range (0, 3000);
    packed = core_test_pack (log);
    for (unsigned k = 0; k < 8; k++)
      check (k % 2 ? packed : log);
    dg_log_close (packed);
    dg_log_close (log);
    g_byte_array_unref (bytes);
    g_free (text);
  }
}

static void
read_runs (const struct dg_log *log, size_t first, size_t end,
           struct dg_summary *sums)
{
  struct dg_error err = { 0 };
  struct dg_reader *reader = dg_reader_new (log, first, end, &err);
  struct dg_run run;
  int code;

  g_assert_nonnull (reader);
  while ((code = dg_reader_run (reader, &run, &err)) > 0) {
    g_assert_cmpuint (run.n_slots, <=, run.bbdef->n_slots);
    sums->runs++;
    sums->instructions += run.n_instrs;
    for (unsigned i = 0; i < run.n_slots; i++)
      sums->accesses += run.addresses[run.bbdef->slots[i].entry] != 0;
  }
  g_assert_cmpstr (err.message, ==, "");
  g_assert_cmpint (code, ==, 0);
  dg_reader_free (reader);
}

static uint64_t
read_accesses (const struct dg_log *log)
{
  struct dg_error err = { 0 };
  struct dg_reader *reader = dg_reader_new (log, 0, SIZE_MAX, &err);
  struct dg_access out[256];
  uint64_t sum = 0;
  ptrdiff_t n;

  g_assert_nonnull (reader);
  while ((n = dg_reader_accesses (reader, out, 256, &err)) > 0)
    sum += n;
  g_assert_cmpint (n, ==, 0);
  dg_reader_free (reader);
  return sum;
}

void
core_test_read (const struct dg_log *log)
{
  const struct dg_summary *s = dg_log_summary (log);
  struct dg_summary whole = { 0 }, parts = { 0 };
  size_t n;

  dg_log_chunks (log, &n);
  read_runs (log, 0, SIZE_MAX, &whole);
  for (size_t i = 0; i < n; i++)
    read_runs (log, i, i + 1, &parts);
  g_assert_cmpuint (whole.runs, ==, s->runs);
  g_assert_cmpuint (whole.instructions, ==, s->instructions);
  g_assert_cmpuint (whole.accesses, ==, s->accesses);
  g_assert_cmpuint (parts.runs, ==, s->runs);
  g_assert_cmpuint (parts.instructions, ==, s->instructions);
  g_assert_cmpuint (parts.accesses, ==, s->accesses);
  g_assert_cmpuint (read_accesses (log), ==, s->accesses);
}
