/* test-timeline.c: what becomes of the records beside runs: threads, heap
   blocks, events, ranges, modules, thread-local variables, mappings, windows,
   chunks.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "core_test.h"
#include "all_blocks.h"
#include "long_test.h"
#include "unit_main.h"

#define BLOCK "bbdef [1+1 2+1 3+1] [R4@0 W8@1]\ncontext 0 [1]\n"
#define RUN3 "bbrun 0 3 [0x10 0x20]\n"

static void
check_span (uint64_t start, uint64_t end, uint64_t expected_start,
            uint64_t expected_end)
{
  g_assert_cmpuint (start, ==, expected_start);
  g_assert_cmpuint (end, ==, expected_end);
}

static void
test_events (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    BLOCK "start_event \"a\"\n" RUN3 "start_event \"a\"\n"
    "start_event \"b\"\n" RUN3 "end_event \"a\"\nend_event \"c\"\n" RUN3
    "end_event \"a\"\nend_event \"a\"\nend_event \"b\"\n"
    "start_event \"a\"\n", &bytes);
  size_t n;
  const struct dg_event *e = dg_log_events (log, &n);

  g_assert_cmpuint (n, ==, 4);
  check_span (e[0].start_icount, e[0].end_icount, 0, 9);
  check_span (e[1].start_icount, e[1].end_icount, 3, 6);
  check_span (e[2].start_icount, e[2].end_icount, 3, 9);
  check_span (e[3].start_icount, e[3].end_icount, 9, DG_NEVER);
  g_assert_cmpstr (e[0].label, ==, "a");
  g_assert_true (e[0].label == e[1].label);
  g_assert_cmpstr (e[2].label, ==, "b");
  g_assert_cmpuint (dg_log_summary (log)->events_started, ==, 4);
  g_assert_cmpuint (dg_log_summary (log)->events_ended, ==, 5);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_ranges (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    BLOCK "track_range 64 8 \"int\" \"x\"\n" RUN3
    "track_range 64 8 \"\" \"y\"\ntrack_range 64 9 \"\" \"z\"\n" RUN3
    "untrack_range 64 8\n" RUN3 "untrack_range 64 10\n"
    "untrack_range 64 8\nuntrack_range 64 8\n", &bytes);
  size_t n;
  const struct dg_range *r = dg_log_ranges (log, &n);

  g_assert_cmpuint (n, ==, 3);
  check_span (r[0].start_icount, r[0].end_icount, 0, 9);
  check_span (r[1].start_icount, r[1].end_icount, 3, 6);
  check_span (r[2].start_icount, r[2].end_icount, 3, DG_NEVER);
  g_assert_cmpstr (r[0].type, ==, "int");
  g_assert_cmpstr (r[0].label, ==, "x");
  g_assert_cmpstr (r[1].type, ==, "");
  g_assert_cmpuint (dg_log_summary (log)->ranges_untracked, ==, 4);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_heap (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    BLOCK "malloc_block 64 10 [5 6]\nheap_alloc 1 2 1 16 8 32\n" RUN3
    "malloc_block 128 20 []\n" RUN3
    "free_block 64\nheap_free 2 3 11 [7]\nfree_block 64\n"
    "heap_free 3 1 11 []\n"
    "malloc_block 128 30 [8]\n" RUN3, &bytes);
  size_t n;
  g_autofree struct dg_block *b = all_blocks (log, &n);

  g_assert_cmpuint (n, ==, 3);
  check_span (b[0].alloc_icount, b[0].free_icount, 0, 6);
  check_span (b[1].alloc_icount, b[1].free_icount, 3, 6);
  check_span (b[2].alloc_icount, b[2].free_icount, 6, DG_NEVER);
  g_assert_cmpuint (b[0].address, ==, 64);
  g_assert_cmpuint (b[0].size, ==, 10);
  g_assert_cmpuint (b[0].alloc_stack.n, ==, 2);
  g_assert_cmpuint (b[0].alloc_stack.sites[1], ==, 6);
  g_assert_cmpuint (b[0].free_stack.n, ==, 1);
  g_assert_cmpuint (b[0].free_stack.sites[0], ==, 7);
  g_assert_cmpuint (b[0].alloc_seqno, ==, 1);
  g_assert_cmpuint (b[0].free_seqno, ==, 2);
  g_assert_cmpuint (b[0].alloc_thread, ==, 2);
  g_assert_cmpuint (b[0].free_thread, ==, 3);
  g_assert_cmpuint (b[0].allocator, ==, DG_ALLOC_MALLOC);
  g_assert_cmpuint (b[0].deallocator, ==, DG_ALLOC_FREE);
  g_assert_cmpuint (b[0].usable, ==, 16);
  g_assert_cmpuint (b[0].alignment, ==, 8);
  g_assert_cmpuint (b[0].old_address, ==, 32);
  /* The second free of 64 found nothing, and changed nothing.  */
  g_assert_cmpuint (b[1].free_seqno, ==, 0);
  g_assert_cmpuint (dg_log_summary (log)->heap_frees, ==, 2);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_modules (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    BLOCK "text_avma 64 \"/a\"\nmodule 64 100 16 [0xde 0xad] \"a.so\"\n" RUN3
    "text_avma 128 \"/b\"\n" RUN3 "module_unload 64\ntext_avma 128 \"/c\"\n"
    "module_unload 999\n", &bytes);
  size_t n;
  const struct dg_module *m = dg_log_modules (log, &n);

  g_assert_cmpuint (n, ==, 3);
  check_span (m[0].load_icount, m[0].unload_icount, 0, 6);
  check_span (m[1].load_icount, m[1].unload_icount, 3, 6);
  check_span (m[2].load_icount, m[2].unload_icount, 6, DG_NEVER);
  g_assert_cmpstr (m[0].file, ==, "/a");
  g_assert_cmpstr (m[0].soname, ==, "a.so");
  g_assert_true (m[0].has_detail);
  g_assert_cmpuint (m[0].text_size, ==, 100);
  g_assert_cmpuint (m[0].bias, ==, 16);
  g_assert_cmpuint (m[0].n_build_id, ==, 2);
  g_assert_cmpuint (m[0].build_id[1], ==, 0xad);
  g_assert_false (m[1].has_detail);
  g_assert_cmpstr (m[1].soname, ==, "");
  g_assert_null (m[1].build_id);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
