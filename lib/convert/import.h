/* import.h: a log from instructions and accesses that others recorded, one
   after the other.  import_lackey.c reads what lackey writes.

   Instructions that follow each other in memory, and their accesses, become
   blocks of the log; blocks that come again are found by a table, so that
   they are defined once.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_IMPORT_H
#define DG_IMPORT_H

#include <glib.h>

#include "archive/archive_format.h"
#include "base/arena.h"
#include "format/decode.h"
#include "base/table.h"

#define DG_IMPORT_INSTRS   64     /* of a block, at most */
/* Of a block, but that an instruction may have more.  An access of s bytes has
   s / 255 + 1.  */
#define DG_IMPORT_ENTRIES  256
/* ... of one instruction.  */
#define DG_IMPORT_MOST     16384
/* Bytes of an access, and of an instruction, at most.  */
#define DG_IMPORT_ACCESS_BYTES 4096
#define DG_IMPORT_INSTR_BYTES  255

/* A log being written.  What a block is, is told by tokens: for each
   instruction its size, for each access its size and kind.  */
struct dg_import {
  int fd;
  uint64_t offset;         /* bytes in the file */
  struct dg_table bytes;   /* behind them */
  struct dg_chunk_start now;   /* what was written */
  uint64_t last_marker;    /* offset of the last CHUNK; 0: none */
  GHashTable *blocks;      /* struct block -> itself */
  struct dg_arena arena;   /* those */
  size_t arena_bytes;
  uint64_t seed;           /* of their hashes */

  /* The block that is being gathered.  */
  uint64_t start, end;     /* addresses of its code */
  uint64_t hash;
  unsigned n_instrs, n_tokens, n_entries, n_reads, n_writes;
  uint16_t *tokens;
  uint64_t *addresses;     /* of its entries */
};

/* What a log tells of the program.  */
struct dg_import_process {
  const char *tool_version, *valgrind_version;
  uint64_t pid;
  uint32_t argc;
  const char *const *argv;
};

/* Begins with the header.  The descriptor stays the caller's.  Fini after
   both.  */
int dg_import_init (struct dg_import *import, int fd, struct dg_error *err);
void dg_import_fini (struct dg_import *import);

/* Before the first instruction.  */
int dg_import_process (struct dg_import *import,
                       const struct dg_import_process *process,
                       struct dg_error *err);

/* The next instruction, of 1 to DG_IMPORT_INSTR_BYTES bytes.  */
int dg_import_instruction (struct dg_import *import, uint64_t address,
                           unsigned size, struct dg_error *err);
/* The next access of it, of 1 to DG_IMPORT_ACCESS_BYTES bytes, not at 0.
   DG_ERR_INVALID: the instruction has too many.  */
int dg_import_access (struct dg_import *import, enum dg_access_kind kind,
                      uint64_t address, unsigned size, struct dg_error *err);

/* The end record, with everything written to the file.  */
int dg_import_end (struct dg_import *import, unsigned exit_code,
                   struct dg_error *err);

#endif /* DG_IMPORT_H */
