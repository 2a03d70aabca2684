/* pack_log.h: what the files that make archives of logs share.

   pack_log.c writes the archive, in order.  The chunks' bytes are made by any
   number of workers: from a raw log in pack_log_raw.c, from another archive
   in pack_log_again.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_PACK_LOG_H
#define DG_PACK_LOG_H

#include "archive/archive_write.h"
#include "log/log.h"
#include "archive/pack.h"
#include "pack_log_names.h"
#include "log/packed.h"
#include "archive/records.h"

/* A chunk of the archive to be made.  */
struct dg_pack_piece {
  struct dg_chunk_start start;
  uint64_t offset, end;    /* of a raw log, in the file */
};

/* One log being packed.  Workers only read it.  */
struct dg_pack_log {
  const struct dg_log *log;
  const struct dg_packed *packed;   /* of an archive; NULL: a raw log */
  int level;               /* of zstd */
  bool no_index;
  uint64_t address_mask;   /* 2^(8 * word size) - 1 */
  struct dg_table pieces;  /* struct dg_pack_piece */
  struct dg_pack_names names;   /* of a raw log */
};

/* What becomes of a piece; used again for the next.  */
struct dg_pack_result {
  struct dg_pack_totals totals;
  struct dg_records records;    /* of a raw log */
  struct dg_table bytes;        /* RECORDS of an archive */
  struct dg_table definitions, lines, values, runs, process;   /* bytes */
  /* Of a raw log: what stands behind the chunk.  */
  uint64_t icount, bbdefs, contexts;
  uint32_t thread;
  bool recording;
};

/* dg_log_pack, with files behind the chunks: `add` adds them with the writer,
   and returns 0 or an error.  NULL: those that the log has.  Progress is in
   bytes of the log.  */
typedef int (*dg_pack_add_fn) (void *user, struct dg_archive_writer *writer,
                               struct dg_error *err);
int dg_pack_log_with (const struct dg_log *log, const char *path,
                      const struct dg_pack_options *options,
                      dg_progress_fn progress, void *user,
                      dg_pack_add_fn add, void *add_user,
                      struct dg_error *err);

/* Workers.  The functions are those of struct dg_ordered; user is the struct
   dg_pack_log.  */
void *dg_pack_raw_new (void *user, struct dg_error *err);
void dg_pack_raw_free (void *state);
int dg_pack_raw_work (void *user, void *state, size_t job, void *out,
                      struct dg_error *err);

void *dg_pack_again_new (void *user, struct dg_error *err);
void dg_pack_again_free (void *state);
int dg_pack_again_work (void *user, void *state, size_t job, void *out,
                        struct dg_error *err);

/* Cuts a raw log into pieces, or takes those of an archive.  */
int dg_pack_raw_plan (struct dg_pack_log *pack, struct dg_error *err);
int dg_pack_again_plan (struct dg_pack_log *pack, struct dg_error *err);
int dg_pack_again_tail (const struct dg_pack_log *pack,
                        struct dg_archive_writer *writer,
                        struct dg_error *err);

/* The lines of what the packer has packed, to bytes.  */
int dg_pack_result_lines (struct dg_pack_result *result,
                          struct dg_packer *packer, struct dg_error *err);

#endif /* DG_PACK_LOG_H */
