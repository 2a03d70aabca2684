/* genlog.c: writes a large log quickly, for bench/read.

   Usage: genlog MEGABYTES OUTPUT [BBDEFS [CONTEXTS]]

   The log is valid and has markers and an end record.  Blocks have 1 to 15
   instructions and 0 to 6 accesses, runs name contexts mostly in loops, as
   programs do; a few MiB of runs are made once and written again and again.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dg_record.h"

struct block {
  uint8_t n_instrs, n_accesses, reads;
};

struct totals {
  uint64_t instructions, reads, writes, runs;
};

static FILE *out;
static uint64_t written;
static uint64_t state = 88172645463325252u;

static uint64_t
random_number (uint64_t below)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (state >> 8) % below;
}

static uint8_t *
put (uint8_t *p, uint64_t value, unsigned size)
{
  memcpy (p, &value, size);
  return p + size;
}

static void
emit (const void *bytes, size_t n)
{
  if (fwrite (bytes, 1, n, out) != n) {
    perror ("genlog");
    exit (1);
  }
  written += n;
}

static void
emit_header (void)
{
  uint8_t record[512], *p = record;
  uint16_t one = 1;

  p = put (p, DG_R_HEADER, 1);
  p = put (p, DG_HEADER_SIZE - 2, 1);
  memcpy (p, DG_SIGNATURE, DG_SIGNATURE_SIZE);
  p += DG_SIGNATURE_SIZE;
  p = put (p, DG_VERSION, 1);
  p = put (p, *(uint8_t *) &one == 1 ? DG_ENDIAN_LITTLE : DG_ENDIAN_BIG, 1);
  p = put (p, 8, 1);
  p = put (p, DG_R_PROCESS, 1);
  p = put (p, 6 * 8 + 2 + 5 + 8, 1);
  p = put (p, 1, 8);
  p = put (p, 0, 8);
  p = put (p, 0, 8);
  p = put (p, 0, 8);
  p = put (p, 4096, 8);
  p = put (p, 64, 8);
  memset (p, 0, 2 + 5 + 8);
  emit (record, p + 2 + 5 + 8 - record);
}

static void
emit_block (struct block *block, unsigned number)
{
  uint8_t record[512], *p = record;
  unsigned n = 1 + random_number (15), m = random_number (7);
  uint64_t address = 0x400000 + 64 * (uint64_t) number;

  if (m > n)
    m = n;
  *block = (struct block) { n, m, 0 };
  p = put (p, DG_R_BBDEF, 1);
  p = put (p, 1 + 8 + 9 * n + 3 * m, 1);
  p = put (p, n, 1);
  p = put (p, m, 8);
  for (unsigned i = 0; i < n; i++) {
    p = put (p, address + 4 * i, 8);
    p = put (p, 4, 1);
  }
  for (unsigned i = 0; i < m; i++) {
    unsigned write = random_number (3) == 0;

    p = put (p, write, 1);
    p = put (p, 8, 1);
    p = put (p, i * n / m, 1);
    block->reads += !write;
  }
  emit (record, p - record);
}

static void
emit_context (unsigned block)
{
  uint8_t record[512], *p = record;
  unsigned n = 1 + random_number (12);

  p = put (p, DG_R_CONTEXT, 1);
  p = put (p, 8 + 1 + 8 * n, 1);
  p = put (p, block, 8);
  p = put (p, n, 1);
  for (unsigned i = 0; i < n; i++)
    p = put (p, 0x400000 + 64 * (uint64_t) block + i, 8);
  emit (record, p - record);
}

/* About 4 MiB of runs; returns their bytes.  */
static size_t
make_runs (uint8_t *p, const struct block *blocks, const uint32_t *contexts,
           unsigned n_contexts, struct totals *totals)
{
  const uint8_t *begin = p;

  while (p - begin < (long) DG_CHUNK_BYTES) {
    unsigned first = random_number (n_contexts);
    unsigned length = 1 + random_number (20), times = 1 + random_number (50);
    uint64_t data = 0x5000000 + 8 * random_number (1 << 20);

    for (; times > 0; times--)
      for (unsigned i = 0; i < length; i++) {
        unsigned context = (first + i) % n_contexts;
        const struct block *block = &blocks[contexts[context]];

        p = put (p, DG_R_BBRUN, 1);
        p = put (p, 8 + 1 + 8 * block->n_accesses, 1);
        p = put (p, context, 8);
        p = put (p, block->n_instrs, 1);
        for (unsigned j = 0; j < block->n_accesses; j++)
          p = put (p, data + 8 * (times + j), 8);
        totals->runs++;
        totals->instructions += block->n_instrs;
        totals->reads += block->reads;
        totals->writes += block->n_accesses - block->reads;
      }
  }
  return p - begin;
}

