/* genheap.c: writes a log of a program whose heap blocks come and go, quickly.

   Usage: genheap BLOCKS OUTPUT [LIVE]

   Each block is allocated from one of 512 call stacks, written and read four
   times each, and freed when another one takes its slot, of which there are
   LIVE.  The log is valid and has markers and an end record.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dg_record.h"

#define PATHS 512
#define DEPTH 4
#define INSTRS 12
#define EACH 4             /* writes of a run, and reads */

static FILE *out;
static uint64_t written, seqno, frees;
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

static uint8_t *
put_stack (uint8_t *p, unsigned path)
{
  p = put (p, DEPTH, 8);
  for (unsigned i = 0; i < DEPTH; i++)
    p = put (p, 0x400000 + 0x1000 * i + 16 * (path >> (3 * i) & 7), 8);
  return p;
}

/* A record: its type, length and payload.  */
static void
emit (uint8_t type, const uint8_t *payload, const uint8_t *end)
{
  uint8_t head[2] = { type, (uint8_t) (end - payload) };

  if (fwrite (head, 1, sizeof head, out) != sizeof head
      || fwrite (payload, 1, head[1], out) != head[1]) {
    perror ("genheap");
    exit (1);
  }
  written += sizeof head + head[1];
}

static void
emit_definitions (void)
{
  uint8_t payload[256], *p = payload;
  uint16_t one = 1;

  memcpy (p, DG_SIGNATURE, DG_SIGNATURE_SIZE);
  p += DG_SIGNATURE_SIZE;
  p = put (p, DG_VERSION, 1);
  p = put (p, *(uint8_t *) &one == 1 ? DG_ENDIAN_LITTLE : DG_ENDIAN_BIG, 1);
  emit (DG_R_HEADER, payload, put (p, 8, 1));
  p = payload;
  memset (p, 0, sizeof payload);
  put (p, 1, 8);
  put (p + 32, 4096, 8);
  put (p + 40, 64, 8);
  emit (DG_R_PROCESS, p, p + 6 * 8 + 2 + 5 + 8);
  p = put (payload, INSTRS, 1);
  p = put (p, 2 * EACH, 8);
  for (unsigned i = 0; i < INSTRS; i++) {
    p = put (p, 0x410000 + 4 * i, 8);
    p = put (p, 4, 1);
  }
  for (unsigned i = 0; i < 2 * EACH; i++) {
    p = put (p, i < EACH ? DG_ACC_WRITE : DG_ACC_READ, 1);
    p = put (p, 8, 1);
    p = put (p, i, 1);
  }
  emit (DG_R_BBDEF, payload, p);
  p = put (payload, 0, 8);
  p = put (p, 2, 1);
  p = put (p, 0x410000, 8);
  emit (DG_R_CONTEXT, payload, put (p, 0x401000, 8));
}

static void
emit_free (uint64_t address)
{
  uint8_t payload[64], *p = put (payload, address, 8);

  emit (DG_R_FREE_BLOCK, payload, p);
  p = put (payload, ++seqno, 8);
  p = put (p, 1, 8);
  p = put (p, DG_ALLOC_FREE, 1);
  emit (DG_R_HEAP_FREE, payload, put_stack (p, 7));
  frees++;
}

static void
emit_malloc (uint64_t address, uint64_t size)
{
  uint8_t payload[64], *p = put (payload, address, 8);

  p = put (p, size, 8);
  emit (DG_R_MALLOC_BLOCK, payload, put_stack (p, random_number (PATHS)));
  p = put (payload, ++seqno, 8);
  p = put (p, 1, 8);
  p = put (p, DG_ALLOC_MALLOC, 1);
  p = put (p, size, 8);
  p = put (p, 16, 8);
  emit (DG_R_HEAP_ALLOC, payload, put (p, 0, 8));
}

static void
emit_run (uint64_t address, uint64_t size)
{
  uint8_t payload[128], *p = put (payload, 0, 8);

  p = put (p, INSTRS, 1);
  for (unsigned i = 0; i < 2 * EACH; i++)
    p = put (p, address + 8 * (i % EACH) % size, 8);
  emit (DG_R_BBRUN, payload, p);
}

static void
emit_marker (uint64_t runs, uint64_t *last)
{
  const uint64_t quads[9] = { written - *last, INSTRS * runs, INSTRS * runs,
                              2 * EACH * runs, runs, 1, 1, 1, 1 };

  *last = written;
  emit (DG_R_CHUNK, (const uint8_t *) quads,
        (const uint8_t *) quads + sizeof quads);
}

static void
emit_end (uint64_t runs, uint64_t last, uint64_t blocks)
{
  const uint64_t quads[12] = { written - last, INSTRS * runs, INSTRS * runs,
                               EACH * runs, EACH * runs, runs, 1, 1, blocks,
                               frees, 1, 0 };
  uint8_t payload[DG_END_PAYLOAD] = { DG_END_EXIT, 0 };

  memcpy (payload + 2, quads, sizeof quads);
  memcpy (payload + 2 + sizeof quads, DG_END_MAGIC, 8);
  emit (DG_R_END, payload, payload + sizeof payload);
}

int
main (int argc, char **argv)
{
  uint64_t blocks = argc > 2 ? strtoull (argv[1], NULL, 10) : 0, last = 0;
  uint64_t live = argc > 3 ? strtoull (argv[3], NULL, 10) : 50000;
  uint8_t *is_live = calloc (live + 1, 1);

  if (blocks == 0 || live == 0 || is_live == NULL) {
    fputs ("usage: genheap BLOCKS OUTPUT [LIVE]\n", stderr);
    return 2;
  }
  out = fopen (argv[2], "wb");
  if (out == NULL) {
    perror (argv[2]);
    return 1;
  }
  emit_definitions ();
  for (uint64_t i = 0; i < blocks; i++) {
    uint64_t slot = random_number (live), size = 8 + 8 * random_number (64);
    uint64_t address = 0x5000000 + 528 * slot;

    if (is_live[slot])
      emit_free (address);
    is_live[slot] = 1;
    emit_malloc (address, size);
    emit_run (address, size);
    if (written - last >= DG_CHUNK_BYTES)
      emit_marker (i + 1, &last);
  }
  emit_end (blocks, last, blocks);
  if (fclose (out) != 0) {
    perror (argv[2]);
    return 1;
  }
  return 0;
}
