/* builder.h: packed chunks, in their order, become an archive.

   Chunks are packed alone, by any thread.  What needs to know all chunks
   before is done here: which pairs of block and node are new contexts, what
   the recorder left for others to count (WINDOW, END), and the summary.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_BUILDER_H
#define DG_BUILDER_H

#include "archive_write.h"
#include "pack.h"
#include "records.h"
#include "base/table.h"

/* ---- One chunk ---- */

/* A record that names a thread.  */
struct dg_tally_thread {
  uint64_t runs; /* of the chunk before it */
  uint32_t number;
  bool is_switch;
};

/* What the records of a chunk add to the summary.  */
struct dg_tally {
  uint64_t kernel_reads, kernel_writes;
  uint64_t heap_allocs, heap_frees;
  uint64_t modules;
  uint64_t events_started, events_ended;
  uint64_t ranges_tracked, ranges_untracked;
  uint64_t windows;
  uint64_t pools;
  uint64_t unknown_records;
  struct dg_table threads; /* struct dg_tally_thread */
};

/* Counts a record, which has been checked: 0 or DG_ERR_NOMEM.  */
int dg_tally_record (struct dg_tally *tally, const struct dg_format *format,
                     const struct dg_head *head, const uint8_t *payload,
                     uint64_t runs);
/* All zero; the room of its table is used again.  */
void dg_tally_clear (struct dg_tally *tally);
void dg_tally_fini (struct dg_tally *tally);

/* All zero is empty.  Who packs fills it, dg_builder_add uses it up.  */
struct dg_builder_chunk {
  struct dg_pack_totals totals;
  struct dg_table definitions; /* bytes of these four parts */
  struct dg_table runs;
  struct dg_table lines;
  struct dg_table values;
  struct dg_records records; /* all but BBDEF and CONTEXT */
  struct dg_table new_contexts; /* struct dg_pack_new_context */
  struct dg_tally tally;
  /* Instructions that were not recorded: before each WINDOW and END, in
     their order (uint64_t), and in all.  */
  struct dg_table skips;
  uint64_t skipped;
  /* What `records` and `lines` become, if somebody had the time.  */
  struct dg_compressed compressed_records, compressed_lines;
};
/* Empty again; keeps its memory.  */
void dg_builder_chunk_clear (struct dg_builder_chunk *chunk);
void dg_builder_chunk_fini (struct dg_builder_chunk *chunk);
/* Bytes of memory that its tables have, used or not.  */
size_t dg_builder_chunk_room (const struct dg_builder_chunk *chunk);

/* ---- The archive ---- */

struct dg_builder;

struct dg_builder_options {
  const char *path;
  struct dg_format format;
  int level; /* of zstd */
  bool has_index;
  bool has_values;    /* chunks may have some */
  uint64_t max_bytes; /* of the archive; 0: any */
};

/* Creates the archive.  */
struct dg_builder *dg_builder_new (const struct dg_builder_options *options,
                                   struct dg_error *err);
/* Closes the file as it is, if it was not finished.  */
void dg_builder_free (struct dg_builder *builder);

/* The PROCESS record, whole; before the end.  */
int dg_builder_set_process (struct dg_builder *builder, const void *record,
                            size_t size, struct dg_error *err);

/* The next chunk.  Returns 0; 1 when the archive would become longer than it
   may be: the chunk was left out, and dg_builder_end is all that may follow;
   or an error, of which DG_ERR_IO leaves the chunks before in the file.  */
int dg_builder_add (struct dg_builder *builder, struct dg_builder_chunk *chunk,
                    struct dg_error *err);

/* A last chunk without runs that says that recording ended here, why (enum
   dg_end), and is not an end of the program's.  `empty` has no runs.  */
int dg_builder_end (struct dg_builder *builder, uint8_t why,
                    struct dg_builder_chunk *empty, struct dg_error *err);

/* Writes what stands behind the chunks and closes the file.  It is whole if
   the last record is an END that says so.  summary may be NULL.  */
int dg_builder_finish (struct dg_builder *builder, struct dg_summary *summary,
                       struct dg_error *err);

/* How far it is: totals at its end, and bytes of the file.  */
const struct dg_chunk_start *
dg_builder_position (const struct dg_builder *builder);
uint64_t dg_builder_size (const struct dg_builder *builder);

#endif /* DG_BUILDER_H */
