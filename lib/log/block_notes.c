/* block_notes.c: records about blocks: reading them, finding that of a block.

   Copyright (C) 2026 the Datagrind developers.
   SPDX-License-Identifier: GPL-2.0-or-later  */

#include "block_notes.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"

/* Of an instruction of any architecture.  */
#define INSTR_MAX 255

int
dg_block_notes_read (struct dg_arena *arena, const struct dg_fields *fields,
                     struct dg_block_note *note, struct dg_error *err)
{
  const uint64_t *words = fields->words;
  uint8_t *bytes;

  *note = (struct dg_block_note) { .address = words[0],
                                   .n = (uint32_t) words[3],
                                   .n_entries = (uint32_t) words[2],
                                   .n_instrs = (uint8_t) words[1] };
  bytes = dg_arena_alloc (arena, note->n + 1);
  if (!bytes)
    return dg_error_nomem (err);
  for (uint32_t i = 0; i < note->n; i++)
    bytes[i] = (uint8_t) words[4 + i];
  note->bytes = bytes;
  return 0;
}

int
dg_block_notes_add (struct dg_table *notes, const struct dg_block_note *note,
                    struct dg_error *err)
{
  struct dg_block_note *to = dg_table_add (notes, sizeof *to);

  if (!to)
    return dg_error_nomem (err);
  *to = *note;
  return 0;
}

int
dg_block_notes_add_code (struct dg_contents *contents,
                         const struct dg_fields *fields, uint64_t offset,
                         struct dg_error *err)
{
  const uint64_t *words = fields->words;
  struct dg_block_note note;
  int code;

  if (words[2] > DG_ENTRIES_MAX || words[3] < words[1]
      || words[3] > words[1] * INSTR_MAX)
    return dg_error_at (err, DG_ERR_DAMAGED, offset,
                        "BBCODE of %" PRIu64 " instructions has %" PRIu64
                        " bytes", words[1], words[3]);
  code = dg_block_notes_read (&contents->arena, fields, &note, err);
  return code < 0 ? code : dg_block_notes_add (&contents->codes, &note, err);
}

/* ---- Finding ---- */

struct dg_block_notes_index {
  GHashTable *notes;       /* a struct dg_block_note is its own key; the value
                              is NULL where two differ */
};

static guint
hash_note (gconstpointer data)
{
  const struct dg_block_note *note = data;

  return (dg_hash_uint64 (&note->address) * 31 + note->n_instrs) * 31
         + note->n_entries;
}

static gboolean
same_block (gconstpointer a, gconstpointer b)
{
  const struct dg_block_note *x = a, *y = b;

  return x->address == y->address && x->n_instrs == y->n_instrs
         && x->n_entries == y->n_entries;
}

struct dg_block_notes_index *
dg_block_notes_index_new (const struct dg_table *notes)
{
  const struct dg_block_note *note = notes->items;
  struct dg_block_notes_index *index =
    g_new0 (struct dg_block_notes_index, 1);

  index->notes = g_hash_table_new (hash_note, same_block);
  for (size_t i = 0; i < notes->n; i++, note++) {
    gpointer key, value;

    if (!g_hash_table_lookup_extended (index->notes, note, &key, &value))
      g_hash_table_insert (index->notes, (gpointer) note, (gpointer) note);
    else if (value) {
      const struct dg_block_note *other = value;

      if (other->n != note->n
          || memcmp (other->bytes, note->bytes, note->n) != 0)
        g_hash_table_insert (index->notes, key, NULL);
    }
  }
  return index;
}

void
dg_block_notes_index_free (struct dg_block_notes_index *index)
{
  if (!index)
    return;
  g_hash_table_unref (index->notes);
  g_free (index);
}

const struct dg_block_note *
dg_block_notes_index_find (const struct dg_block_notes_index *index,
                           const struct dg_bbdef *bbdef)
{
  const struct dg_block_note key = {
    .address = bbdef->n_instrs > 0 ? bbdef->instrs[0].address : 0,
    .n_instrs = bbdef->n_instrs, .n_entries = bbdef->n_entries
  };

  return g_hash_table_lookup (index->notes, &key);
}
