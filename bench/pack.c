/* pack.c: how fast runs are packed and unpacked, and how small they get, for
   bench/pack.

   Usage: pack CAPTURE [LEVEL [MEGABYTES]]
   CAPTURE  the messages of a ring (include/dg_ring.h), one behind the other,
            of a 64-bit program
   Everything is done on one thread, chunk by chunk.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

#include "dg_ring.h"
#include "lines.h"
#include "pack.h"
#include "program.h"

enum what { PACK, COMPRESS, LINES, LINES_COMPRESS, DECODE, ADDRESSES, WHATS };
static const char *const names[WHATS] = {
  "pack runs, count lines", "compress runs",      "list lines",
  "compress lines",         "decompress, unpack", "addresses"};

struct bench {
  struct dg_program program;
  struct dg_packer *packer;
  struct dg_unpacker *unpacker;
  struct dg_table runs, lines, heads;
  ZSTD_CCtx *zstd;
  void *compressed;
  size_t compressed_room;
  int level;
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
need (int code, const struct dg_error *err)
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

    head->variant
      = &view->variants[dg_run_variant (dg_unpacker_head (b->unpacker, i))];
    head->block = view->blocks[head->variant->block];
  }
  b->heads.n = n;
}

static void
unpack_chunk (struct bench *b, const struct dg_program_view *view)
{
  static uint64_t words[DG_UNPACK_ROOM], addresses[65536];
  static uint32_t numbers[2048];
  struct dg_error err = { 0 };
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

      dg_unpack_addresses (head->block, head->variant, at + 1, UINT64_MAX,
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
  const struct dg_pack_meeting *meetings;
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
  need (dg_packer_begin (b->packer, &view, UINT64_MAX, &err), &err);
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

/* A chunk has about as many entries as others that are cut by the packer's
   totals: those are not known here yet, so runs are looked at.  */
static void
add_runs (struct bench *b, const uint64_t *words, size_t n)
{
  const struct dg_program_variant *variants =
    dg_program_view (&b->program).variants;
  static uint64_t entries, runs;

  memcpy (b->gathered + b->n_gathered, words, n * sizeof *words);
  b->n_gathered += n;
  b->ends[b->n_ends++] = b->n_gathered;
  for (size_t i = 0; i < n; runs++) {
    const struct dg_program_variant *variant =
      &variants[dg_run_variant (words[i])];

    entries += variant->n_entries;
    i += variant->n_words + 1u;
  }
  if (entries < DG_PACK_ACCESSES && runs < DG_PACK_ACCESSES)
    return;
  entries = runs = 0;
  pack_chunk (b);
}

/* ---- The capture ---- */

static void
add_block (struct bench *b, const uint8_t *payload)
{
  const struct dg_ring_block *from = (const void *) payload;
  const struct dg_ring_instr *instr = (const void *) (from + 1);
  const struct dg_ring_entry *entry = (const void *) (instr + from->n_instrs);
  static struct dg_program_instr instrs[256];
  static struct dg_program_entry entries[65536];
  struct dg_program_block block = {from->n_instrs, from->n_entries,
                                   from->n_words, instrs, entries};
  struct dg_error err = {0};

  for (uint32_t i = 0; i < from->n_instrs; i++)
    instrs[i] = (struct dg_program_instr){instr[i].address, instr[i].size};
  for (uint32_t i = 0; i < from->n_entries; i++)
    entries[i] = (struct dg_program_entry){entry[i].disp, entry[i].word,
                                           entry[i].kind, entry[i].size,
                                           entry[i].iseq, entry[i].guarded};
  need (dg_program_add_block (&b->program, &block, &err), &err);
}

static void
take_definitions (struct bench *b, const struct dg_ring_message *message)
{
  const uint8_t *payload = (const uint8_t *) (message + 1);
  const struct dg_ring_variant *v = (const void *) payload;
  const struct dg_ring_node *node = (const void *) payload;
  struct dg_error err = {0};

  switch (message->kind) {
  case DG_RING_BLOCK:
    add_block (b, payload);
    break;
  case DG_RING_VARIANTS:
    for (uint32_t i = 0; i < message->size / sizeof *v; i++)
      need (dg_program_add_variant (&b->program, v[i].block, v[i].n_instrs,
                                    v[i].n_entries, v[i].n_words, &err),
            &err);
    break;
  case DG_RING_NODES:
    for (uint32_t i = 0; i < message->size / sizeof *node; i++)
      need (
        dg_program_add_node (&b->program,
                             &(struct dg_program_node){
                               .site = node[i].site, .parent = node[i].parent},
                             &err),
        &err);
    break;
  }
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

/* All definitions first, then all runs: those of a chunk must be there when it
   begins.  */
static void
read_capture (struct bench *b, FILE *file, bool is_runs, uint64_t left)
{
  static uint64_t buffer[DG_RING_MESSAGE_MAX / 8 + 1];
  const struct dg_ring_message *message = (const void *) buffer;

  rewind (file);
  while (fread (buffer, 8, 1, file) == 1) {
    size_t units = (message->size + 7) / 8;

    if (units >= sizeof buffer / 8
        || fread (buffer + 1, 8, units, file) != units || 8 * units > left)
      break;
    left -= 8 * units;
    if (!is_runs)
      take_definitions (b, message);
    else if (message->kind == DG_RING_RUNS)
      add_runs (b, buffer + 1, message->size / 8);
  }
  pack_chunk (b);
}

int
main (int argc, char **argv)
{
  static struct bench b;
  struct dg_error err = {0};
  uint64_t left = UINT64_MAX;
  FILE *file;

  if (argc < 2) {
    fputs ("usage: pack CAPTURE [LEVEL [MEGABYTES]]\n", stderr);
    return 2;
  }
  file = fopen (argv[1], "rb");
  if (!file) {
    fprintf (stderr, "pack: %s: %s\n", argv[1], strerror (errno));
    return 1;
  }
  b.level = argc > 2 ? atoi (argv[2]) : 1;
  if (argc > 3)
    left = strtoull (argv[3], NULL, 0) << 20;
  b.packer = dg_packer_new (b.level, &err);
  b.unpacker = dg_unpacker_new (&err);
  b.zstd = ZSTD_createCCtx ();
  need (b.packer && b.unpacker && b.zstd ? 0 : -1, &err);
  b.gathered = malloc (DG_PACK_WORDS_MAX * sizeof *b.gathered);
  b.ends = malloc (DG_PACK_WORDS_MAX * sizeof *b.ends);
  need (b.gathered && b.ends ? 0 : -1, &err);
  need (dg_program_init (&b.program, &err), &err);
  read_capture (&b, file, false, left);
  read_capture (&b, file, true, left);
  fclose (file);
  report (&b);
  dg_program_fini (&b.program);
  dg_packer_free (b.packer);
  dg_unpacker_free (b.unpacker);
  return 0;
}
