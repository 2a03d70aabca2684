/* fuzz_index.c: any bytes as the sidecar of a good log: opened, asked for the
   summary, for the pages, and for every list of every level.

   As for archives, checksums are made right first; and the head says that the
   sidecar is this log's.  What a seed's parts hold is stored as it is.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#define FUZZ_TARGET index

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "archive/archive.h"
#include "archive/archive_write.h"
#include "asm.h"
#include "fuzz_target.h"
#include "log/log.h"
#include "mutate.h"

/* Chunks of the log: enough for three levels.  */
#define CHUNKS 20

/* ---- The log --------------------------------------------------------- */

static GByteArray *
make_log (unsigned word_size, bool big_endian)
{
  GString *text = g_string_new (
    "process 42 1 7 8 4096 64 4 30 \"0\" \"3\" \"a\" \"/e\" \"/\" [\"e\"]\n"
    "bbdef [0x1000+4] [R8@0]\nbbdef [0x1010+4 0x1014+4] [W4@0 R16@1]\n"
    "context 0 [0x1000]\ncontext 1 [0x1010]\n");
  GByteArray *bytes;
  struct dg_asm as;
  char *message;

  for (unsigned i = 0; i < CHUNKS; i++)
    g_string_append_printf (
      text, "bbrun 0 1 [%#x]\nbbrun 1 2 [%#x %#x]\nrepeat %u\n"
            "  bbrun 0 1 [%#x]\ndone\nchunk\n", 0x2000 + 0x340 * i, 0x9000,
      0x9038 + 0x1000 * i, i % 7 + 1, 0x400000 + 64 * i);
  g_string_append (text, "end\n");
  dg_asm_init (&as);
  as.word_size = word_size;
  as.big_endian = big_endian;
  if (!dg_asm_text (&as, text->str, &message))
    g_error ("%s", message);
  g_string_free (text, TRUE);
  bytes = g_byte_array_ref (as.bytes);
  dg_asm_fini (&as);
  return bytes;
}

/* A name for the log, whose sidecar then has a place; to be freed.  */
static char *
make_name (void)
{
  char *base = g_strdup_printf ("dg-fuzz-index-%d", (int) getpid ());
  const char *folder = g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR)
                         ? "/dev/shm" : g_get_tmp_dir ();
  char *name = g_build_filename (folder, base, NULL);

  g_free (base);
  return name;
}

/* ---- The target ------------------------------------------------------ */

static void
check_list (const struct dg_line_list *list)
{
  for (size_t i = 1; i < list->n; i++)
    MUST (list->counts[i].line > list->counts[i - 1].line);
}

static void
check_index (struct dg_index *index)
{
  uint64_t *pages;
  size_t n;

  for (unsigned k = 0; k < dg_index_levels (index); k++)
    for (size_t i = 0; i < dg_index_lists (index, k); i++) {
      struct dg_error err = { 0 };
      const struct dg_line_list *list = dg_index_borrow (index, k, i, &err);
      struct dg_index_span span = dg_index_span (index, k, i);

      MUST (span.start_icount <= span.end_icount);
      MUST (list || err.code < 0);
      if (list)
        check_list (list);
      dg_index_return (index, list);
    }
  for (unsigned shift = 6; shift < 24; shift += 6)
    if (dg_index_pages (index, shift, &pages, &n, NULL) == 0) {
      for (size_t i = 1; i < n; i++)
        MUST (pages[i] > pages[i - 1]);
      free (pages);
    }
}

/* A log whose sidecar is there.  */
static struct dg_log *
open_log (const char *name, const GByteArray *bytes)
{
  struct dg_log *log;

  MUST (dg_log_open_memory (name, bytes->data, bytes->len, &log, NULL) == 0);
  return log;
}