check_mapping (const struct dg_mapping *m, uint64_t address, uint64_t size,
               uint64_t start, uint64_t end, uint64_t offset,
               unsigned protection)
{
  g_assert_cmphex (m->address, ==, address);
  g_assert_cmphex (m->size, ==, size);
  check_span (m->start_icount, m->end_icount, start, end);
  g_assert_cmphex (m->offset, ==, offset);
  g_assert_cmpuint (m->protection, ==, protection);
}

static void
test_thread_locals (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    BLOCK "text_avma 0x1000 \"a\"\ntext_avma 0x2000 \"b\"\n"
    "text_avma 0x3000 \"c\"\n" RUN3
    "malloc_block 64 32 []\n" RUN3
    "thread_local 1 0x1000 68 8 64\nthread_local 2 0x1000 512 8 0\n"
    "thread_local 2 0x2000 520 8 0\nthread_local 1 0x9000 600 8 0\n" RUN3
    "module_unload 0x9000\nmodule_unload 0x2000\nfree_block 64\n" RUN3
    /* One that nobody saw allocated; and again the pair of the second.  */
    "thread_local 1 0x1000 132 8 128\nthread_local 2 0x1000 536 8 0\n"
    "thread_local 1 0x3000 140 8 128\n" RUN3
    "free_block 128\nthread_exit 2\n" RUN3
    "free_block 64\nmodule_unload 0x1000\n", &bytes);
  size_t n;
  const struct dg_thread_local *l = dg_log_thread_locals (log, &n);

  g_assert_cmpuint (n, ==, 6);
  check_span (l[0].start_icount, l[0].end_icount, 3, 9);
  check_span (l[1].start_icount, l[1].end_icount, 6, 12);
  check_span (l[2].start_icount, l[2].end_icount, 6, 9);
  check_span (l[3].start_icount, l[3].end_icount, 12, 15);
  check_span (l[4].start_icount, l[4].end_icount, 12, 15);
  check_span (l[5].start_icount, l[5].end_icount, 12, 15);
  g_assert_cmpuint (l[1].thread, ==, 2);
  g_assert_cmpuint (l[2].module, ==, 1);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* One of each of very many: no end goes through all of them.  */
