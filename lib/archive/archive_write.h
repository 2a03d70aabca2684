/* archive_write.h: writing an archive, chunk by chunk, and its footer.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARCHIVE_WRITE_H
#define DG_ARCHIVE_WRITE_H

#include "archive_compress.h"
#include "archive_format.h"
#include "archive_part.h"

/* One thread at a time.  */
struct dg_archive_writer;

/* Creates the file, instead of one that is there.  Readers of that keep it; a
   link, or a file with other links, is emptied and used; what is not a regular
   file is left alone, and so is one that another writer has open (DG_ERR_IO).
   level: of zstd, 0: the default.  */
int dg_archive_create (const char *path, const struct dg_archive_head *head,
                       int level, struct dg_archive_writer **out,
                       struct dg_error *err);
/* The same in a file that is there, empty, open for writing and nobody else's,
   which stays the caller's to close.  */
int dg_archive_create_in (int fd, const struct dg_archive_head *head,
                          int level, struct dg_archive_writer **out,
                          struct dg_error *err);

/* Goes on behind the first `size` bytes of an archive that is open, which the
   file has: everything but its files and its end.  The rest as above.  */
int dg_archive_continue_in (int fd, const struct dg_archive *archive,
                            uint64_t size, int level,
                            struct dg_archive_writer **out,
                            struct dg_error *err);

/* One chunk; parts of size 0 are left out, but never RUNS.  definitions,
   records and lines come uncompressed, runs as dg_packer_end gives them,
   values as dg_values_packer_end.
   Goes to the file at once, in one piece.  DG_ERR_IO: it is cut back to the
   chunk before, and nothing more can be added; DG_ERR_NOMEM or
   DG_ERR_INVALID (a part above 2 GiB): as if it had not been called.  */
struct dg_archive_chunk {
  struct dg_chunk_start start;
  struct dg_pack_totals totals;    /* as dg_packer_totals says at its end */
  const void *definitions, *records, *lines, *values, *runs;
  size_t definitions_size, records_size, lines_size, values_size, runs_size;
  /* What these two become, if that is known, or NULL.  */
  const struct dg_compressed *compressed_records, *compressed_lines;
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
/* Any other part, behind all of these; see bundle.h, which also says what is
   in the list of files, that is written in the end if it has any.  */
int dg_archive_add_part (struct dg_archive_writer *writer,
                         enum dg_part_type type, const void *bytes, size_t n,
                         struct dg_part *part, struct dg_error *err);
/* Parts are compressed at that level from here on.  */
void dg_archive_set_level (struct dg_archive_writer *writer, int level);
struct dg_table *dg_archive_files (struct dg_archive_writer *writer);
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

#endif /* DG_ARCHIVE_WRITE_H */
