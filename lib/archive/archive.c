/* archive.c: opening archives: by the footer, or part by part when that is not
   there.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "archive_recover.h"
#include "archive_summary.h"
#include "base/error.h"
#include "bundle.h"

/* Forgets what was found.  */
static void
forget (struct dg_archive *archive)
{
  dg_table_fini (&archive->chunks);
  dg_table_fini (&archive->lines);
  dg_table_fini (&archive->process);
  dg_table_fini (&archive->tail);
  dg_bundle_fini (&archive->files);
  memset (&archive->summary, 0, sizeof archive->summary);
}

void
dg_archive_free (struct dg_archive *archive)
{
  if (!archive)
    return;
  forget (archive);
  g_free (archive);
}

/* ---- With a footer ---- */

/* The SUMMARY part that the footer leads to.  */
static int
read_summary (const struct dg_source *source, struct dg_archive *archive,
              uint64_t offset, struct dg_error *err)
{
  uint64_t end = source->size - DG_ARCHIVE_FOOTER_BYTES;
  uint8_t bytes[DG_PART_HEAD_BYTES];
  struct dg_part_head head;
  struct dg_table payload = { 0 };
  int code;

  if (offset < DG_ARCHIVE_HEAD_BYTES || offset > end
      || end - offset < DG_PART_HEAD_BYTES)
    return dg_error_at (err, DG_ERR_DAMAGED, end,
                        "the archive's footer points nowhere");
  code = dg_archive_bytes (source, offset, bytes, sizeof bytes, err);
  if (code == 0)
    code = dg_part_head_get (bytes, offset, &head, err);
  if (code < 0)
    return code;
  archive->summary_part = (struct dg_part) { offset, head.size,
                                             head.raw_size };
  if (head.size != end - offset - DG_PART_HEAD_BYTES)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "SUMMARY does not end at the footer");
  code = dg_archive_read (source, &archive->summary_part, DG_PART_SUMMARY,
                          &payload, err);
  if (code == 0)
    code = dg_archive_summary_get (archive, payload.items, payload.n, offset,
                                   err);
  dg_table_fini (&payload);
  return code;
}

static void
pass_part (struct dg_archive *archive, const struct dg_part *part)
{
  if (part->size > 0)
    archive->parts_end = MAX (archive->parts_end,
                              part->offset + DG_PART_HEAD_BYTES + part->size);
}

/* Where the parts end that SUMMARY has.  */
static void
find_parts_end (struct dg_archive *archive)
{
  const struct dg_chunk_entry *chunks = archive->chunks.items;
  const struct dg_archive_lines *lines = archive->lines.items;
  const struct dg_part *tail = archive->tail.items;

  archive->parts_end = DG_ARCHIVE_HEAD_BYTES;
  if (archive->chunks.n > 0)
    pass_part (archive, &chunks[archive->chunks.n - 1].runs);
  for (size_t i = 0; i < archive->lines.n; i++)
    pass_part (archive, &lines[i].part);
  for (size_t i = 0; i < archive->tail.n; i++)
    pass_part (archive, &tail[i]);
}

/* Whether a file begins behind them, of which there should be a list.  */
static bool
lacks_list (const struct dg_source *source, const struct dg_archive *archive,
            uint64_t end)
{
  uint8_t bytes[DG_PART_HEAD_BYTES];
  struct dg_part_head head;

  return archive->parts_end < end
         && end - archive->parts_end >= DG_PART_HEAD_BYTES
         && dg_archive_bytes (source, archive->parts_end, bytes, sizeof bytes,
                              NULL)
              == 0
         && dg_part_head_get (bytes, archive->parts_end, &head, NULL) == 0
         && head.type == DG_PART_FILE;
}

/* The files beside the chunks.  Without them all else is as good.  */
static int
read_bundle (const struct dg_source *source, struct dg_archive *archive,
             uint64_t end, struct dg_error *err)
{
  struct dg_error *why = &archive->bundle_error;
  int code = dg_bundle_find (source, end, &archive->bundle_part, why);

  find_parts_end (archive);
  if (code == 0 && archive->bundle_part.size > 0)
    code = dg_bundle_read (source, &archive->bundle_part, &archive->files,
                           why);
  else if (code == 0 && lacks_list (source, archive, end))
    dg_error_at (why, DG_ERR_DAMAGED, archive->parts_end,
                 "the list of the files that begin here is damaged");
  if (code == DG_ERR_IO || code == DG_ERR_NOMEM)
    return dg_error_copy (err, why);
  return 0;
}

/* 1: all parts are known; 0: the archive has to be walked; < 0.  */
static int
open_by_footer (const struct dg_source *source, struct dg_archive *archive,
                struct dg_error *err)
{
  uint8_t footer[DG_ARCHIVE_FOOTER_BYTES];
  struct dg_error why;
  uint64_t offset;
  int code;

  if (source->size < DG_ARCHIVE_HEAD_BYTES + DG_ARCHIVE_FOOTER_BYTES)
    return 0;
  code = dg_archive_bytes (source, source->size - sizeof footer, footer,
                           sizeof footer, err);
  if (code < 0)
    return code;
  if (!dg_archive_footer_get (footer, source->size, &offset))
    return 0;
  code = read_summary (source, archive, offset, &why);
  if (code == DG_ERR_IO || code == DG_ERR_NOMEM)
    return dg_error_copy (err, &why);
  if (code < 0) {
    forget (archive);
    return 0;
  }
  archive->has_footer = true;
  archive->good_bytes = source->size;
  code = read_bundle (source, archive, offset, err);
  return code < 0 ? code : 1;
}

int
dg_archive_open (const struct dg_source *source, struct dg_archive **out,
                 struct dg_error *err)
{
  uint8_t head[DG_ARCHIVE_HEAD_BYTES];
  size_t n = MIN (source->size, sizeof head);
  struct dg_archive *archive;
  int code;

  *out = NULL;
  archive = g_try_new0 (struct dg_archive, 1);
  if (!archive)
    return dg_error_nomem (err);
  code = dg_archive_bytes (source, 0, head, n, err);
  if (code == 0)
    code = dg_archive_head_get (head, n, &archive->head, err);
  if (code == 0)
    code = open_by_footer (source, archive, err);
  if (code == 0)
    code = dg_archive_recover (source, archive, err);
  if (code < 0) {
    dg_archive_free (archive);
    return code;
  }
  *out = archive;
  return 0;
}
