/* archive_pieces.h: parts of an archive, written in one piece.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARCHIVE_PIECES_H
#define DG_ARCHIVE_PIECES_H

#include <sys/uio.h>

#include "archive_compress.h"
#include "archive_format.h"
#include "archive_part.h"

/* Parts of a chunk, each with its head.  */
#define DG_PIECES_MAX 5

struct dg_archive_piece {
  uint8_t head[DG_PART_HEAD_BYTES];
  const void *bytes;
  struct dg_part part;
};

struct dg_archive_writer {
  int fd;
  bool is_named;           /* by us, and so from the beginning */
  struct dg_compressor *compressor;
  uint64_t size;           /* of the file, whole chunks only */
  uint64_t limit;          /* for chunks; 0: none */
  struct dg_error failed;  /* code not 0: nothing more can be added */
  /* What SUMMARY will say.  */
  struct dg_archive archive;
  struct dg_archive_piece pieces[DG_PIECES_MAX];
  unsigned n_pieces;
  struct dg_table buffers[DG_PIECES_MAX];   /* what was compressed */
};

/* Writes all of that behind what the file has.  DG_ERR_IO: it is cut off
   again, and nothing more can be written.  */
int dg_pieces_put (struct dg_archive_writer *writer, struct iovec *at,
                   unsigned n, struct dg_error *err);
/* What was said then.  */
int dg_pieces_failed (struct dg_archive_writer *writer, struct dg_error *err);

/* Up to DG_PIECES_MAX parts: dg_pieces_add compresses them if head has
   DG_CODEC_ZSTD and that gains anything, and keeps `bytes` as they are.  */
void dg_pieces_begin (struct dg_archive_writer *writer);
int dg_pieces_add (struct dg_archive_writer *writer, struct dg_part_head head,
                   const void *bytes, size_t n, struct dg_error *err);
/* One that was compressed before, of `bytes`.  */
int dg_pieces_add_compressed (struct dg_archive_writer *writer,
                              struct dg_part_head head,
                              const struct dg_compressed *compressed,
                              const void *bytes, struct dg_error *err);
int dg_pieces_write (struct dg_archive_writer *writer, struct dg_error *err);
/* One part by itself; *part: where it is.  */
int dg_pieces_write_one (struct dg_archive_writer *writer,
                         struct dg_part_head head, const void *bytes,
                         size_t n, struct dg_part *part,
                         struct dg_error *err);

#endif /* DG_ARCHIVE_PIECES_H */
