/* archive_recover.c: an archive without its footer: one that is still growing,
   was cut short, or is damaged at its end.

   Parts are walked from the front by their heads; a chunk counts when its
   RUNS part is there as a whole.  Payloads are not looked at, but for the
   beginnings of RUNS: who reads them checks them.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive_recover.h"

#include <inttypes.h>
#include <string.h>

#include "archive_part.h"
#include "archive_summary.h"
#include "base/error.h"
#include "bundle.h"

struct walk {
  const struct dg_source *source;
  struct dg_archive *archive;
  uint64_t offset;         /* of the next part */
  struct dg_chunk_entry chunk;   /* as far as it is there */
  bool ends;               /* SUMMARY was seen */
};

static void
add_end (struct dg_chunk_start *end, const struct dg_pack_totals *totals)
{
  end->icount += totals->instructions;
  end->instructions += totals->instructions;
  end->reads += totals->reads;
  end->writes += totals->writes;
  end->entries += totals->entries;
  end->runs += totals->runs;
}

/* The chunk is whole.  */
static int
take_runs (struct walk *walk, const struct dg_part *part,
           struct dg_error *err)
{
  struct dg_archive *archive = walk->archive;
  struct dg_chunk_entry *chunk = &walk->chunk, *last = NULL, *place;
  uint8_t bytes[DG_RUNS_HEAD];
  int code;

  if (part->size < DG_RUNS_HEAD || part->raw_size != part->size)
    return dg_error_at (err, DG_ERR_DAMAGED, part->offset,
                        "RUNS is too short for its fields");
  code = dg_archive_bytes (walk->source, part->offset + DG_PART_HEAD_BYTES,
                           bytes, sizeof bytes, err);
  if (code < 0)
    return code;
  dg_chunk_get (bytes, &chunk->start, &chunk->totals);
  if (archive->chunks.n > 0)
    last = (struct dg_chunk_entry *) archive->chunks.items
           + archive->chunks.n - 1;
  if (!dg_chunk_is_sane (&chunk->start, &chunk->totals)
      || (last
          && !dg_chunk_precedes (&last->start, &last->totals,
                                 &chunk->start)))
    return dg_error_at (err, DG_ERR_DAMAGED, part->offset,
                        "chunk %zu does not continue where the one before it "
                        "ends", archive->chunks.n);
  chunk->runs = *part;
  place = dg_table_add (&archive->chunks, sizeof *place);
  if (!place)
    return dg_error_nomem (err);
  *place = *chunk;
  archive->end = chunk->start;
  add_end (&archive->end, &chunk->totals);
  memset (chunk, 0, sizeof *chunk);
  return 0;
}

static int
take_lines (struct walk *walk, const struct dg_part_head *head,
            const struct dg_part *part, struct dg_error *err)
{
  struct dg_archive *archive = walk->archive;
  struct dg_archive_lines *lines;

  if (head->level == 0 && archive->head.origin != DG_ORIGIN_SIDECAR) {
    walk->chunk.lines = *part;
    return 0;
  }
  lines = dg_table_add (&archive->lines, sizeof *lines);
  if (!lines)
    return dg_error_nomem (err);
  *lines = (struct dg_archive_lines) { head->level, head->number, *part };
  return 0;
}

static int
take_tail (struct dg_archive *archive, const struct dg_part *part,
           struct dg_error *err)
{
  struct dg_part *place = dg_table_add (&archive->tail, sizeof *place);

  if (!place)
    return dg_error_nomem (err);
  *place = *part;
  return 0;
}

/* The list of files; they need not be all that is good of the archive.  */
static int
take_bundle (struct walk *walk, const struct dg_part *part,
             struct dg_error *err)
{
  struct dg_archive *archive = walk->archive;
  struct dg_error *why = &archive->bundle_error;
  int code;

  dg_bundle_fini (&archive->files);
  archive->bundle_part = *part;
  code = dg_bundle_read (walk->source, part, &archive->files, why);
  return code == DG_ERR_IO || code == DG_ERR_NOMEM ? dg_error_copy (err, why)
                                                   : 0;
}

static bool
is_of_bundle (uint8_t type)
{
  return type == DG_PART_FILE || type == DG_PART_BUNDLE;
}

