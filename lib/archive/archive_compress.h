/* archive_compress.h: the payload of a part, compressed before it is known
   where in the archive the part will be.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#ifndef DG_ARCHIVE_COMPRESS_H
#define DG_ARCHIVE_COMPRESS_H

#include "archive_part.h"

/* Reused from part to part: one for each thread.  level: of zstd, 0: the
   default; DG_ARCHIVE_STORED: nothing is compressed.  */
struct dg_compressor;
struct dg_compressor *dg_compressor_new (int level, struct dg_error *err);
void dg_compressor_free (struct dg_compressor *compressor);
void dg_compressor_set_level (struct dg_compressor *compressor, int level);

/* Compresses, if that gains anything and stays within what readers take.
   Returns 1: *out (bytes) has *size bytes, and its room was used; 0: the part
   is to be stored as it is; or DG_ERR_NOMEM.  */
int dg_compressor_run (struct dg_compressor *compressor, uint8_t type,
                       const void *bytes, size_t n, struct dg_table *out,
                       size_t *size, struct dg_error *err);

/* A payload as the archive will have it.  All zero: there is none.  */
struct dg_compressed {
  struct dg_table bytes;   /* with DG_CODEC_ZSTD */
  size_t raw_size;         /* of what it was made of */
  uint8_t codec;           /* DG_CODEC_STORED: it stays as it was */
};

/* Compresses into `out`, which takes no more memory than the result needs.
   Returns 0 or DG_ERR_NOMEM.  */
int dg_compressor_keep (struct dg_compressor *compressor, uint8_t type,
                        const void *bytes, size_t n,
                        struct dg_compressed *out, struct dg_error *err);

#endif /* DG_ARCHIVE_COMPRESS_H */