static void
test_many_thread_locals (void)
{
  GByteArray *bytes;
  GString *text = g_string_new (NULL);
  struct dg_log *log;
  const unsigned many = is_long_test () ? 200000 : 40000;
  size_t n;
  const struct dg_thread_local *l;

  for (unsigned i = 0; i < many; i++)
    g_string_append_printf (text,
                            "text_avma %u \"b\"\n"
                            "thread_local 1 %u %u 24 %u\n",
                            1000 + i, 1000 + i, 64 * i, 64 * i);
  for (unsigned i = 0; i < many; i += 2)
    g_string_append_printf (text, "free_block %u\nmodule_unload %u\n",
                            64 * i, 1001 + i);
  log = core_test_log (text->str, &bytes);
  l = dg_log_thread_locals (log, &n);
  g_assert_cmpuint (n, ==, many);
  /* That in the block at 0 is in none.  */
  for (size_t i = 1; i < n; i++)
    g_assert_cmpuint (l[i].end_icount, ==, 0);
  g_assert_cmpuint (l[0].end_icount, ==, DG_NEVER);
  dg_log_close (log);
  g_byte_array_unref (bytes);
  g_string_free (text, TRUE);
}

static void
test_mappings (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    BLOCK "map 0x10000 0x4000 3 1 0x1000 \"/f\"\n" RUN3
    "unmap 0x11000 0x1000\n" RUN3
    "map 0x12000 0x1000 1 4 0 \"\"\n" RUN3
    "map 0xfffffffffffff000 0x2000 3 1 0 \"\"\n"
    "map 0x40000 0 3 1 0 \"\"\nunmap 0x1 0\n", &bytes);
  size_t n;
  const struct dg_mapping *m = dg_log_mappings (log, &n);

  g_assert_cmpuint (n, ==, 6);
  check_mapping (&m[0], 0x10000, 0x4000, 0, 3, 0x1000, 3);
  check_mapping (&m[1], 0x10000, 0x1000, 3, DG_NEVER, 0x1000, 3);
  check_mapping (&m[2], 0x12000, 0x2000, 3, 6, 0x3000, 3);
  check_mapping (&m[3], 0x13000, 0x1000, 6, DG_NEVER, 0x4000, 3);
  /* The change of protection left the file and its offset.  */
  check_mapping (&m[4], 0x12000, 0x1000, 6, DG_NEVER, 0x3000, 1);
  g_assert_cmpstr (m[4].file, ==, "/f");
  g_assert_cmpuint (m[4].what, ==, DG_MAP_MMAP);
  /* Cut at the top of the address space.  */
  check_mapping (&m[5], 0xfffffffffffff000, 0x1000, 9, DG_NEVER, 0, 3);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* Nothing that is mapped at one moment overlaps, whatever is told.  */
