/* archive.h: the parts of an archive file, written and found again.

   An archive holds what a raw log holds, cut into chunks.  This module knows
   parts, checksums and compression, and not what stands in runs or records.
   docs/archive.md says the same byte by byte.

     head
     for each chunk: [DEFINITIONS] [RECORDS] [LINES] RUNS
     [TAIL]                   bytes of a raw log behind its last good record
     LINES of coarser levels
     SUMMARY                  totals, PROCESS, the table of chunks and parts
     footer                     where SUMMARY is

   It is written from front to back.  A chunk is there when its RUNS part is
   whole: an archive without its footer, or whose footer does not fit, is
   walked part by part and ends before the first bad one.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARCHIVE_H
#define DG_ARCHIVE_H

#include "format/decode.h"
#include "pack.h"
#include "base/stream.h"
#include "base/table.h"

#define DG_ARCHIVE_MAGIC   "DGARCH\r\n"   /* 8 bytes, its NUL left out */
#define DG_ARCHIVE_VERSION 1

enum dg_archive_origin {
  DG_ORIGIN_RAW = 0,      /* packed from a raw log, which it gives back */
  DG_ORIGIN_LIVE = 1,     /* as recorded; unpacking makes CHUNK records */
  DG_ORIGIN_SIDECAR = 2   /* LINES only, of the log beside it */
};

enum dg_part_type {
  DG_PART_DEFINITIONS = 1, /* dg_program_write: what is new since the last */
  DG_PART_RECORDS = 2,     /* records.h: everything that is not a run */
  DG_PART_RUNS = 3,        /* start and totals, then dg_packer_end's bytes */
  DG_PART_LINES = 4,       /* dg_lines_write, of one chunk or several */
  DG_PART_TAIL = 5,
  DG_PART_SUMMARY = 6
};

/* Bytes of a RUNS part before those of the packer: that many of what
   dg_archive_read gives are not for dg_unpacker_begin.  */
#define DG_RUNS_HEAD 136

/* What stands before a chunk, from the beginning of the log; at its end the
   totals of the log.  */
struct dg_chunk_start {
  uint64_t icount;         /* executed, recorded or not */
  uint64_t instructions, reads, writes, entries, runs;
  uint64_t bbdefs, contexts;
  uint32_t thread;         /* current, from 1 */
  uint32_t recording;      /* 0, 1 */
};

/* Where a part is.  size 0: there is none.  */
struct dg_part {
  uint64_t offset;         /* of its head */
  uint64_t size;           /* of the payload as stored */
  uint64_t raw_size;       /* of the payload when decompressed */
};

/* One chunk in the table.  */
struct dg_chunk_entry {
  struct dg_chunk_start start;
  struct dg_pack_totals totals;    /* of its own runs */
  struct dg_part definitions, records, lines, runs;
};

struct dg_archive_lines {
  unsigned level;          /* up to 255 */
  uint64_t first;          /* chunk */
  struct dg_part part;
};

/* ---- Writing ---- */

struct dg_archive_head {
  uint8_t word_size;       /* of the recorded program */
  bool big_endian;
  uint8_t origin;          /* enum dg_archive_origin */
  /* Of a sidecar: the log it belongs to.  */
  uint64_t log_size;
  int64_t log_mtime_ns;
};

/* One thread at a time.  */
struct dg_archive_writer;

/* Creates the file, instead of one that is there.  Readers of that keep it; a
   link, or a file with other links, is emptied and used; what is not a regular
   file is left alone, and so is one that another writer has open (DG_ERR_IO).
   level: of zstd, 0: the default.  */
#define DG_ARCHIVE_STORED (-1)     /* a level: parts are stored as they are */
int dg_archive_create (const char *path, const struct dg_archive_head *head,
                       int level, struct dg_archive_writer **out,
                       struct dg_error *err);
/* The same in a file that is there, empty, open for writing and nobody else's,
   which stays the caller's to close.  */
int dg_archive_create_in (int fd, const struct dg_archive_head *head,
                          int level, struct dg_archive_writer **out,
                          struct dg_error *err);

/* One chunk; parts of size 0 are left out, but never RUNS.  definitions,
   records and lines come uncompressed, runs as dg_packer_end gives them.
   Goes to the file at once, in one piece.  DG_ERR_IO: it is cut back to the
   chunk before, and nothing more can be added; DG_ERR_NOMEM or
   DG_ERR_INVALID (a part above 2 GiB): as if it had not been called.  */
