/* pack.c: how fast runs are packed and unpacked, and how small they get, for
   bench/pack.

   Usage: pack ARCHIVE [LEVEL [CHUNKS]]
   The chunks of the archive are unpacked, then packed and unpacked again on
   one thread, and only that is timed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <zstd.h>

#include "archive/archive.h"
#include "archive/lines.h"
#include "archive/pack.h"
#include "archive/program.h"

/* What stands in a part RUNS before what the packer made.  */
#define RUNS_BEGIN (17 * 8)

enum what { PACK, COMPRESS, LINES, LINES_COMPRESS, DECODE, ADDRESSES, WHATS };
static const char *const names[WHATS] = {
  "pack runs, count lines", "compress runs",      "list lines",
  "compress lines",         "decompress, unpack", "addresses"};

struct bench {
  struct dg_program program;
  struct dg_packer *packer;
  struct dg_unpacker *from, *unpacker; /* of the archive; of what is made */
  struct dg_table runs, lines, heads;
  ZSTD_CCtx *zstd;
  void *compressed;
  size_t compressed_room;
  int level;
  uint64_t mask;
  /* The calls of the chunk to come: words, and where each call ends.  */
  uint64_t *gathered;
  size_t *ends;
  size_t n_gathered, n_ends;
  uint64_t chunks, n_runs, entries, words;
  uint64_t runs_bytes, lines_bytes, lines_raw, n_lines, n_meetings;
  uint64_t sum; /* so that addresses are needed */
  double seconds[WHATS];
};

static double
now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static void
need (ptrdiff_t code, const struct dg_error *err)
{
  if (code >= 0)
    return;
  fprintf (stderr, "pack: %s\n", err->message);
  exit (1);
}

/* ---- A chunk ---- */

/* What is known of a head; looked up once, as readers do.  */
struct head {
  const struct dg_program_block *block;
  const struct dg_program_variant *variant;
};

static void
see_heads (struct bench *b, const struct dg_program_view *view)
{
  size_t n = dg_unpacker_heads (b->unpacker);

  if (n > b->heads.room)
    dg_table_reserve (&b->heads, sizeof (struct head), 2 * n);
  for (size_t i = MAX (b->heads.n, 1); i < n; i++) {
    struct head *head = (struct head *) b->heads.items + i;

    head->variant =
      &view->variants[dg_run_variant (dg_unpacker_head (b->unpacker, i))];
    head->block = view->blocks[head->variant->block];
  }
  b->heads.n = n;
}

static void
unpack_chunk (struct bench *b, const struct dg_program_view *view)
{
  static uint64_t words[DG_UNPACK_ROOM], addresses[65536];
  static uint32_t numbers[2048];
  struct dg_error err = {0};
  double start = now ();
  size_t n_words;

  b->heads.n = 0;
  need (dg_unpacker_begin (b->unpacker, view, b->runs.items, b->runs.n, &err),
        &err);
  for (;;) {
    const uint64_t *at = words;
    ptrdiff_t n = dg_unpacker_numbered (b->unpacker, words, DG_UNPACK_ROOM,
                                        2048, &n_words, numbers, &err);
    double middle = now ();

    need (n, &err);
    b->seconds[DECODE] += middle - start;
    if (n == 0)
      break;
    see_heads (b, view);
    for (ptrdiff_t i = 0; i < n; i++) {
      const struct head *head = (struct head *) b->heads.items + numbers[i];

      dg_unpack_addresses (head->block, head->variant, at + 1, b->mask,
                           addresses);
      b->sum += addresses[0];
      at += head->variant->n_words + 1u;
    }
    start = now ();
    b->seconds[ADDRESSES] += start - middle;
  }
}

static void
compress_lines (struct bench *b)
{
  size_t bound = ZSTD_compressBound (b->lines.n);

  if (bound > b->compressed_room) {
    free (b->compressed);
    b->compressed = malloc (bound);
    b->compressed_room = bound;
  }
  b->lines_raw += b->lines.n;
  b->lines_bytes +=
    ZSTD_compressCCtx (b->zstd, b->compressed, b->compressed_room,
                       b->lines.items, b->lines.n, b->level);
}

static void
end_chunk (struct bench *b)
{
  struct dg_program_view view = dg_program_view (&b->program);
  const struct dg_pack_totals *totals = dg_packer_totals (b->packer);
  const struct dg_pack_new_context *meetings;
  const struct dg_line_count *counts;
  struct dg_error err = {0};
  double t[5];
  size_t n;

  b->runs.n = b->lines.n = 0;
  t[0] = now ();
  need (dg_packer_end (b->packer, &b->runs, &meetings, &n, &err), &err);
  b->n_meetings += n;
  t[1] = now ();
  need (dg_packer_lines (b->packer, &counts, &n, &err), &err);
  need (dg_lines_write (counts, n, &b->lines, &err), &err);
  t[2] = now ();
  compress_lines (b);
  t[3] = now ();
  for (int i = 0; i < 3; i++)
    b->seconds[COMPRESS + i] += t[i + 1] - t[i];
  b->chunks++;
  b->n_runs += totals->runs;
  b->entries += totals->entries;
  b->runs_bytes += b->runs.n;
  b->n_lines += n;
  unpack_chunk (b, &view);
}

