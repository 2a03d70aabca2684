/* feed_kept.c: keeps the batches of a chunk in memory.

   They lie one behind the other in pieces of memory, which are used again and
   again.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include <glib.h>
#include <string.h>

#include "base/error.h"
#include "base/table.h"
#include "feed.h"
#include "format/decode.h"
#include "log/log.h"
#include "log/packed.h"

/* Bytes; larger batches get a piece for themselves.  */
#define PIECE ((size_t) 1 << 20)
/* Bytes of a chunk of an archive.  Those of most programs take 25 to 45 MB;
   one of code that accesses constant addresses again and again, which take no
   bytes in an archive, can take any number.  */
#define CHUNK_MAX ((uint64_t) 64 << 20)

struct piece {
  uint8_t *bytes;
  size_t size;
};

struct dg_kept {
  struct dg_table pieces;  /* struct piece */
  size_t piece, used;      /* the one that is filled, and its bytes */
  uint64_t bytes;          /* of runs and addresses */
  struct dg_table batches; /* struct dg_batch */
};

bool
dg_kept_may_hold (const struct dg_log *log, size_t chunk)
{
  const struct dg_packed *packed = log->contents.packed;
  const struct dg_pack_totals *totals;

  if (packed == NULL)
    return true;
  totals = &((const struct dg_chunk_entry *) packed->archive->chunks.items
             + chunk)->totals;
  return totals->runs <= CHUNK_MAX / sizeof (struct dg_run)
         && totals->entries <= CHUNK_MAX / sizeof (uint64_t)
         && totals->runs * sizeof (struct dg_run)
              + totals->entries * sizeof (uint64_t) <= CHUNK_MAX;
}

struct dg_kept *
dg_kept_new (struct dg_error *err)
{
  struct dg_kept *kept = g_try_new0 (struct dg_kept, 1);

  if (!kept)
    dg_error_nomem (err);
  return kept;
}

void
dg_kept_free (struct dg_kept *kept)
{
  if (!kept)
    return;
  for (size_t i = 0; i < kept->pieces.n; i++)
    g_free (((struct piece *) kept->pieces.items)[i].bytes);
  dg_table_fini (&kept->pieces);
  dg_table_fini (&kept->batches);
  g_free (kept);
}

size_t
dg_kept_batches (const struct dg_kept *kept)
{
  return kept->batches.n;
}

struct dg_batch
dg_kept_batch (const struct dg_kept *kept, size_t i)
{
  return ((const struct dg_batch *) kept->batches.items)[i];
}

/* Room for so many bytes; NULL: no memory.  */
static void *
take (struct dg_kept *kept, size_t size)
{
  struct piece *piece = kept->pieces.items;

  for (; kept->piece < kept->pieces.n; kept->piece++, kept->used = 0)
    if (size <= piece[kept->piece].size - kept->used) {
      kept->used += size;
      return piece[kept->piece].bytes + kept->used - size;
    }
  piece = dg_table_add (&kept->pieces, sizeof *piece);
  if (!piece)
    return NULL;
  piece->size = MAX (size, PIECE);
  piece->bytes = g_try_malloc (piece->size);
  if (!piece->bytes) {
    kept->pieces.n--;
    return NULL;
  }
  kept->used = size;
  return piece->bytes;
}

static size_t
entries_of (const struct dg_run *run)
{
  return run->addresses ? dg_run_entries (run) : 0;
}

static int
keep (struct dg_kept *kept, const struct dg_batch *batch,
      struct dg_error *err)
{
  struct dg_batch *copy = dg_table_add (&kept->batches, sizeof *copy);
  size_t n_addresses = 0, size;
  struct dg_run *runs;
  uint64_t *addresses;

  if (!copy)
    return dg_error_nomem (err);
  for (size_t i = 0; i < batch->n_runs; i++)
    n_addresses += entries_of (&batch->runs[i]);
  G_STATIC_ASSERT (sizeof *runs % sizeof *addresses == 0);
  size = batch->n_runs * sizeof *runs + n_addresses * sizeof *addresses;
  kept->bytes += size;
  runs = take (kept, size);
  if (!runs) {
    kept->batches.n--;
    return dg_error_nomem (err);
  }
  addresses = (uint64_t *) (void *) (runs + batch->n_runs);
  memcpy (runs, batch->runs, batch->n_runs * sizeof *runs);
  for (size_t i = 0; i < batch->n_runs; i++) {
    size_t n = entries_of (&runs[i]);

    if (!runs[i].addresses)
      continue;
    if (n > 0)
      memcpy (addresses, runs[i].addresses, n * sizeof *addresses);
    runs[i].addresses = addresses;
    addresses += n;
  }
  *copy = *batch;
  copy->runs = runs;
  return 0;
}

/* The decoder checks the totals of a chunk only at its end, so that the memory
   is limited here.  */
int
dg_feeder_keep (struct dg_feeder *feeder, struct dg_kept *kept,
                struct dg_error *err)
{
  bool is_limited = dg_feeder_log (feeder)->contents.packed != NULL;
  struct dg_batch batch;
  int code;

  kept->batches.n = 0;
  kept->piece = kept->used = 0;
  kept->bytes = 0;
  while ((code = dg_feeder_next (feeder, &batch, err)) > 0) {
    if (is_limited && kept->bytes > CHUNK_MAX)
      return dg_error_set (err, DG_ERR_DAMAGED,
                           "a chunk has more accesses than it says");
    code = keep (kept, &batch, err);
    if (code < 0)
      break;
  }
  return code;
}
