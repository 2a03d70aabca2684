/* archive_format.h: what stands in an archive file.

   An archive holds what a raw log holds, cut into chunks.
   docs/archive.md says the same byte by byte.

     head
     for each chunk: [DEFINITIONS] [RECORDS] [LINES] [VALUES] RUNS
     [TAIL]                   bytes of a raw log behind its last good record
     LINES of coarser levels
     [FILE ... BUNDLE]        files that names are read from, and their list
     SUMMARY                  totals, PROCESS, the table of chunks and parts
     footer                     where SUMMARY is

   It is written from front to back.  A chunk is there when its RUNS part is
   whole: an archive without its footer, or whose footer does not fit, is
   walked part by part and ends before the first bad one.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARCHIVE_FORMAT_H
#define DG_ARCHIVE_FORMAT_H

#include "base/table.h"
#include "format/decode.h"
#include "pack.h"

#define DG_ARCHIVE_MAGIC   "DGARCH\r\n"   /* 8 bytes, its NUL left out */
#define DG_ARCHIVE_VERSION 2 /* of what is written; 1 can be read, too */
#define DG_VALUES_VERSION 3  /* of archives with values */
#define DG_SIDECAR_VERSION 1 /* which has no runs */

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
  DG_PART_SUMMARY = 6,
  DG_PART_FILE = 7,        /* bytes of a file, see bundle.h */
  DG_PART_BUNDLE = 8,      /* dg_bundle_put: the list of files */
  DG_PART_VALUES = 9       /* dg_values_packer_end */
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
  struct dg_part definitions, records, lines, values, runs;
};

struct dg_archive_lines {
  unsigned level;          /* up to 255 */
  uint64_t first;          /* chunk */
  struct dg_part part;
};

struct dg_archive_head {
  uint8_t version;         /* the writer chooses it */
  uint8_t word_size;       /* of the recorded program */
  bool big_endian;
  uint8_t origin;          /* enum dg_archive_origin */
  bool has_values;         /* version 3: of accesses, in VALUES and blocks */
  /* Of a sidecar: the log it belongs to.  */
  uint64_t log_size;
  int64_t log_mtime_ns;
};

/* What is known of an archive that is open.  */
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
  uint64_t parts_end;        /* of all parts but these: */
  struct dg_part bundle_part; /* size 0: there is none */
  struct dg_table files;     /* struct dg_bundle_file */
  struct dg_error bundle_error;   /* why they are not there; else code 0 */
  /* With a footer: */
  struct dg_part summary_part;
  struct dg_summary summary;
  struct dg_table process;   /* bytes of the PROCESS record */
};

#endif /* DG_ARCHIVE_FORMAT_H */
