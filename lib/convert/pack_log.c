/* pack_log.c: dg_log_pack: an archive of a log.  The chunks' bytes are made
   in pack_log_raw.c and pack_log_again.c.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "pack_log.h"

#include <glib.h>
#include <string.h>

#include "base/error.h"
#include "base/progress.h"
#include "archive/index_levels.h"
#include "archive/lines.h"
#include "archive/bundle_write.h"
#include "base/ordered.h"
#include "base/replace.h"
#include "base/sized.h"

#define LEVEL_DEFAULT 3
#define LEVEL_MAX     19
#define TAIL_BYTES    ((uint64_t) 16 << 20)

struct packing {
  struct dg_pack_log pack;       /* first: workers get its address */
  bool is_again;
  struct dg_archive_writer *writer;
  struct dg_index_levels *levels;   /* NULL: no index */
  struct dg_chunk_start end;     /* of the chunks so far */
  struct dg_table process;       /* the PROCESS record */
  dg_pack_add_fn add;            /* NULL: the files that the log has */
  void *add_user;
  struct dg_progress progress;
  uint64_t done;                 /* bytes of the log */
};

/* ---- Lines ---- */

int
dg_pack_result_lines (struct dg_pack_result *result, struct dg_packer *packer,
                      struct dg_error *err)
{
  const struct dg_pack_totals *totals = dg_packer_totals (packer);
  const struct dg_line_count *counts;
  size_t n;
  int code = dg_packer_lines (packer, &counts, &n, err);

  result->lines.n = 0;
  if (code < 0)
    return code;
  return dg_lines_write_chunk (counts, n, totals->reads + totals->writes,
                               &result->lines, err);
}

static int
write_lines (void *user, unsigned level, uint64_t first, const void *bytes,
             size_t n, struct dg_error *err)
{
  struct packing *packing = user;

  if (n == 0)
    return 0;
  return dg_archive_add_lines (packing->writer, level, first, bytes, n, err);
}

/* ---- Chunks, in their order ---- */

/* What was counted in loading is what was packed.  */
static bool
is_expected (const struct dg_chunk_start *a, const struct dg_chunk_start *b)
{
  return a->instructions == b->instructions && a->reads == b->reads
         && a->writes == b->writes && a->entries == b->entries
         && a->runs == b->runs && a->bbdefs == b->bbdefs
         && a->contexts == b->contexts && a->thread == b->thread
         && a->recording == b->recording;
}

/* Where the chunk leads to.  */
static void
move_end (struct packing *packing, const struct dg_pack_result *result)
{
  struct dg_chunk_start *end = &packing->end;
  const struct dg_pack_totals *totals = &result->totals;

  end->icount = result->icount;
  end->instructions += totals->instructions;
  end->reads += totals->reads;
  end->writes += totals->writes;
  end->entries += totals->entries;
  end->runs += totals->runs;
  end->bbdefs = result->bbdefs;
  end->contexts = result->contexts;
  end->thread = result->thread;
  end->recording = result->recording;
}

static int
keep_process (struct packing *packing, const struct dg_table *process,
              struct dg_error *err)
{
  if (process->n == 0)
    return 0;
  if (dg_table_reserve (&packing->process, 1, process->n) < 0)
    return dg_error_nomem (err);
  memcpy (packing->process.items, process->items, process->n);
  packing->process.n = process->n;
  return 0;
}

