/* verify.c: dg_log_verify: compares an archive with its totals.

   Loading checks definitions and records, and that the rest is as it was
   written.  Here all runs are decoded, chunk by chunk by several threads, and
   what they add up to is compared: sums, counts of heads, places of records,
   lines and coarser lines.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/progress.h"
#include "archive/bundle.h"
#include "archive/index_levels.h"
#include "archive/lines.h"
#include "log.h"
#include "base/ordered.h"
#include "packed.h"
#include "packed_chunk.h"
#include "packed_read.h"

struct verify {
  const struct dg_log *log;
  const struct dg_packed *packed;
  bool has_lines;          /* of any chunk */
  struct dg_index_levels *levels;
  size_t n_lines;          /* coarser lists that were compared */
  struct dg_table buffer;
  struct dg_progress progress;
  uint64_t done;           /* bytes */
};

/* Of a thread.  */
struct worker {
  struct dg_lines *lines;
  struct dg_packed_chunk chunk;
};

/* Of a chunk: the bytes of its part LINES.  */
struct result {
  struct dg_table lines;
};

static const struct dg_chunk_entry *
chunk_at (const struct verify *verify, size_t index)
{
  return (struct dg_chunk_entry *) verify->packed->archive->chunks.items
         + index;
}

/* ---- One chunk ---- */

static int
add_run (struct dg_lines *lines, const struct dg_run *run,
         struct dg_pack_totals *totals, struct dg_error *err)
{
  const struct dg_bbdef *bbdef = run->bbdef;

  totals->runs++;
  totals->instructions += run->n_instrs;
  for (unsigned i = 0; i < run->n_slots; i++) {
    const struct dg_slot *slot = &bbdef->slots[i];
    uint64_t address = run->addresses[slot->entry];
    int code;

    if (address == 0)
      continue;
    if (slot->kind == DG_ACC_READ)
      totals->reads++;
    else
      totals->writes++;
    code = dg_lines_add (lines, address, slot->size, slot->kind, err);
    if (code < 0)
      return code;
  }
  return 0;
}

/* Decodes the chunk's runs into lines and sums, and their values.  */
static int
read_runs (struct verify *verify, size_t index, struct dg_lines *lines,
           struct dg_pack_totals *totals, struct dg_error *err)
{
  bool has_values = chunk_at (verify, index)->values.size > 0;
  struct dg_packed_reader *reader
    = dg_packed_reader_new (verify->log, index, index + 1, err);
  struct dg_run_values values;
  struct dg_run run;
  int code = 0;

  if (!reader)
    return DG_ERR_NOMEM;
  if (has_values)
    code = dg_packed_reader_want_values (reader, err);
  while (code == 0 && (code = dg_packed_reader_run (reader, &run, err)) > 0) {
    code = add_run (lines, &run, totals, err);
    if (code == 0 && has_values)
      code = dg_packed_values_take (dg_packed_reader_values (reader), &run,
                                    &values, err);
  }
  if (code == 0 && has_values)
    code = dg_packed_values_end (dg_packed_reader_values (reader), err);
  dg_packed_reader_free (reader);
  return code;
}

/* Counts a run's entries; those of accesses widen the range.  */
static void
add_addresses (const struct dg_log *log, const struct dg_record *run,
               struct dg_pack_totals *totals)
{
  const struct dg_bbdef *bbdef
    = dg_log_bbdef (log, dg_log_context (log, run->words[0]).bbdef);
  uint32_t n = run->n_words - 2, sp = 0;
  const uint64_t *addresses = run->words + 2;

  totals->entries += n;
  for (uint32_t i = 0; i < n; i++) {
    if (sp < bbdef->n_sps && bbdef->sps[sp].entry == i) {
      sp++;
    } else if (addresses[i] != 0) {
      totals->min_address = MIN (totals->min_address, addresses[i]);
      totals->max_address = MAX (totals->max_address, addresses[i]);
    }
  }
}

/* Passes all of the chunk's records, which checks that they stand where they
   tell; of runs, adds up addresses.  */
static int
read_records (struct verify *verify, size_t index,
              struct dg_pack_totals *totals, struct dg_error *err)
{
  struct dg_packed_reader *reader
    = dg_packed_reader_new (verify->log, index, index + 1, err);
  struct dg_record record;
  int code;