static int
take_part (struct walk *walk, const struct dg_part_head *head,
           const struct dg_part *part, struct dg_error *err)
{
  struct dg_archive *archive = walk->archive;
  bool is_open = walk->chunk.definitions.size > 0
                 || walk->chunk.records.size > 0
                 || walk->chunk.lines.size > 0
                 || walk->chunk.values.size > 0;

  if (head->type != DG_PART_LINES && !is_of_bundle (head->type)
      && head->number != archive->chunks.n)
    return dg_error_at (err, DG_ERR_DAMAGED, part->offset,
                        "%s is of chunk %" PRIu64 ", not %zu",
                        dg_part_name (head->type), head->number,
                        archive->chunks.n);
  switch (head->type) {
  case DG_PART_DEFINITIONS:
    walk->chunk.definitions = *part;
    return 0;
  case DG_PART_RECORDS:
    walk->chunk.records = *part;
    return 0;
  case DG_PART_VALUES:
    if (!archive->head.has_values)
      return dg_error_at (err, DG_ERR_DAMAGED, part->offset,
                          "VALUES are in an archive of version %u",
                          archive->head.version);
    walk->chunk.values = *part;
    return 0;
  case DG_PART_LINES:
    return take_lines (walk, head, part, err);
  case DG_PART_RUNS:
    return take_runs (walk, part, err);
  default:
    if (is_open)
      return dg_error_at (err, DG_ERR_DAMAGED, part->offset,
                          "%s is within a chunk",
                          dg_part_name (head->type));
    walk->ends = head->type == DG_PART_SUMMARY;
    if (head->type == DG_PART_BUNDLE)
      return take_bundle (walk, part, err);
    return head->type == DG_PART_TAIL ? take_tail (archive, part, err) : 0;
  }
}

/* The part at the walk's offset: 0; what is wrong with it; or < 0.  */
static int
step (struct walk *walk, struct dg_error *err)
{
  const struct dg_source *source = walk->source;
  uint64_t left = source->size - walk->offset;
  uint8_t bytes[DG_PART_HEAD_BYTES];
  struct dg_part_head head;
  struct dg_part part;
  int code;

  if (left < DG_PART_HEAD_BYTES)
    return dg_error_at (err, DG_ERR_TRUNCATED, walk->offset,
                        "the archive ends within the header of a part");
  code = dg_archive_bytes (source, walk->offset, bytes, sizeof bytes, err);
  if (code == 0)
    code = dg_part_head_get (bytes, walk->offset, &head, err);
  if (code < 0)
    return code;
  if (head.size > left - DG_PART_HEAD_BYTES)
    return dg_error_at (err, DG_ERR_TRUNCATED, walk->offset,
                        "the archive ends within %s of chunk %" PRIu64,
                        dg_part_name (head.type), head.number);
  part = (struct dg_part) { walk->offset, head.size, head.raw_size };
  code = take_part (walk, &head, &part, err);
  if (code == 0)
    walk->offset += DG_PART_HEAD_BYTES + head.size;
  return code;
}

/* Where nothing more can be read: why it ends there.  */
static int
why_it_ends (struct walk *walk, struct dg_error *err)
{
  uint64_t left = walk->source->size - walk->offset;

  if (left == 0)
    return dg_error_at (err, DG_ERR_TRUNCATED, walk->offset,
                        "the archive has no footer: it was cut short");
  if (left < DG_ARCHIVE_FOOTER_BYTES)
    return dg_error_at (err, DG_ERR_TRUNCATED, walk->offset,
                        "the archive ends within its footer");
  return dg_error_at (err, DG_ERR_DAMAGED, walk->offset,
                      "the archive's footer or its SUMMARY is damaged");
}

int
dg_archive_recover (const struct dg_source *source,
                    struct dg_archive *archive, struct dg_error *err)
{
  struct walk walk = { .source = source, .archive = archive,
                       .offset = DG_ARCHIVE_HEAD_BYTES };
  int code = 0;

  archive->end = (struct dg_chunk_start) { .thread = 1, .recording = 1 };
  archive->has_footer = false;
  while (code == 0 && !walk.ends && walk.offset < source->size)
    code = step (&walk, &archive->error);
  if (code == 0)
    code = why_it_ends (&walk, &archive->error);
  if (code == DG_ERR_IO || code == DG_ERR_NOMEM)
    return dg_error_copy (err, &archive->error);
  archive->good_bytes = archive->error.offset;
  return 0;
}