static int
take (void *user, size_t job, void *out, struct dg_error *err)
{
  struct packing *packing = user;
  const struct dg_pack_piece *piece
    = (const struct dg_pack_piece *) packing->pack.pieces.items + job;
  struct dg_pack_result *result = out;
  const struct dg_table *records
    = packing->is_again ? &result->bytes : &result->records.bytes;
  struct dg_archive_chunk chunk = {
    .start = packing->is_again ? piece->start : packing->end,
    .totals = result->totals,
    .definitions = result->definitions.items,
    .definitions_size = result->definitions.n,
    .records = records->items, .records_size = records->n,
    .lines = result->lines.items, .lines_size = result->lines.n,
    .values = result->values.items, .values_size = result->values.n,
    .runs = result->runs.items, .runs_size = result->runs.n
  };
  int code;

  if (!packing->is_again && !is_expected (&packing->end, &piece->start))
    return dg_error_at (err, DG_ERR_IO, piece->offset,
                        "the log has changed since it was loaded");
  code = dg_archive_add_chunk (packing->writer, &chunk, err);
  if (code == 0 && packing->levels)
    code = dg_index_levels_add (packing->levels, result->lines.items,
                                result->lines.n, err);
  if (code == 0 && packing->levels)
    code = dg_index_levels_emit (packing->levels, write_lines, packing, err);
  if (code == 0)
    code = keep_process (packing, &result->process, err);
  if (!packing->is_again)
    move_end (packing, result);
  packing->done = piece->end;
  return code;
}

static void
result_fini (void *out)
{
  struct dg_pack_result *result = out;

  dg_table_fini (&result->records.bytes);
  dg_table_fini (&result->bytes);
  dg_table_fini (&result->definitions);
  dg_table_fini (&result->lines);
  dg_table_fini (&result->runs);
  dg_table_fini (&result->values);
  dg_table_fini (&result->process);
}

static int
pace (void *user, struct dg_error *err)
{
  const struct packing *packing = user;

  return dg_progress_tell (&packing->progress, packing->done,
                           packing->pack.log->source.size, err);
}

static int
write_chunks (struct packing *packing, unsigned workers, struct dg_error *err)
{
  const struct dg_ordered ordered = {
    .jobs = packing->pack.pieces.n,
    .workers = workers,
    .result_size = sizeof (struct dg_pack_result),
    .user = packing,
    .state_new = packing->is_again ? dg_pack_again_new : dg_pack_raw_new,
    .state_free = packing->is_again ? dg_pack_again_free : dg_pack_raw_free,
    .work = packing->is_again ? dg_pack_again_work : dg_pack_raw_work,
    .take = take,
    .result_fini = result_fini,
    .pace = pace
  };

  return dg_ordered_run (&ordered, err);
}

/* ---- What stands behind the chunks ---- */

/* The bytes behind the last good record of a raw log.  */
static int
write_tail (struct packing *packing, struct dg_error *err)
{
  const struct dg_log *log = packing->pack.log;
  uint64_t at = log->contents.summary.good_bytes;
  struct dg_stream stream;
  int code = 0;

  dg_stream_init (&stream, &log->source, at, log->source.size);
  while (code == 0 && stream.offset < stream.end) {
    uint64_t n = MIN (stream.end - stream.offset, TAIL_BYTES);

    code = dg_stream_fill (&stream, n, err);
    if (code == 0)
      code = dg_archive_add_tail (packing->writer, stream.at, n, err);
    if (code == 0)
      dg_stream_skip (&stream, n);
  }
  dg_stream_fini (&stream);
  return code;
}

static int
write_files (struct packing *packing, struct dg_error *err)
{
  const struct dg_archive *archive
    = packing->is_again ? packing->pack.packed->archive : NULL;

  if (packing->add)
    return packing->add (packing->add_user, packing->writer, err);
  return archive ? dg_bundle_copy (packing->writer, &packing->pack.log->source,
                                   &archive->files, err)
                 : 0;
}

/* Everything, into a file that is there.  */
static int
write_archive (struct packing *packing, int fd, unsigned workers,
               struct dg_error *err)
{
  const struct dg_log *log = packing->pack.log;
  struct dg_archive_head head = { .word_size = log->header.word_size,
                                  .big_endian = log->header.big_endian,
                                  .origin = DG_ORIGIN_RAW };
  struct dg_summary summary = log->contents.summary;
  const struct dg_archive *archive;
  int code;