  if (!reader)
    return DG_ERR_NOMEM;
  totals->min_address = UINT64_MAX;
  while ((code = dg_packed_reader_record (reader, &record, err)) > 0)
    if (record.type == DG_R_BBRUN)
      add_addresses (verify->log, &record, totals);
  dg_packed_reader_free (reader);
  return code;
}

/* Are the lines those that the part LINES has?  */
static int
compare_lines (struct verify *verify, const struct dg_chunk_entry *chunk,
               struct dg_lines *lines, struct dg_table *stored,
               struct dg_error *err)
{
  const struct dg_line_count *counts;
  struct dg_table bytes = { 0 };
  size_t n;
  int code = dg_lines_end (lines, &counts, &n, err);

  stored->n = 0;
  if (code == 0 && chunk->lines.size > 0)
    code = dg_archive_read (&verify->log->source, &chunk->lines,
                            DG_PART_LINES, stored, err);
  if (code == 0)
    code = dg_lines_write_chunk (counts, n,
                                 chunk->totals.reads + chunk->totals.writes,
                                 &bytes, err);
  if (code == 0 && verify->has_lines
      && (bytes.n != stored->n
          || (bytes.n > 0
              && memcmp (bytes.items, stored->items, bytes.n) != 0)))
    code = dg_error_at (err, DG_ERR_DAMAGED, chunk->lines.size > 0
                                               ? chunk->lines.offset
                                               : chunk->runs.offset,
                        "LINES do not match the runs of the chunk");
  dg_table_fini (&bytes);
  return code;
}

static bool
is_same (const struct dg_pack_totals *a, const struct dg_pack_totals *b)
{
  if (a->runs != b->runs || a->instructions != b->instructions
      || a->entries != b->entries || a->reads != b->reads
      || a->writes != b->writes)
    return false;
  /* None is told in more than one way.  */
  return (a->min_address == b->min_address
          && a->max_address == b->max_address)
         || (a->min_address > a->max_address
             && b->min_address > b->max_address);
}

static int
verify_chunk (void *user, void *state, size_t job, void *out,
              struct dg_error *err)
{
  struct verify *verify = user;
  const struct dg_chunk_entry *chunk = chunk_at (verify, job);
  const struct dg_pack_totals *told = &chunk->totals;
  struct worker *worker = state;
  struct dg_lines *lines = worker->lines;
  struct dg_pack_totals totals = { 0 };
  struct result *result = out;
  int code;

  dg_lines_begin (lines, verify->log->format.word_size == 8 ? UINT64_MAX
                                                            : UINT32_MAX);
  code = read_runs (verify, job, lines, &totals, err);
  if (code == 0)
    code = read_records (verify, job, &totals, err);
  if (code < 0)
    return code;
  if (!is_same (&totals, told))
    return dg_error_at (err, DG_ERR_DAMAGED, chunk->runs.offset,
                        "the runs of a chunk do not add up to what the "
                        "archive declares");
  code = dg_packed_chunk_open (&worker->chunk, job, err);
  if (code == 0)
    code = dg_packed_chunk_check_counts (&worker->chunk, err);
  return code < 0 ? code
                  : compare_lines (verify, chunk, lines, &result->lines, err);
}

static void
worker_free (void *state)
{
  struct worker *worker = state;

  dg_lines_free (worker->lines);
  dg_packed_chunk_fini (&worker->chunk);
  g_free (worker);
}

static void *
worker_new (void *user, struct dg_error *err)
{
  const struct verify *verify = user;
  struct worker *worker = g_try_new0 (struct worker, 1);

  if (!worker) {
    dg_error_nomem (err);
    return NULL;
  }
  worker->lines = dg_lines_new (err);
  if (worker->lines
      && dg_packed_chunk_init (&worker->chunk, verify->log, false, 1, err)
           == 0)
    return worker;
  worker_free (worker);
  return NULL;
}

static void
result_fini (void *out)
{
  dg_table_fini (&((struct result *) out)->lines);
}

/* ---- All of them ---- */

