/* test-grow.c: logs and archives that grow, a piece at a time: after each
   piece they are what loading the file again says, and the logs that they grew
   from stay what they were, in whatever order all are closed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "log/growth.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "describe.h"
#include "core_test.h"
#include "random_text.h"
#include "long_test.h"
#include "unit_main.h"

/* ---- A file that grows ---- */

struct growing {
  char *folder, *path;
  GByteArray *all;         /* what it becomes */
  gsize written;
};

static struct growing *
growing_new (GByteArray *all)
{
  struct growing *growing = g_new0 (struct growing, 1);

  growing->folder = g_dir_make_tmp ("dg-grow-XXXXXX", NULL);
  g_assert_nonnull (growing->folder);
  growing->path = g_build_filename (growing->folder, "log", NULL);
  growing->all = all;
  return growing;
}

static void
growing_write (struct growing *growing, gsize n)
{
  FILE *file = fopen (growing->path, "ab");

  n = MIN (n, growing->all->len - growing->written);
  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (growing->all->data + growing->written, 1, n,
                            file), ==, n);
  g_assert_cmpint (fclose (file), ==, 0);
  growing->written += n;
}

static void
growing_free (struct growing *growing)
{
  g_remove (growing->path);
  g_assert_cmpint (g_rmdir (growing->folder), ==, 0);
  g_free (growing->folder);
  g_free (growing->path);
  g_byte_array_unref (growing->all);
  g_free (growing);
}

static GByteArray *
random_raw (unsigned n, unsigned word_size, bool big_endian)
{
  char *text = random_text_new (n);
  GByteArray *bytes = core_test_assemble (text, word_size, big_endian);

  g_free (text);
  return bytes;
}

