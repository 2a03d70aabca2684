/* test-archive-values.c: archives of version 3: where VALUES are, with and
   without a footer, cut short, and damaged.  What is in them does not matter
   here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive_test.h"
#include "unit_main.h"

#include <string.h>

#define VALUES "what was read and written"

static const struct dg_pack_totals totals = {.runs = 10, .instructions = 100,
                                             .entries = 7, .reads = 4,
                                             .writes = 2};

/* Chunks with values but for the second one.  */
static void
write_values (struct fixture *f, bool has_values)
{
  const struct dg_archive_head with = {.word_size = 8,
                                       .origin = DG_ORIGIN_LIVE,
                                       .has_values = has_values};
  const struct dg_chunk_start end = start_of (N_CHUNKS);
  const struct dg_summary summary = {.end_why = -1, .exit_code = -1};
  struct dg_archive_writer *writer;
  struct dg_error err = {0};

  dg_archive_create (f->path, &with, 1, &writer, &err);
  g_assert_cmpstr (err.message, ==, "");
  for (unsigned i = 0; i < N_CHUNKS; i++) {
    const struct dg_archive_chunk chunk = {
      .start = start_of (i), .totals = totals, .records = "records",
      .records_size = 7, .values = VALUES,
      .values_size = has_values && i != 1 ? sizeof VALUES - i : 0,
      .runs = "runs", .runs_size = 4};

    g_assert_cmpint (dg_archive_add_chunk (writer, &chunk, &err), ==, 0);
  }
  g_assert_cmpint (dg_archive_finish (writer, &summary, &end, NULL, 0, &err),
                   ==, 0);
  load (f);
}

/* The first n chunks, all of them good.  */
static void
check_chunks (struct fixture *f, const struct dg_archive *archive, size_t n)
{
  const struct dg_chunk_entry *chunk = archive->chunks.items;

  g_assert_cmpuint (archive->chunks.n, ==, n);
  for (size_t i = 0; i < n; i++, chunk++) {
    expect_part (f, &chunk->records, DG_PART_RECORDS, 0, "records", 7);
    expect_part (f, &chunk->runs, DG_PART_RUNS, DG_RUNS_HEAD, "runs", 4);
    if (i == 1)
      g_assert_cmpuint (chunk->values.size, ==, 0);
    else
      expect_part (f, &chunk->values, DG_PART_VALUES, 0, VALUES,
                   sizeof VALUES - i);
  }
}

/* Where each chunk ends.  */
static void
find_ends (const struct dg_archive *archive, size_t *ends)
{
  const struct dg_chunk_entry *chunk = archive->chunks.items;

  for (unsigned i = 0; i < N_CHUNKS; i++)
    ends[i] = chunk[i].runs.offset + DG_PART_HEAD_BYTES + chunk[i].runs.size;
}

static void
test_whole (struct fixture *f, gconstpointer data)
{
  struct dg_archive *archive;

  write_values (f, true);
  g_assert_cmpuint (f->bytes[8], ==, 3);
  archive = open_archive (f);
  g_assert_true (archive->has_footer);
  g_assert_true (archive->head.has_values);
  check_chunks (f, archive, N_CHUNKS);
  dg_archive_free (archive);
}

/* Without values, nothing is any different.  */
static void
test_without (struct fixture *f, gconstpointer data)
{
  const uint64_t quads = 28 + 17 + 1 + 1 + N_CHUNKS * 29 + 1 + 1;
  struct dg_archive *archive;

  write_values (f, false);
  g_assert_cmpuint (f->bytes[8], ==, 2);
  archive = open_archive (f);
  g_assert_true (archive->has_footer);
  g_assert_false (archive->head.has_values);
  g_assert_cmpuint (archive->summary_part.raw_size, ==, 8 * quads);
  dg_archive_free (archive);
}

/* Cut short anywhere: the chunks that are whole are there, with their
   values.  */