/* A coarser list, if the archive has it: there may have been no room.  */
static int
compare_list (void *user, unsigned level, uint64_t first, const void *bytes,
              size_t n, struct dg_error *err)
{
  struct verify *verify = user;
  const struct dg_archive *archive = verify->packed->archive;
  const struct dg_archive_lines *lines = archive->lines.items;
  int code;

  for (size_t i = 0; i < archive->lines.n; i++) {
    if (lines[i].level != level || lines[i].first != first)
      continue;
    verify->n_lines++;
    code = dg_archive_read (&verify->log->source, &lines[i].part,
                            DG_PART_LINES, &verify->buffer, err);
    if (code == 0
        && (n != verify->buffer.n
            || (n > 0 && memcmp (bytes, verify->buffer.items, n) != 0)))
      code = dg_error_at (err, DG_ERR_DAMAGED, lines[i].part.offset,
                          "LINES of level %u do not match the chunks",
                          level);
    return code;
  }
  return 0;
}

static int
take (void *user, size_t job, void *out, struct dg_error *err)
{
  struct verify *verify = user;
  struct result *result = out;
  int code;

  verify->done = chunk_at (verify, job)->runs.offset;
  if (!verify->has_lines)
    return 0;
  code = dg_index_levels_add (verify->levels, result->lines.items,
                              result->lines.n, err);
  return code == 0 ? dg_index_levels_emit (verify->levels, compare_list,
                                           verify, err) : code;
}

static int
pace (void *user, struct dg_error *err)
{
  struct verify *verify = user;

  return dg_progress_tell (&verify->progress, verify->done,
                           verify->log->source.size, err);
}

static int
compare_levels (struct verify *verify, struct dg_error *err)
{
  int code = dg_index_levels_finish (verify->levels, compare_list, verify,
                                     err);

  if (code == 0 && verify->n_lines != verify->packed->archive->lines.n)
    code = dg_error_at (err, DG_ERR_DAMAGED,
                        verify->packed->archive->good_bytes,
                        "there are %zu coarser lists of LINES, but the chunks "
                        "have %zu", verify->packed->archive->lines.n,
                        verify->n_lines);
  return code;
}

static int
take_nothing (void *user, uint64_t offset, const uint8_t *bytes, size_t n,
              struct dg_error *err)
{
  (void) user;
  (void) offset;
  (void) bytes;
  (void) n;
  (void) err;
  return 0;
}

/* The files that it brings.  */
static int
verify_files (const struct verify *verify, struct dg_error *err)
{
  const struct dg_archive *archive = verify->packed->archive;
  const struct dg_bundle_file *files = archive->files.items;
  int code = 0;

  if (archive->bundle_error.code < 0)
    return dg_error_copy (err, &archive->bundle_error);
  for (size_t i = 0; i < archive->files.n && code == 0; i++)
    code = dg_bundle_extract (&verify->log->source, &files[i], take_nothing,
                              NULL, err);
  return code;
}

int
dg_log_verify (const struct dg_log *log, unsigned workers,
               dg_progress_fn progress, void *user, struct dg_error *err)
{
  const struct dg_packed *packed = log->contents.packed;
  struct verify verify = { .log = log, .packed = packed,
                           .progress = { progress, user, 0 } };
  const struct dg_ordered ordered = {
    .workers = workers, .result_size = sizeof (struct result),
    .jobs = packed ? packed->n_chunks : 0, .user = &verify,
    .state_new = worker_new, .state_free = worker_free, .work = verify_chunk,
    .take = take, .result_fini = result_fini, .pace = pace
  };
  int code;

  if (!log->is_loaded)
    return dg_error_set (err, DG_ERR_INVALID, "the log is not loaded");
  if (!packed)
    return 0;
  for (size_t i = 0; i < packed->n_chunks; i++)
    verify.has_lines |= chunk_at (&verify, i)->lines.size > 0;
  /* A log that ends at a bad record was not written so; only what can be
     read of it is of interest.  */
  if (packed->end_entries != UINT64_MAX || !packed->archive->has_footer)
    verify.has_lines = false;
  verify.levels = dg_index_levels_new (err);
  if (!verify.levels)
    return DG_ERR_NOMEM;
  code = dg_ordered_run (&ordered, err);
  if (code == 0 && verify.has_lines)
    code = compare_levels (&verify, err);
  if (code == 0)
    code = verify_files (&verify, err);
  dg_index_levels_free (verify.levels);
  dg_table_fini (&verify.buffer);
  return code;
}
