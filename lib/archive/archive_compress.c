/* archive_compress.c: the payloads of parts, compressed.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "archive_compress.h"

#include <glib.h>
#include <string.h>
#include <zstd.h>

#include "base/error.h"

struct dg_compressor {
  ZSTD_CCtx *zstd;
  int level;
  struct dg_table scratch; /* of dg_compressor_keep */
};

struct dg_compressor *
dg_compressor_new (int level, struct dg_error *err)
{
  struct dg_compressor *compressor = g_try_new0 (struct dg_compressor, 1);

  if (compressor)
    compressor->zstd = ZSTD_createCCtx ();
  if (!compressor || !compressor->zstd) {
    g_free (compressor);
    dg_error_nomem (err);
    return NULL;
  }
  compressor->level = level;
  return compressor;
}

void
dg_compressor_free (struct dg_compressor *compressor)
{
  if (!compressor)
    return;
  ZSTD_freeCCtx (compressor->zstd);
  dg_table_fini (&compressor->scratch);
  g_free (compressor);
}

void
dg_compressor_set_level (struct dg_compressor *compressor, int level)
{
  compressor->level = level;
}

int
dg_compressor_run (struct dg_compressor *compressor, uint8_t type,
                   const void *bytes, size_t n, struct dg_table *out,
                   size_t *size, struct dg_error *err)
{
  if (compressor->level == DG_ARCHIVE_STORED)
    return 0;
  if (dg_table_reserve (out, 1, ZSTD_compressBound (n)) < 0)
    return dg_error_nomem (err);
  *size = ZSTD_compressCCtx (compressor->zstd, out->items, out->room, bytes,
                             n, compressor->level);
  if (ZSTD_isError (*size))
    return dg_error_nomem (err);
  return *size < n && n <= dg_part_raw_limit (type, *size);
}

int
dg_compressor_keep (struct dg_compressor *compressor, uint8_t type,
                    const void *bytes, size_t n, struct dg_compressed *out,
                    struct dg_error *err)
{
  struct dg_table *scratch = &compressor->scratch;
  size_t size;
  int code;

  out->raw_size = 0;
  if (n == 0)
    return 0;
  code = dg_compressor_run (compressor, type, bytes, n, scratch, &size, err);
  if (code < 0)
    return code;
  if (code > 0) {
    if (dg_table_reserve (&out->bytes, 1, size) < 0)
      return dg_error_nomem (err);
    memcpy (out->bytes.items, scratch->items, size);
  }
  out->bytes.n = code > 0 ? size : 0;
  out->codec = code > 0 ? DG_CODEC_ZSTD : DG_CODEC_STORED;
  out->raw_size = n;
  return 0;
}
