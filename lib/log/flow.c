/* flow.c: BBFLOW records: checking, reading, finding that of a block.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "flow.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"

/* ---- Values ---- */

/* The value at `at`, which moves; false: there is none, or one that names an
   entry that does not stand before.  */
static bool
take_value (const uint8_t **at, const uint8_t *end, uint64_t n_entries,
            struct dg_flow_value *value)
{
  const uint8_t *p = *at;

  *value = (struct dg_flow_value) { 0 };
  if (p == end)
    return false;
  value->what = *p++;
  if (value->what > DG_FLOW_OF_LOAD)
    return false;
  if (value->what >= DG_FLOW_REGISTER) {
    if (p == end)
      return false;
    value->of = *p++;
    if ((value->what == DG_FLOW_LOAD || value->what == DG_FLOW_OF_LOAD)
        && value->of >= n_entries)
      return false;
  }
  *at = p;
  return true;
}

/* Goes through all of it; the arrays may be NULL.  */
static bool
walk (const struct dg_flow_record *record, struct dg_flow_access *accesses,
      struct dg_flow_change *changes, uint32_t *n_changes)
{
  const uint8_t *at = record->bytes, *end = at + record->n;
  struct dg_flow_access access;
  struct dg_flow_change change;
  unsigned n;

  for (uint32_t i = 0; i < record->n_entries; i++) {
    if (!take_value (&at, end, i, &access.base)
        || !take_value (&at, end, i, &access.index)
        || !take_value (&at, end, i, &access.data))
      return false;
    if (accesses)
      accesses[i] = access;
  }
  if (at == end)
    return false;
  n = *at++;
  *n_changes = n;
  if (n == DG_FLOW_LOST) {
    *n_changes = DG_FLOW_CHANGES_LOST;
    n = 0;
  }
  for (unsigned i = 0; i < n; i++) {
    if (at == end)
      return false;
    change.reg = *at++;
    if (!take_value (&at, end, record->n_entries, &change.value))
      return false;
    if (changes)
      changes[i] = change;
  }
  return at == end;
}

void
dg_flow_read (const struct dg_flow_record *record,
              struct dg_flow_access *accesses, struct dg_flow_change *changes,
              uint32_t *n_changes)
{
  walk (record, accesses, changes, n_changes);
}

int
dg_flow_add (struct dg_contents *contents, const struct dg_fields *fields,
             uint64_t offset, struct dg_error *err)
{
  const uint64_t *words = fields->words;
  struct dg_flow_record record = { .address = words[0],
                                   .n = (uint32_t) words[3],
                                   .n_entries = (uint32_t) words[2],
                                   .n_instrs = (uint8_t) words[1] };
  uint8_t *bytes = dg_arena_alloc (&contents->arena, record.n + 1);
  struct dg_flow_record *to;
  uint32_t n_changes;

  if (!bytes)
    return dg_error_nomem (err);
  for (uint32_t i = 0; i < record.n; i++)
    bytes[i] = (uint8_t) words[4 + i];
  record.bytes = bytes;
  if (words[2] > DG_ENTRIES_MAX || !walk (&record, NULL, NULL, &n_changes))
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "BBFLOW of %" PRIu64 " entries has %" PRIu64
                        " bytes that do not match them", words[2],
                        words[3]);
  to = dg_table_add (&contents->flows, sizeof *to);
  if (!to)
    return dg_error_nomem (err);
  *to = record;
  return 0;
}

/* ---- Finding ---- */

struct dg_flow_index {
  GHashTable *records;     /* a struct dg_flow_record is its own key; the
                              value is NULL where two differ */
};

static guint
hash_record (gconstpointer data)
{
  const struct dg_flow_record *record = data;

  return (g_int64_hash (&record->address) * 31 + record->n_instrs) * 31
         + record->n_entries;
}

static gboolean
same_block (gconstpointer a, gconstpointer b)
{
  const struct dg_flow_record *x = a, *y = b;

  return x->address == y->address && x->n_instrs == y->n_instrs
         && x->n_entries == y->n_entries;
}

struct dg_flow_index *
dg_flow_index_new (const struct dg_contents *contents)
{
  const struct dg_table *flows = &contents->flows;
  const struct dg_flow_record *record = flows->items;
  struct dg_flow_index *index = g_new0 (struct dg_flow_index, 1);

  index->records = g_hash_table_new (hash_record, same_block);
  for (size_t i = 0; i < flows->n; i++, record++) {
    gpointer key, value;

    if (!g_hash_table_lookup_extended (index->records, record, &key, &value))
      g_hash_table_insert (index->records, (gpointer) record,
                           (gpointer) record);
    else if (value) {
      const struct dg_flow_record *other = value;

      if (other->n != record->n
          || memcmp (other->bytes, record->bytes, record->n) != 0)
        g_hash_table_insert (index->records, key, NULL);
    }
  }
  return index;
}

void
dg_flow_index_free (struct dg_flow_index *index)
{
  if (!index)
    return;
  g_hash_table_unref (index->records);
  g_free (index);
}

const struct dg_flow_record *
dg_flow_index_find (const struct dg_flow_index *index,
                    const struct dg_bbdef *bbdef)
{
  const struct dg_flow_record key = {
    .address = bbdef->n_instrs > 0 ? bbdef->instrs[0].address : 0,
    .n_instrs = bbdef->n_instrs, .n_entries = bbdef->n_entries
  };

  return g_hash_table_lookup (index->records, &key);
}
