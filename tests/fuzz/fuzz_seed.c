/* fuzz_seed.c: archives to begin with, of logs.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib/gstdio.h>
#include <string.h>

#include "archive/archive.h"
#include "archive/archive_write.h"
#include "archive/bundle_write.h"
#include "fuzz.h"
#include "log/log.h"

static void
copy_part (const struct dg_source *source, const struct dg_part *part,
           enum dg_part_type type, struct dg_table *out)
{
  if (part->size > 0)
    MUST (dg_archive_read (source, part, type, out, NULL) == 0);
}

/* With zeros in the middle.  */
static void
add_files (struct dg_archive_writer *writer)
{
  const struct dg_bundle_file files[] = {
    { .kind = DG_BUNDLE_MODULE, .name = (char *) "/bin/prog",
      .n_id = 2, .id = "id" },
    { .kind = DG_BUNDLE_SOURCE, .name = (char *) "/src/a.c" }
  };
  uint8_t bytes[1000] = "\177ELF";

  strcpy ((char *) bytes + 900, "the end");
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++)
    MUST (dg_bundle_add (writer, &files[i], bytes, sizeof bytes, NULL) == 0);
}

/* The archive at `from` again, at `to`, with all parts stored, and files.  */
static void
store (const char *from, const char *to)
{
  struct dg_source source = { .fd = -1 };
  struct dg_archive_writer *writer;
  struct dg_archive *archive;
  struct dg_chunk_entry *chunk;
  char *bytes;
  gsize n;

  MUST (g_file_get_contents (from, &bytes, &n, NULL));
  source.memory = (uint8_t *) bytes;
  source.size = n;
  MUST (dg_archive_open (&source, &archive, NULL) == 0);
  MUST (dg_archive_create (to, &archive->head, DG_ARCHIVE_STORED, &writer,
                           NULL) == 0);
  chunk = archive->chunks.items;
  for (size_t i = 0; i < archive->chunks.n; i++, chunk++) {
    struct dg_table tables[4] = { { 0 } };

    copy_part (&source, &chunk->definitions, DG_PART_DEFINITIONS, &tables[0]);
    copy_part (&source, &chunk->records, DG_PART_RECORDS, &tables[1]);
    copy_part (&source, &chunk->lines, DG_PART_LINES, &tables[2]);
    copy_part (&source, &chunk->runs, DG_PART_RUNS, &tables[3]);
    const struct dg_archive_chunk again = {
      .start = chunk->start, .totals = chunk->totals,
      .definitions = tables[0].items, .definitions_size = tables[0].n,
      .records = tables[1].items, .records_size = tables[1].n,
      .lines = tables[2].items, .lines_size = tables[2].n,
      .runs = (uint8_t *) tables[3].items + DG_RUNS_HEAD,
      .runs_size = tables[3].n - DG_RUNS_HEAD
    };
    MUST (dg_archive_add_chunk (writer, &again, NULL) == 0);
    for (unsigned j = 0; j < 4; j++)
      dg_table_fini (&tables[j]);
  }
  for (size_t i = 0; i < archive->tail.n; i++) {
    struct dg_table tail = { 0 };

    copy_part (&source, (struct dg_part *) archive->tail.items + i,
               DG_PART_TAIL, &tail);
    MUST (dg_archive_add_tail (writer, tail.items, tail.n, NULL) == 0);
    dg_table_fini (&tail);
  }
  add_files (writer);
  MUST (dg_archive_finish (writer, &archive->summary, &archive->end,
                           archive->process.items, archive->process.n, NULL)
        == 0);
  dg_archive_free (archive);
  g_free (bytes);
}

void
dg_fuzz_seed_archive (GByteArray *log_bytes)
{
  struct dg_pack_options options = {
    .size = sizeof options, .level = 1, .workers = 1};
  char *folder = g_dir_make_tmp ("fuzz-XXXXXX", NULL);
  char *packed = g_build_filename (folder, "packed", NULL);
  char *stored = g_build_filename (folder, "stored", NULL);
  struct dg_log *log;
  char *bytes;
  gsize n;

  if (dg_log_open_memory ("seed", log_bytes->data, log_bytes->len, &log, NULL)
      == 0) {
    log->piece_accesses = 0;
    dg_log_load (log, 1, NULL, NULL, NULL);
    MUST (dg_log_pack (log, packed, &options, NULL, NULL, NULL) == 0);
    store (packed, stored);
    MUST (g_file_get_contents (stored, &bytes, &n, NULL));
    g_byte_array_set_size (log_bytes, 0);
    g_byte_array_append (log_bytes, (guint8 *) bytes, n);
    g_free (bytes);
    dg_log_close (log);
    g_unlink (packed);
    g_unlink (stored);
  }
  g_rmdir (folder);
  g_free (stored);
  g_free (packed);
  g_free (folder);
}
