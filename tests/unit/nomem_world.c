/* nomem_world.c: the logs on which memory runs out.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "nomem_world.h"

#include <stdlib.h>
#include <string.h>

#include "core_test.h"

#define MANY 40000

static void
open_log (const char *path, struct dg_log **log)
{
  struct dg_error err = { 0 };

  dg_log_open (path, log, &err);
  dg_log_load (*log, 1, NULL, NULL, &err);
  g_assert_cmpstr (err.message, ==, "");
}

static void
make_program (struct world *world)
{
  char *path = g_file_read_link ("/proc/self/exe", NULL);
  char *command = g_strdup_printf (
    "sh -c \"readelf -SW '%s' | sed -n 's/.* .text  *PROGBITS  *//p'\"", path);
  char *found = NULL, *text;
  uint64_t address;

  g_spawn_command_line_sync (command, &found, NULL, NULL, NULL);
  address = found ? g_ascii_strtoull (found, NULL, 16) : 0;
  if (address > 0) {
    text = g_strdup_printf ("text_avma %" G_GUINT64_FORMAT " \"%s\"\n",
                            address, path);
    world->program = core_test_log (text, &world->program_bytes);
    g_free (text);
  }
  g_free (found);
  g_free (command);
  g_free (path);
}

/* Two threads call a function from itself, deeply, in the first of two chunks,
   and return 20 times in the second.  */
#define DEEP 6000

static void
make_calls (struct world *world)
{
  GString *text = g_string_new (
    "bbdef [0x400000+4 0x400004+4] [W8@1]\n"
    "bbdef [0x400008+4] [W4@0]\nbbdef [0x40000c+1] [R8@0]\n"
    "context 0 [0x400000]\ncontext 0 [0x400000 0x400007]\n"
    "context 1 [0x400000 0x400007]\ncontext 2 [0x400000 0x400007]\n");
  unsigned top[3] = { 0 };

  for (unsigned thread = 1; thread <= 2; thread++)
    g_string_append_printf (text, "thread_start %u 0 %u\n"
                                  "stack %u %#x %#x\n", thread, thread,
                            thread, thread << 20, (thread + 1) << 20);
  for (unsigned chunk = 0; chunk < 2; chunk++) {
    for (unsigned thread = 1; thread <= 2; thread++) {
      unsigned *sp = &top[thread];

      g_string_append_printf (text, "thread_switch %u\n", thread);
      for (unsigned i = 0; i < DEEP && chunk == 0; i++) {
        *sp = i == 0 ? ((thread + 1) << 20) - 64 : *sp - 32;
        g_string_append_printf (text, "bbrun %u 2 [%#x]\n", i > 0, *sp);
      }
      for (unsigned i = 0; i < 20 && chunk == 1; i++) {
        g_string_append_printf (text, "bbrun 3 1 [%#x]\nbbrun 2 1 [%#x]\n",
                                *sp, *sp + 16);
        *sp += 32;
      }
      g_string_append_printf (text, "bbrun 2 1 [%#x]\n", *sp + 4);
    }
    g_string_append (text, "chunk\n");
  }
  g_string_append (text, "end why=0 exit_code=0\n");
  world->calls = core_test_log (text->str, &world->calls_bytes);
  g_string_free (text, TRUE);
}

