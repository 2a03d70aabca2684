/* test-bundle.c: files in an archive.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "archive/bundle_write.h"
#include "archive_test.h"
#include "unit_main.h"

/* A file with zeros in the middle, larger than a part, at both ends of which
   something is.  */
#define LARGE (((size_t) 16 << 20) + 5000)

static uint8_t *
large_file (void)
{
  uint8_t *bytes = g_malloc0 (LARGE);

  for (size_t i = 0; i < LARGE; i++)
    if (i < 100000 || i > 200000)
      bytes[i] = (uint8_t) (i * 2654435761u >> 24 | 1);
  return bytes;
}

static struct dg_bundle_file
file_of (uint32_t kind, const char *name, const char *id)
{
  struct dg_bundle_file file = {.kind = kind, .name = (char *) name,
                                .n_id = (uint8_t) strlen (id)};

  memcpy (file.id, id, file.n_id);
  return file;
}

static void
add_files (struct dg_archive_writer *writer)
{
  const struct dg_bundle_file prog =
    file_of (DG_BUNDLE_MODULE, "/bin/prog", "12345");
  const struct dg_bundle_file other =
    file_of (DG_BUNDLE_MODULE, "/bin/prog", "1234567");
  struct dg_bundle_file text = file_of (DG_BUNDLE_SOURCE, "/src/a.c", "");
  const struct dg_bundle_file empty =
    file_of (DG_BUNDLE_SOURCE, "/src/empty.c", "");
  uint8_t *bytes = large_file ();

  text.changed = 77;
  g_assert_cmpint (dg_bundle_add (writer, &prog, bytes, LARGE, NULL), ==, 0);
  g_assert_cmpint (dg_bundle_add (writer, &other, bytes + 99990, 20, NULL), ==,
                   0);
  g_assert_cmpint (dg_bundle_add (writer, &text, (const uint8_t *) "int a;\n",
                                  7, NULL), ==, 0);
  g_assert_cmpint (dg_bundle_add (writer, &empty, bytes, 0, NULL), ==, 0);
  g_free (bytes);
}

static void
write_bundle (struct fixture *f, bool is_whole)
{
  struct dg_archive_writer *writer = create (f, 1);
  const struct dg_chunk_start end = start_of (N_CHUNKS);

  for (unsigned i = 0; i < N_CHUNKS; i++)
    g_assert_cmpint (add_chunk (writer, i, 100, NULL), ==, 0);
  add_files (writer);
  g_assert_cmpint (dg_archive_finish (writer, NULL, &end, NULL, 0, NULL), ==,
                   0);
  load (f);
  /* Only the end is gone.  */
  if (!is_whole)
    f->source.size -= 40;
}

static int
take (void *user, uint64_t offset, const uint8_t *bytes, size_t n,
      struct dg_error *err)
{
  memcpy ((uint8_t *) user + offset, bytes, n);
  return 0;
}

static void
expect_file (struct fixture *f, const struct dg_bundle_file *file,
             const void *bytes, size_t size)
{
  uint8_t *got = g_malloc0 (size + 1);

  g_assert_nonnull (file);
  g_assert_cmpuint (file->size, ==, size);
  g_assert_cmpint (dg_bundle_extract (&f->source, file, take, got, NULL), ==,
                   0);
  g_assert_cmpmem (got, size, bytes, size);
  g_free (got);
}

static void
expect_files (struct fixture *f, const struct dg_archive *archive)
{
  const struct dg_table *files = &archive->files;
  uint8_t *bytes = large_file ();
  const struct dg_bundle_file *file;

  g_assert_cmpuint (files->n, ==, 4);
  file = dg_bundle_lookup (files, DG_BUNDLE_MODULE, "/bin/prog",
                           (const uint8_t *) "12345", 5);
  expect_file (f, file, bytes, LARGE);
  g_assert_cmpuint (file->extents.n, ==, 2);
  g_assert_cmpuint (file->parts.n, ==, 1);
  file = dg_bundle_lookup (files, DG_BUNDLE_MODULE, NULL,
                           (const uint8_t *) "1234567", 7);
  expect_file (f, file, bytes + 99990, 20);
  file = dg_bundle_lookup (files, DG_BUNDLE_SOURCE, "/src/a.c", NULL, 0);
  expect_file (f, file, "int a;\n", 7);
  g_assert_cmpint (file->changed, ==, 77);
  file = dg_bundle_lookup (files, DG_BUNDLE_SOURCE, "/src/empty.c", NULL, 0);
  expect_file (f, file, "", 0);
  g_assert_null (dg_bundle_lookup (files, DG_BUNDLE_DEBUG, "/bin/prog", NULL,
                                   0));
  g_free (bytes);
}