/* The archive of a log, in many small chunks.  */
static GByteArray *
pack (GByteArray *raw)
{
  const struct dg_pack_options options = {
    .size = sizeof options, .level = 1, .workers = 1};
  char *folder = g_dir_make_tmp ("dg-grow-XXXXXX", NULL);
  char *path = g_build_filename (folder, "log.dgz", NULL), *contents;
  struct dg_error err = { 0 };
  struct dg_log *log;
  int code;
  gsize n;

  log = core_test_load (raw, 1, &code, &err);
  log->piece_accesses = 20;
  g_assert_cmpint (dg_log_pack (log, path, &options, NULL, NULL, &err), ==,
                   0);
  g_assert_true (g_file_get_contents (path, &contents, &n, NULL));
  dg_log_close (log);
  g_byte_array_unref (raw);
  g_remove (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  return g_byte_array_new_take ((guint8 *) contents, n);
}

/* ---- What is right ---- */

static char *
describe (const struct dg_log *log)
{
  char *contents = describe_contents (log, true);
  char *accesses = describe_accesses (log);
  char *chunked = describe_chunked (log);
  char *records = describe_records (log);
  char *text = g_strconcat (contents, accesses, chunked, records, NULL);

  g_free (contents);
  g_free (accesses);
  g_free (chunked);
  g_free (records);
  return text;
}

/* What loading the file says that is there now.  */
static char *
describe_file (const char *path, int *code)
{
  struct dg_error err = { 0 };
  struct dg_log *log;
  char *text;

  g_assert_cmpint (dg_log_open (path, &log, &err), ==, 0);
  *code = dg_log_load (log, 1, NULL, NULL, &err);
  text = describe (log);
  dg_log_close (log);
  return text;
}

/* All lists of an index.  */
static char *
describe_index (struct dg_index *index)
{
  GString *text = g_string_new (NULL);

  for (unsigned k = 0; k < dg_index_levels (index); k++)
    for (size_t i = 0; i < dg_index_lists (index, k); i++) {
      const struct dg_line_list *list = dg_index_borrow (index, k, i, NULL);

      g_assert_nonnull (list);
      g_string_append_printf (text, "list %u %zu\n", k, i);
      for (size_t j = 0; j < list->n; j++)
        g_string_append_printf (text, "%" G_GUINT64_FORMAT " %u %u\n",
                                list->counts[j].line, list->counts[j].reads,
                                list->counts[j].writes);
      dg_index_return (index, list);
    }
  return g_string_free (text, FALSE);
}

/* The index that grew must be the one that the log would get again.  */
static struct dg_index *
grow_index (const struct dg_log *log, struct dg_index *before)
{
  struct dg_error err = { 0 };
  struct dg_index *index, *right;
  char *a, *b, *c;

  if (dg_index_grow (log, before, g_test_rand_int_range (1, 4), NULL, NULL,
                     &index, &err) < 0)
    g_error ("%s", err.message);
  g_assert_cmpint (log->header.is_archive
                     ? dg_index_open (log, &right, &err)
                     : dg_index_build (log, NULL, 1, NULL, NULL, &right,
                                       &err), ==, 0);
  a = describe_index (index);
  b = describe_index (right);
  g_assert_cmpstr (a, ==, b);
  /* What has gone over is read again by those who still ask the old one.  */
  if (before && g_test_rand_bit ()) {
    c = describe_index (before);
    g_free (c);
  }
  g_free (a);
  g_free (b);
  dg_index_close (right);
  return index;
}

/* A log that somebody still uses, and what it said at first.  */
struct used {
  struct dg_log *log;
  struct dg_index *index;
  char *text;
};

static void
use_again (struct used *used)
{
  char *text = describe (used->log);

  g_assert_cmpstr (text, ==, used->text);
  g_free (text);
}

static void
used_free (gpointer data)
{
  struct used *used = data;

  dg_index_close (used->index);
  dg_log_close (used->log);
  g_free (used->text);
  g_free (used);
}

static struct used *
use (GPtrArray *all, struct dg_log *log, struct dg_index *before,
     const char *path, int code)
{
  struct used *used = g_new0 (struct used, 1);
  int right;
  char *text = describe_file (path, &right);

  used->log = log;
  used->text = describe (log);
  g_assert_cmpstr (used->text, ==, text);
  g_assert_cmpint (code, ==, right);
  used->index = grow_index (log, before);
  g_free (text);
  g_ptr_array_add (all, used);
  return used;
}

static void
grow_to_the_end (GByteArray *bytes, unsigned least)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (used_free);
  struct growing *growing = growing_new (bytes);
  struct dg_error err = { 0 }, flaw = { 0 };
  struct dg_log *log;
  struct used *last;
  int code;

  growing_write (growing, least + g_test_rand_int_range (0, 200));
  g_assert_cmpint (dg_log_open (growing->path, &log, &err), ==, 0);
  code = dg_log_load_growing (log, 1, NULL, NULL, &err);
  last = use (all, log, NULL, growing->path, code);
  while (growing->written < bytes->len) {
    struct dg_log *grown;

    g_assert_true (dg_log_can_grow (last->log));
    g_assert_cmpint (dg_log_grow (last->log, 1, NULL, NULL, &grown, &flaw,
                                  &err), ==, 0);
    growing_write (growing, 1 + g_test_rand_int_range (0, bytes->len / 6));
    code = dg_log_grow (last->log, g_test_rand_int_range (1, 4), NULL, NULL,
                        &grown, &flaw, &err);
    if (code < 0)
      g_error ("%s", err.message);
    g_assert_cmpint (code, ==, 1);
    g_assert_false (dg_log_can_grow (last->log));
    last = use (all, grown, last->index, growing->path, flaw.code);
    use_again (g_ptr_array_index (all,
                                  g_test_rand_int_range (0, all->len)));
    /* Any but the last.  */
    if (all->len > 1 && g_test_rand_bit ())
      g_ptr_array_remove_index_fast (
        all, g_test_rand_int_range (0, all->len - 1));
    for (guint i = 0; i + 1 < all->len; i++)
      if (g_ptr_array_index (all, i) == last) {
        gpointer other = g_ptr_array_index (all, all->len - 1);

        g_ptr_array_index (all, all->len - 1) = last;
        g_ptr_array_index (all, i) = other;
      }
  }
  while (all->len > 0) {
    use_again (g_ptr_array_index (all, 0));
    g_ptr_array_remove_index_fast (all,
                                   g_test_rand_int_range (0, all->len));
  }
  g_ptr_array_unref (all);
  growing_free (growing);
}