struct dg_archive_chunk {
  struct dg_chunk_start start;
  struct dg_pack_totals totals;    /* as dg_packer_totals says at its end */
  const void *definitions, *records, *lines, *runs;
  size_t definitions_size, records_size, lines_size, runs_size;
};
int dg_archive_add_chunk (struct dg_archive_writer *writer,
                          const struct dg_archive_chunk *chunk,
                          struct dg_error *err);
/* Lines of chunks first .. first + 8^level - 1, as far as there are.  May
   stand between chunks; in a sidecar, level 0 stands for the chunks
   themselves.  Errors as above.  */
int dg_archive_add_lines (struct dg_archive_writer *writer, unsigned level,
                          uint64_t first, const void *bytes, size_t n,
                          struct dg_error *err);
/* Behind the last chunk; a long tail comes in several parts, one after the
   other.  */
int dg_archive_add_tail (struct dg_archive_writer *writer, const void *bytes,
                         size_t n, struct dg_error *err);
/* From here on no chunk is added that would make the file longer than `bytes`
   (0: no limit): dg_archive_add_chunk then returns 1, and the file is as it
   was.  */
void dg_archive_limit (struct dg_archive_writer *writer, uint64_t bytes);
/* Bytes in the file so far.  */
uint64_t dg_archive_size (const struct dg_archive_writer *writer);

/* Writes SUMMARY and footer and closes the file.  process: a whole PROCESS
   record, or NULL.  summary and end may be NULL in a sidecar.  The writer is
   gone whatever this returns; after DG_ERR_IO the chunks are still there,
   without a footer.  */
int dg_archive_finish (struct dg_archive_writer *writer,
                       const struct dg_summary *summary,
                       const struct dg_chunk_start *end,
                       const void *process, size_t process_size,
                       struct dg_error *err);
/* Closes the file without them, as it is.  NULL is fine.  */
void dg_archive_abandon (struct dg_archive_writer *writer);

/* ---- Reading ---- */

struct dg_archive {
  struct dg_archive_head head;
  bool has_footer; /* else it was walked: `error` says why it ends */
  struct dg_error error;
  uint64_t good_bytes;       /* up to where it is good */
  struct dg_table chunks;    /* struct dg_chunk_entry */
  struct dg_table lines;     /* struct dg_archive_lines: coarser levels; of a
                                sidecar, all */
  struct dg_chunk_start end;
  struct dg_table tail;      /* struct dg_part: its parts */
  /* With a footer: */
  struct dg_part summary_part;
  struct dg_summary summary;
  struct dg_table process;   /* bytes of the PROCESS record */
};

/* Does it begin as an archive does?  */
bool dg_archive_is (const uint8_t *bytes, size_t n);
/* Finds the parts.  An archive that was cut short or is damaged opens, with
   what is good of it.  DG_ERR_IO, DG_ERR_NOMEM, and for what is wrong with
   the head DG_ERR_NOT_A_LOG, DG_ERR_VERSION or DG_ERR_DAMAGED.  */
int dg_archive_open (const struct dg_source *source,
                     struct dg_archive **out, struct dg_error *err);
void dg_archive_free (struct dg_archive *archive);

/* The payload of a part: checked, decompressed, into *buffer (bytes; what it
   held is gone, its room is used again).  Any thread.  */
int dg_archive_read (const struct dg_source *source,
                     const struct dg_part *part, enum dg_part_type type,
                     struct dg_table *buffer, struct dg_error *err);
/* Only whether it is as it was written; *buffer is room for it.  */
int dg_archive_check (const struct dg_source *source,
                      const struct dg_part *part, enum dg_part_type type,
                      struct dg_table *buffer, struct dg_error *err);

/* Of any bytes: the checksum that archives use.  */
uint64_t dg_archive_checksum (const void *bytes, size_t n);

/* The name of the first number in which what an archive's SUMMARY tells
   differs from what was seen, good_bytes left aside; NULL if there is none.
   That we know types of records that its writer did not is not a
   difference.  */
const char *dg_archive_summary_differs (const struct dg_summary *told,
                                        const struct dg_summary *seen);

#endif /* DG_ARCHIVE_H */
