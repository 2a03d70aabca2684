/* archive_part.h: the bytes around the parts of an archive: its head, the
   heads of parts, its footer; checksums.  docs/archive.md has them all.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARCHIVE_PART_H
#define DG_ARCHIVE_PART_H

#include "archive.h"

#define DG_ARCHIVE_HEAD_BYTES 40
#define DG_PART_HEAD_BYTES    48
#define DG_ARCHIVE_FOOTER_BYTES 32

enum dg_part_codec { DG_CODEC_STORED = 0, DG_CODEC_ZSTD = 1 };

/* A part may not become larger than this, nor than so many times what is
   stored of it (and of a small one, as if it were a bit larger): so memory
   is bounded by the size of the file.  Definitions and records become several
   times larger once more when they are loaded.  The writer keeps to it, too:
   what would be smaller still is stored as it is.  */
#define DG_PART_RAW_MAX   ((uint64_t) 1 << 31)
#define DG_PART_RATIO_MAX 1024
#define DG_PART_RATIO_LOADED 128
static inline uint64_t
dg_part_raw_limit (uint8_t type, uint64_t stored)
{
  uint64_t ratio = type == DG_PART_DEFINITIONS || type == DG_PART_RECORDS
                     ? DG_PART_RATIO_LOADED
                     : DG_PART_RATIO_MAX;

  if (stored >= DG_PART_RAW_MAX / ratio)
    return DG_PART_RAW_MAX;
  return ratio * (stored + 512);
}

struct dg_part_head {
  uint8_t type, codec;
  uint8_t level;             /* of LINES */
  uint64_t number;           /* of the chunk; of LINES, the first one */
  uint64_t size, raw_size;
  uint64_t checksum;         /* of the bytes as stored */
};

void dg_archive_head_put (uint8_t *bytes, const struct dg_archive_head *head);
/* 0, DG_ERR_NOT_A_LOG, DG_ERR_VERSION, DG_ERR_DAMAGED.  */
int dg_archive_head_get (const uint8_t *bytes, size_t n,
                         struct dg_archive_head *head, struct dg_error *err);

void dg_part_head_put (uint8_t *bytes, const struct dg_part_head *head);
/* Of DG_PART_HEAD_BYTES that stand at `offset`: 0 or DG_ERR_DAMAGED.  */
int dg_part_head_get (const uint8_t *bytes, uint64_t offset,
                      struct dg_part_head *head, struct dg_error *err);
/* "RUNS" for DG_PART_RUNS; a type that was read is one of them.  */
const char *dg_part_name (uint8_t type);

/* The footer of an archive of `size` bytes in all, whose SUMMARY has its head
   at `summary`; false if these bytes are no such footer.  */
void dg_archive_footer_put (uint8_t *bytes, uint64_t summary, uint64_t size);
bool dg_archive_footer_get (const uint8_t *bytes, uint64_t size,
                            uint64_t *summary);

/* n bytes of the source: 0, DG_ERR_IO.  The caller has checked that they are
   within it.  */
int dg_archive_bytes (const struct dg_source *source, uint64_t offset,
                      void *bytes, size_t n, struct dg_error *err);

/* What begins a RUNS part.  */
void dg_chunk_put (uint8_t *bytes, const struct dg_chunk_start *start,
                   const struct dg_pack_totals *totals);
void dg_chunk_get (const uint8_t *bytes, struct dg_chunk_start *start,
                   struct dg_pack_totals *totals);

/* ---- SUMMARY ---- */

/* What the part holds, to bytes; and back, checked: all parts lie within
   the first `limit` bytes, chunks follow one another.  */
int dg_archive_summary_put (const struct dg_archive *archive,
                            struct dg_table *bytes, struct dg_error *err);
int dg_archive_summary_get (struct dg_archive *archive, const uint8_t *bytes,
                            size_t n, uint64_t limit, struct dg_error *err);

/* Whether a chunk of these totals that begins so may stand before one (or
   an end) that begins as `next` says.  */
bool dg_chunk_precedes (const struct dg_chunk_start *start,
                        const struct dg_pack_totals *totals,
                        const struct dg_chunk_start *next);
/* Whether numbers are such as a chunk can have.  */
bool dg_chunk_is_sane (const struct dg_chunk_start *start,
                       const struct dg_pack_totals *totals);

/* Finds the chunks of an archive without a footer, or without a good SUMMARY;
   fills chunks, lines, tail, end, good_bytes and error.  0, DG_ERR_IO,
   DG_ERR_NOMEM.  */
int dg_archive_recover (const struct dg_source *source,
                        struct dg_archive *archive, struct dg_error *err);

#endif /* DG_ARCHIVE_PART_H */