static void
emit_marker (const struct totals *t, uint64_t *last, uint64_t bbdefs,
             uint64_t contexts)
{
  uint8_t record[DG_CHUNK_SIZE], *p = record;
  uint64_t offset = written;

  p = put (p, DG_R_CHUNK, 1);
  p = put (p, DG_CHUNK_PAYLOAD, 1);
  p = put (p, offset - *last, 8);
  p = put (p, t->instructions, 8);
  p = put (p, t->instructions, 8);
  p = put (p, t->reads + t->writes, 8);
  p = put (p, t->runs, 8);
  p = put (p, bbdefs, 8);
  p = put (p, contexts, 8);
  p = put (p, 1, 8);
  p = put (p, 1, 8);
  emit (record, p - record);
  *last = offset;
}

static void
emit_end (const struct totals *t, uint64_t last, uint64_t bbdefs,
          uint64_t contexts)
{
  const uint64_t quads[12] = { written - last, t->instructions,
                               t->instructions, t->reads, t->writes, t->runs,
                               bbdefs, contexts, 0, 0, 1, 0 };
  uint8_t record[DG_END_SIZE], *p = record;

  p = put (p, DG_R_END, 1);
  p = put (p, DG_END_PAYLOAD, 1);
  p = put (p, DG_END_EXIT, 1);
  p = put (p, 0, 1);
  memcpy (p, quads, sizeof quads);
  memcpy (p + sizeof quads, DG_END_MAGIC, 8);
  emit (record, sizeof record);
}

int
main (int argc, char **argv)
{
  uint64_t megabytes = argc > 2 ? strtoull (argv[1], NULL, 10) : 0;
  unsigned n_blocks = argc > 3 ? atoi (argv[3]) : 5000;
  unsigned n_contexts = argc > 4 ? atoi (argv[4]) : 40000;
  struct block *blocks = calloc (n_blocks, sizeof *blocks);
  uint32_t *contexts = calloc (n_contexts, sizeof *contexts);
  uint8_t *runs = malloc (DG_CHUNK_BYTES + 65536 * 8);
  struct totals part = { 0 }, all = { 0 };
  uint64_t last = 0;
  size_t n;

  if (megabytes == 0 || n_blocks == 0 || n_contexts == 0 || !blocks
      || !contexts || !runs) {
    fputs ("usage: genlog MEGABYTES OUTPUT [BBDEFS [CONTEXTS]]\n", stderr);
    return 2;
  }
  out = fopen (argv[2], "wb");
  if (!out) {
    perror (argv[2]);
    return 1;
  }
  emit_header ();
  for (unsigned i = 0; i < n_blocks; i++)
    emit_block (&blocks[i], i);
  for (unsigned i = 0; i < n_contexts; i++) {
    contexts[i] = random_number (n_blocks);
    emit_context (contexts[i]);
  }
  n = make_runs (runs, blocks, contexts, n_contexts, &part);
  while (written < megabytes << 20) {
    emit (runs, n);
    all.instructions += part.instructions;
    all.reads += part.reads;
    all.writes += part.writes;
    all.runs += part.runs;
    emit_marker (&all, &last, n_blocks, n_contexts);
  }
  emit_end (&all, last, n_blocks, n_contexts);
  if (fclose (out) != 0) {
    perror (argv[2]);
    return 1;
  }
  return 0;
}