static void
check_summary (const char *name, const GByteArray *bytes)
{
  struct dg_log *log = open_log (name, bytes);
  struct dg_error err = { 0 };
  struct dg_index *index;

  if (dg_index_load_summary (log, &err) == 0) {
    const struct dg_summary *summary = dg_log_summary (log);

    MUST (summary->complete == DG_COMPLETE_YES);
    if (dg_index_open (log, &index, NULL) == 0)
      check_index (index);
    dg_index_close (index);
  } else {
    MUST (err.code < 0);
  }
  /* Whatever it said, the log is what counts.  */
  MUST (dg_log_load (log, 1, NULL, NULL, &err) == 0);
  MUST (dg_log_summary (log)->runs > CHUNKS);
  dg_log_close (log);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n)
{
  bool is_big = n > 10 && bytes[10] == 1;
  unsigned word_size = n > 9 && bytes[9] == 4 ? 4 : 8;
  GByteArray *whole = make_log (word_size, is_big);
  uint64_t fit[2] = { GUINT64_TO_LE (whole->len), 0 };
  uint8_t *copy = g_memdup2 (bytes, n);
  char *name = make_name (), *path = g_strconcat (name, ".dgx", NULL);
  struct dg_log *log;
  struct dg_index *index;

  if (n >= DG_ARCHIVE_HEAD_BYTES) {
    memcpy (copy + 16, fit, sizeof fit);
    dg_fuzz_seal (copy, n);
  }
  MUST (g_file_set_contents_full (path, (char *) copy, n,
                                  G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  log = open_log (name, whole);
  MUST (dg_log_load (log, 1, NULL, NULL, NULL) == 0);
  if (dg_index_open (log, &index, NULL) == 0)
    check_index (index);
  dg_index_close (index);
  dg_log_close (log);
  check_summary (name, whole);
  g_unlink (path);
  g_free (path);
  g_free (name);
  g_free (copy);
  g_byte_array_unref (whole);
  return 0;
}

size_t
LLVMFuzzerCustomMutator (uint8_t *bytes, size_t n, size_t max,
                         unsigned int seed)
{
  struct dg_fuzz_random random = {seed};

  return dg_mutate_archive (bytes, n, max, &random);
}

/* ---- Seeds ----------------------------------------------------------- */

/* The sidecar at `from` again, at `to`, with all parts stored.  */
static void
store (const char *from, const char *to)
{
  struct dg_source source = { .fd = -1 };
  struct dg_archive_writer *writer;
  struct dg_archive *archive;
  struct dg_table lines = { 0 };
  char *bytes;
  gsize n;

  MUST (g_file_get_contents (from, &bytes, &n, NULL));
  source.memory = (uint8_t *) bytes;
  source.size = n;
  MUST (dg_archive_open (&source, &archive, NULL) == 0);
  MUST (dg_archive_create (to, &archive->head, DG_ARCHIVE_STORED, &writer,
                           NULL) == 0);
  for (size_t i = 0; i < archive->chunks.n; i++) {
    const struct dg_chunk_entry *chunk
      = (struct dg_chunk_entry *) archive->chunks.items + i;
    struct dg_archive_chunk again = { .start = chunk->start,
                                      .totals = chunk->totals };

    if (chunk->lines.size > 0) {
      MUST (dg_archive_read (&source, &chunk->lines, DG_PART_LINES, &lines,
                             NULL) == 0);
      again.lines = lines.items;
      again.lines_size = lines.n;
    }
    MUST (dg_archive_add_chunk (writer, &again, NULL) == 0);
  }
  for (size_t i = 0; i < archive->lines.n; i++) {
    const struct dg_archive_lines *coarse
      = (struct dg_archive_lines *) archive->lines.items + i;

    if (coarse->level == 0)
      continue;
    MUST (dg_archive_read (&source, &coarse->part, DG_PART_LINES, &lines,
                           NULL) == 0);
    MUST (dg_archive_add_lines (writer, coarse->level, coarse->first,
                                lines.items, lines.n, NULL) == 0);
  }
  MUST (dg_archive_finish (writer, &archive->summary, &archive->end,
                           archive->process.items, archive->process.n, NULL)
        == 0);
  dg_table_fini (&lines);
  dg_archive_free (archive);
  g_free (bytes);
}

/* Of the text, only the word size and the byte order are used.  */
void
dg_fuzz_seed (GByteArray *bytes)
{
  bool is_big = false;
  char *folder = g_dir_make_tmp ("fuzz-XXXXXX", NULL);
  char *made = g_build_filename (folder, "made", NULL);
  char *stored = g_build_filename (folder, "stored", NULL), *contents;
  struct dg_log *log, *given;
  struct dg_index *index;
  GByteArray *whole;
  unsigned word_size = 8;
  gsize n;

  if (dg_log_open_memory ("seed", bytes->data, bytes->len, &given, NULL)
      == 0) {
    word_size = dg_log_header (given)->word_size;
    is_big = dg_log_header (given)->big_endian;
    dg_log_close (given);
  }
  whole = make_log (word_size, is_big);
  MUST (dg_log_open_memory ("log", whole->data, whole->len, &log, NULL) == 0);
  MUST (dg_log_load (log, 1, NULL, NULL, NULL) == 0);
  MUST (dg_index_build (log, made, 1, NULL, NULL, &index, NULL) == 0);
  MUST (dg_index_origin (index) == DG_INDEX_SIDECAR);
  dg_index_close (index);
  dg_log_close (log);
  store (made, stored);
  MUST (g_file_get_contents (stored, &contents, &n, NULL));
  g_byte_array_set_size (bytes, 0);
  g_byte_array_append (bytes, (guint8 *) contents, n);
  g_free (contents);
  g_byte_array_unref (whole);
  g_unlink (made);
  g_unlink (stored);
  g_rmdir (folder);
  g_free (stored);
  g_free (made);
  g_free (folder);
}