  if (packing->is_again)
    head = packing->pack.packed->archive->head;
  code = dg_archive_create_in (fd, &head, packing->pack.level,
                               &packing->writer, err);
  if (code == 0)
    code = write_chunks (packing, workers, err);
  if (code == 0)
    code = packing->is_again
             ? dg_pack_again_tail (&packing->pack, packing->writer, err)
             : write_tail (packing, err);
  if (code == 0 && packing->levels)
    code = dg_index_levels_finish (packing->levels, write_lines, packing,
                                   err);
  if (code == 0)
    code = write_files (packing, err);
  if (code < 0) {
    dg_archive_abandon (packing->writer);
    return code;
  }
  archive = packing->is_again ? packing->pack.packed->archive : NULL;
  /* That an archive was cut short is not said by what is left of it, if it
     has no PROCESS.  */
  if (archive && !archive->has_footer && !log->contents.has_process)
    summary.complete = DG_COMPLETE_UNKNOWN;
  return dg_archive_finish (packing->writer, &summary,
                            archive ? &archive->end : &packing->end,
                            packing->process.items, packing->process.n, err);
}

/* ---- The whole ---- */

static int
plan (struct packing *packing, struct dg_error *err)
{
  struct dg_pack_log *pack = &packing->pack;
  int code;

  if (packing->is_again)
    return dg_pack_again_plan (pack, err);
  code = dg_pack_raw_plan (pack, err);
  if (code < 0)
    return code;
  packing->end = ((const struct dg_pack_piece *) pack->pieces.items)->start;
  return dg_pack_names_init (&pack->names, pack->log, err);
}

static int
pack_to (struct packing *packing, const char *path, unsigned workers,
         struct dg_error *err)
{
  struct dg_replace replace;
  int code = dg_replace_begin (&replace, path, true,
                               &packing->pack.log->source, err);

  if (code < 0)
    return code;
  code = plan (packing, err);
  if (code == 0 && !packing->pack.no_index) {
    packing->levels = dg_index_levels_new (err);
    if (!packing->levels)
      code = DG_ERR_NOMEM;
  }
  if (code == 0)
    code = write_archive (packing, replace.fd, workers, err);
  if (code == 0)
    code = dg_replace_commit (&replace, err);
  dg_replace_fini (&replace);
  return code;
}

int
dg_pack_log_with (const struct dg_log *log, const char *path,
                  const struct dg_pack_options *options,
                  dg_progress_fn progress, void *user, dg_pack_add_fn add,
                  void *add_user, struct dg_error *err)
{
  struct dg_pack_options own;
  struct packing packing = { .pack.log = log, .add = add,
                             .add_user = add_user,
                             .progress = { progress, user, 0 } };
  int code;

  if (DG_SIZED_TAKE (&own, no_index, options, err) < 0)
    return DG_ERR_INVALID;
  options = &own;
  if (!log->is_loaded)
    return dg_error_set (err, DG_ERR_INVALID, "the log is not loaded");
  if (options->level < 0 || options->level > LEVEL_MAX)
    return dg_error_set (err, DG_ERR_INVALID, "level %d is not from 1 to %d",
                         options->level, LEVEL_MAX);
  packing.is_again = log->header.is_archive;
  packing.pack.packed = log->contents.packed;
  packing.pack.level = options->level > 0 ? options->level : LEVEL_DEFAULT;
  packing.pack.no_index = options->no_index;
  packing.pack.address_mask
    = log->header.word_size == 8 ? UINT64_MAX : UINT32_MAX;
  code = pack_to (&packing, path, options->workers, err);
  dg_index_levels_free (packing.levels);
  dg_pack_names_fini (&packing.pack.names);
  dg_table_fini (&packing.pack.pieces);
  dg_table_fini (&packing.process);
  return code;
}

int
dg_log_pack (const struct dg_log *log, const char *path,
             const struct dg_pack_options *options, dg_progress_fn progress,
             void *user, struct dg_error *err)
{
  return dg_pack_log_with (log, path, options, progress, user, NULL, NULL,
                           err);
}