static void
test_mappings_random (void)
{
  GString *text = g_string_new (NULL);
  GRand *rand = g_rand_new_with_seed (7);
  uint8_t live[64] = { 0 }, seen[64] = { 0 };
  GByteArray *bytes;
  struct dg_log *log;
  const struct dg_mapping *m;
  size_t n;

  for (unsigned i = 0; i < 400; i++) {
    unsigned first = g_rand_int_range (rand, 0, 60);
    unsigned length = g_rand_int_range (rand, 1, 64 - first);
    bool map = g_rand_int_range (rand, 0, 3) > 0;

    g_string_append_printf (text, map ? "map %u %u 3 %d 0 \"\"\n"
                                      : "unmap %u %u\n",
                            first, length, g_rand_int_range (rand, 1, 5));
    for (unsigned j = first; j < first + length; j++)
      live[j] = map;
  }
  log = core_test_log (text->str, &bytes);
  for (m = dg_log_mappings (log, &n); n > 0; n--, m++)
    if (m->end_icount == DG_NEVER)
      for (uint64_t j = m->address; j < m->address + m->size; j++)
        seen[j]++;
  g_assert_cmpmem (live, sizeof live, seen, sizeof seen);
  dg_log_close (log);
  g_byte_array_unref (bytes);
  g_rand_free (rand);
  g_string_free (text, TRUE);
}

