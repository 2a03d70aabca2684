/* test-archive-damage.c: archives with bytes that lie: sizes that no file
   has, heads, summaries.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive_test.h"
#include "unit_main.h"

#include <string.h>

static void
put_quad (char *at, uint64_t value)
{
  value = GUINT64_TO_LE (value);
  memcpy (at, &value, 8);
}

static void
seal_part (char *part)
{
  put_quad (part + 40, dg_archive_checksum (part, 40));
}

/* Sizes that no file has, in a head with the right checksum.  */
static void
test_sizes (struct fixture *f, gconstpointer data)
{
  static const uint64_t sizes[] = {
    0, 1, 135, INT64_MAX, UINT64_MAX, UINT64_MAX - 47, 1 << 20};
  const struct dg_chunk_entry *chunk;
  struct dg_archive *archive;
  struct dg_part parts[2];
  struct dg_table buffer = {0};
  char *part;

  write_whole (f, 3);
  archive = open_archive (f);
  chunk = archive->chunks.items;
  parts[0] = chunk[0].records;
  parts[1] = chunk[0].runs;
  dg_archive_free (archive);
  f->source.size -= DG_ARCHIVE_FOOTER_BYTES;
  for (unsigned i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (unsigned j = 0; j < 4; j++) {
      const struct dg_part *of = &parts[j / 2];
      struct dg_part asked = *of;
      char saved[DG_PART_HEAD_BYTES];

      part = f->bytes + of->offset;
      memcpy (saved, part, sizeof saved);
      put_quad (part + (j % 2 ? 24 : 16), sizes[i]);
      seal_part (part);
      archive = open_archive (f);
      chunk = archive->chunks.items;
      if (archive->chunks.n > 0)
        g_assert_cmpint (j < 2
                           ? dg_archive_read (&f->source, &chunk->records,
                                              DG_PART_RECORDS, &buffer, NULL)
                           : dg_archive_read (&f->source, &chunk->runs,
                                              DG_PART_RUNS, &buffer, NULL),
                         ==, DG_ERR_DAMAGED);
      else
        g_assert_cmpuint (archive->good_bytes, <=,
                          of->offset + DG_PART_HEAD_BYTES + 135);
      g_assert_cmpint (archive->error.code, <, 0);
      dg_archive_free (archive);
      if (j % 2)
        asked.raw_size = sizes[i];
      else
        asked.size = sizes[i];
      g_assert_cmpint (dg_archive_read (&f->source, &asked,
                                        j < 2 ? DG_PART_RECORDS : DG_PART_RUNS,
                                        &buffer, NULL),
                       <, 0);
      memcpy (part, saved, sizeof saved);
    }
  g_assert_cmpuint (buffer.room, <, 1 << 20);
  dg_table_fini (&buffer);
}

/* Two chunks that name the same bytes, or RUNS too short for its fields: a
   small file must not hold any number of large chunks.  */
static void
test_summaries (struct fixture *f, gconstpointer data)
{
  struct dg_archive *archive, again;
  struct dg_chunk_entry *chunk;
  struct dg_table bytes = {0};

  write_whole (f, 3);
  archive = open_archive (f);
  chunk = archive->chunks.items;
  for (unsigned i = 0; i < 4; i++) {
    const struct dg_chunk_entry saved = chunk[1];

    if (i == 1)
      chunk[1].runs = chunk[0].runs;
    if (i == 2)
      chunk[1].records = chunk[0].records;
    if (i == 3)
      chunk[1].runs.size = chunk[1].runs.raw_size = 40;
    memset (&again, 0, sizeof again);
    bytes.n = 0;
    g_assert_cmpint (dg_archive_summary_put (archive, &bytes, NULL), ==, 0);
    g_assert_cmpint (dg_archive_summary_get (&again, bytes.items, bytes.n,
                                             f->source.size, NULL),
                     ==, i == 0 ? 0 : DG_ERR_DAMAGED);
    dg_table_fini (&again.chunks);
    dg_table_fini (&again.tail);
    dg_table_fini (&again.lines);
    dg_table_fini (&again.process);
    chunk[1] = saved;
  }
  dg_table_fini (&bytes);
  dg_archive_free (archive);
}

/* A number of items that the part has no bytes for is not asked for, wherever
   that number is.  */
static void
test_counts (struct fixture *f, gconstpointer data)
{
  struct dg_archive *archive, again;
  struct dg_table bytes = { 0 };

  write_whole (f, 3);
  archive = open_archive (f);
  g_assert_cmpint (dg_archive_summary_put (archive, &bytes, NULL), ==, 0);
  for (size_t at = 0; at + 8 <= bytes.n; at++) {
    char *quad = (char *) bytes.items + at, saved[8];

    memcpy (saved, quad, sizeof saved);
    put_quad (quad, 1 << 22);
    memset (&again, 0, sizeof again);
    dg_archive_summary_get (&again, bytes.items, bytes.n, f->source.size,
                            NULL);
    g_assert_cmpuint (again.chunks.room, <, 1 << 16);
    g_assert_cmpuint (again.tail.room, <, 1 << 16);
    g_assert_cmpuint (again.lines.room, <, 1 << 16);
    g_assert_cmpuint (again.process.room, <, 1 << 16);
    dg_table_fini (&again.chunks);
    dg_table_fini (&again.tail);
    dg_table_fini (&again.lines);
    dg_table_fini (&again.process);
    memcpy (quad, saved, sizeof saved);
  }
  dg_table_fini (&bytes);
  dg_archive_free (archive);
}

static void
test_heads (struct fixture *f, gconstpointer data)
{
  static const struct {
    unsigned at;
    uint8_t value;
    int code;
  } bad[] = {{0, 'X', DG_ERR_NOT_A_LOG},
             {8, 0, DG_ERR_VERSION},
             {8, 4, DG_ERR_VERSION},
             {9, 5, DG_ERR_VERSION},
             {10, 2, DG_ERR_VERSION},
             {11, 3, DG_ERR_VERSION}};
  struct dg_archive *archive;
  struct dg_error err;

  write_whole (f, 3);
  for (unsigned i = 0; i < G_N_ELEMENTS (bad); i++) {
    char saved[DG_ARCHIVE_HEAD_BYTES];

    memcpy (saved, f->bytes, sizeof saved);
    f->bytes[bad[i].at] = bad[i].value;
    put_quad (f->bytes + 32, dg_archive_checksum (f->bytes, 32));
    g_assert_cmpint (dg_archive_open (&f->source, &archive, &err), ==,
                     bad[i].code);
    g_assert_null (archive);
    memcpy (f->bytes, saved, sizeof saved);
  }
  f->bytes[20] ^= 1;
  g_assert_cmpint (dg_archive_open (&f->source, &archive, &err), ==,
                   DG_ERR_DAMAGED);
  for (f->source.size = 0; f->source.size < DG_ARCHIVE_HEAD_BYTES;
       f->source.size++)
    g_assert_cmpint (dg_archive_open (&f->source, &archive, &err), ==,
                     DG_ERR_NOT_A_LOG);
}

/* The writer knew fewer types of records than we do; or it was wrong.  */
static void
test_known_types (void)
{
  const struct dg_summary seen = {.unknown_records = 2, .pools = 3, .runs = 7};
  const struct {
    uint64_t unknown, pools, runs;
    const char *differs;
  } cases[] = {
    {2, 3, 7, NULL}, /* knew as many */
    {9, 3, 7, NULL}, /* fewer, pools among the known */
    {9, 0, 7, NULL}, /* no pools, either */
    {5, 0, 7, NULL},
    {4, 0, 7, "pools"}, /* 2 records make no 3 pools */
    {9, 4, 7, "pools"},
    {2, 0, 7, "pools"},
    {1, 3, 7, "unknown_records"}, /* one is not forgotten */
    {9, 3, 6, "runs"},
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
    const struct dg_summary told = {.unknown_records = cases[i].unknown,
                                    .pools = cases[i].pools,
                                    .runs = cases[i].runs};

    g_assert_cmpstr (dg_archive_summary_differs (&told, &seen), ==,
                     cases[i].differs);
  }
}

static int
run_tests (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("sizes", NULL, test_sizes);
  ADD ("summaries", NULL, test_summaries);
  ADD ("counts", NULL, test_counts);
  ADD ("heads", NULL, test_heads);
  g_test_add_func ("/archive/known-types", test_known_types);
  return g_test_run ();
}

UNIT_MAIN (run_tests)