static void
test_raw (void)
{
  for (unsigned i = 0; i < (is_long_test () ? 24 : 8); i++)
    grow_to_the_end (random_raw (400, i & 1 ? 4 : 8, i & 2), 20);
}

static void
test_everything (void)
{
  for (unsigned i = 0; i < 12; i++)
    grow_to_the_end (core_test_assemble (core_test_everything, 8, false),
                     20);
}

static void
test_archive (void)
{
  for (unsigned i = 0; i < (is_long_test () ? 24 : 8); i++)
    grow_to_the_end (pack (random_raw (400, i & 1 ? 4 : 8, i & 2)), 40);
}

static void
test_archive_of_everything (void)
{
  for (unsigned i = 0; i < 6; i++)
    grow_to_the_end (pack (core_test_assemble (core_test_everything, 8,
                                               false)), 40);
}

/* ---- What may happen to the file ---- */

static struct dg_log *
load_growing (const char *path)
{
  struct dg_error err = { 0 };
  struct dg_log *log;

  g_assert_cmpint (dg_log_open (path, &log, &err), ==, 0);
  dg_log_load_growing (log, 1, NULL, NULL, &err);
  return log;
}

static void
assert_lost (struct dg_log *log, const char *why)
{
  struct dg_error err = { 0 }, flaw = { 0 };
  struct dg_log *grown;

  g_assert_cmpint (dg_log_grow (log, 1, NULL, NULL, &grown, &flaw, &err), ==,
                   DG_ERR_IO);
  g_assert_null (grown);
  g_assert_nonnull (strstr (err.message, why));
}

static void
test_lost (void)
{
  struct growing *growing
    = growing_new (core_test_assemble (core_test_everything, 8, false));
  char *other = g_build_filename (growing->folder, "other", NULL);
  struct dg_error err = { 0 }, flaw = { 0 };
  struct dg_log *log, *grown;

  growing_write (growing, 300);
  log = load_growing (growing->path);
  g_assert_cmpint (g_rename (growing->path, other), ==, 0);
  assert_lost (log, "no longer there");
  g_assert_true (g_file_set_contents (growing->path, "x", 1, NULL));
  assert_lost (log, "replaced");
  g_assert_cmpint (g_rename (other, growing->path), ==, 0);
  g_assert_cmpint (truncate (growing->path, 200), ==, 0);
  assert_lost (log, "truncated");
  /* What is put right again can go on.  */
  growing->written = 200;
  growing_write (growing, 400);
  g_assert_cmpint (dg_log_grow (log, 1, NULL, NULL, &grown, &flaw, &err), ==,
                   1);
  dg_log_close (log);
  dg_log_close (grown);
  g_free (other);
  growing_free (growing);
}

/* Another archive of at least the same length, in the same file.  */
static void
test_written_anew (void)
{
  struct growing *growing = growing_new (pack (random_raw (400, 8, false)));
  struct growing *other = growing_new (pack (random_raw (900, 8, false)));
  struct dg_error err = { 0 }, flaw = { 0 };
  struct dg_log *log, *grown;
  int fd, code;

  growing_write (growing, growing->all->len / 2);
  log = load_growing (growing->path);
  fd = open (growing->path, O_WRONLY | O_TRUNC);
  g_assert_cmpint (write (fd, other->all->data, other->all->len), ==,
                   other->all->len);
  close (fd);
  code = dg_log_grow (log, 1, NULL, NULL, &grown, &flaw, &err);
  /* Of which nothing was known, anything may be.  */
  g_assert_true (code < 0 || flaw.code == DG_ERR_DAMAGED
                 || dg_log_summary (log)->runs == 0);
  dg_log_close (grown);
  dg_log_close (log);
  growing_free (growing);
  growing_free (other);
}