static void
test_threads (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    BLOCK "thread_start 1 0 100\n" RUN3 "thread_start 2 1 101\n"
    "thread_name 2 \"w\"\nstack 2 0x100 0x200\n" RUN3 "thread_switch 2\n"
    "bbrun 0 3 [0 0x20]\n" "thread_exit 2\nthread_switch 7\n"
    "bbrun 0 1 [0x10]\n" "thread_switch 1\n" RUN3, &bytes);
  size_t n;
  const struct dg_thread *t = dg_log_threads (log, &n);

  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (t[0].number, ==, 1);
  g_assert_cmpuint (t[0].os_tid, ==, 100);
  g_assert_cmpuint (t[0].instructions, ==, 9);
  g_assert_cmpuint (t[0].reads, ==, 3);
  g_assert_cmpuint (t[0].writes, ==, 3);
  check_span (t[0].start_icount, t[0].end_icount, 0, DG_NEVER);
  g_assert_cmpuint (t[1].number, ==, 2);
  g_assert_cmpuint (t[1].parent, ==, 1);
  g_assert_cmpuint (t[1].instructions, ==, 3);
  g_assert_cmpuint (t[1].reads, ==, 0);
  g_assert_cmpuint (t[1].writes, ==, 1);
  g_assert_cmpuint (t[1].stack_low, ==, 0x100);
  g_assert_cmpuint (t[1].stack_high, ==, 0x200);
  check_span (t[1].start_icount, t[1].end_icount, 3, 9);
  g_assert_cmpstr (t[1].name, ==, "w");
  g_assert_cmpuint (t[2].number, ==, 7);
  g_assert_cmpuint (t[2].instructions, ==, 1);
  for (size_t i = 0; i < n; i++)
    g_assert_true (dg_log_thread (log, t[i].number) == &t[i]);
  g_assert_null (dg_log_thread (log, 0));
  g_assert_null (dg_log_thread (log, 5));
  g_assert_null (dg_log_thread (log, 8));
  g_assert_cmpstr (t[2].name, ==, "");
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_windows (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    BLOCK "window 0 0 0\nwindow 1 1 100\n" RUN3 "window 0 2 103\n"
    "start_event \"e\"\nchunk icount=500\nend_event \"e\"\n"
    "window 1 1 1000\n" RUN3, &bytes);
  size_t n;
  const struct dg_window_change *w = dg_log_windows (log, &n);
  const struct dg_event *e;
  const struct dg_chunk *c;

  g_assert_cmpuint (n, ==, 4);
  check_span (w[0].icount, w[1].icount, 0, 100);
  check_span (w[2].icount, w[3].icount, 103, 1000);
  g_assert_false (w[0].on);
  g_assert_true (w[1].on);
  g_assert_cmpuint (w[2].why, ==, 2);
  e = dg_log_events (log, &n);
  check_span (e[0].start_icount, e[0].end_icount, 103, 500);
  c = dg_log_chunks (log, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (c[0].offset, ==, DG_HEADER_SIZE);
  g_assert_true (c[0].recording);
  g_assert_false (c[1].recording);
  check_span (c[0].icount, c[1].icount, 0, 500);
  g_assert_cmpuint (c[1].runs, ==, 1);
  g_assert_cmpuint (c[1].accesses, ==, 2);
  g_assert_cmpuint (dg_log_summary (log)->last_icount, ==, 1003);
  g_assert_cmpuint (dg_log_summary (log)->instructions, ==, 6);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

/* Without markers, chunks come by themselves; together they are the log.  */
static void
test_chunks (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    BLOCK "repeat 500000\n" RUN3 "done\n", &bytes);
  size_t n;
  const struct dg_chunk *c = dg_log_chunks (log, &n);

  g_assert_cmpuint (n, ==, (bytes->len + (5 << 20) - 1) / (5 << 20));
  for (size_t i = 1; i < n; i++) {
    g_assert_cmpuint (c[i].offset - c[i - 1].offset, >=, 5 << 20);
    g_assert_cmpuint (c[i].offset - c[i - 1].offset, <, (5 << 20) + 100);
    g_assert_cmpuint (c[i].icount, ==, c[i].runs * 3);
    g_assert_cmpuint (c[i].accesses, ==, c[i].runs * 2);
  }
  core_test_read (log);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static void
test_process (void)
{
  GByteArray *bytes;
  struct dg_log *log = core_test_log (
    "process 42 1 7 8 16384 0 5 30 \"0.1\" \"3.19\" \"amd64\" \"/exe\" "
    "\"/cwd\" [\"exe\" \"\"]\nend\n", &bytes);
  const struct dg_process *p = dg_log_process (log);

  g_assert_cmpuint (p->pid, ==, 42);
  g_assert_cmpuint (p->ppid, ==, 1);
  g_assert_cmpuint (p->start_ticks, ==, 7);
  g_assert_cmpuint (p->wall_ns, ==, 8);
  g_assert_cmpuint (p->flags, ==, 5);
  g_assert_cmpuint (p->stack_depth, ==, 30);
  g_assert_cmpstr (p->tool_version, ==, "0.1");
  g_assert_cmpstr (p->valgrind_version, ==, "3.19");
  g_assert_cmpstr (p->arch, ==, "amd64");
  g_assert_cmpstr (p->exe, ==, "/exe");
  g_assert_cmpstr (p->cwd, ==, "/cwd");
  g_assert_cmpuint (p->argc, ==, 2);
  g_assert_cmpstr (p->argv[0], ==, "exe");
  g_assert_cmpstr (p->argv[1], ==, "");
  g_assert_cmpuint (dg_log_page_size (log), ==, 16384);
  g_assert_cmpuint (dg_log_line_size (log), ==, 64);
  dg_log_close (log);
  g_byte_array_unref (bytes);

  log = core_test_log ("", &bytes);
  g_assert_null (dg_log_process (log));
  g_assert_cmpuint (dg_log_page_size (log), ==, 4096);
  dg_log_close (log);
  g_byte_array_unref (bytes);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline/events", test_events);
  g_test_add_func ("/timeline/ranges", test_ranges);
  g_test_add_func ("/timeline/heap", test_heap);
  g_test_add_func ("/timeline/modules", test_modules);
  g_test_add_func ("/timeline/thread-locals", test_thread_locals);
  g_test_add_func ("/timeline/many-thread-locals", test_many_thread_locals);
  g_test_add_func ("/timeline/mappings", test_mappings);
  g_test_add_func ("/timeline/mappings-random", test_mappings_random);
  g_test_add_func ("/timeline/threads", test_threads);
  g_test_add_func ("/timeline/windows", test_windows);
  g_test_add_func ("/timeline/chunks", test_chunks);
  g_test_add_func ("/timeline/process", test_process);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