/* What the text with everything does not have, before its end.  */
static GByteArray *
assemble_more (void)
{
  const char *end = strstr (core_test_everything, "end exit_code");
  char *text = g_strdup_printf (
    "%.*sbbflow 0x400000 2 2 [2 3 0 0 3 0 4 1 5 0 2 3 3 0 1 0]\n"
    "thread_start 3 1 44\nthread_runs 3 44\n"
    "meet 0 0 1 0x9000 2 0x1000000\nmeet 0 0 3 0x9000 2 0x1000000\n"
    "meet 0 1 3 0x9000 2 0x1000000\nmeet 0 1 1 0x9000 2 0x1000000\n"
    "chunk\nthread_switch 3\nbbrun 0 2 [0x1000 0x1020]\n"
    "repeat 30\nmalloc_block 0x6000 24 [0x400000 0x400100]\n"
    "thread_local 1 0x400000 0x6000 24 0x6000\n"
    "bbrun 0 2 [0x6000 0x6008]\nfree_block 0x6000\ndone\n"
    "thread_exit 3\nthread_join 1 3\nthread_switch 1\n"
    "bbrun 0 2 [0x1000 0x1020]\nclock 900000\n%s",
    (int) (end - core_test_everything), core_test_everything, end);
  GByteArray *bytes;

  bytes = core_test_assemble (text, 8, false);
  g_free (text);
  return bytes;
}

/* Many of everything: blocks of code and of the heap, call paths, places of
   allocation, pages, threads.  */
static GByteArray *
assemble_many (void)
{
  GString *text = g_string_new (NULL);
  GByteArray *bytes;

  for (unsigned i = 0; i < MANY; i++) {
    unsigned code = 0x400000 + 16 * i;
    unsigned caller = 0x400000 + 16 * (i * 7 % MANY) + 7;

    if (i % 8 == 0)
      g_string_append_printf (
        text, "thread_start %u 0 %u\nthread_switch %u\n", i / 8 + 1,
        i / 8 + 1, i / 8 + 1);
    g_string_append_printf (
      text,
      "bbdef [%#x+4 %#x+4] [R8@0 W8@1]\ncontext %u [%#x %#x]\n"
      "malloc_block %#x 48 [%#x %#x]\nbbrun %u 2 [%#x %#x]\n",
      code, code + 4, i, code, caller, 0x10000000 + 64 * i, code + 3, caller,
      i, 0x10000000 + 64 * i, 0x20000000 + 4096 * i);
    if (i % 2 == 0)
      g_string_append_printf (text, "free_block %#x\n", 0x10000000 + 64 * i);
    if (i == MANY / 2)
      g_string_append (text, "chunk\n");
  }
  g_string_append (text, "end why=0 exit_code=0\n");
  bytes = core_test_assemble (text->str, 8, false);
  g_string_free (text, TRUE);
  return bytes;
}

static void
make_world (struct world *to, GByteArray *bytes)
{
  struct dg_error err = { 0 };

  to->folder = g_dir_make_tmp ("dg-test-XXXXXX", NULL);
  to->path = g_build_filename (to->folder, "log", NULL);
  to->packed_path = g_build_filename (to->folder, "log.dgz", NULL);
  to->out = g_build_filename (to->folder, "out.dgz", NULL);
  to->bytes = bytes;
  g_file_set_contents (to->path, (const char *) bytes->data, bytes->len,
                       NULL);
  open_log (to->path, &to->log);
  dg_log_pack (to->log, to->packed_path, NULL, NULL, NULL, &err);
  g_assert_cmpstr (err.message, ==, "");
  open_log (to->packed_path, &to->packed);
}

void
nomem_world_init (struct world *world)
{
  make_world (world, assemble_more ());
  make_program (world);
  make_calls (world);
}

void
nomem_world_init_large (struct world *large, const struct world *other)
{
  make_world (large, assemble_many ());
  large->calls = other->calls;
}

void
nomem_world_fini (struct world *world)
{
  char *command = g_strdup_printf ("rm -rf '%s'", world->folder);

  dg_log_close (world->program);
  if (world->program_bytes)
    g_byte_array_unref (world->program_bytes);
  if (world->calls_bytes) {
    dg_log_close (world->calls);
    g_byte_array_unref (world->calls_bytes);
  }
  dg_log_close (world->log);
  dg_log_close (world->packed);
  g_byte_array_unref (world->bytes);
  g_assert_cmpint (system (command), ==, 0);
  g_free (command);
  g_free (world->folder);
  g_free (world->path);
  g_free (world->packed_path);
  g_free (world->out);
}