static int
cancel (void *user, uint64_t done, uint64_t total)
{
  return 1;
}

static void
test_cancelled (void)
{
  struct growing *growing
    = growing_new (core_test_assemble (core_test_everything, 8, false));
  struct dg_error err = { 0 }, flaw = { 0 };
  struct dg_log *log, *grown;
  char *before, *after;

  growing_write (growing, 300);
  log = load_growing (growing->path);
  before = describe (log);
  growing_write (growing, 5000);
  g_assert_cmpint (dg_log_grow (log, 1, cancel, NULL, &grown, &flaw, &err),
                   ==, DG_ERR_CANCELLED);
  g_assert_null (grown);
  g_assert_false (dg_log_can_grow (log));
  after = describe (log);
  g_assert_cmpstr (before, ==, after);
  g_free (before);
  g_free (after);
  dg_log_close (log);
  growing_free (growing);
}

/* ---- Who writes ---- */

static struct dg_log *
log_of_process (struct growing *growing, guint64 pid, guint64 ticks)
{
  char *text = g_strdup_printf (
    "process %" G_GUINT64_FORMAT " 1 %" G_GUINT64_FORMAT " 8 4096 64 4 30 "
    "\"0.1\" \"3.19\" \"amd64\" \"/exe\" \"/cwd\" [\"exe\"]\n", pid, ticks);
  GByteArray *bytes = core_test_assemble (text, 8, false);

  g_assert_true (g_file_set_contents (growing->path, (char *) bytes->data,
                                      bytes->len, NULL));
  g_byte_array_unref (bytes);
  g_free (text);
  return load_growing (growing->path);
}

/* When this process began.  */
static guint64
own_ticks (void)
{
  char *text, *at;
  guint64 ticks;

  g_assert_true (g_file_get_contents ("/proc/self/stat", &text, NULL, NULL));
  at = strrchr (text, ')');
  for (int field = 2; field < 22; field++)
    at = strchr (at + 1, ' ');
  ticks = g_ascii_strtoull (at, NULL, 10);
  g_free (text);
  return ticks;
}

static void
test_writer (void)
{
  struct growing *growing = growing_new (pack (random_raw (100, 8, false)));
  struct dg_log *log = log_of_process (growing, getpid (), own_ticks ());
  int fd;

  g_assert_cmpint (dg_log_writer (log), ==, DG_WRITER_ACTIVE);
  dg_log_close (log);
  log = log_of_process (growing, getpid (), own_ticks () + 1);
  g_assert_cmpint (dg_log_writer (log), ==, DG_WRITER_NONE);
  dg_log_close (log);

  g_remove (growing->path);
  growing_write (growing, growing->all->len - 100);
  log = load_growing (growing->path);
  if (log->contents.summary.end_why < 0)
    g_assert_cmpint (dg_log_writer (log), ==, DG_WRITER_NONE);
  fd = open (growing->path, O_RDWR);
  g_assert_cmpint (flock (fd, LOCK_EX | LOCK_NB), ==, 0);
  if (log->contents.summary.end_why < 0)
    g_assert_cmpint (dg_log_writer (log), ==, DG_WRITER_ACTIVE);
  close (fd);
  dg_log_close (log);
  growing_free (growing);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/grow/raw", test_raw);
  g_test_add_func ("/grow/everything", test_everything);
  g_test_add_func ("/grow/archive", test_archive);
  g_test_add_func ("/grow/archive-of-everything",
                   test_archive_of_everything);
  g_test_add_func ("/grow/lost", test_lost);
  g_test_add_func ("/grow/rewritten", test_written_anew);
  g_test_add_func ("/grow/cancelled", test_cancelled);
  g_test_add_func ("/grow/writer", test_writer);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