static void
test_cut (struct fixture *f, gconstpointer data)
{
  struct dg_archive *archive;
  size_t ends[N_CHUNKS], n = 0, size;

  write_values (f, true);
  archive = open_archive (f);
  find_ends (archive, ends);
  dg_archive_free (archive);
  size = f->source.size;
  for (f->source.size = DG_ARCHIVE_HEAD_BYTES; f->source.size < size;
       f->source.size++) {
    while (n < N_CHUNKS && ends[n] <= f->source.size)
      n++;
    archive = open_archive (f);
    g_assert_false (archive->has_footer);
    check_chunks (f, archive, n);
    g_assert_cmpint (archive->error.code, <, 0);
    dg_archive_free (archive);
  }
  g_assert_cmpuint (n, ==, N_CHUNKS);
}

/* One of their bytes is another one: all else can be read.  */
static void
test_damaged (struct fixture *f, gconstpointer data)
{
  struct dg_archive *archive;
  const struct dg_chunk_entry *chunk;
  struct dg_table buffer = {0};

  write_values (f, true);
  archive = open_archive (f);
  chunk = archive->chunks.items;
  for (uint64_t i = 0; i < chunk->values.size; i++) {
    char *byte = f->bytes + chunk->values.offset + DG_PART_HEAD_BYTES + i;
    struct dg_archive *again;
    struct dg_error err = {0};

    *byte ^= 1;
    again = open_archive (f);
    g_assert_cmpuint (again->chunks.n, ==, N_CHUNKS);
    g_assert_cmpint (dg_archive_read (&f->source, &chunk->values,
                                      DG_PART_VALUES, &buffer, &err),
                     ==, DG_ERR_DAMAGED);
    g_assert_cmpuint (err.offset, ==, chunk->values.offset);
    g_assert_nonnull (strstr (err.message, "VALUES of chunk 0"));
    expect_part (f, &chunk->runs, DG_PART_RUNS, DG_RUNS_HEAD, "runs", 4);
    dg_archive_free (again);
    *byte ^= 1;
  }
  dg_table_fini (&buffer);
  dg_archive_free (archive);
}

/* An archive of version 2 has none: it ends before them.  */
static void
test_version (struct fixture *f, gconstpointer data)
{
  struct dg_archive *archive;
  const struct dg_chunk_entry *chunk;
  uint64_t offset, sum;

  write_values (f, true);
  archive = open_archive (f);
  chunk = archive->chunks.items;
  offset = chunk->values.offset;
  dg_archive_free (archive);
  f->bytes[8] = 2;
  sum = GUINT64_TO_LE (dg_archive_checksum (f->bytes, 32));
  memcpy (f->bytes + 32, &sum, sizeof sum);
  archive = open_archive (f);
  g_assert_false (archive->has_footer);
  g_assert_cmpuint (archive->chunks.n, ==, 0);
  g_assert_cmpint (archive->error.code, ==, DG_ERR_DAMAGED);
  g_assert_cmpuint (archive->error.offset, ==, offset);
  dg_archive_free (archive);
}

/* Chunks that name the same values.  */
static void
test_shared (struct fixture *f, gconstpointer data)
{
  struct dg_archive *archive, again = {.head = {.has_values = true}};
  struct dg_table bytes = {0};

  write_values (f, true);
  archive = open_archive (f);
  ((struct dg_chunk_entry *) archive->chunks.items)[2].values
    = ((struct dg_chunk_entry *) archive->chunks.items)[0].values;
  g_assert_cmpint (dg_archive_summary_put (archive, &bytes, NULL), ==, 0);
  g_assert_cmpint (dg_archive_summary_get (&again, bytes.items, bytes.n,
                                           f->source.size, NULL),
                   ==, DG_ERR_DAMAGED);
  dg_table_fini (&again.chunks);
  dg_table_fini (&again.tail);
  dg_table_fini (&again.lines);
  dg_table_fini (&again.process);
  dg_table_fini (&bytes);
  dg_archive_free (archive);
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("values/whole", NULL, test_whole);
  ADD ("values/without", NULL, test_without);
  ADD ("values/cut", NULL, test_cut);
  ADD ("values/damaged", NULL, test_damaged);
  ADD ("values/version", NULL, test_version);
  ADD ("values/shared", NULL, test_shared);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
