/* feed_read.c: the runs of a chunk, decoded a few hundred at a time.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "feed_read.h"

#include <glib.h>
#include <string.h>

#include "base/error.h"
#include "feed_packed.h"
#include "log/log.h"

struct dg_feed_reader {
  const struct dg_log *log;
  /* Of an archive, which has none of what follows.  */
  struct dg_feed_packed *packed;
  struct dg_reader *reader;    /* NULL: no chunk */
  /* A run that was read but not given.  */
  bool has_next;
  struct dg_run next;
  struct dg_run runs[DG_FEED_RUNS];
  uint64_t *addresses;
};

struct dg_feed_reader *
dg_feed_reader_new (const struct dg_log *log, bool needs_addresses,
                    bool needs_contexts, struct dg_error *err)
{
  struct dg_feed_reader *reader = g_try_new0 (struct dg_feed_reader, 1);

  if (!reader) {
    dg_error_nomem (err);
    return NULL;
  }
  reader->log = log;
  if (log->header.is_archive) {
    reader->packed
      = dg_feed_packed_new (log, needs_addresses, needs_contexts, err);
    if (reader->packed)
      return reader;
  } else {
    reader->addresses = g_try_new (uint64_t,
                                   DG_FEED_ADDRESSES + 1
                                   + log->contents.defs.max_entries);
    if (reader->addresses)
      return reader;
    dg_error_nomem (err);
  }
  g_free (reader);
  return NULL;
}

void
dg_feed_reader_free (struct dg_feed_reader *reader)
{
  if (!reader)
    return;
  dg_feed_packed_free (reader->packed);
  dg_reader_free (reader->reader);
  g_free (reader->addresses);
  g_free (reader);
}

int
dg_feed_reader_open (struct dg_feed_reader *reader, size_t chunk,
                     bool takes_alike, struct dg_error *err)
{
  struct dg_error why = { 0 };

  if (reader->packed)
    return dg_feed_packed_open (reader->packed, chunk, takes_alike, err);
  dg_feed_reader_close (reader);
  reader->reader = dg_reader_new (reader->log, chunk, chunk + 1, &why);
  if (!reader->reader)
    return dg_error_copy (err, &why);
  return 0;
}

void
dg_feed_reader_close (struct dg_feed_reader *reader)
{
  if (reader->packed)
    dg_feed_packed_close (reader->packed);
  dg_reader_free (reader->reader);
  reader->reader = NULL;
  reader->has_next = false;
}

/* As dg_feed_reader_next, of a raw log.  */
static int
next_raw (struct dg_feed_reader *reader, struct dg_decoded *decoded,
          struct dg_error *err)
{
  struct dg_run *next = &reader->next;
  size_t n = 0, n_addresses = 0;

  if (!reader->reader)
    return 0;
  for (;;) {
    uint64_t *addresses = reader->addresses + n_addresses;
    unsigned entries;

    if (!reader->has_next) {
      /* An error comes after what stands before it.  */
      int code = dg_reader_run (reader->reader, next, n > 0 ? NULL : err);

      if (code <= 0 && n == 0)
        return code;
      if (code <= 0)
        break;
      reader->has_next = next->n_instrs > 0;
      if (!reader->has_next)
        continue;
    }
    if (n == DG_FEED_RUNS || n_addresses >= DG_FEED_ADDRESSES
        || (n > 0
            && (next->thread != reader->runs[0].thread
                || next->icount != decoded->end_icount)))
      break;
    entries = dg_run_entries (next);
    if (entries > 0)
      memcpy (addresses, next->addresses, entries * sizeof *addresses);
    reader->runs[n] = *next;
    reader->runs[n++].addresses = addresses;
    n_addresses += entries;
    decoded->end_icount = next->icount + next->n_instrs;
    reader->has_next = false;
  }
  decoded->runs = reader->runs;
  decoded->n_runs = n;
  decoded->n_slots = DG_NEVER;
  decoded->times = NULL;
  return 1;
}

int
dg_feed_reader_next (struct dg_feed_reader *reader,
                     struct dg_decoded *decoded, struct dg_error *err)
{
  return reader->packed
           ? dg_feed_packed_next (reader->packed, decoded, err)
           : next_raw (reader, decoded, err);
}