/* Packs what was gathered, with a call for each message.  */
static void
pack_chunk (struct bench *b)
{
  struct dg_program_view view = dg_program_view (&b->program);
  struct dg_error err = {0};
  double start = now ();
  size_t at = 0;

  if (b->n_ends == 0)
    return;
  need (dg_packer_begin (b->packer, &view, b->mask, &err), &err);
  for (size_t i = 0; i < b->n_ends; i++) {
    need (dg_packer_runs (b->packer, b->gathered + at, b->ends[i] - at, &err),
          &err);
    at = b->ends[i];
  }
  b->seconds[PACK] += now () - start;
  b->words += at;
  b->n_gathered = b->n_ends = 0;
  end_chunk (b);
}

/* ---- The archive ---- */

/* Unpacks a chunk's runs; each call that is made here will be one to pack
   them.  */
static void
gather (struct bench *b, const uint8_t *bytes, size_t n)
{
  struct dg_program_view view = dg_program_view (&b->program);
  struct dg_error err = {0};
  ptrdiff_t runs;
  size_t n_words;

  need (dg_unpacker_begin (b->from, &view, bytes, n, &err), &err);
  while ((runs = dg_unpacker_runs (b->from, b->gathered + b->n_gathered,
                                   DG_PACK_WORDS_MAX + DG_UNPACK_ROOM
                                     - b->n_gathered,
                                   2048, &n_words, &err))
         > 0) {
    b->n_gathered += n_words;
    b->ends[b->n_ends++] = b->n_gathered;
  }
  need (runs, &err);
}

static void
read_archive (struct bench *b, const char *path, size_t n_chunks)
{
  struct dg_source source = {open (path, O_RDONLY), NULL, 0};
  const struct dg_chunk_entry *chunks;
  struct dg_table buffer = {0};
  struct dg_error err = {0};
  struct dg_archive *archive;
  struct stat status;

  if (source.fd < 0 || fstat (source.fd, &status) < 0) {
    fprintf (stderr, "pack: %s: %s\n", path, strerror (errno));
    exit (1);
  }
  source.size = status.st_size;
  need (dg_archive_open (&source, &archive, &err), &err);
  b->from = dg_unpacker_new (archive->head.version, &err);
  need (b->from ? 0 : -1, &err);
  b->mask = archive->head.word_size == 4 ? UINT32_MAX : UINT64_MAX;
  chunks = archive->chunks.items;
  n_chunks = MIN (n_chunks, archive->chunks.n);
  for (size_t i = 0; i < n_chunks; i++) {
    if (chunks[i].definitions.size > 0) {
      need (dg_archive_read (&source, &chunks[i].definitions,
                             DG_PART_DEFINITIONS, &buffer, &err),
            &err);
      need (dg_program_read (&b->program, buffer.items, buffer.n, &err), &err);
    }
    need (
      dg_archive_read (&source, &chunks[i].runs, DG_PART_RUNS, &buffer, &err),
      &err);
    gather (b, (const uint8_t *) buffer.items + RUNS_BEGIN,
            buffer.n - RUNS_BEGIN);
    pack_chunk (b);
  }
  dg_table_fini (&buffer);
  dg_archive_free (archive);
}

static void
report (const struct bench *b)
{
  double total = 0;

  printf ("  %.1f M accesses, %.1f M runs, %.2f words a run, %" PRIu64
          " chunks, %.0f lines and %.0f contexts each\n",
          b->entries / 1e6, b->n_runs / 1e6, (double) b->words / b->n_runs,
          b->chunks, (double) b->n_lines / b->chunks,
          (double) b->n_meetings / b->chunks);
  for (int i = 0; i < WHATS; i++) {
    printf ("  %-24s %7.3f s %8.1f M accesses/s %7.1f M runs/s\n", names[i],
            b->seconds[i], b->entries / b->seconds[i] / 1e6,
            b->n_runs / b->seconds[i] / 1e6);
    total += b->seconds[i];
    if (i == LINES_COMPRESS) {
      printf ("  %-24s %7.3f s %8.1f M accesses/s %7.1f M runs/s\n",
              "= packing", total, b->entries / total / 1e6,
              b->n_runs / total / 1e6);
      total = 0;
    }
  }
  printf ("  %-24s %7.3f s %8.1f M accesses/s\n", "= unpacking", total,
          b->entries / total / 1e6);
  printf ("  %.4f bytes an access: runs %.4f, lines %.4f (%.4f before)\n",
          (double) (b->runs_bytes + b->lines_bytes) / b->entries,
          (double) b->runs_bytes / b->entries,
          (double) b->lines_bytes / b->entries,
          (double) b->lines_raw / b->entries);
}

int
main (int argc, char **argv)
{
  static struct bench b;
  struct dg_error err = {0};

  if (argc < 2) {
    fputs ("usage: pack ARCHIVE [LEVEL [CHUNKS]]\n", stderr);
    return 2;
  }
  b.level = argc > 2 ? atoi (argv[2]) : 1;
  b.packer = dg_packer_new (b.level, &err);
  b.unpacker = dg_unpacker_new (DG_ARCHIVE_VERSION, &err);
  b.zstd = ZSTD_createCCtx ();
  need (b.packer && b.unpacker && b.zstd ? 0 : -1, &err);
  b.gathered = g_new (uint64_t, DG_PACK_WORDS_MAX + DG_UNPACK_ROOM);
  b.ends = g_new (size_t, DG_PACK_WORDS_MAX);
  need (dg_program_init (&b.program, &err), &err);
  read_archive (&b, argv[1], argc > 3 ? (size_t) atoi (argv[3]) : SIZE_MAX);
  report (&b);
  dg_program_fini (&b.program);
  dg_packer_free (b.packer);
  dg_unpacker_free (b.unpacker);
  dg_unpacker_free (b.from);
  return 0;
}
