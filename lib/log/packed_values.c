/* packed_values.c: what the accesses of an archive read or wrote.

   Addresses do not need this: where the values of a chunk are damaged, its
   runs are read as before.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "packed_values.h"

#include <glib.h>

#include "archive/archive_part.h"
#include "base/error.h"

struct dg_packed_values {
  const struct dg_log *log;
  const struct dg_packed *packed;
  struct dg_values_unpacker *unpacker;
  const struct dg_chunk_entry *entry;
  struct dg_table payload;
  bool is_known;           /* else nothing of the chunk is, from here on */
  struct dg_error error;   /* to be told */
  struct dg_values_of_run latest;
  struct dg_table at;      /* uint32_t of each slot */
};

struct dg_packed_values *
dg_packed_values_new (const struct dg_log *log, struct dg_error *err)
{
  struct dg_packed_values *values = g_try_new0 (struct dg_packed_values, 1);

  if (!values) {
    dg_error_nomem (err);
    return NULL;
  }
  values->log = log;
  values->packed = log->contents.packed;
  values->unpacker = dg_values_unpacker_new (err);
  if (values->unpacker)
    return values;
  g_free (values);
  return NULL;
}

void
dg_packed_values_free (struct dg_packed_values *values)
{
  if (!values)
    return;
  dg_values_unpacker_free (values->unpacker);
  dg_table_fini (&values->payload);
  dg_table_fini (&values->at);
  g_free (values);
}

void
dg_packed_values_open (struct dg_packed_values *values,
                       const struct dg_chunk_entry *entry)
{
  int code;

  values->entry = entry;
  values->is_known = false;
  if (entry->values.size == 0)
    return;
  code = dg_archive_read (&values->log->source, &entry->values,
                          DG_PART_VALUES, &values->payload, &values->error);
  if (code == 0)
    code = dg_values_unpacker_begin (values->unpacker, &values->packed->view,
                                     &values->log->format,
                                     values->payload.items, values->payload.n,
                                     &values->error);
  if (code < 0)
    dg_error_place (&values->error, entry->values.offset);
  values->is_known = code == 0;
}

void
dg_packed_values_run (struct dg_packed_values *values, const uint64_t *words)
{
  if (!values->is_known)
    return;
  values->is_known = dg_values_unpacker_run (values->unpacker, words,
                                             &values->latest, &values->error)
                     == 0;
  if (!values->is_known)
    dg_error_place (&values->error, values->entry->values.offset);
}

/* What went wrong, once.  */
static int
tell (struct dg_packed_values *values, struct dg_error *err)
{
  struct dg_error error = values->error;

  values->error = (struct dg_error) { 0 };
  return error.code < 0 ? dg_error_copy (err, &error) : 0;
}

int
dg_packed_values_take (struct dg_packed_values *values,
                       const struct dg_run *run, struct dg_run_values *out,
                       struct dg_error *err)
{
  int code = tell (values, err);
  uint32_t *at;

  if (code < 0)
    return code;
  if (dg_table_reserve (&values->at, sizeof *at, run->n_slots + 1) < 0)
    return dg_error_nomem (err);
  at = values->at.items;
  for (unsigned i = 0; i < run->n_slots; i++)
    at[i] = values->is_known ? values->latest.at[run->bbdef->slots[i].entry]
                             : DG_NO_VALUE;
  *out = (struct dg_run_values) { values->latest.bytes, at };
  return 0;
}

int
dg_packed_values_end (struct dg_packed_values *values, struct dg_error *err)
{
  if (values->is_known
      && dg_values_unpacker_end (values->unpacker, &values->error) < 0)
    dg_error_place (&values->error, values->entry->values.offset);
  return tell (values, err);
}
