/* pack_log_again.c: chunks of an archive -> chunks of another, which holds the
   same at another level of compression, or with an index, or without.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>

#include "format/encode.h"
#include "base/error.h"
#include "pack_log.h"

#define WORDS ((size_t) DG_UNPACK_ROOM)
#define RUNS  4096

struct worker {
  struct dg_packer *packer;
  struct dg_unpacker *unpacker;
  struct dg_table runs;    /* bytes of that part */
  uint64_t *words;
};

static const struct dg_chunk_entry *
chunk_at (const struct dg_pack_log *pack, size_t index)
{
  const struct dg_table *chunks = &pack->packed->archive->chunks;

  return (const struct dg_chunk_entry *) chunks->items + index;
}

int
dg_pack_again_plan (struct dg_pack_log *pack, struct dg_error *err)
{
  if (pack->packed->n_chunks > 0 && pack->packed->end_entries != UINT64_MAX)
    return dg_error_set (err, DG_ERR_DAMAGED, "a damaged chunk cannot be"
                         " packed again; unpack the archive first");
  for (size_t i = 0; i < pack->packed->n_chunks; i++) {
    const struct dg_chunk_entry *chunk = chunk_at (pack, i);
    struct dg_pack_piece *piece = dg_table_add (&pack->pieces, sizeof *piece);

    if (!piece)
      return dg_error_nomem (err);
    piece->start = chunk->start;
    piece->offset = chunk->runs.offset;
    piece->end = chunk->runs.offset + chunk->runs.size;
  }
  return 0;
}

int
dg_pack_again_tail (const struct dg_pack_log *pack,
                    struct dg_archive_writer *writer, struct dg_error *err)
{
  const struct dg_table *tail = &pack->packed->archive->tail;
  const struct dg_part *parts = tail->items;
  struct dg_table bytes = { 0 };
  int code = 0;

  for (size_t i = 0; i < tail->n && code == 0; i++) {
    code = dg_archive_read (&pack->log->source, &parts[i], DG_PART_TAIL,
                            &bytes, err);
    if (code == 0)
      code = dg_archive_add_tail (writer, bytes.items, bytes.n, err);
  }
  dg_table_fini (&bytes);
  return code;
}

/* ---- Workers ---- */

void *
dg_pack_again_new (void *user, struct dg_error *err)
{
  const struct dg_pack_log *pack = user;
  struct worker *worker = g_try_new0 (struct worker, 1);

  if (!worker) {
    dg_error_nomem (err);
    return NULL;
  }
  worker->packer = dg_packer_new (pack->level, err);
  if (worker->packer)
    worker->unpacker = dg_unpacker_new (
      pack->packed->archive->head.version, err);
  worker->words = g_try_new (uint64_t, WORDS);
  if (worker->unpacker && worker->words)
    return worker;
  if (worker->unpacker)
    dg_error_nomem (err);
  dg_pack_again_free (worker);
  return NULL;
}

void
dg_pack_again_free (void *state)
{
  struct worker *worker = state;

  dg_packer_free (worker->packer);
  dg_unpacker_free (worker->unpacker);
  dg_table_fini (&worker->runs);
  g_free (worker->words);
  g_free (worker);
}

static int
copy_runs (struct worker *worker, const struct dg_pack_log *pack,
           struct dg_pack_result *result, struct dg_error *err)
{
  const struct dg_program_view *view = &pack->packed->view;
  int code = dg_packer_begin (worker->packer, view, pack->address_mask, err);
  ptrdiff_t got = 1;
  size_t n;

  if (code == 0)
    code = dg_unpacker_begin (worker->unpacker, view,
                              (uint8_t *) worker->runs.items + DG_RUNS_HEAD,
                              worker->runs.n - DG_RUNS_HEAD, err);
  while (code == 0 && got > 0) {
    got = dg_unpacker_runs (worker->unpacker, worker->words, WORDS, RUNS, &n,
                            err);
    code = got > 0 ? dg_packer_runs (worker->packer, worker->words, n, err)
                   : (int) got;
  }
  if (code == 0)
    code = dg_packer_end (worker->packer, &result->runs, NULL, NULL, err);
  if (code < 0)
    return code;
  result->totals = *dg_packer_totals (worker->packer);
  return pack->no_index ? 0
                        : dg_pack_result_lines (result, worker->packer, err);
}

static int
read_part (const struct dg_pack_log *pack, const struct dg_part *part,
           enum dg_part_type type, struct dg_table *bytes,
           struct dg_error *err)
{
  bytes->n = 0;
  if (part->size == 0)
    return 0;
  return dg_archive_read (&pack->log->source, part, type, bytes, err);
}

/* Keeps the PROCESS record if it is in this chunk.  */
static int
find_process (const struct dg_pack_log *pack, struct dg_pack_result *result,
              struct dg_error *err)
{
  struct dg_records_reader reader;
  struct dg_records_entry entry;
  int more;

  result->process.n = 0;
  dg_records_begin (&reader, &pack->log->format, result->bytes.items,
                    result->bytes.n);
  while ((more = dg_records_next (&reader, &entry, err)) > 0)
    if (entry.kind == DG_ENTRY_RECORD && entry.record[0] == DG_R_PROCESS)
      return dg_encode_bytes (&result->process, entry.record, entry.size) < 0
               ? dg_error_nomem (err) : 0;
  return more;
}

int
dg_pack_again_work (void *user, void *state, size_t job, void *out,
                    struct dg_error *err)
{
  const struct dg_pack_log *pack = user;
  const struct dg_chunk_entry *chunk = chunk_at (pack, job);
  struct dg_pack_result *result = out;
  struct worker *worker = state;
  int code;

  result->lines.n = result->runs.n = result->values.n = 0;
  code = read_part (pack, &chunk->definitions, DG_PART_DEFINITIONS,
                    &result->definitions, err);
  if (code == 0)
    code = read_part (pack, &chunk->records, DG_PART_RECORDS, &result->bytes,
                      err);
  /* They do not depend on how well they are compressed.  */
  if (code == 0)
    code = read_part (pack, &chunk->values, DG_PART_VALUES, &result->values,
                      err);
  if (code == 0)
    code = find_process (pack, result, err);
  if (code == 0)
    code = read_part (pack, &chunk->runs, DG_PART_RUNS, &worker->runs, err);
  return code < 0 ? code : copy_runs (worker, pack, result, err);
}
