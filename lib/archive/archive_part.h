/* archive_part.h: the bytes around the parts of an archive: its head, the
   heads of parts, its footer; checksums, and what parts hold.
   docs/archive.md has them all.  What stands in runs or records is not known
   here.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARCHIVE_PART_H
#define DG_ARCHIVE_PART_H

#include "archive_format.h"
#include "base/stream.h"

#define DG_ARCHIVE_HEAD_BYTES 40
#define DG_PART_HEAD_BYTES    48
#define DG_ARCHIVE_FOOTER_BYTES 32

enum dg_part_codec { DG_CODEC_STORED = 0, DG_CODEC_ZSTD = 1 };

/* In place of a level of zstd: parts are stored as they are.  */
#define DG_ARCHIVE_STORED (-1)

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

/* Does it begin as an archive does?  */
bool dg_archive_is (const uint8_t *bytes, size_t n);
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

/* ---- Payloads ---- */

/* The payload of a part: checked, decompressed, into *buffer (bytes; what it
   held is gone, its room is used again).  Any thread.  */
int dg_archive_read (const struct dg_source *source,
                     const struct dg_part *part, enum dg_part_type type,
                     struct dg_table *buffer, struct dg_error *err);
/* Only whether it is as it was written; *buffer is room for it.  */
int dg_archive_check (const struct dg_source *source,
                      const struct dg_part *part, enum dg_part_type type,
                      struct dg_table *buffer, struct dg_error *err);

/* The payload of a part that is stored as it is, to be decoded where it
   lies.  */
struct dg_archive_lent {
  const uint8_t *bytes;
  size_t n;
  bool is_mapped;            /* in the source, else in the buffer */
  struct dg_part_head head;  /* of what is in the source */
};

/* Lends a payload, in the source or, checked, in *buffer.  In the source it
   is not checked yet, and may change while it is decoded: what was made of it
   counts only if taking it back says so.  */
int dg_archive_lend (const struct dg_source *source,
                     const struct dg_part *part, enum dg_part_type type,
                     struct dg_table *buffer, struct dg_archive_lent *lent,
                     struct dg_error *err);
/* Whether the payload is, and was all the time, as it was written.  If not,
   dg_archive_read says what is wrong, if there is still something.  */
bool dg_archive_take_back (const struct dg_source *source,
                           const struct dg_part *part,
                           struct dg_archive_lent *lent);

/* Of any bytes: the checksum that archives use.  */
uint64_t dg_archive_checksum (const void *bytes, size_t n);

#endif /* DG_ARCHIVE_PART_H */
