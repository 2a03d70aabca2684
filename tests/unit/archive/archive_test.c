/* archive_test.c: small archives for the tests of their parts. What stands in
   runs does not matter here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive_test.h"

#include <glib/gstdio.h>
#include <string.h>

void
set_up (struct fixture *f, gconstpointer data)
{
  f->folder = g_dir_make_tmp ("archive-XXXXXX", NULL);
  f->path = g_build_filename (f->folder, "a.dgz", NULL);
}

void
tear_down (struct fixture *f, gconstpointer data)
{
  g_unlink (f->path);
  g_rmdir (f->folder);
  g_free (f->bytes);
  g_free (f->path);
  g_free (f->folder);
}

const struct dg_archive_head head = {
  .word_size = 4, .big_endian = true, .origin = DG_ORIGIN_LIVE};

struct dg_archive_writer *
create (struct fixture *f, int level)
{
  struct dg_archive_writer *writer;
  struct dg_error err;

  if (dg_archive_create (f->path, &head, level, &writer, &err) < 0)
    g_error ("%s", err.message);
  return writer;
}

struct dg_chunk_start
start_of (unsigned i)
{
  return (struct dg_chunk_start){.icount = 100 * i,
                                 .instructions = 100 * i,
                                 .reads = 4 * i,
                                 .writes = 2 * i,
                                 .entries = 7 * i,
                                 .runs = 10 * i,
                                 .bbdefs = i,
                                 .contexts = i,
                                 .thread = 1,
                                 .recording = 1};
}

static const struct dg_pack_totals totals = {.runs = 10,
                                             .instructions = 100,
                                             .entries = 7,
                                             .reads = 4,
                                             .writes = 2,
                                             .min_address = 16,
                                             .max_address = 4096};

int
add_chunk (struct dg_archive_writer *writer, unsigned i, size_t runs_size,
           struct dg_error *err)
{
  char *zeros = g_malloc0 (10000), *runs = g_malloc (runs_size + 1);
  const struct dg_archive_chunk chunk = {.start = start_of (i),
                                         .totals = totals,
                                         .definitions = "definitions",
                                         .definitions_size = i == 0 ? 11 : 0,
                                         .records = zeros,
                                         .records_size = 10000,
                                         .lines = "lines",
                                         .lines_size = i == 1 ? 5 : 0,
                                         .runs = runs,
                                         .runs_size = runs_size};
  int code;

  memset (runs, 'a' + i, runs_size);
  code = dg_archive_add_chunk (writer, &chunk, err);
  g_free (zeros);
  g_free (runs);
  return code;
}

void
load (struct fixture *f)
{
  g_free (f->bytes);
  g_assert_true (g_file_get_contents (f->path, &f->bytes, &f->n, NULL));
  f->source = (struct dg_source){-1, (const uint8_t *) f->bytes, f->n};
}

struct dg_archive *
open_archive (struct fixture *f)
{
  struct dg_archive *archive;
  struct dg_error err;

  if (dg_archive_open (&f->source, &archive, &err) < 0)
    g_error ("%s", err.message);
  return archive;
}

void
write_whole (struct fixture *f, int level)
{
  struct dg_archive_writer *writer = create (f, level);
  const struct dg_chunk_start end = start_of (N_CHUNKS);
  const struct dg_summary summary = {.complete = DG_COMPLETE_YES,
                                     .end_why = -1,
                                     .exit_code = 255,
                                     .runs = 30,
                                     .max_address = UINT64_MAX,
                                     .threads = 1};

  for (unsigned i = 0; i < N_CHUNKS; i++)
    g_assert_cmpint (add_chunk (writer, i, 50 * i, NULL), ==, 0);
  g_assert_cmpint (dg_archive_add_tail (writer, "tail", 4, NULL), ==, 0);
  g_assert_cmpint (dg_archive_add_tail (writer, "more", 4, NULL), ==, 0);
  g_assert_cmpint (dg_archive_add_lines (writer, 1, 0, "coarse", 6, NULL), ==,
                   0);
  g_assert_cmpint (
    dg_archive_finish (writer, &summary, &end, "process", 7, NULL), ==, 0);
  load (f);
}

void
expect_part (struct fixture *f, const struct dg_part *part,
             enum dg_part_type type, size_t skip, const void *bytes, size_t n)
{
  struct dg_table buffer = {0};
  struct dg_error err;

  if (dg_archive_read (&f->source, part, type, &buffer, &err) < 0)
    g_error ("%s", err.message);
  g_assert_cmpint (dg_archive_check (&f->source, part, type, &buffer, &err),
                   ==, 0);
  dg_archive_read (&f->source, part, type, &buffer, &err);
  g_assert_cmpmem ((char *) buffer.items + skip, buffer.n - skip, bytes, n);
  dg_table_fini (&buffer);
}

void
expect_chunks (struct fixture *f, const struct dg_archive *archive, size_t n)
{
  const struct dg_chunk_entry *chunk = archive->chunks.items;
  static const char zeros[10000];
  char runs[200];

  g_assert_cmpuint (archive->chunks.n, ==, n);
  for (unsigned i = 0; i < n; i++, chunk++) {
    const struct dg_chunk_start start = start_of (i);

    g_assert_cmpmem (&chunk->start, sizeof start, &start, sizeof start);
    g_assert_cmpmem (&chunk->totals, sizeof totals, &totals, sizeof totals);
    g_assert_true ((chunk->definitions.size > 0) == (i == 0));
    g_assert_true ((chunk->lines.size > 0) == (i == 1));
    if (i == 0)
      expect_part (f, &chunk->definitions, DG_PART_DEFINITIONS, 0,
                   "definitions", 11);
    if (i == 1)
      expect_part (f, &chunk->lines, DG_PART_LINES, 0, "lines", 5);
    expect_part (f, &chunk->records, DG_PART_RECORDS, 0, zeros, 10000);
    memset (runs, 'a' + i, sizeof runs);
    expect_part (f, &chunk->runs, DG_PART_RUNS, DG_RUNS_HEAD, runs, 50 * i);
  }
}