static void
test_files (struct fixture *f, gconstpointer data)
{
  struct dg_archive *archive;

  write_bundle (f, data != NULL);
  archive = open_archive (f);
  g_assert_true (archive->has_footer == (data != NULL));
  g_assert_cmpuint (archive->chunks.n, ==, N_CHUNKS);
  g_assert_cmpint (archive->bundle_error.code, ==, 0);
  expect_files (f, archive);
  dg_archive_free (archive);
}

/* Everything but its files is copied, and it gets them again.  */
static void
test_continued (struct fixture *f, gconstpointer data)
{
  struct dg_archive *archive;
  const struct dg_part *first;
  struct dg_archive_writer *writer;
  uint64_t size;
  int fd;

  write_bundle (f, true);
  archive = open_archive (f);
  first = ((struct dg_bundle_file *) archive->files.items)->parts.items;
  size = first->offset;
  g_assert_true (g_file_set_contents (f->path, f->bytes, (gssize) size,
                                      NULL));
  fd = open (f->path, O_WRONLY | O_APPEND);
  g_assert_cmpint (dg_archive_continue_in (fd, archive, size, 3, &writer,
                                           NULL), ==, 0);
  g_assert_cmpint (dg_bundle_copy (writer, &f->source, &archive->files, NULL),
                   ==, 0);
  g_assert_cmpint (dg_archive_finish (writer, &archive->summary,
                                      &archive->end, NULL, 0, NULL), ==, 0);
  close (fd);
  dg_archive_free (archive);
  load (f);
  archive = open_archive (f);
  g_assert_true (archive->has_footer);
  g_assert_cmpuint (archive->chunks.n, ==, N_CHUNKS);
  expect_files (f, archive);
  dg_archive_free (archive);
}

/* Whatever a byte of the list becomes, the chunks are there, and what is
   wrong is told, or is a difference of the files.  */
static void
test_damaged_list (struct fixture *f, gconstpointer data)
{
  struct dg_archive *archive;
  struct dg_table bytes = {0};
  struct dg_part part;
  unsigned n_told = 0;

  write_bundle (f, true);
  archive = open_archive (f);
  part = archive->bundle_part;
  g_assert_cmpint (dg_archive_read (&f->source, &part, DG_PART_BUNDLE, &bytes,
                                    NULL), ==, 0);
  for (size_t i = 0; i < bytes.n; i++)
    for (unsigned bit = 0; bit < 8; bit++) {
      uint8_t *byte = (uint8_t *) bytes.items + i;
      struct dg_table files = {0};
      struct dg_error err;

      *byte ^= (uint8_t) (1u << bit);
      if (dg_bundle_get (&files, bytes.items, bytes.n, part.offset, &err) < 0)
        n_told++;
      dg_bundle_fini (&files);
      *byte ^= (uint8_t) (1u << bit);
    }
  g_assert_cmpuint (n_told, >, 1000);
  dg_table_fini (&bytes);
  dg_archive_free (archive);
  /* With a checksum that does not fit.  */
  f->bytes[part.offset + DG_PART_HEAD_BYTES] ^= 1;
  archive = open_archive (f);
  g_assert_cmpuint (archive->chunks.n, ==, N_CHUNKS);
  g_assert_cmpuint (archive->files.n, ==, 0);
  g_assert_cmpint (archive->bundle_error.code, ==, DG_ERR_DAMAGED);
  dg_archive_free (archive);
}

static void
test_none (struct fixture *f, gconstpointer data)
{
  struct dg_archive *archive;

  write_whole (f, 1);
  archive = open_archive (f);
  g_assert_cmpuint (archive->files.n, ==, 0);
  g_assert_cmpint (archive->bundle_error.code, ==, 0);
  dg_archive_free (archive);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("bundle/files", GINT_TO_POINTER (1), test_files);
  ADD ("bundle/footless", NULL, test_files);
  ADD ("bundle/continued", NULL, test_continued);
  ADD ("bundle/damaged-list", NULL, test_damaged_list);
  ADD ("bundle/none", NULL, test_none);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
